// The election on the screen, and the branches that it grew: each is a request, so it can be asked again.

import { ask } from './carrier.js';
import { t } from './texts.js';
import { Happening } from './player/reel.js';

/** The election that a new visitor sees. */
export const FIRST = { algorithm: 'chang-roberts', topology: 'ring:8', seed: 1 };

/** What is on the bench: branches, which of them is shown, and the files that they use. */
export class Bench {
  constructor(show, work) {
    Object.assign(this, { show, work });
    this.branches = [];
    this.current = 0;
    this.files = {};
    /** By topology: the places of the nodes as they were drawn. */
    this.places = {};
  }

  /** The branch that is shown. */
  get branch() {
    return this.branches[this.current];
  }

  /** The election that is shown, if it is one that can be held again. */
  get election() {
    return this.branch?.answer.election ?? null;
  }

  get report() {
    return this.branch?.answer.report ?? {};
  }

  /** Holds an election, which takes the place of all branches. Returns whether it could be held. */
  async hold(election, state = {}) {
    return this.begin({ ask: 'run', election }, t('branch.main'), state);
  }

  /** Begins anew with the answer to a request that has a run in it. */
  async begin(request, name, state = {}) {
    const answer = await this.work(t('work.run'), (signal) => this.answer(request, signal));
    if (!answer?.reel) return answer;
    this.branches = [{ name, parent: -1, at: 0, request, answer }];
    this.go(0, state);
    return answer;
  }

  /** Adds a run of its own beside the branches: the answer to a request. */
  async grow(request, name, what = t('work.run')) {
    const answer = await this.work(what, (signal) => this.answer(request, signal));
    if (answer?.reel) this.add({ name, parent: -1, at: 0, request, answer }, {});
    return answer;
  }

  add(branch, state) {
    this.branches.push(branch);
    this.go(this.branches.length - 1, state);
  }

  /** The same election with one more fault, from here on. */
  async interfere(fault, name, player) {
    const { election } = this;
    const { done } = player.scene;
    const before = this.branch.answer.reel;
    const faulty = { ...election, fault: [...(election.fault ?? []), fault], force: true };
    const request = { ask: 'run', election: faulty };
    const answer = await this.work(t('work.run'), (signal) => this.answer(request, signal));
    if (!answer) return;
    const state = { ...player.state, done: placeIn(answer.reel, before, done), isPlaying: player.isPlaying };
    this.add({ name, parent: this.current, at: done, request, answer }, state);
  }

  /** Shows a branch. */
  go(index, state = {}) {
    this.current = index;
    this.show(this.branch, state);
  }

  /** Shows another branch, at the same place if it has grown from the same run. */
  turn(index, { done, node, view }) {
    const [before, after] = [this.branch, this.branches[index]];
    const isRelated = this.#root(before) === this.#root(after);
    this.go(index, isRelated ? { done: placeIn(after.answer.reel, before.answer.reel, done), node, view } : {});
  }

  #root(branch) {
    return branch.parent < 0 ? branch : this.#root(this.branches[branch.parent]);
  }

  rename(index, name) {
    this.branches[index].name = name;
  }

  /** Takes a branch away; those that grew from it grow from its parent then. */
  remove(index) {
    const { parent } = this.branches[index];
    this.branches.forEach((branch) => branch.parent === index && (branch.parent = parent));
    this.branches.splice(index, 1);
    this.branches.forEach((branch) => branch.parent > index && branch.parent--);
    this.go(Math.min(this.current >= index ? Math.max(this.current - 1, 0) : this.current, this.branches.length - 1));
  }

  /** The file that a network is read from, as requests have it. */
  filesOf(topology = '') {
    const name = topology.startsWith('file:') ? topology.slice('file:'.length) : null;
    return name !== null && this.files[name] !== undefined ? { files: { [name]: this.files[name] } } : {};
  }

  /** Asks the engine; the request gets the files that it uses, and its run the places that were drawn. */
  async answer(request, signal) {
    const topology = (request.election ?? request.check)?.topology;
    const answer = await ask({ ...request, ...this.filesOf(topology) }, { signal });
    if (answer.reel && this.places[topology]) asDrawn(answer.reel, this.places[topology]);
    return answer;
  }
}

/** Puts nodes where they were drawn. */
function asDrawn(reel, places) {
  const { sheet, links } = reel;
  if (sheet.x.length !== places.length) return;
  sheet.x = places.map(([x]) => x);
  sheet.y = places.map(([, y]) => y);
  sheet.width = Math.max(...sheet.x) + 45;
  sheet.height = Math.max(...sheet.y) + 45;
  links.bows = [];
}

/**
 * The place in a run that corresponds to this one in the run without the last fault: after the same step of the same
 * node. Losses and repetitions are no steps, because the two runs may differ in them.
 */
export function placeIn(reel, before, done) {
  const isStep = (events, event) => ![Happening.Loses, Happening.Repeats].includes(events.happening[event]);
  let event = done - 1;
  while (event >= 0 && !isStep(before.events, event)) event--;
  if (event < 0) return 0;
  const node = before.events.node[event];
  let wanted = 0;
  for (let other = 0; other <= event; other++)
    if (before.events.node[other] === node && isStep(before.events, other)) wanted++;
  const { events } = reel;
  for (let other = 0; other < events.node.length; other++)
    if (events.node[other] === node && isStep(events, other) && --wanted === 0) return other + 1;
  return Math.min(done, events.node.length);
}

/** The first event in which two runs differ; the number of events of the shorter one if they do not. */
export function partingOf(one, other) {
  const length = Math.min(one.events.node.length, other.events.node.length);
  const told = (reel) => {
    const { events, moments, messages, texts } = reel;
    let [sent, touched, moment] = [0, 0, 0];
    return (event) => {
      while (moments.first[moment + 1] <= event) moment++;
      const sends = messages.text.slice(sent, sent + events.sends[event]).map((text) => texts.text[text]);
      const to = messages.to.slice(sent, sent + events.sends[event]);
      const ends = events.touched.slice(touched, touched + events.touches[event]);
      sent += events.sends[event];
      touched += events.touches[event];
      return JSON.stringify([
        events.node[event],
        events.happening[event],
        moments.time[moment],
        sends,
        to,
        ends.length,
      ]);
    };
  };
  const [a, b] = [told(one), told(other)];
  for (let event = 0; event < length; event++) if (a(event) !== b(event)) return event;
  return length;
}
