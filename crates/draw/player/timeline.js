// What the nodes are and what was sent after any number of events: a checkpoint before, and from there event by event.

import { firstAtLeast } from './search.js';
import { Groups, Happening, rules } from './reel.js';

/** The least number of events between checkpoints. It is larger for many nodes, to save memory. */
const APART = 512;

/** What a node is. */
export const Status = Object.freeze({ Undecided: 0, Follower: 1, Leader: 2, Down: 3 });

/** The part of an undecided node without a role: nothing done yet, or no name. Roles are numbered from 0. */
export const Part = Object.freeze({ Asleep: -2, Nameless: -1 });

/** The name of a role in which a node has done nothing. */
const ASLEEP = 'asleep';

/** The status that an event gives its node. */
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

/** A place in a run: the state of everything after a number of events. */
export class Timeline {
  constructor(reel) {
    this.reel = reel;
    /** How many events have happened. */
    this.done = 0;
    /** By node: the last event that said what it is; -1 if there was none. */
    this.ruling = new Int32Array(reel.nodes).fill(-1);
    /** By node: the number of its role while it is undecided, or another part. */
    this.part = new Int16Array(reel.nodes).fill(Part.Asleep);
    /** The roles that undecided nodes take, in the order of their first appearance, and the event of that. */
    this.roleNames = [];
    this.roleSince = [];
    /** The first event after which a node does something without a name; the number of events if there is none. */
    this.namelessSince = reel.events;
    /** By event that changes what its node is: the node's part after it. */
    this.partAfter = new Int16Array(reel.events);
    /** By kind: how many messages were sent. */
    this.sent = new Uint32Array(reel.kinds.length);
    /** How many copies of messages arrived, and how many were lost. */
    this.arrived = 0;
    this.lost = 0;
    this.apart = Math.max(APART, reel.nodes >> 4);
    this.checkpoints = [];
    const changes = new Uint8Array(reel.events);
    this.#learn(changes);
    /** The events that change what their node is, by node. */
    this.turnsOf = new Groups(reel.node, reel.nodes, (event) => changes[event] === 1);
    for (let done = 0; done <= reel.events; done += this.apart) {
      this.#goOnTo(done);
      this.checkpoints.push(this.#checkpoint());
    }
    this.seek(0);
  }

  /** Goes to the place after this number of events. */
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

  /** What an undecided node is in its algorithm's own words; undefined if it has no such word. */
  role(node) {
    if (this.status(node) !== Status.Undecided) return undefined;
    return this.part[node] === Part.Asleep ? ASLEEP : this.roleNames[this.part[node]];
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

  /** Goes through the run once: numbers the roles, and finds the events that change what their node is. */
  #learn(changes) {
    const { reel } = this;
    const numbers = new Map([[ASLEEP, Part.Asleep]]);
    const [status, part] = [new Uint8Array(reel.nodes), new Int16Array(reel.nodes).fill(Part.Asleep)];
    for (let event = 0; event < reel.events; event++) {
      const [node, happening] = [reel.node[event], reel.happening[event]];
      let next = part[node];
      if (rules(happening)) {
        status[node] = statusAfter(reel, event);
        next = happening === Happening.Recovers ? Part.Asleep : Part.Nameless;
        changes[event] = 1;
      }
      if (status[node] === Status.Undecided && happening <= Happening.Recovers) {
        const role = reel.roles.get(event);
        if (role !== undefined && !numbers.has(role)) {
          numbers.set(role, this.roleNames.length);
          this.roleNames.push(role);
          this.roleSince.push(event);
        }
        if (role !== undefined) next = numbers.get(role);
        else if (happening !== Happening.Recovers) next = Math.max(next, Part.Nameless);
      }
      if (next !== part[node]) changes[event] = 1;
      part[node] = this.partAfter[event] = next;
      if (next === Part.Nameless && status[node] === Status.Undecided)
        this.namelessSince = Math.min(this.namelessSince, event);
    }
  }

  #goOnTo(done) {
    for (; this.done < done; this.done++) this.#apply(this.done);
  }

  #apply(event) {
    const { reel } = this;
    const happening = reel.happening[event];
    if (rules(happening)) this.ruling[reel.node[event]] = event;
    this.part[reel.node[event]] = this.partAfter[event];
    for (let message = reel.sentFrom[event]; message < reel.sentFrom[event + 1]; message++)
      this.sent[reel.kind[message]]++;
    const touched = reel.touchedFrom[event + 1] - reel.touchedFrom[event];
    if (happening === Happening.Loses || happening === Happening.Misses) this.lost += touched;
    else if (happening !== Happening.Repeats) this.arrived += touched;
  }

  #checkpoint() {
    const { done, ruling, part, sent, arrived, lost } = this;
    return { done, ruling: ruling.slice(), part: part.slice(), sent: sent.slice(), arrived, lost };
  }

  #restore({ done, ruling, part, sent, arrived, lost }) {
    this.ruling.set(ruling);
    this.part.set(part);
    this.sent.set(sent);
    Object.assign(this, { done, arrived, lost });
  }
}
