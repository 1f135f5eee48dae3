// The costs: counters beside the proved bounds, the phases, and a chart over n that grows point by point.

import { ask } from './carrier.js';
import { drawChart, legendOf } from './chart.js';
import { button, field, h, menu, put } from './dom.js';
import { n, t } from './texts.js';

const SIZES = [4, 8, 16, 32, 64, 128, 256];
/** The kinds of networks that have a size alone. */
const KINDS = ['ring', 'path', 'star', 'complete', 'binary-tree', 'tree', 'hypercube'];

/** The panel of measurements. */
export class Measure {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
    this.points = [];
    this.quantity = 'messages';
    this.most = 64;
    this.runs = 20;
    this.told = '';
  }

  /** Another run is shown. */
  update() {
    const { report } = this.lab.bench;
    const key = this.lab.bench.election?.algorithm;
    if (key !== this.of) {
      this.giving?.abort();
      [this.points, this.of, this.told] = [[], key, ''];
    }
    this.counters = h('div', { class: 'counters' });
    const bounds = report.bounds ?? {};
    this.meters = [
      ['messages', bounds.messages],
      ['election', bounds.election],
    ].filter(([, bound]) => bound && Object.keys(bound).length > 0);
    this.canvas = h('canvas', { class: 'chart', role: 'img' });
    this.status = h('p', { role: 'status', class: 'faint' }, this.told);
    this.compute = button(t('measure.compute'), () => this.#compute(), { class: 'strong' });
    this.cancel = button(t('work.cancel'), () => this.giving?.abort(), { hidden: !this.giving });
    const kind = this.#kind();
    const quantities = ['messages', 'time', 'bits'].map((it) => [it, t(`quantity.${it}`)]);
    const chart = kind
      ? [
          h(
            'div',
            { class: 'pair' },
            field(
              t('measure.quantity'),
              menu(quantities, this.quantity, (value) => this.#anew(() => (this.quantity = value))),
            ),
            field(
              t('measure.up-to'),
              menu(SIZES.map(String), String(this.most), (value) => this.#anew(() => (this.most = Number(value)))),
            ),
          ),
          h('div', { class: 'row' }, this.compute, this.cancel),
          this.status,
          this.canvas,
          h(
            'ul',
            { class: 'legend' },
            h('li', {}, '● ', t('measure.measured')),
            legendOf().map(({ name, colour, dashed }) =>
              h(
                'li',
                {},
                h('span', { class: dashed ? 'line dashed' : 'line', style: `--line:var(--${colour})` }),
                ` ${t(`proved.${name}`)}`,
              ),
            ),
          ),
          this.#table(),
        ]
      : [h('p', { class: 'faint' }, t(this.#isPerpetual ? 'measure.perpetual' : 'measure.no-kind'))];
    put(
      this.root,
      h('h2', {}, t('measure.now')),
      this.counters,
      this.#phases(report.phases),
      h('h2', {}, t('measure.over-n')),
      ...chart,
    );
    this.tick();
    this.#draw();
  }

  /** The place in the run is another one. */
  tick() {
    const { player } = this.lab;
    if (!this.counters || !player || this.root.hidden) return;
    const { timeline, reel, done, isOutcomeKnown } = player.scene;
    const sent = timeline.sent.reduce((sum, count) => sum + count, 0);
    const announced = reel.kinds.reduce(
      (sum, kind, index) => sum + (/announce|leader/i.test(kind) ? timeline.sent[index] : 0),
      0,
    );
    const now = { messages: sent, election: sent - announced };
    const rows = this.meters.map(([name, bound]) => meter(t(`meter.${name}`), now[name], bound, isOutcomeKnown));
    const { report } = this.lab.bench;
    const reached = done === 0 ? 0 : reel.time[reel.momentOf[done - 1]];
    // What follows the last decision no longer counts.
    const time = Math.min(reached, report.time ?? reached);
    const facts = [
      [t('measure.messages'), n(sent)],
      [t('measure.under-way'), n(player.scene.underWay.length)],
      [
        t('measure.time'),
        `${n(time, 3)}${report.bounds?.time?.worst ? ` (${t('proved.worst')}: ${n(report.bounds.time.worst)})` : ''}`,
      ],
    ];
    this.counters.replaceChildren(
      h(
        'dl',
        {},
        facts.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]),
      ),
      ...rows,
    );
    if (this.phaseRows) this.#tickPhases();
  }

  /** The nodes that are still in the race, phase by phase. */
  #phases(phases) {
    this.phaseRows = null;
    if (!phases || phases.length === 0) return null;
    const { words } = this.lab.player.scene;
    this.phaseRows = phases.map(({ phase, racing, messages, nodes }) => {
      const named = (nodes ?? [])
        .slice(0, 12)
        .map((node) => words.name(node))
        .join(' ');
      const cells = [n(racing), named, n(messages)].map((told) => ({ told, cell: h('td', {}) }));
      const row = h(
        'tr',
        { 'data-phase': phase },
        h('th', { scope: 'row' }, n(phase)),
        cells.map(({ cell }) => cell),
      );
      return { row, cells };
    });
    const heads = ['phase', 'racing', 'nodes', 'messages'].map((name) =>
      h('th', { scope: 'col' }, t(`phases.${name}`)),
    );
    this.phaseTable = h(
      'table',
      {},
      h('caption', {}, t('phases.title')),
      h('thead', {}, h('tr', {}, heads)),
      h(
        'tbody',
        {},
        this.phaseRows.map(({ row }) => row),
      ),
    );
    return this.phaseTable;
  }

  /**
   * Shows the phases that are reached, and lights the last of them. What it counts is told once the next one has begun:
   * only who is in the race is told before, unless the future is hidden.
   */
  #tickPhases() {
    const { reel, done, isFutureHidden } = this.lab.player.scene;
    const isOver = done === reel.events;
    const begun = reel.phases.filter((event) => event < done).length;
    const reached = isOver ? this.phaseRows.length : begun;
    this.phaseTable.hidden = reached === 0;
    this.phaseRows.forEach(({ row, cells }, index) => {
      const isPast = isOver || index < reached - 1;
      row.hidden = index >= reached;
      row.classList.toggle('lit', begun > 0 && index === begun - 1);
      cells.forEach(({ told, cell }, column) => {
        const isTold = isPast || (column < 2 && !isFutureHidden);
        cell.textContent = isTold ? told : '…';
      });
    });
  }

  #kind() {
    const kind = this.lab.bench.election?.topology?.split(':')[0];
    return KINDS.includes(kind) && !this.#isPerpetual ? kind : null;
  }

  /** Whether what is shown never ends. */
  get #isPerpetual() {
    const { bench, catalogue } = this.lab;
    return catalogue?.algorithms.find(({ name }) => name === bench.election?.algorithm)?.perpetual ?? false;
  }

  #anew(change) {
    change();
    this.giving?.abort();
    this.points = [];
    this.update();
  }

  async #compute() {
    this.giving?.abort();
    const giving = new AbortController();
    this.giving = giving;
    this.points = [];
    this.cancel.hidden = false;
    const { topology, ids, initiators, fault, ...rest } = this.lab.bench.election;
    const election = { ...rest, ...(/^(random|ascending|descending|same)$/.test(ids ?? '') ? { ids } : {}) };
    if (/^(all|one)$/.test(initiators ?? '')) election.initiators = initiators;
    const kind = this.#kind();
    const sizes = SIZES.filter((size) => size <= this.most);
    const tell = (text) => (this.status.textContent = this.told = text);
    try {
      for (const [index, nodes] of sizes.entries()) {
        tell(t('measure.computing', { nodes, done: index, all: sizes.length }));
        const request = { ask: 'point', election, kind, nodes, runs: this.runs, quantity: this.quantity };
        const point = await ask(request, { signal: giving.signal });
        if (this.giving !== giving) return;
        this.points.push(point);
        this.#draw();
      }
      tell(t('measure.done', { runs: this.runs }));
    } catch (error) {
      if (this.giving === giving) tell(error.name === 'AbortError' ? t('work.cancelled') : error.message);
    } finally {
      if (this.giving === giving) {
        this.giving = null;
        this.cancel.hidden = true;
        this.#draw();
      }
    }
  }

  #draw() {
    if (!this.canvas || this.canvas.clientWidth === 0 || !this.lab.player) return;
    drawChart(this.canvas, this.lab.player.scene.brush, this.points, t(`quantity.${this.quantity}`));
    const told = this.points.map(({ n: size, mean }) => `${n(size)}: ${n(mean)}`).join('; ');
    this.canvas.setAttribute('aria-label', told === '' ? t('measure.empty') : t('measure.chart', { points: told }));
    this.rows?.replaceChildren(...this.points.map((point) => row(point)));
  }

  #table() {
    this.rows = h('tbody', {});
    const heads = ['n', t('measure.measured'), t('proved.best'), t('proved.mean'), t('proved.worst')];
    return h(
      'details',
      {},
      h('summary', {}, t('measure.table')),
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            heads.map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        this.rows,
      ),
    );
  }
}

