// The words beside the pictures: a node, a message, the events around now, what was sent, and what the signs mean.

import { Happening } from './reel.js';
import { Part, Status } from './timeline.js';
import { counted, grouped, phrase } from './phrases.js';
import { roleName } from './words.js';

/** The number of events listed before and after the last one. */
const AROUND = 9;

/** The state of a node at this place of the run. */
export class NodePanel {
  constructor(part, scene, go) {
    Object.assign(this, { part, scene });
    const step = (by) => () => {
      const { reel, timeline, subject } = scene;
      const event = subject < 0 ? undefined : reel.eventsOf.of(subject)[timeline.eventsDone(subject) + by];
      if (event !== undefined) go({ done: event + 1, node: subject });
    };
    /** Goes to the node's event before its last one, or to its next one. */
    this.back = step(-2);
    this.onward = step(0);
    part('node-back').addEventListener('click', this.back);
    part('node-onward').addEventListener('click', this.onward);
    part('node-release').addEventListener('click', () => go({ node: -1 }));
    const find = part('node-find');
    find.addEventListener('change', () => {
      if (find.value.trim() === '') return go({ node: -1 });
      const node = scene.words.find(find.value);
      const unknown = node < 0 ? phrase('node.unknown', { name: find.value }) : '';
      find.setCustomValidity(unknown);
      find.setAttribute('aria-invalid', String(node < 0));
      part('node-unknown').textContent = unknown;
      if (node >= 0) go({ node });
    });
  }

  update() {
    const { part, scene } = this;
    const { reel, timeline, words, subject, node } = scene;
    part('node-title').textContent = subject < 0 ? phrase('node') : phrase('node.named', { name: words.name(subject) });
    part('node-how').textContent = phrase(node >= 0 ? 'node.chosen' : 'node.acted');
    part('node-release').hidden = node < 0;
    part('node-back').disabled = subject < 0 || timeline.eventsDone(subject) < 2;
    // A hidden future also hides whether there is a next event.
    const isLast = () => !scene.isFutureHidden && timeline.eventsDone(subject) === reel.eventsOf.of(subject).length;
    part('node-onward').disabled = subject < 0 || isLast();
    if (subject < 0) return fill(part('node-facts'), [[phrase('state'), phrase('nothing')]]);
    const { sent, received } = timeline.counts(subject);
    const done = timeline.eventsDone(subject);
    const last = reel.eventsOf.of(subject)[done - 1];
    const ruling = timeline.ruling[subject];
    const since = ruling < 0 ? '' : phrase('since', { when: words.moment(reel.momentOf[ruling]) });
    const facts = [
      [phrase('id'), reel.ids[subject] ?? phrase('id.none')],
      [phrase('state'), words.status(timeline.status(subject), ruling, timeline.role(subject)) + since],
      [phrase('sent'), counted(sent, 'message')],
      [phrase('received'), counted(received, 'message')],
      [
        phrase('last.event'),
        done === 0 ? phrase('last.none') : `${words.moment(reel.momentOf[last])}: ${words.event(last)}`,
      ],
    ];
    fill(part('node-facts'), facts);
  }
}

/** The largest number of causes or effects of a message that are listed. */
const MOST_RELATED = 5;

/** The message that was chosen: what became of it, what caused it and what it caused. */
export class MessagePanel {
  constructor(part, scene, go) {
    Object.assign(this, { part, scene, go });
    const { flights, reel } = scene;
    part('message-begin').addEventListener('click', () => go({ done: flights.begin[scene.flight] + 1 }));
    part('message-end').addEventListener('click', () =>
      go({ done: Math.min(flights.end[scene.flight] + 1, reel.events) }),
    );
    part('message-release').addEventListener('click', () => go({ flight: -1 }));
  }

  update() {
    const { part } = this;
    const { flight, flights, words, horizon, done, lineage } = this.scene;
    part('message').hidden = flight < 0;
    if (flight < 0) return;
    part('message-text').textContent = words.flight(flights, flight, horizon, done);
    const key = `${flight}:${horizon}`;
    if (key === this.told) return;
    this.told = key;
    this.#list('message-causes', lineage.causes(flight), 'message.no-cause');
    const effects = lineage.effects(flight).filter((it) => flights.begin[it] < horizon);
    this.#list('message-effects', effects, 'message.no-effect');
  }

