// The words beside the pictures: a node, a message, the events around now, what was sent, and what the signs mean.

import { Happening } from './reel.js';
import { Status } from './timeline.js';
import { counted, grouped } from './words.js';

/** So many events are listed before and after the last one. */
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
      find.setCustomValidity(node < 0 ? `there is no node '${find.value}'` : '');
      find.setAttribute('aria-invalid', String(node < 0));
      part('node-unknown').textContent = node < 0 ? `There is no node '${find.value}'.` : '';
      if (node >= 0) go({ node });
    });
  }

  update() {
    const { part, scene } = this;
    const { reel, timeline, words, subject, node } = scene;
    part('node-title').textContent = subject < 0 ? 'Node' : `Node ${words.name(subject)}`;
    part('node-how').textContent = node >= 0 ? 'chosen' : 'of the last event';
    part('node-release').hidden = node < 0;
    part('node-back').disabled = subject < 0 || timeline.eventsDone(subject) < 2;
    part('node-onward').disabled = subject < 0 || timeline.eventsDone(subject) === reel.eventsOf.of(subject).length;
    if (subject < 0) return fill(part('node-facts'), [['state', 'nothing has happened yet']]);
    const { sent, received } = timeline.counts(subject);
    const done = timeline.eventsDone(subject);
    const last = reel.eventsOf.of(subject)[done - 1];
    const ruling = timeline.ruling[subject];
    const since = ruling < 0 ? '' : `, since ${words.moment(reel.momentOf[ruling])}`;
    const facts = [
      ['id', reel.ids[subject] ?? 'none: the algorithm uses no ids'],
      ['state', words.status(timeline.status(subject), ruling, timeline.role(subject)) + since],
      ['sent', counted(sent, 'message')],
      ['received', counted(received, 'message')],
      [
        'last',
        done === 0 ? 'asleep: it has done nothing yet' : `${words.moment(reel.momentOf[last])}: ${words.event(last)}`,
      ],
    ];
    fill(part('node-facts'), facts);
  }
}

/** The message that was chosen. */
export class MessagePanel {
  constructor(part, scene, go) {
    Object.assign(this, { part, scene });
    const { flights, reel } = scene;
    part('message-begin').addEventListener('click', () => go({ done: flights.begin[scene.flight] + 1 }));
    part('message-end').addEventListener('click', () =>
      go({ done: Math.min(flights.end[scene.flight] + 1, reel.events) }),
    );
    part('message-release').addEventListener('click', () => go({ flight: -1 }));
  }

  update() {
    const { flight, flights, words } = this.scene;
    this.part('message').hidden = flight < 0;
    if (flight >= 0) this.part('message-text').textContent = words.flight(flights, flight);
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
    const first = Math.min(Math.max(done - AROUND, 0), reel.events + 1 - this.rows.length);
    this.rows.forEach((row, index) => {
      row.done = first + index;
      const isNow = row.done === done;
      row.time.textContent = row.done === 0 ? '' : words.when(row.done);
      row.text.textContent = row.done === 0 ? 'nothing has happened yet' : words.event(row.done - 1);
      row.button.classList.toggle('future', row.done > done);
      if (isNow) row.button.setAttribute('aria-current', 'step');
      else row.button.removeAttribute('aria-current');
    });
    const now = this.rows.find((row) => row.done === done);
    const list = now.item.parentElement;
    const [top, height] = [now.item.offsetTop - list.offsetTop, now.item.offsetHeight];
    if (top < list.scrollTop || top + height > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }
}

/** What was sent so far, by kind, and what the nodes are: the legend counts. */
export class Tally {
  constructor(part, scene) {
    this.scene = scene;
    const { reel } = scene;
    const occurs = new Set(reel.happening);
    this.kinds = reel.kinds.map(
      (name, kind) => new Entry(part('kinds'), name, (brush, context) => drawKind(brush, context, kind)),
    );
    this.ways = ['under way', 'arrived', 'lost'].map(
      (name) => new Entry(part('kinds'), name, (brush, context) => name === 'lost' && brush.loss(context, 20, 10)),
    );
    const states = ['undecided', 'follows', 'leads', 'down'];
    this.states = states.map(
      (name, status) => new Entry(part('states'), name, (brush, context) => brush.node(context, status, 20, 11, 7)),
    );
    this.states[Status.Down].show(occurs.has(Happening.Crashes));
    const signs = [
      [Happening.Starts, 'starts'],
      [Happening.TimesOut, 'timer goes off'],
      [Happening.HearsOfCrash, 'hears of a crash'],
      [Happening.Crashes, 'crashes'],
      [Happening.Recovers, 'is up again'],
      [Happening.Leads, 'leads'],
      [Happening.Follows, 'follows'],
      [Happening.Wavers, 'undecided again'],
    ];
    this.signs = signs
      .filter(([happening]) => occurs.has(happening))
      .map(
        ([happening, name]) =>
          new Entry(part('signs'), name, (brush, context) => brush.sign(context, happening, 10, 10, 6.5)),
      );
    if (reel.cuts.length > 0) this.signs.push(new Entry(part('signs'), 'link is cut', drawCut));
    const turns = [...reel.roles.keys()].some((event) => reel.happening[event] !== Happening.Starts);
    if (turns) this.signs.push(new Entry(part('signs'), 'new role', (brush, context) => brush.turn(context, 10, 10)));
    if (reel.draws.size > 0)
      this.signs.push(new Entry(part('signs'), 'random choice', (brush, context) => brush.die(context, 10, 10)));
    this.paint();
  }

  /** Draws all signs, in the colours of the theme. */
  paint() {
    [...this.kinds, ...this.ways, ...this.states, ...this.signs].forEach((entry) => entry.paint(this.scene.brush));
  }

  update() {
    const { reel, timeline, underWay } = this.scene;
    this.kinds.forEach((entry, kind) => entry.count(timeline.sent[kind]));
    [underWay.length, timeline.arrived, timeline.lost].forEach((count, way) => this.ways[way].count(count));
    const counts = [0, 0, 0, 0];
    for (let node = 0; node < reel.nodes; node++) counts[timeline.status(node)]++;
    this.states.forEach((entry, status) => entry.count(counts[status]));
  }
}

/** A sign, what it means, and how many there are. */
class Entry {
  constructor(list, name, draw) {
    this.draw = draw;
    this.item = document.createElement('li');
    this.canvas = document.createElement('canvas');
    this.canvas.setAttribute('aria-hidden', 'true');
    this.number = document.createElement('b');
    this.item.append(this.canvas, ` ${name} `, this.number);
    list.append(this.item);
  }

  paint(brush) {
    this.draw(brush, brush.begin(this.canvas).context);
  }

  count(number) {
    this.number.textContent = grouped(number);
  }

  show(isShown) {
    this.item.hidden = !isShown;
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
