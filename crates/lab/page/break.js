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
    this.result = h('div', { class: 'result', role: 'status' });
    this.messages = 5;
  }

  get #info() {
    const name = this.lab.bench.election?.algorithm ?? this.of;
    return this.lab.catalogue?.algorithms.find((it) => it.name === name);
  }

  update() {
    const info = this.#info;
    if (!info) return put(this.root, h('p', {}, t('break.no-election')));
    if (info.name !== this.of) {
      this.of = info.name;
      this.topology = SMALL[info.network];
      this.isOwn = false;
      this.result.replaceChildren();
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
      this.result,
      h('h2', {}, t('worst.title')),
      h(
        'div',
        { class: 'row' },
        button(t('worst.ids'), () => this.#worst('ids'), { disabled: isAnonymous(info) || !this.#election }),
        button(t('worst.schedule'), () => this.#worst('schedule'), { disabled: !this.#election }),
      ),
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
      h('h2', {}, t('errata.title')),
      ...this.#errata(),
    );
  }

  #errata() {
    const { catalogue } = this.lab;
    const all = catalogue.algorithms.flatMap((info) => (info.errata ?? []).map((erratum) => ({ ...erratum, info })));
    const own = all.filter(({ info }) => info.name === this.of);
    const others = all.filter(({ info }) => info.name !== this.of);
    const shown = ({ name, title, text, info }) => {
      const go = button(t('errata.find'), () => this.#erratum(info, name), { 'data-erratum': `${info.name}/${name}` });
      const solution = h('details', {}, h('summary', {}, t('errata.solution')), prose(text));
      return h('div', { class: 'erratum' }, h('p', {}, h('b', {}, title ?? `${info.name}: ${name}`)), go, solution);
    };
    return [
      h('p', {}, t('errata.about')),
      ...own.map(shown),
      h('details', {}, h('summary', {}, t('errata.others', { count: n(others.length) })), others.map(shown)),
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
    await this.#look({ ask: 'check', check }, t(`assume.${name}-name`), 'break.holds');
  }

  async #erratum(info, name) {
    const check = { algorithm: info.name, 'as-printed': name, topology: SMALL[info.network], ...this.#all(info) };
    if (info['survives-crashes']) check.crashes = 1;
    await this.#look({ ask: 'check', check }, t('errata.name', { name }), 'break.holds');
  }

  async #canHappen(what) {
    const check = { algorithm: this.of, ...this.#all(this.#info), topology: this.topology };
    const more = what === 'more-than' ? { messages: this.messages } : {};
    await this.#look({ ask: 'can-happen', check, what, ...more }, t(`happen.${what}`), 'happen.never');
  }

  /** Asks for a counterexample, and shows it if there is one. */
  async #look(request, name, otherwise) {
    const { bench } = this.lab;
    this.result.replaceChildren(h('p', {}, t('break.looking')));
    const answer = await bench.grow(request, name, t('work.check'));
    if (!answer) return this.result.replaceChildren();
    const { report = {}, story = [], reel } = answer;
    const states = report.states ?? 0;
    const size = t('break.size', { states: n(states), topology: request.check.topology });
    if (!reel) {
      const text = report.complete === false ? t('break.unknown') : t(otherwise);
      return this.result.replaceChildren(h('p', { class: 'fine' }, text, ' ', size));
    }
    const found = report.violations ?? [answer.property].filter(Boolean);
    this.result.replaceChildren(
      h('p', { class: 'broken-here' }, h('b', {}, t('break.found')), ' ', size),
      h(
        'ul',
        {},
        [...new Set(found)].map((line) => h('li', {}, line)),
      ),
      story.length > 0
        ? h(
            'details',
            {},
            h('summary', {}, t('break.story')),
            h(
              'ol',
              { class: 'story' },
              story.map((line) => h('li', {}, line)),
            ),
          )
        : '',
      h('p', { class: 'faint' }, t('break.watch')),
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
    const values = {
      value: n(worst.value),
      average: worst.average === null || worst.average === undefined ? '–' : n(worst.average),
    };
    this.result.replaceChildren(h('p', {}, t('worst.found', values)), h('p', { class: 'faint' }, worst.how ?? ''));
    const name = t(`worst.${of}`);
    if (worst.reel) return bench.add({ name, parent: -1, at: 0, request, answer: worst }, {});
    if (worst.election) await bench.grow({ ask: 'run', election: worst.election }, name);
  }
}
