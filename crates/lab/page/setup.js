// The form in which an election is put together: menus from the catalogue, with the reason why something does not fit.

import { ask } from './carrier.js';
import { Editor } from './editor.js';
import { button, field, h, menu, put } from './dom.js';
import { IdBars } from './ids.js';
import { n, t } from './texts.js';

const TIMINGS = ['unit', 'uniform', 'exponential', 'reorder'];

/** A list whose parts stand between commas, however somebody parts them. */
function separated(list) {
  return list.split(/[\s,;]+/).filter(Boolean).join(',');
}

/** The panel that sets elections up. */
export class Setup {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
    this.fits = null;
    this.wrong = '';
  }

  /** Shows the election on the bench. */
  async update() {
    const { bench, catalogue } = this.lab;
    if (!catalogue) return;
    const election = bench.election;
    if (!election) {
      const again = () => bench.hold({ algorithm: 'chang-roberts', topology: 'ring:8', seed: 1 });
      return put(this.root, h('p', {}, t('setup.recorded')), button(t('setup.anew'), again));
    }
    this.election = { ...election };
    this.note = '';
    this.#render();
    const key = JSON.stringify([election.topology, election.seed, bench.files]);
    if (key === this.fitted) return;
    this.fitted = key;
    const topology = election.topology;
    const request = { ask: 'fits', topology, seed: election.seed ?? 1, ...bench.filesOf(topology) };
    const fits = await ask(request).catch(() => null);
    if (key !== this.fitted) return;
    this.fits = fits;
    this.fitsOf = topology;
    if (!this.root.contains(document.activeElement)) this.#render();
    else this.#renderAlgorithms();
  }

  /** Says what was changed besides what was asked for, until another run is shown. */
  say(note) {
    this.note = note;
    this.#render();
  }

  get #info() {
    return this.lab.catalogue.algorithms.find(({ name }) => name === this.election.algorithm);
  }

  /** Holds the election that was put together; parts that the algorithm does not know are left out. */
  async #hold(change = {}) {
    const election = { ...this.election, ...change };
    for (const key of Object.keys(election)) {
      const value = election[key];
      if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) delete election[key];
    }
    this.election = election;
    const active = document.activeElement?.dataset?.field;
    const answer = await this.lab.bench.hold(election, { isPlaying: true, theme: this.lab.player?.theme });
    if (answer && active) this.root.querySelector(`[data-field="${active}"]`)?.focus();
    return answer;
  }

  /** Takes another algorithm. Settings that it lacks are dropped. If it cannot run here, it gets its usual network. */
  async #choose(name) {
    const info = this.lab.catalogue.algorithms.find((info) => info.name === name);
    const isKnown = this.fitsOf === this.election.topology;
    const fit = isKnown ? this.fits?.algorithms.find((it) => it.name === name) : undefined;
    const { seed, topology, ids, initiators, timing, force } = this.election;
    const isAnonymous = info.anonymous ?? !info.knows.includes('its id');
    const isFitting = fit?.fits ?? info.network === this.#info.network;
    const answer = await this.#hold({
      ...Object.fromEntries(Object.keys(this.election).map((key) => [key, undefined])),
      algorithm: name,
      topology: isFitting ? topology : info['usual-topology'],
      seed,
      ids: isAnonymous || !isFitting || /[,]/.test(ids ?? '') ? undefined : ids,
      initiators: info.starts === 'one' || !isFitting ? undefined : initiators,
      timing: info.model === 'rounds' || timing === 'rounds' ? undefined : timing,
      force,
    });
    if (answer?.reel && !isFitting)
      this.say(t('setup.took-network', { algorithm: name, topology: info['usual-topology'] }));
  }

  /** Takes another seed. Ids that were given would hide it, so they are drawn, too. */
  async #throwDice() {
    const isGiven = /,/.test(this.election.ids ?? '');
    const seed = 1 + Math.floor(Math.random() * 9_999);
    const answer = await this.#hold({ seed, ...(isGiven ? { ids: undefined } : {}) });
    if (answer?.reel && isGiven) this.say(t('setup.took-ids'));
  }

  #renderAlgorithms() {
    const select = this.root.querySelector('[data-field=algorithm]');
    if (!select) return;
    const isFocused = select === document.activeElement;
    const next = this.#algorithms();
    select.replaceWith(next);
    if (isFocused) next.focus();
    this.root.querySelector('.why-not')?.remove();
    next.closest('.field').after(this.#reasons() ?? '');
  }

  /** Why some algorithms do not fit. */
  #reasons() {
    const others = (this.fits?.algorithms ?? []).filter((it) => !it.fits);
    if (others.length === 0) return null;
    return h(
      'details',
      { class: 'why-not' },
      h('summary', {}, t('setup.why-not', { count: n(others.length) })),
      h(
        'ul',
        { class: 'reasons' },
        others.map((it) => h('li', {}, it.reason)),
      ),
    );
  }

  /** The menu of algorithms: those that fit first, and for the others why not. */
  #algorithms() {
    const { catalogue } = this.lab;
    const reasons = new Map((this.fits?.algorithms ?? []).map((it) => [it.name, it.reason]));
    const option = ({ name, network }) => {
      const reason = reasons.get(name);
      return h('option', { value: name, title: reason ?? undefined }, reason ? `${name} · ${network}` : name);
    };
    const fitting = catalogue.algorithms.filter(({ name }) => !reasons.get(name));
    const others = catalogue.algorithms.filter(({ name }) => reasons.get(name));
    const select = h(
      'select',
      { 'data-field': 'algorithm', on: { change: () => this.#choose(select.value) } },
      h('optgroup', { label: t('setup.fits') }, fitting.map(option)),
      others.length > 0 ? h('optgroup', { label: t('setup.unfit') }, others.map(option)) : null,
    );
    select.value = this.election.algorithm;
    return select;
  }

  #render() {
    const { election, lab } = this;
    const info = this.#info;
    const topologies = lab.catalogue.topologies;
    const kind = election.topology.split(':')[0];
    const known = topologies.some((it) => it.kind === kind) ? [] : [[kind, kind]];
    const kinds = [...topologies.map(({ kind, help }) => [kind, kind, undefined, help]), ...known];
    const text = (name, value, change, attributes = {}) =>
      h('input', {
        value: value ?? '',
        'data-field': name,
        on: { change: (event) => change(event.target.value.trim()) },
        ...attributes,
      });
    const network = h(
      'div',
      { class: 'pair' },
      menu(
        kinds.filter(([kind]) => (kind !== 'file' && kind !== 'graph6') || kind === election.topology.split(':')[0]),
        kind,
        (kind) =>
          this.#hold({
            topology: topologies.find((it) => it.kind === kind).form,
            ids: undefined,
            initiators: undefined,
          }),
        { 'aria-label': t('setup.network'), 'data-field': 'kind' },
      ),
      text(
        'topology',
        election.topology,
        (topology) => this.#hold({ topology, ids: undefined, initiators: undefined }),
        {
          'aria-label': t('setup.network-text'),
          spellcheck: 'false',
        },
      ),
    );
    const picker = h('input', {
      type: 'file',
      class: 'unseen',
      tabindex: '-1',
      'aria-hidden': 'true',
      on: { change: () => picker.files[0] && lab.drop(picker.files[0]) },
    });
    const isAnonymous = info.anonymous ?? !info.knows.includes('its id');
    const ids = isAnonymous ? h('p', { class: 'faint' }, t('setup.no-ids')) : this.#ids(text);
    const faults = (election.fault ?? []).map((fault, index) =>
      h(
        'li',
        {},
        h('code', {}, fault),
        button('✕', () => this.#hold({ fault: election.fault.filter((_, at) => at !== index) }), {
          class: 'plain',
          'aria-label': t('setup.remove', { fault }),
        }),
      ),
    );
    const addFault = text(
      'fault',
      '',
      (fault) => fault && this.#hold({ fault: [...(election.fault ?? []), fault], force: true }),
      {
        placeholder: 'loss=0.1, crash=3@5',
        'aria-label': t('setup.fault-add'),
        spellcheck: 'false',
      },
    );
    put(
      this.root,
      this.note ? h('p', { role: 'status', class: 'note' }, this.note) : null,
      field(t('setup.algorithm'), this.#algorithms(), info.summary),
      this.#reasons(),
      h('div', { class: 'field' }, h('span', {}, t('setup.network')), network),
      h(
        'div',
        { class: 'row' },
        button(t('setup.draw'), () => this.#draw()),
        button(t('setup.file'), () => picker.click()),
        picker,
      ),
      this.editing ?? '',
      ids,
      field(
        t('setup.initiators'),
        text('initiators', election.initiators, (initiators) => this.#hold({ initiators: separated(initiators) }), {
          placeholder: info.starts === 'one' ? 'one' : 'all',
          list: 'initiator-list',
          spellcheck: 'false',
        }),
        t('setup.initiators-help'),
      ),
      h(
        'datalist',
        { id: 'initiator-list' },
        ['all', 'one', 'random:2', '0,2'].map((value) => h('option', { value })),
      ),
      info.model === 'rounds'
        ? h('p', { class: 'faint' }, t('setup.rounds'))
        : field(
            t('setup.timing'),
            menu(
              TIMINGS.map((it) => [it, t(`timing.${it}`)]),
              election.timing ?? 'unit',
              (timing) => this.#hold({ timing, force: timing === 'reorder' ? true : election.force }),
              { 'data-field': 'timing' },
            ),
          ),
      field(
        t('setup.seed'),
        h(
          'span',
          { class: 'pair' },
          text('seed', election.seed ?? 1, (seed) => this.#hold({ seed: Math.max(Math.floor(Number(seed)) || 1, 0) }), {
            type: 'number',
            min: '0',
          }),
          button('⚄', () => this.#throwDice(), { 'aria-label': t('setup.dice'), title: t('setup.dice') }),
        ),
      ),
      this.#settings(info),
      h(
        'div',
        { class: 'field' },
        h('span', {}, t('setup.faults')),
        h('ul', { class: 'faults' }, faults),
        addFault,
        h('small', { class: 'faint' }, t('setup.faults-help')),
      ),
      h(
        'label',
        { class: 'check' },
        h('input', {
          type: 'checkbox',
          'data-field': 'force',
          is: { checked: election.force ?? false },
          on: { change: (event) => this.#hold({ force: event.target.checked || undefined }) },
        }),
        ` ${t('setup.force')}`,
      ),
      h(
        'p',
        { class: 'row' },
        button(t('setup.explain'), () => lab.explain(election.algorithm)),
      ),
    );
  }

  #ids(text) {
    const { election, lab } = this;
    const values = lab.bench.report.ids ?? [];
    const presets = ['random', 'ascending', 'descending', 'same'].map((ids) =>
      button(t(`ids.${ids}`), () => this.#hold({ ids, force: ids === 'same' ? true : election.force }), {
        class: 'small',
      }),
    );
    const bars =
      values.length > 1 && values.length <= 64
        ? new IdBars(values, (ids) => this.#hold({ ids: ids.join(',') })).element
        : null;
    return h(
      'div',
      { class: 'field' },
      h('span', { id: 'ids-label' }, t('setup.ids')),
      text('ids', election.ids ?? '', (ids) => this.#hold({ ids: separated(ids) }), {
        placeholder: values.slice(0, 12).join(','),
        'aria-labelledby': 'ids-label',
        spellcheck: 'false',
      }),
      h('span', { class: 'row' }, presets),
      bars,
    );
  }

  #settings(info) {
    const chosen = new Map((this.election.set ?? []).map((text) => text.split('=')));
    const change = (name, value) => {
      const next = new Map(chosen);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return this.#hold({ set: [...next].map(([name, value]) => `${name}=${value}`) });
    };
    return info.settings.map(({ name, help, values, least }) =>
      field(
        name,
        values
          ? menu(
              [['', t('setup.usual')], ...values.map((it) => [it, it])],
              chosen.get(name) ?? '',
              (value) => change(name, value),
              { 'data-field': `set-${name}` },
            )
          : h('input', {
              type: 'number',
              min: least ?? 0,
              value: chosen.get(name) ?? '',
              placeholder: t('setup.usual'),
              'data-field': `set-${name}`,
              on: { change: (event) => change(name, event.target.value) },
            }),
        help,
      ),
    );
  }

  /** Opens the editor on the network that is shown. */
  #draw() {
    const close = () => {
      this.editing = null;
      this.#render();
    };
    const use = (code, places) => {
      const { bench } = this.lab;
      const topology = `graph6:${code}`;
      bench.places = { ...bench.places, [topology]: places };
      return this.lab.holdOn(topology);
    };
    const { fits } = this;
    this.editing = new Editor(fits, use, close).element;
    this.#render();
    this.editing.scrollIntoView({ block: 'nearest' });
  }
}
