// A run as the page holds it: columns of numbers, read from the JSON that the program writes.

import { phasesOf } from './phases.js';

const FORMAT = 2;
const PARTS = [
  'scenario',
  'outcome',
  'broken',
  'nodes',
  'sheet',
  'links',
  'cuts',
  'lanes',
  'texts',
  'messages',
  'events',
  'moments',
  'notes',
  'roles',
  'draws',
  'rules',
  'variables',
  'rulebook',
];

/** What an event is, by its number in the JSON. */
export const Happening = Object.freeze({
  Starts: 0,
  Receives: 1,
  PlaysRound: 2,
  TimesOut: 3,
  HearsOfCrash: 4,
  Recovers: 5,
  Crashes: 6,
  /** The link loses what it sends. */
  Loses: 7,
  /** What reaches it is lost, because it is down. */
  Misses: 8,
  /** The link repeats what it sends. */
  Repeats: 9,
  Leads: 10,
  Follows: 11,
  Wavers: 12,
});

/** Whether an event says what its node is from then on. */
export function rules(happening) {
  return happening === Happening.Recovers || happening === Happening.Crashes || happening >= Happening.Leads;
}

/** A run. Events, messages, moments and nodes are numbered from 0. */
export class Reel {
  /** Reads what the program wrote; throws an error that says what is wrong with it. */
  constructor(data) {
    if (data === null || typeof data !== 'object' || !('format' in data)) {
      throw new Error('this is not a run, as bellwether writes it with --html');
    }
    if (data.format !== FORMAT) {
      throw new Error(`this is format ${data.format} of runs, and this player reads format ${FORMAT}`);
    }
    const missing = PARTS.find((name) => typeof data[name] !== 'object' || data[name] === null);
    if (missing) throw new Error(`the part '${missing}' is missing`);
    const { scenario, outcome, broken, repeat, cuts } = data;
    Object.assign(this, { scenario, outcome, broken, repeat, cuts, isRing: data.is_ring });
    this.#readNodes(data);
    this.#readMessages(data);
    this.#readEvents(data);
    this.#readMoments(data);
    this.eventsOf = new Groups(this.node, this.nodes, () => true);
    /** The first event of each phase, if there are phases. */
    this.phases = phasesOf(this, data.phases);
  }

  /** The number of a message among those of its sender, from 0. */
  numberOf(message) {
    let number = 0;
    for (let other = 0; other < message; other++) if (this.from[other] === this.from[message]) number++;
    return number;
  }

