// Break it: drop an assumption and get a shortest counterexample; the worst ids and schedules; what can ever happen.

import { button, field, h, menu, prose, put } from './dom.js';
import { n, t } from './texts.js';

/** Small networks, on which every schedule can be followed. */
const SMALL = {
  'one-way ring': 'ring:3',
  'two-way ring': 'ring:3',
  tree: 'path:3',
  'connected graph': 'path:3',
  'complete graph': 'complete:3',
};

/** The assumptions that can be dropped: what of a check takes each away, or null where it was never made. */
const ASSUMPTIONS = {
  fifo: (info) => {
    if (info.model === 'rounds') return null;
    // On three nodes of a ring hardly anything can overtake.
    const isLarger = info.network === 'one-way ring' && !info.randomised;
    return { links: 'reorder', ...(isLarger ? { topology: 'ring:4' } : {}) };
  },
  ids: (info) => (isAnonymous(info) ? null : { ids: '2,2,1' }),
  loss: () => ({ loss: 1 }),
  duplicate: (info) => (info.model === 'rounds' ? null : { links: 'duplicate:1' }),
  crash: () => ({ crashes: 1 }),
  delay: (info) => (info.knows.includes('the longest delay of a message') ? { timers: 'any' } : null),
  size: (info) => {
    if (info.settings.some(({ name }) => name === 'n')) return { set: ['n=2'] };
    return info.settings.some(({ name }) => name === 'diameter') ? { set: ['diameter=1'], topology: 'path:4' } : null;
  },
};

function isAnonymous(info) {
  return info.anonymous ?? !info.knows.includes('its id');
}

