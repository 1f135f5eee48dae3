// What is said about nodes, messages, moments and events.

import { Happening } from './reel.js';
import { Status } from './timeline.js';
import { grouped, phrase } from './phrases.js';

/** The largest number of messages of one event that are listed one by one. */
const MOST_TOLD = 6;

/** How times are told that are not in units. */
const CLOCKS = { rounds: 'clock.round', chosen: 'clock.step', live: 'clock.live' };

/** What a role is called. An algorithm may have a word of its own for it. */
export function roleName(role) {
  return phrase(`role.${role}`) ?? role;
}

/** Text without its middle, if it is too long: ids often begin alike, and differ at the end. */
export function squeezed(text, most) {
  if (text.length <= most) return text;
  const first = most >> 1;
  return `${text.slice(0, first)}…${text.slice(text.length - (most - first - 1))}`;
}

/** What is said about a run. */
export class Words {
  constructor(reel) {
    this.reel = reel;
  }

  /** What a node is called. */
  name(node) {
    return this.reel.names[node] ?? String(node);
  }

  /** The name of a node, with its id if it has one. */
  node(node) {
    const id = this.reel.ids[node];
    return id === undefined ? this.plain(node) : phrase('say.node-id', { name: this.name(node), id });
  }

  /** The name of a node with its id, without the word for nodes. */
  named(node) {
    const id = this.reel.ids[node];
    return id === undefined ? this.name(node) : `${this.name(node)} (id ${id})`;
  }

  /** A node without its id. */
  plain(node) {
    return phrase('say.node', { name: this.name(node) });
  }

  /** The node that is called so, or has this id; -1 if there is none. */
  find(text) {
    const wanted = text.trim().replace(/^node\s+/i, '');
    const { names, ids, nodes } = this.reel;
    if (/^id\s/i.test(wanted)) return ids.indexOf(wanted.slice(3).trim());
    if (names.length > 0) return names.indexOf(wanted);
    return /^\d+$/.test(wanted) && Number(wanted) < nodes ? Number(wanted) : -1;
  }

  /** A moment. */
  moment(moment) {
    return this.time(this.reel.exactTime[moment]);
  }

  /** Whether times are plain numbers of units. */
  get hasUnits() {
    return !(this.reel.scenario.timing in CLOCKS);
  }

  /** A time, as this run counts it. */
  time(time) {
    return phrase(this.hasUnits ? 'clock.units' : CLOCKS[this.reel.scenario.timing], { time });
  }

  /** The moment of a place in the run: of the event that happened last. */
  when(done) {
    return done === 0 ? phrase('when.before') : this.moment(this.reel.momentOf[done - 1]);
  }

  /** What a message says, in a picture: one without content has its name only. */
  label(message) {
    return this.message(message).replace(/\(\)$/, '');
  }

  /** What a message says. */
  message(message) {
    return this.reel.texts[this.reel.text[message]];
  }

  /** An event in a few words. */
  event(event) {
    const { reel } = this;
    const fates = { [Happening.Loses]: 'say.lost', [Happening.Repeats]: 'say.repeated' };
    const fate = fates[reel.happening[event]];
    const from = this.plain(reel.node[event]);
    // A message that is lost on its way is lost by no node.
    if (fate === undefined) return `${from} ${this.#happens(event)}`;
    return listed([...reel.touchedBy(event)], (message) =>
      phrase(fate, { message: this.message(message), from, to: this.plain(reel.to[message]) }),
    );
  }

  #happens(event) {
    const { reel } = this;
    const note = reel.notes.get(event);
    const messages = listed([...reel.touchedBy(event)], (message) =>
      phrase('say.from', { message: this.message(message), node: this.plain(reel.from[message]) }),
    );
    const [from, to] = reel.sent(event);
    const sent = listed(
      Array.from({ length: to - from }, (_, index) => from + index),
      (message) => phrase('say.to', { message: this.message(message), node: this.plain(reel.to[message]) }),
    );
    const moment = this.moment(reel.momentOf[event]);
    const words = {
      [Happening.Starts]: () => (note ? phrase('say.starts-election', { number: note }) : phrase('say.starts')),
      [Happening.Receives]: () => phrase(messages ? 'say.receives' : 'say.goes-on', { messages }),
      [Happening.PlaysRound]: () => phrase(messages ? 'say.round-receives' : 'say.round', { moment, messages }),
      [Happening.TimesOut]: () => phrase('say.times-out', { timer: note }),
      [Happening.HearsOfCrash]: () =>
        phrase('say.hears', { node: note === undefined ? '?' : this.plain(Number(note)) }),
      [Happening.Recovers]: () => phrase('say.recovers'),
      [Happening.Crashes]: () => phrase('say.crashes'),
      [Happening.Misses]: () => phrase('say.misses', { messages }),
      [Happening.Leads]: () => phrase('say.leads'),
      [Happening.Follows]: () => phrase(note === undefined ? 'say.follows' : 'say.follows-id', { id: note }),
      [Happening.Wavers]: () => phrase('say.wavers'),
    };
    const draws = reel.draws.get(event);
    return (
      words[reel.happening[event]]() +
      (draws ? phrase('say.draws', { values: draws.replaceAll(',', ', ') }) : '') +
      (reel.roles.has(event) ? phrase('say.becomes', { role: roleName(reel.roles.get(event)) }) : '') +
      (sent ? phrase('say.sends', { messages: sent }) : '') +
      (reel.rules.has(event) ? phrase('say.rule', { rules: reel.rules.get(event) }) : '')
    );
  }

  /** The status of a node, and its leader. */
  status(status, ruling, role) {
    switch (status) {
      case Status.Leader:
        return phrase('status.leads');
      case Status.Follower: {
        const id = this.reel.notes.get(ruling);
        return phrase(id === undefined ? 'status.follows' : 'status.follows-id', { id });
      }
      case Status.Down:
        return phrase('status.down');
      default:
        if (role === 'asleep') return phrase('status.asleep');
        if (role === undefined) return phrase('status.undecided');
        return phrase('status.undecided-role', { role: roleName(role) });
    }
  }

  /** How a flight ends, in a sentence, unless that is still hidden. `done` events have happened so far. */
  flight(flights, flight, horizon = this.reel.events, done = this.reel.events) {
    const { reel } = this;
    const message = flights.message[flight];
    const sent = phrase('flight.sent', {
      message: this.message(message),
      from: this.plain(reel.from[message]),
      to: this.plain(reel.to[message]),
      when: this.moment(reel.momentOf[flights.begin[flight]]),
    });
    const end = flights.end[flight];
    if (end >= horizon && horizon < reel.events) return sent + phrase('flight.under-way');
    if (end === reel.events) return sent + phrase('flight.never');
    const fates = {
      [Happening.Loses]: ['flight.lost', 'flight.lost-later'],
      [Happening.Misses]: ['flight.missed', 'flight.missed-later'],
    };
    const [past, future] = fates[reel.happening[end]] ?? ['flight.arrived', 'flight.arrives'];
    return sent + phrase(end < done ? past : future, { when: this.moment(reel.momentOf[end]) });
  }
}

/** Some of them one by one, and how many there are besides. */
function listed(items, told) {
  const words = items.slice(0, MOST_TOLD).map(told).join(', ');
  const count = grouped(items.length - MOST_TOLD);
  return items.length > MOST_TOLD ? phrase('say.listed', { words, count }) : words;
}
