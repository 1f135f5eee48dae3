// A race: several algorithms on the same network, with the same ids and the same delays.

import { button, h, put } from './dom.js';
import { n, t } from './texts.js';

/** The panel in which the runners are chosen. */
export class Race {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
    this.chosen = new Set();
  }

  update() {
    const { bench, catalogue } = this.lab;
    const { election } = bench;
    if (!catalogue || !election) return put(this.root, h('p', {}, t('race.no-election')));
    const { network } = catalogue.algorithms.find(({ name }) => name === election.algorithm);
    if (this.of !== network) {
      this.of = network;
      const rivals = catalogue.algorithms.filter((it) => this.#meets(it)).map(({ name }) => name);
      const others = rivals.filter((name) => name !== election.algorithm);
      this.chosen = new Set([...rivals.filter((name) => name === election.algorithm), ...apart(others, 2)]);
    }
    const boxes = catalogue.algorithms
      .filter((it) => this.#meets(it))
      .map(({ name, summary }) =>
        h(
          'label',
          { class: 'check' },
          h('input', {
            type: 'checkbox',
            value: name,
            is: { checked: this.chosen.has(name) },
            on: { change: (event) => this.#toggle(name, event.target.checked) },
          }),
          h('span', {}, h('b', {}, name), h('small', { class: 'faint' }, ` ${summary}`)),
        ),
      );
    this.go = button(t('race.go'), () => this.#go(), { class: 'strong' });
    put(
      this.root,
      h('p', {}, t('race.about', { topology: election.topology, seed: election.seed ?? 1 })),
      h('div', { class: 'row' }, this.go),
      h('fieldset', {}, h('legend', {}, t('race.who')), boxes),
    );
    this.go.disabled = this.chosen.size < 2;
  }

  /** Whether an algorithm runs on the network that is shown, as far as is known. */
  #meets({ name, network, perpetual }) {
    const fits = this.lab.setup.fits?.algorithms.find((it) => it.name === name);
    if (perpetual) return false;
    return fits ? fits.fits : network === this.of;
  }

  #toggle(name, whether) {
    if (whether) this.chosen.add(name);
    else this.chosen.delete(name);
    this.go.disabled = this.chosen.size < 2;
  }

  async #go() {
    const { bench, catalogue } = this.lab;
    const { topology, seed, timing, initiators } = bench.election;
    const ids = bench.report.ids?.join(',');
    const runners = [...this.chosen];
    const runs = await this.lab.work.do(t('work.race'), (signal) =>
      Promise.all(
        runners.map(async (name) => {
          const info = catalogue.algorithms.find((it) => it.name === name);
          const isAnonymous = info.anonymous ?? !info.knows.includes('its id');
          const election = { algorithm: name, topology, seed };
          if (!isAnonymous && ids) election.ids = ids;
          if (info.model !== 'rounds' && timing && timing !== 'rounds') election.timing = timing;
          if (initiators && info.starts !== 'one') election.initiators = initiators;
          try {
            return { name, state: election, answer: await bench.answer({ ask: 'run', election }, signal) };
          } catch (error) {
            if (error.name === 'AbortError') throw error;
            return { name, reason: error.message };
          }
        }),
      ),
    );
    if (!runs) return;
    // Not all announce the leader, so announcements do not count.
    const cost = (run) => run.answer.report.messages.election;
    const ranked = runs.filter((run) => run.answer).sort((a, b) => cost(a) - cost(b));
    const cheapest = ranked.filter((run) => cost(run) === cost(ranked[0])).map(({ name }) => name);
    const view = this.lab.parallel(runs, {
      title: t('race.title', { topology }),
      verdict:
        ranked.length > 1 ? t('race.cheapest', { name: cheapest.join(', '), count: n(cost(ranked[0])) }) : undefined,
      open: (election) => bench.hold(election, { isPlaying: true }),
    });
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) view.play(true);
  }
}

/** Some of many that are far apart in their list: neighbours are often much alike. */
function apart(many, some) {
  const count = Math.min(some, many.length);
  return Array.from({ length: count }, (_, index) => many[Math.floor(((index + 1) * many.length) / (count + 1))]);
}