/** The panel that breaks things. */
export class Break {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
    const result = () => h('div', { class: 'result', role: 'status' });
    /** What was found, each below its own buttons. */
    this.results = { break: result(), worst: result(), happen: result(), errata: result() };
    this.messages = 5;
  }

  get #info() {
    const name = this.lab.bench.election?.algorithm ?? this.of ?? this.#election?.algorithm;
    return this.lab.catalogue?.algorithms.find((it) => it.name === name);
  }

  update() {
    const info = this.#info;
    if (!info) return put(this.root, h('p', {}, t('break.no-election')));
    if (info.name !== this.of) {
      this.of = info.name;
      this.topology = SMALL[info.network];
      this.isOwn = false;
      Object.values(this.results).forEach((result) => result.replaceChildren());
    }
    if (info.perpetual) {
      const reason = t('break.perpetual', { algorithm: info.name });
      return put(this.root, h('p', {}, reason), ...this.#errata());
    }
    const drops = Object.entries(ASSUMPTIONS).map(([name, change]) => {
      const dropped = change(info);
      const go = button(t(`assume.${name}`), () => this.#drop(name, dropped), {
        'data-assumption': name,
        disabled: dropped === null,
      });
      const why = dropped === null ? t(`assume.${name}-never`, { algorithm: info.name }) : t(`assume.${name}-help`);
      return h('li', {}, go, h('small', { class: 'faint' }, ` ${why}`));
    });
    const topology = h('input', {
      value: this.topology,
      spellcheck: 'false',
      on: { change: (event) => this.#take(event.target.value.trim()) },
    });
    const count = h('input', {
      type: 'number',
      min: 1,
      value: this.messages,
      'aria-label': t('happen.messages'),
      on: { change: (event) => (this.messages = Number(event.target.value)) },
    });
    put(
      this.root,
      h('p', {}, t('break.about', { algorithm: info.name })),
      field(t('break.network'), topology, t('break.network-help')),
      h('ul', { class: 'assumptions' }, drops),
      h(
        'div',
        { class: 'row' },
        button(t('break.nothing'), () => this.#drop('nothing', {})),
      ),
      this.results.break,
      h('h2', {}, t('worst.title')),
      h(
        'div',
        { class: 'row' },
        button(t('worst.ids'), () => this.#worst('ids'), { disabled: isAnonymous(info) || !this.#election }),
        button(t('worst.schedule'), () => this.#worst('schedule'), { disabled: !this.#election }),
      ),
      this.results.worst,
      h('h2', {}, t('happen.title')),
      h(
        'div',
        { class: 'row' },
        button(t('happen.two-leaders'), () => this.#canHappen('two-leaders')),
        button(t('happen.nobody-informed'), () => this.#canHappen('nobody-informed')),
        h(
          'span',
          { class: 'row' },
          button(t('happen.more-than'), () => this.#canHappen('more-than')),
          count,
        ),
      ),
      this.results.happen,
      h('h2', {}, t('errata.title')),
      ...this.#errata(),
    );
  }

  #errata() {
    const { catalogue } = this.lab;
    const all = catalogue.algorithms.flatMap((info) => (info.errata ?? []).map((erratum) => ({ ...erratum, info })));
    const own = all.filter(({ info }) => info.name === this.of);
    const others = all.filter(({ info }) => info.name !== this.of);
    const isShown = ({ name, info }) => this.shownErratum === `${info.name}/${name}`;
    const shown = ({ name, title, text, info }) => {
      const go = button(t('errata.find'), () => this.#erratum(info, name), { 'data-erratum': `${info.name}/${name}` });
      const solution = h('details', {}, h('summary', {}, t('errata.solution')), prose(text));
      const found = isShown({ name, info }) ? this.results.errata : null;
      const heading = h('p', {}, h('b', {}, title ?? `${info.name}: ${name}`));
      return h('div', { class: 'erratum' }, heading, go, found, solution);
    };
    return [
      h('p', {}, t('errata.about')),
      ...own.map(shown),
      h(
        'details',
        { open: others.some(isShown) },
        h('summary', {}, t('errata.others', { count: n(others.length) })),
        others.map(shown),
      ),
    ];
  }

  /** Takes another small network, whatever is dropped. */
  #take(topology) {
    this.topology = topology || SMALL[this.#info.network];
    this.isOwn = topology !== '';
  }

  /** Every order of the ids, and every set of nodes that start, as far as the algorithm allows. */
  #all(info) {
    return {
      ...(isAnonymous(info) ? {} : { ids: 'all' }),
      ...(['any', 'any-round'].includes(info.starts) && !info.randomised ? { initiators: 'all-sets' } : {}),
    };
  }

  /** The ids of a small network with the first two alike. */
  #alike(topology) {
    const nodes = Number(/^\w+:(\d+)$/.exec(topology)?.[1] ?? 3);
    return [nodes - 1, nodes - 1, ...Array.from({ length: nodes - 2 }, (_, index) => index + 1).reverse()].slice(
      0,
      nodes,
    );
  }

  async #drop(name, dropped) {
    const topology = (this.isOwn ? null : dropped.topology) ?? this.topology;
    const change = name === 'ids' ? { ids: this.#alike(topology).join(',') } : dropped;
    const check = { algorithm: this.of, ...this.#all(this.#info), ...change, topology };
    await this.#break({ ask: 'check', check }, t(`assume.${name}-name`), 'break');
  }

  async #erratum(info, name) {
    const check = { algorithm: info.name, 'as-printed': name, topology: SMALL[info.network], ...this.#all(info) };
    if (info['survives-crashes']) check.crashes = 1;
    this.shownErratum = `${info.name}/${name}`;
    this.update();
    await this.#break({ ask: 'check', check }, t('errata.name', { name }), 'errata');
  }

  async #canHappen(what) {
    const check = { algorithm: this.of, ...this.#all(this.#info), topology: this.topology };
    const { messages } = this;
    const more = what === 'more-than' ? { messages } : {};
    const name = what === 'more-than' ? t('happen.more-than-name', { count: n(messages) }) : t(`happen.${what}`);
    const answer = await this.#look({ ask: 'can-happen', check, what, ...more }, name, 'happen');
    if (!answer) return;
    const said = { true: 'happen.never', false: 'happen.yes', null: 'happen.unknown' }[answer.never];
    this.#tell('happen', check, answer, [h('b', {}, t(said))], t('happen.story'), t('happen.watch'));
  }

  /** Looks for a counterexample, and tells it. */
  async #break(request, name, place) {
    const answer = await this.#look(request, name, place);
    if (!answer) return;
    const { reel, report, property } = answer;
    const key = `broken.${report.broken}`;
    const said = reel
      ? [h('b', {}, t('break.found')), ' ', t(key) === key ? property : t(key)]
      : [t(report.complete === false ? 'break.unknown' : 'break.holds')];
    this.#tell(place, request.check, answer, said, t('break.story'), t('break.watch'));
  }

  /** Follows every schedule; nothing if that was refused or given up. */
  async #look(request, name, place) {
    const result = this.results[place];
    result.replaceChildren(h('p', {}, t('break.looking')));
    const answer = await this.lab.bench.grow(request, name, t('work.check'));
    if (!answer) result.replaceChildren();
    return answer;
  }

  /** Tells what a search found, how much it looked at, and the schedule if there is one. */
  #tell(place, check, { reel, report, states, story = [] }, said, summary, watch) {
    const size = t('break.size', { states: n(report?.states ?? states), topology: check.topology });
    const steps = h(
      'details',
      {},
      h('summary', {}, summary),
      h(
        'ol',
        { class: 'story' },
        story.map((line) => h('li', {}, line)),
      ),
    );
    const mark = place === 'happen' ? null : reel ? 'broken-here' : 'fine';
    this.results[place].replaceChildren(
      h('p', { class: mark }, said, ' ', size),
      ...(reel ? [steps, h('p', { class: 'faint' }, watch)] : []),
    );
  }

  /** The election on the bench. A counterexample is none, so it is the one that it was looked for from. */
  get #election() {
    const { bench } = this.lab;
    return bench.election ?? bench.branches.find(({ answer }) => answer.election)?.answer.election ?? null;
  }

  async #worst(of) {
    const { bench } = this.lab;
    const election = this.#election;
    const request = { ask: 'worst', election, of, quantity: 'messages' };
    const worst = await this.lab.work.do(t('work.worst'), (signal) => bench.answer(request, signal));
    if (!worst) return;
    const { value, average, configurations, states } = worst;
    const isMean = average !== null;
    const found = isMean
      ? t('worst.found', { value: n(value), average: n(average) })
      : t('worst.most', { value: n(value) });
    const count = n(configurations ?? states);
    const how = t(`worst.of-${of}`, { count });
    this.results.worst.replaceChildren(h('p', {}, found), h('p', { class: 'faint' }, how));
    const name = t(`worst.${of}`);
    if (worst.reel) return bench.add({ name, parent: -1, at: 0, request, answer: worst }, {});
    if (worst.election) await bench.grow({ ask: 'run', election: worst.election }, name);
  }
}
