// What the nodes are and what was sent after any number of events: a checkpoint before, and from there event by event.

import { firstAtLeast } from './search.js';
import { Happening, rules } from './reel.js';

/** So many events lie between checkpoints, or more where there are so many nodes that copies would fill the memory. */
const APART = 512;

/** What a node is. */
export const Status = Object.freeze({ Undecided: 0, Follower: 1, Leader: 2, Down: 3 });

/** What an event makes of its node; nothing rules before the first such event. */
export function statusAfter(reel, ruling) {
  switch (ruling < 0 ? Happening.Wavers : reel.happening[ruling]) {
    case Happening.Leads:
      return Status.Leader;
    case Happening.Follows:
      return Status.Follower;
    case Happening.Crashes:
      return Status.Down;
    default:
      return Status.Undecided;
  }
}

/** A place in a run: everything after so many events. */
export class Timeline {
  constructor(reel) {
    this.reel = reel;
    /** How many events have happened. */
    this.done = 0;
    /** By node: the last event that said what it is; -1 if there was none. */
    this.ruling = new Int32Array(reel.nodes).fill(-1);
    /** By kind: how many messages were sent. */
    this.sent = new Uint32Array(reel.kinds.length);
    /** How many copies of messages arrived, and how many were lost. */
    this.arrived = 0;
    this.lost = 0;
    this.apart = Math.max(APART, reel.nodes >> 4);
    this.checkpoints = [];
    for (let done = 0; done <= reel.events; done += this.apart) {
      this.#goOnTo(done);
      this.checkpoints.push(this.#checkpoint());
    }
    this.seek(0);
  }

  /** Goes to where so many events have happened. */
  seek(done) {
    if (done < this.done || done - this.done > this.apart)
      this.#restore(this.checkpoints[Math.floor(done / this.apart)]);
    this.#goOnTo(done);
    return this;
  }

  /** What a node is. */
  status(node) {
    return statusAfter(this.reel, this.ruling[node]);
  }

  /** What a node is in its algorithm's own words, or undefined: what it decided or what befell it says more. */
  role(node) {
    const { reel } = this;
    const done = reel.eventsOf.of(node).subarray(0, this.eventsDone(node));
    const last = done.findLast((event) => reel.roles.has(event) || rules(reel.happening[event]));
    return last === undefined ? undefined : reel.roles.get(last);
  }

  /** How many of the node's events have happened. */
  eventsDone(node) {
    return firstAtLeast(this.reel.eventsOf.of(node), this.done);
  }

  /** How many messages a node has sent and received. */
  counts(node) {
    const { reel } = this;
    let [sent, received] = [0, 0];
    for (const event of reel.eventsOf.of(node).subarray(0, this.eventsDone(node))) {
      sent += reel.sentFrom[event + 1] - reel.sentFrom[event];
      if (reel.happening[event] < Happening.Loses) received += reel.touchedFrom[event + 1] - reel.touchedFrom[event];
    }
    return { sent, received };
  }

  #goOnTo(done) {
    for (; this.done < done; this.done++) this.#apply(this.done);
  }

  #apply(event) {
    const { reel } = this;
    const happening = reel.happening[event];
    if (rules(happening)) this.ruling[reel.node[event]] = event;
    for (let message = reel.sentFrom[event]; message < reel.sentFrom[event + 1]; message++)
      this.sent[reel.kind[message]]++;
    const touched = reel.touchedFrom[event + 1] - reel.touchedFrom[event];
    if (happening === Happening.Loses || happening === Happening.Misses) this.lost += touched;
    else if (happening !== Happening.Repeats) this.arrived += touched;
  }

  #checkpoint() {
    const { done, ruling, sent, arrived, lost } = this;
    return { done, ruling: ruling.slice(), sent: sent.slice(), arrived, lost };
  }

  #restore({ done, ruling, sent, arrived, lost }) {
    this.ruling.set(ruling);
    this.sent.set(sent);
    Object.assign(this, { done, arrived, lost });
  }
}