  /** Messages as buttons that choose them, and go to where they are sent. */
  #list(name, related, none) {
    const { scene, go } = this;
    const { reel, flights, words } = scene;
    const buttons = related.slice(0, MOST_RELATED).map((flight) => {
      const message = flights.message[flight];
      const textContent = phrase('say.to', { message: words.label(message), node: words.plain(reel.to[message]) });
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent });
      button.addEventListener('click', () => go({ flight, done: flights.begin[flight] + 1 }));
      return button;
    });
    const more = related.length - buttons.length;
    const rest = more > 0 ? phrase('message.more', { count: grouped(more) }) : '';
    this.part(name).replaceChildren(...buttons, related.length === 0 ? phrase(none) : rest);
  }
}

/** The link that was chosen. */
export class LinkPanel {
  constructor(part, scene, go) {
    Object.assign(this, { part, scene });
    part('link-release').addEventListener('click', () => go({ link: -1 }));
  }

  update() {
    const { part } = this;
    const { link, reel, words, done } = this.scene;
    part('link').hidden = link < 0;
    if (link < 0) return;
    const [a, b] = [reel.links.from[link], reel.links.to[link]];
    let count = 0;
    for (let message = 0; message < reel.sentFrom[done]; message++) {
      const [from, to] = [reel.from[message], reel.to[message]];
      if ((from === a && to === b) || (from === b && to === a)) count++;
    }
    const values = { a: words.plain(a), b: words.plain(b), count: counted(count, 'message') };
    part('link-text').textContent = phrase('link.between', values);
  }
}

/** The events around now, each a button that goes there. */
export class EventList {
  constructor(list, scene, go) {
    this.scene = scene;
    const rows = Math.min(2 * AROUND + 1, scene.reel.events + 1);
    this.rows = Array.from({ length: rows }, () => {
      const [item, button, time, text] = ['li', 'button', 'span', 'span'].map((name) => document.createElement(name));
      button.type = 'button';
      time.className = 'time';
      button.append(time, ' ', text);
      item.append(button);
      list.append(item);
      const row = { item, button, time, text, done: 0 };
      button.addEventListener('click', () => go({ done: row.done }));
      return row;
    });
  }

  update() {
    const { reel, words, done } = this.scene;
    // Where the list begins must not tell where the run ends.
    const before = this.scene.isFutureHidden ? this.rows.length - 1 : AROUND;
    const first = Math.min(Math.max(done - before, 0), reel.events + 1 - this.rows.length);
    this.rows.forEach((row, index) => {
      row.done = first + index;
      const isNow = row.done === done;
      row.item.hidden = row.done > this.scene.horizon;
      if (row.item.hidden) return;
      row.time.textContent = row.done === 0 ? '' : words.when(row.done);
      row.text.textContent = row.done === 0 ? phrase('nothing') : words.event(row.done - 1);
      row.button.classList.toggle('future', row.done > done);
      if (isNow) row.button.setAttribute('aria-current', 'step');
      else row.button.removeAttribute('aria-current');
    });
  }

  /** Scrolls so that now is to be seen. */
  reveal() {
    const { done } = this.scene;
    const now = this.rows.find((row) => row.done === done);
    reveal(now.item, now.item.parentElement);
  }
}

/** What was sent so far, by kind, and what the nodes are: the legend counts. */
export class Tally {
  constructor(part, scene) {
    this.scene = scene;
    const { reel } = scene;
    const { timeline } = scene;
    /** The first event of each kind that occurs. */
    const first = new Map();
    reel.happening.forEach((happening, event) => first.has(happening) || first.set(happening, event));
    this.kinds = reel.kinds.map((name, kind) => {
      const since = reel.sentBy[reel.kind.indexOf(kind)];
      return new Entry(part('kinds'), name, since, (brush, context) => drawKind(brush, context, kind));
    });
    this.ways = ['under-way', 'arrived', 'lost'].map(
      (way) =>
        new Entry(
          part('kinds'),
          phrase(`entry.${way}`),
          -1,
          (brush, context) => way === 'lost' && brush.loss(context, 20, 10),
        ),
    );
    const state = (name, since, status, of) =>
      Object.assign(
        new Entry(part('states'), name, since, (brush, context) => brush.node(context, status, of, 20, 11, 7)),
        { status, of },
      );
    this.states = [
      state(phrase('entry.asleep'), -1, Status.Undecided, Part.Asleep),
      ...timeline.roleNames.map((name, role) => {
        return state(roleName(name), timeline.roleSince[role], Status.Undecided, role);
      }),
      state(phrase('entry.undecided'), timeline.namelessSince, Status.Undecided, Part.Nameless),
      state(phrase('entry.follows'), -1, Status.Follower, Part.Nameless),
      state(phrase('entry.leads'), -1, Status.Leader, Part.Nameless),
      state(phrase('entry.down'), first.get(Happening.Crashes), Status.Down, Part.Nameless),
    ];
    const signs = [
      [Happening.Starts, phrase('entry.starts')],
      [Happening.TimesOut, phrase('entry.timer')],
      [Happening.HearsOfCrash, phrase('entry.hears')],
      [Happening.Crashes, phrase('entry.crashes')],
      [Happening.Recovers, phrase('entry.recovers')],
      [Happening.Leads, phrase('entry.leads')],
      [Happening.Follows, phrase('entry.follows')],
      [Happening.Wavers, phrase('entry.wavers')],
    ];
    this.signs = signs
      .filter(([happening]) => first.has(happening))
      .map(
        ([happening, name]) =>
          new Entry(part('signs'), name, first.get(happening), (brush, context) =>
            brush.sign(context, happening, 10, 10, 6.5),
          ),
      );
    if (reel.cuts.length > 0) this.signs.push(new Entry(part('signs'), phrase('entry.cut'), -1, drawCut));
    const [drawn] = reel.draws.keys();
    const die = (brush, context) => brush.die(context, 10, 10);
    if (drawn !== undefined) this.signs.push(new Entry(part('signs'), phrase('entry.choice'), drawn, die));
    this.paint();
  }