  #readNodes({ nodes, sheet, links, lanes }) {
    this.nodes = sheet.x.length;
    this.names = nodes.names;
    this.ids = nodes.ids;
    this.sheet = sheet;
    this.links = {
      from: numbers('links.from', links.from, this.nodes),
      to: numbers('links.to', links.to, this.nodes, links.from.length),
      port: links.port,
    };
    /** By node and port: the point towards which the link behind it bows. */
    this.bows = new Map(links.bows.map(([node, port, x, y]) => [`${node}:${port}`, [x, y]]));
    /** The lanes as the program gave them. */
    this.usualLanes = numbers('lanes', lanes, this.nodes);
    this.setLanes(this.usualLanes);
  }

  /** Gives these nodes lanes, in this order. */
  setLanes(nodes) {
    this.lanes = Int32Array.from(nodes);
    /** By node: its lane, or -1. */
    this.laneOf = new Int32Array(this.nodes).fill(-1);
    this.lanes.forEach((node, lane) => (this.laneOf[node] = lane));
  }

  #readMessages({ texts, messages }) {
    this.kinds = texts.kinds;
    this.texts = texts.text;
    this.messages = messages.to.length;
    this.to = numbers('messages.to', messages.to, this.nodes);
    this.port = Int32Array.from(messages.port);
    this.text = numbers('messages.text', messages.text, this.texts.length, this.messages);
    const kindOf = numbers('texts.kind', texts.kind, this.kinds.length, this.texts.length);
    this.kind = this.text.map((text) => kindOf[text]);
  }

  #readEvents({ events, notes, roles, draws, rules, variables, rulebook }) {
    this.events = events.node.length;
    this.node = numbers('events.node', events.node, this.nodes);
    this.happening = Uint8Array.from(numbers('events.happening', events.happening, 13, this.events));
    /** The messages that event e sends are those from sentFrom[e] to before sentFrom[e + 1]. */
    this.sentFrom = sums('events.sends', events.sends, this.events, this.messages);
    /** Event e ends or repeats the messages from touched[touchedFrom[e]] to before touched[touchedFrom[e + 1]]. */
    this.touched = numbers('events.touched', events.touched, this.messages);
    this.touchedFrom = sums('events.touches', events.touches, this.events, this.touched.length);
    /** By message: the event that sends it, and its node. */
    this.sentBy = new Int32Array(this.messages);
    for (let event = 0; event < this.events; event++)
      this.sentBy.fill(event, this.sentFrom[event], this.sentFrom[event + 1]);
    this.from = this.sentBy.map((event) => this.node[event]);
    const byEvent = ({ event, text }) => new Map(event.map((event, index) => [event, text[index]]));
    this.notes = byEvent(notes);
    /** What a node becomes with an event, in its algorithm's own words. */
    this.roles = byEvent(roles);
    this.draws = byEvent(draws);
    /** The labels of the rules that an event follows. */
    this.rules = byEvent(rules);
    /** The variables that an event changes, by name; null if one is gone. */
    this.variables = byEvent({ event: variables.event, text: variables.values });
    /** The lines of the algorithm's rules, each with the label of its rule. */
    this.rulebook = rulebook;
  }

  #readMoments({ moments }) {
    this.moments = moments.time.length;
    this.time = Float64Array.from(moments.time, Number);
    this.exactTime = moments.time;
    /** By moment: its first event. */
    this.firstOf = numbers('moments.first', moments.first, this.events, this.moments);
    /** By event: its moment. */
    this.momentOf = new Int32Array(this.events);
    this.firstOf.forEach((first, moment) => this.momentOf.fill(moment, first));
  }

  /** The messages that an event sends: from the first to before the second. */
  sent(event) {
    return [this.sentFrom[event], this.sentFrom[event + 1]];
  }

  /** The messages that end or are repeated with an event. */
  touchedBy(event) {
    return this.touched.subarray(this.touchedFrom[event], this.touchedFrom[event + 1]);
  }
}

/** Events by node: those for which `belongs` holds, in their order. */
export class Groups {
  constructor(node, nodes, belongs) {
    this.starts = new Int32Array(nodes + 1);
    for (let event = 0; event < node.length; event++) if (belongs(event)) this.starts[node[event] + 1]++;
    for (let index = 0; index < nodes; index++) this.starts[index + 1] += this.starts[index];
    this.events = new Int32Array(this.starts[nodes]);
    const next = this.starts.slice();
    for (let event = 0; event < node.length; event++) if (belongs(event)) this.events[next[node[event]]++] = event;
  }

  /** The events of a node. */
  of(node) {
    return this.events.subarray(this.starts[node], this.starts[node + 1]);
  }
}

/** A column of whole numbers below a bound, as many as there must be. */
function numbers(name, values, below, length = values?.length) {
  if (!Array.isArray(values) || values.length !== length)
    throw new Error(`${name}: a list of ${length} numbers is wanted`);
  const wrong = values.findIndex((value) => !Number.isInteger(value) || value < 0 || value >= below);
  if (wrong >= 0)
    throw new Error(`${name}: number ${wrong} of the list is ${values[wrong]}, and must be below ${below}`);
  return Int32Array.from(values);
}

/** The prefix sums of counts: where each group begins, and where the last one ends. */
function sums(name, counts, length, total) {
  const each = numbers(name, counts, total + 1, length);
  const starts = new Int32Array(length + 1);
  for (let index = 0; index < length; index++) starts[index + 1] = starts[index] + each[index];
  if (starts[length] !== total) throw new Error(`${name}: they add up to ${starts[length]}, and there are ${total}`);
  return starts;
}
