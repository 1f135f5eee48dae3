// What is said about nodes, messages, moments and events.

import { Happening } from './reel.js';
import { Status } from './timeline.js';

/** So many messages of one event are told one by one. */
const MOST_TOLD = 6;

/** A number with its digits in groups. */
export function grouped(number) {
  return number.toLocaleString('en-US');
}

/** So many of something. */
export function counted(number, what) {
  return `${grouped(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** Text without its middle, if it has more than so many characters: ids often begin alike, and differ in the end. */
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
    return `node ${this.name(node)}${id === undefined ? '' : ` (id ${id})`}`;
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
    const { clock, exactTime } = this.reel;
    return `${clock.before}${exactTime[moment]}${clock.after}`;
  }

  /** The moment of a place in the run: of the event that happened last. */
  when(done) {
    return done === 0 ? 'before the beginning' : this.moment(this.reel.momentOf[done - 1]);
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
    const node = `node ${this.name(reel.node[event])}`;
    const fates = { [Happening.Loses]: 'lost', [Happening.Repeats]: 'repeated by the link' };
    const fate = fates[reel.happening[event]];
    // What is lost on its way was lost by nobody.
    if (fate === undefined) return `${node} ${this.#happens(event)}`;
    return listed(
      [...reel.touchedBy(event)],
      (message) => `${this.message(message)} from ${node} to node ${this.name(reel.to[message])} is ${fate}`,
    );
  }

  #happens(event) {
    const { reel } = this;
    const note = reel.notes.get(event);
    const touched = [...reel.touchedBy(event)];
    const received = listed(
      touched,
      (message) => `${this.message(message)} from node ${this.name(reel.from[message])}`,
    );
    const sending = (messages) =>
      listed(messages, (message) => `${this.message(message)} to node ${this.name(reel.to[message])}`);
    const [from, to] = reel.sent(event);
    const sent = sending(Array.from({ length: to - from }, (_, index) => from + index));
    const round = `plays ${this.moment(reel.momentOf[event])}`;
    const words = {
      [Happening.Starts]: () => (note ? `starts election ${note}` : 'starts'),
      [Happening.Receives]: () => (received ? `receives ${received}` : 'goes on'),
      [Happening.PlaysRound]: () => (received ? `${round}, receives ${received}` : round),
      [Happening.TimesOut]: () => `times out: ${note ?? ''}`,
      [Happening.HearsOfCrash]: () => `hears that node ${note === undefined ? '?' : this.name(Number(note))} is down`,
      [Happening.Recovers]: () => 'recovers with empty memory',
      [Happening.Crashes]: () => 'crashes',
      [Happening.Misses]: () => `is down, and ${received} is lost`,
      [Happening.Leads]: () => 'LEADS',
      [Happening.Follows]: () => (note === undefined ? 'follows' : `follows ${note}`),
      [Happening.Wavers]: () => 'is undecided again',
    };
    const draws = reel.draws.get(event);
    return (
      words[reel.happening[event]]() +
      (draws ? `, draws ${draws.replaceAll(',', ', ')}` : '') +
      (reel.roles.has(event) ? `, is now ${reel.roles.get(event)}` : '') +
      (sent ? `, sends ${sent}` : '') +
      (reel.rules.has(event) ? ` (rule ${reel.rules.get(event)})` : '')
    );
  }

  /** What a node is, and whom it holds for the leader. */
  status(status, ruling, role) {
    switch (status) {
      case Status.Leader:
        return 'leads';
      case Status.Follower: {
        const leader = this.reel.notes.get(ruling);
        return leader === undefined ? 'follows' : `follows id ${leader}`;
      }
      case Status.Down:
        return 'down';
      default:
        if (role === 'asleep') return role;
        return role === undefined ? 'undecided' : `undecided, ${role}`;
    }
  }

  /** What became of a flight, in a sentence; of what is beyond the horizon nothing is said. */
  flight(flights, flight, horizon = this.reel.events) {
    const { reel } = this;
    const message = flights.message[flight];
    const [from, to] = [this.name(reel.from[message]), this.name(reel.to[message])];
    const sent = `${this.message(message)} from node ${from} to node ${to}, sent at ${this.moment(reel.momentOf[flights.begin[flight]])}`;
    const end = flights.end[flight];
    if (end >= horizon && horizon < reel.events) return `${sent}, under way`;
    if (end === reel.events) return `${sent}, still under way in the end`;
    const fates = { [Happening.Loses]: 'lost on the link', [Happening.Misses]: 'lost, as the node was down' };
    return `${sent}, ${fates[reel.happening[end]] ?? 'arrived'} at ${this.moment(reel.momentOf[end])}`;
  }
}

/** Some of them one by one, and how many there are besides. */
function listed(items, told) {
  const words = items.slice(0, MOST_TOLD).map(told).join(', ');
  return items.length > MOST_TOLD ? `${words} and ${grouped(items.length - MOST_TOLD)} more` : words;
}