  get #entries() {
    return [...this.kinds, ...this.ways, ...this.states, ...this.signs];
  }

  /** Draws all signs, in the colours of the theme. */
  paint() {
    this.#entries.forEach((entry) => entry.paint(this.scene.brush));
  }

  update() {
    const { reel, timeline, underWay, known } = this.scene;
    // Signs not seen yet have no entry either.
    let news = false;
    for (const entry of this.#entries) news = entry.show(entry.since < known) || news;
    if (news) this.paint();
    this.kinds.forEach((entry, kind) => entry.count(timeline.sent[kind]));
    [underWay.length, timeline.arrived, timeline.lost].forEach((count, way) => this.ways[way].count(count));
    const counts = new Map();
    for (let node = 0; node < reel.nodes; node++) {
      const status = timeline.status(node);
      const key = standing(status, timeline.part[node]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    this.states.forEach((entry) => entry.count(counts.get(standing(entry.status, entry.of)) ?? 0));
  }
}

/** A status, and the part of those that are undecided. */
function standing(status, part) {
  return status === Status.Undecided ? `${status}:${part}` : String(status);
}

/** A sign, what it means, the event that shows it first (-1 if it is always shown), and how many there are. */
class Entry {
  constructor(list, name, since, draw) {
    this.since = since;
    this.draw = draw;
    this.item = document.createElement('li');
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.number = document.createElement('b');
    const word = Object.assign(document.createElement('span'), { textContent: ` ${name} ` });
    this.item.append(this.canvas, word, this.number);
    list.append(this.item);
  }

  paint(brush) {
    if (this.item.hidden) return;
    // All is drawn in a square, or in a rectangle of twice its width, of this height.
    this.draw(brush, brush.begin(this.canvas, Math.max(this.canvas.clientHeight / 20, 0.1)).context);
  }

  count(number) {
    this.number.textContent = grouped(number);
  }

  /** Shows or hides it, and returns whether it has just appeared. */
  show(isShown) {
    const isNew = isShown && this.item.hidden;
    this.item.hidden = !isShown;
    return isNew;
  }
}

function drawKind(brush, context, kind) {
  const { colour, dash } = brush.look(kind);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(1, 10);
  context.lineTo(39, 10);
  context.stroke();
  brush.packet(context, kind, 20, 10, 4.5);
}

function drawCut(brush, context) {
  context.fillStyle = brush.value('cut-fill');
  context.strokeStyle = brush.value('cut-stroke');
  context.setLineDash([2, 2]);
  context.fillRect(3, 4, 14, 12);
  context.strokeRect(3, 4, 14, 12);
}

/** Pairs of a word and what it is, as a list. */
export function fill(list, facts) {
  const cell = (name, text) => Object.assign(document.createElement(name), { textContent: text });
  list.replaceChildren(...facts.flatMap(([name, text]) => [cell('dt', name), cell('dd', text)]));
}

/** Scrolls a list so that one of its lines is seen. */
export function reveal(line, list) {
  const [inner, outer] = [line, list].map((element) => element.getBoundingClientRect());
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  const room = Math.max(outer.height - inner.height, 0);
  list.scrollTop += inner.top - outer.top - room / 2;
}
