// The words around a run: its title, its facts and what came of it.

import { counted, grouped, phrase } from './phrases.js';

/** So many faults are in a title. */
const MOST_FAULTS = 4;

/** Says what a run is, and how it ends. */
export class Caption {
  constructor(reel, words) {
    Object.assign(this, { reel, words });
  }

  /** The run in a line, without the faults that befall it. */
  get run() {
    const { algorithm, network, seed } = this.reel.scenario;
    return phrase('title', { algorithm, network, timing: this.#timing, seed });
  }

  /** The run in a line. */
  get title() {
    const { faults, more_faults } = this.reel.scenario;
    const more = faults.length + more_faults - MOST_FAULTS;
    const rest = more > 0 ? [counted(more, 'more-fault')] : [];
    return [this.run, ...faults.slice(0, MOST_FAULTS), ...rest].join(' · ');
  }

  /** The scenario: names and values. */
  get facts() {
    const { algorithm, network, initiators, seed, parameters, faults, more_faults } = this.reel.scenario;
    const { nodes, links } = this.reel;
    const size = `${network}: ${counted(nodes, 'node')}, ${counted(links.from.length, 'link')}`;
    const starting = initiators === nodes ? phrase('fact.everybody') : grouped(initiators);
    return [
      [phrase('fact.algorithm'), algorithm],
      [phrase('fact.network'), size],
      [phrase('fact.timing'), this.#timing],
      [phrase('fact.initiators'), starting],
      [phrase('fact.seed'), seed],
      ...parameters.map((parameter) => [phrase('fact.parameter'), parameter]),
      ...faults.map((fault) => [phrase('fact.fault'), fault]),
      ...(more_faults > 0 ? [[phrase('fact.fault'), counted(more_faults, 'more-fault')]] : []),
    ];
  }

  /** What came of it, in a line. */
  get outcome() {
    const { decided } = this.reel.outcome;
    const when = this.words.hasUnits ? decided : this.words.time(decided);
    const since = decided === null ? [] : [phrase('outcome.decided', { when })];
    return [this.#leaders, ...since, phrase('outcome.messages', { messages: this.#messages })].join(' · ');
  }

  get #timing() {
    return phrase(`timing.${this.reel.scenario.timing}`);
  }

  get #leaders() {
    const { leaders, leader_count: count, stopped } = this.reel.outcome;
    const key = stopped ? 'outcome.led' : 'outcome.leads';
    const names = leaders.map((node) => this.words.named(node)).join(', ');
    const values = {
      names: count > leaders.length ? `${names}, …` : names,
      count: grouped(count),
      why: stopped && (stopped.events === null ? phrase('stopped.user') : counted(stopped.events, 'stopped')),
    };
    return phrase(`${key}.${['nobody', 'one'][count] ?? (count > leaders.length ? 'many' : 'some')}`, values);
  }

  get #messages() {
    const { election, announce, overhead, numbering } = this.reel.outcome.messages;
    const values = { all: grouped(election + announce), elect: grouped(election), announce: grouped(announce) };
    return (
      phrase(announce > 0 ? 'messages.both' : 'messages.elect', values) +
      (overhead > 0 ? counted(overhead, 'messages.pulse') : '') +
      (numbering > 0 ? phrase('messages.number', { count: grouped(numbering) }) : '')
    );
  }
}
