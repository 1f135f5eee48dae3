// Acting on what is shown: on a node, on a message, on a link. Each action is a fault from here on, in a new branch.

import { button, h } from './dom.js';
import { t } from './texts.js';
import { Status } from './player/timeline.js';

/** A moment as faults are written: at most six digits behind the point. */
export function moment(time) {
  return String(Number(time.toFixed(6)));
}

/** When something that is done now takes effect: with the next moment, so that all that has happened stays. */
export function nextMoment(reel, done, isInRounds) {
  if (done === 0) return isInRounds ? 1 : 0;
  const now = reel.momentOf[done - 1];
  if (isInRounds) return reel.time[now] + 1;
  return reel.time[now + 1] ?? reel.time[now] + 1;
}

/** How long a message must take so that it arrives next of all. */
export function untilNow(reel, flights, flight, done, isInRounds) {
  const sent = reel.time[reel.momentOf[flights.begin[flight]]];
  const now = Math.max(reel.time[reel.momentOf[Math.max(done - 1, 0)]], sent);
  const next = nextMoment(reel, done, isInRounds);
  return isInRounds ? Math.max(next - sent, 1) : (now + next) / 2 - sent;
}

/** The actions beside the node, the message and the link that are looked at. */
export class Interference {
  constructor(bench) {
    this.bench = bench;
  }

  /** Puts the actions into a player. */
  attach(player) {
    this.player = player;
    const act = (text, action) => button(text, action, { class: 'act' });
    this.crash = act(t('act.crash'), () => this.#node('crash'));
    this.recover = act(t('act.recover'), () => this.#node('recover'));
    this.start = act(t('act.start'), () => this.#node('start'));
    this.why = h('p', { class: 'faint', hidden: true }, t('act.recorded'));
    this.#fill('node-more', [this.crash, this.recover, this.start, this.why]);
    this.by = h('input', { type: 'number', min: '0.5', step: '0.5', value: '3', 'aria-label': t('act.delay-by') });
    this.messageActions = [
      act(t('act.drop'), () => this.#message('lose')),
      act(t('act.duplicate'), () => this.#message('repeat')),
      act(t('act.deliver'), () => this.#hold(this.#untilNow(), 'act.delivered')),
      act(t('act.delay'), () => this.#hold(this.#usual() + Number(this.by.value || 1), 'act.delayed')),
    ];
    this.#fill('message-more', [...this.messageActions, this.by]);
    this.#fill('link-more', [act(t('act.cut'), () => this.#cut())]);
    this.update();
  }

  update() {
    const { scene } = this.player;
    const { subject, timeline } = scene;
    const isElection = this.bench.election !== null;
    const status = subject < 0 ? Status.Undecided : timeline.status(subject);
    this.crash.disabled = !isElection || subject < 0 || status === Status.Down;
    this.recover.disabled = !isElection || status !== Status.Down;
    this.start.disabled = !isElection || subject < 0 || status === Status.Down;
    this.why.hidden = isElection;
    for (const action of this.messageActions) action.disabled = !isElection;
  }

  /** The keys that act. */
  get keys() {
    const click = (find) => () => {
      const target = find();
      if (target && !target.disabled && target.checkVisibility()) target.click();
    };
    return {
      c: click(() => (this.crash.disabled ? this.recover : this.crash)),
      s: click(() => this.start),
      d: click(() => this.messageActions[0]),
      m: () => this.#nextMessage(),
    };
  }

  /** Chooses the next message that is under way. */
  #nextMessage() {
    const { scene } = this.player;
    const { underWay, flight } = scene;
    if (underWay.length > 0) this.player.go({ flight: underWay[(underWay.indexOf(flight) + 1) % underWay.length] });
  }

  #fill(slot, actions) {
    const bar = h('div', { class: 'row acts', role: 'group', 'aria-label': t('act.title') }, actions);
    this.player.part(slot).replaceChildren(bar);
  }

  get #isInRounds() {
    return this.player.scene.reel.scenario.timing === 'rounds';
  }

  #node(kind) {
    const { scene } = this.player;
    const { reel, done, subject, words } = scene;
    const at = moment(nextMoment(reel, done, this.#isInRounds));
    const name = t(`act.${kind}ed`, { node: words.name(subject), time: at });
    this.bench.interfere(`${kind}=${words.name(subject)}@${at}`, name, this.player);
  }

  /** The message that is chosen, as faults name it: its sender, and its number there. */
  #chosen() {
    const { reel, flights, flight, words } = this.player.scene;
    const message = flights.message[flight];
    return { message, of: `${words.name(reel.from[message])}#${reel.numberOf(message)}` };
  }

  #message(kind) {
    const { words } = this.player.scene;
    const { message, of } = this.#chosen();
    this.bench.interfere(`${kind}=${of}`, t(`act.${kind}ed`, { message: words.label(message) }), this.player);
  }

  /** How long the chosen message takes now. */
  #usual() {
    const { reel, flights, flight } = this.player.scene;
    const at = (event) => reel.time[reel.momentOf[event]];
    return flights.end[flight] < reel.events ? at(flights.end[flight]) - at(flights.begin[flight]) : 1;
  }

  #untilNow() {
    const { reel, flights, flight, done } = this.player.scene;
    return untilNow(reel, flights, flight, done, this.#isInRounds);
  }

  #hold(takes, name) {
    const { words } = this.player.scene;
    const { message, of } = this.#chosen();
    const time = moment(this.#isInRounds ? Math.max(Math.round(takes), 1) : Math.max(takes, 0));
    this.bench.interfere(`hold=${of}:${time}`, t(name, { message: words.label(message), time }), this.player);
  }

  #cut() {
    const { reel, link, done, words } = this.player.scene;
    const [a, b] = [words.name(reel.links.from[link]), words.name(reel.links.to[link])];
    const at = moment(nextMoment(reel, done, this.#isInRounds));
    this.bench.interfere(`cut=${a}-${b}@${at}..`, t('act.cut-off', { a, b, time: at }), this.player);
  }
}