function row({ n: size, mean, proved = {} }) {
  const cell = (value) => h('td', {}, value === undefined || value === null ? '–' : n(value));
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, n(size)),
    cell(mean),
    cell(proved.best),
    cell(proved.mean),
    cell(proved.worst),
  );
}

/** A count beside what is proved about it. */
function meter(name, now, bound, isOutcomeKnown) {
  const most = Math.max(bound.worst ?? bound.mean ?? bound.best ?? 1, now, 1);
  const marks = ['best', 'mean', 'worst']
    .filter((which) => typeof bound[which] === 'number' && isOutcomeKnown)
    .map((which) =>
      h('span', {
        class: `mark ${which}`,
        style: `--at:${bound[which] / most}`,
        title: `${t(`proved.${which}`)}: ${n(bound[which])}`,
      }),
    );
  const told = ['best', 'mean', 'worst']
    .filter((which) => typeof bound[which] === 'number')
    .map((which) => `${t(`proved.${which}`)} ${n(bound[which])}`)
    .join(' · ');
  return h(
    'div',
    { class: 'meter' },
    h('div', { class: 'row' }, h('span', {}, name), h('b', { class: 'end' }, n(now))),
    h(
      'div',
      { class: 'gauge', 'aria-hidden': 'true' },
      h('span', { class: 'filled', style: `--at:${now / most}` }),
      marks,
    ),
    h('small', { class: 'faint' }, told),
  );
}
