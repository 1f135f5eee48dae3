// The network at a place in the run: what its nodes are, and the messages on its links.

import { Happening } from './reel.js';
import { Status } from './timeline.js';
import { circle, distanceTo, line } from './brush.js';
import { Room } from './room.js';
import { LOST_AT } from './scene.js';
import { squeezed } from './words.js';
import { grouped, phrase } from './phrases.js';

/** The largest number of messages drawn on links. */
const MOST_PACKETS = 5_000;
/** The largest number of messages that can be pointed at. */
const MOST_POINTED = 2_000;
/** The largest number of messages with a label. */
const MOST_TEXTS = 40;
/** The largest number of lost messages that are drawn. */
const MOST_LOSSES = 400;
/** The number of straight pieces of a curved way. */
const PIECES = 12;
/** The size of the letters on messages. */
const SAID = 11;
/** The number of links in one path of the canvas. */
const TOGETHER = 100;
/** Nodes with a smaller radius are dots. */
const SMALLEST = 3;
/** With more nodes than this, links show how much they have carried. */
const CROWD = 200;
/** The largest number of messages drawn one by one in a crowd. */
const MOST_IN_CROWD = 400;
/** The least heat of each look of links: the share of the links in use that have carried less. */
const HEATS = [0, 0.4, 0.7, 0.88, 0.96];
/** The largest number of links drawn with their heat. */
const MOST_HOT = 1_500;
/** The largest number of links that can be pointed at. */
const MOST_LINKS = 5_000;
/** The greatest size of nodes, as a multiple of their size on paper. */
const LARGEST = 1.7;

/** Draws the network. */
export class NetworkView {
  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    this.zoom = 1;
    /** How far it was dragged. */
    this.shift = [0, 0];
    this.backdrop = document.createElement('canvas');
    /** What the links were drawn for. */
    this.drawn = '';
    /** The places of the packets, for the pointer. */
    this.packets = [];
    /** How far apart the nearest nodes are on paper. */
    this.apart = nearest(scene.reel.sheet);
    this.losses = lossesOf(scene);
    this.isCrowd = scene.reel.nodes > CROWD;
    if (this.isCrowd) this.linkOf = linksOf(scene.reel);
    this.room = new Room();
  }

  /** Draws everything at a place in the run. */
  draw() {
    const { context, width, height } = this.scene.brush.begin(this.canvas, this.scene.scale);
    Object.assign(this, { width, height });
    this.#place(width, height);
    this.room = new Room();
    this.#drawLinks(context, width, height);
    if (this.isCrowd) this.#drawHeat(context);
    this.#drawChosenLink(context);
    this.#drawCuts(context);
    if (this.scene.flight >= 0) this.#drawLineage(context);
    this.#drawArrivals(context);
    const lost = this.#drawLosses(context);
    this.#drawNodes(context);
    this.#drawRings(context);
    const packets = this.#drawPackets(context);
    this.#drawTexts(context, [...packets, ...lost]);
    if (this.radius < 9) this.#nameSome(context);
  }

  /** Makes it larger or smaller. Without a factor all of it is visible. */
  enlarge(factor) {
    this.zoom = factor === 0 ? 1 : Math.min(Math.max(this.zoom * factor, 1), 60);
    if (this.zoom === 1) this.shift = [0, 0];
    else this.shift = this.shift.map((part) => part * factor);
  }

  /** Moves it, unless all of it is visible. */
  drag(x, y) {
    if (this.zoom > 1) this.shift = [this.shift[0] + x, this.shift[1] + y];
  }

  /** What is at a place: a flight, a node or nothing. */
  find(x, y) {
    const near = (reach) => (place) => Math.hypot(place.x - x, place.y - y) <= reach;
    const packet = this.packets.find(near(9));
    if (packet) return { flight: packet.flight };
    const reach = Math.max(this.radius + 3, 8);
    let [best, node] = [reach, -1];
    for (let other = 0; other < this.scene.reel.nodes; other++) {
      const [a, b] = this.at(other);
      const distance = Math.hypot(a - x, b - y);
      if (distance <= best) [best, node] = [distance, other];
    }
    if (node >= 0) return { node };
    const link = this.#linkNear(x, y);
    return link >= 0 ? { link } : null;
  }

  #linkNear(x, y) {
    const { from, to, port } = this.scene.reel.links;
    let [best, found] = [6, -1];
    for (let link = 0; link < from.length && from.length <= MOST_LINKS; link++) {
      const [a, b] = [this.at(from[link]), this.at(to[link])];
      const bow = this.scene.reel.bows.get(`${from[link]}:${port[link]}`);
      const c = bow ? this.#screen(...bow) : [0, 1].map((axis) => (a[axis] + b[axis]) / 2);
      let before = a;
      for (let piece = 1; piece <= PIECES; piece++) {
        const t = bow ? piece / PIECES : 1;
        const after = [0, 1].map((axis) => (1 - t) ** 2 * a[axis] + 2 * t * (1 - t) * c[axis] + t * t * b[axis]);
        const distance = distanceTo(x, y, before, after);
        if (distance < best) [best, found] = [distance, link];
        if (!bow) break;
        before = after;
      }
    }
    return found;
  }

  /** The place of a node. */
  at(node) {
    const { x, y } = this.scene.reel.sheet;
    return this.#screen(x[node], y[node]);
  }

  #place(width, height) {
    const { sheet } = this.scene.reel;
    const fit = Math.min(width / sheet.width, height / sheet.height, LARGEST);
    this.scale = fit * this.zoom;
    this.origin = [
      width / 2 - (sheet.width / 2) * this.scale + this.shift[0],
      height / 2 - (sheet.height / 2) * this.scale + this.shift[1],
    ];
    // Where there is little room, nodes take more of it than on paper.
    this.radius = Math.max(sheet.radius * Math.min(Math.max(this.scale, 1), 1.3 * this.scale), 1.6);
  }

  #screen(x, y) {
    return [this.origin[0] + x * this.scale, this.origin[1] + y * this.scale];
  }

  /** Links hardly ever change: they are drawn once, and copied. */
  #drawLinks(context, width, height) {
    const { reel, brush } = this.scene;
    const key = [
      width,
      height,
      this.scale,
      ...this.origin,
      brush.value('link-stroke'),
      globalThis.devicePixelRatio,
    ].join();
    if (key !== this.drawn) {
      [this.backdrop.width, this.backdrop.height] = [this.canvas.width, this.canvas.height];
      const links = this.backdrop.getContext('2d');
      links.setTransform(context.getTransform());
      links.strokeStyle = brush.value('link-stroke');
      links.lineWidth = Math.min(Math.max(1.5 * this.scale, 0.4), 2);
      // Where there are thousands they are faint, and darker where many lie on each other.
      const count = reel.links.from.length;
      links.globalAlpha = Math.min(Math.max(1_500 / count, 0.08), 1);
      for (let first = 0; first < count; first += TOGETHER) {
        links.beginPath();
        for (let link = first; link < Math.min(first + TOGETHER, count); link++) {
          this.#trace(links, reel.links.from[link], reel.links.to[link], reel.links.port[link]);
        }
        links.stroke();
      }
      this.drawn = key;
    }
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.backdrop, 0, 0);
    context.restore();
  }

  /** How much links have carried so far: the more, the broader and the warmer. */
  #drawHeat(context) {
    const { reel, brush, done } = this.scene;
    const carried = new Uint32Array(reel.links.from.length);
    const sent = reel.sentFrom[done];
    for (let message = 0; message < sent; message++) carried[this.linkOf[message]]++;
    const most = carried.reduce((most, count) => Math.max(most, count), 0);
    if (most === 0) return;
    // The hottest ones tell enough; a browser takes long for thousands.
    const links = Array.from(carried.keys()).filter((link) => carried[link] > 0);
    const hottest = links.sort((a, b) => carried[b] - carried[a] || a - b).slice(0, MOST_HOT);
    /** For each count of messages, the place of the last link that has carried it. */
    const last = new Map(hottest.map((link, place) => [carried[link], place]));
    const heat = (link) => 1 - (last.get(carried[link]) + 1) / hottest.length;
    HEATS.forEach((share, look) => {
      const next = HEATS[look + 1] ?? Infinity;
      const alike = hottest.filter((link) => heat(link) >= share && heat(link) < next);
      context.strokeStyle = brush.value(look < 3 ? 'k0' : look < 4 ? 'k1' : 'fails-stroke');
      context.lineWidth = 1 + 0.7 * look;
      context.globalAlpha = Math.min(0.25 + 0.15 * look, 1);
      for (let first = 0; first < alike.length; first += TOGETHER) {
        context.beginPath();
        for (const link of alike.slice(first, first + TOGETHER))
          this.#trace(context, reel.links.from[link], reel.links.to[link], reel.links.port[link]);
        context.stroke();
      }
    });
    context.globalAlpha = 1;
    brush.say(context, phrase('heat', { most: grouped(most) }), 8, 12, { align: 'left', colour: 'faint-fill' });
  }

  #drawChosenLink(context) {
    const { reel, brush, link } = this.scene;
    if (link < 0) return;
    context.strokeStyle = brush.value('chosen');
    context.lineWidth = 5;
    context.beginPath();
    this.#trace(context, reel.links.from[link], reel.links.to[link], reel.links.port[link]);
    context.stroke();
  }

  /** The ways of what led to the message that was chosen, and of what came of it, in a broad stripe. */
  #drawLineage(context) {
    const { reel, brush, flights, lineage, flight } = this.scene;
    const { past, future } = lineage.of(flight);
    context.strokeStyle = brush.value('chosen');
    context.lineWidth = 8;
    context.lineCap = 'round';
    context.globalAlpha = 0.3;
    for (const [related, dash] of [
      [past, []],
      [future, [1, 12]],
    ]) {
      context.setLineDash(dash);
      context.beginPath();
      for (const it of related) {
        const message = flights.message[it];
        if (flights.begin[it] < this.scene.horizon)
          this.#trace(context, reel.from[message], reel.to[message], reel.port[message]);
      }
      context.stroke();
    }
    context.globalAlpha = 1;
    context.lineCap = 'butt';
    context.setLineDash([]);
  }

  /** Adds the way from one node to another to the path. */
  #trace(context, from, to, port) {
    const [a, b] = [this.at(from), this.at(to)];
    if (from === to) return circle(context, a[0], a[1] - 1.6 * this.radius, 1.6 * this.radius);
    const bow = this.scene.reel.bows.get(`${from}:${port}`);
    if (!bow) return line(context, a, b);
    context.moveTo(...a);
    context.quadraticCurveTo(...this.#screen(...bow), ...b);
  }

  #drawCuts(context) {
    const { reel, brush, time } = this.scene;
    context.strokeStyle = brush.value('cut-stroke');
    context.lineWidth = 3;
    context.setLineDash([2, 5]);
    for (const { from, to, since, until } of reel.cuts) {
      if (time < Number(since) || (until !== null && time >= Number(until))) continue;
      context.beginPath();
      this.#trace(context, from, to, -1);
      context.stroke();
      const [a, b] = [this.at(from), this.at(to)];
      brush.loss(context, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
    }
    context.setLineDash([]);
  }

  /** The way of what has just arrived, and of the message that is looked at. */
  #drawArrivals(context) {
    const { reel, brush, flights, done, flight } = this.scene;
    const show = (message, width) => {
      const { colour, dash } = brush.look(reel.kind[message]);
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.lineWidth = width;
      context.beginPath();
      this.#trace(context, reel.from[message], reel.to[message], reel.port[message]);
      context.stroke();
      context.setLineDash([]);
      if (this.radius < SMALLEST) return;
      // The head of an arrow where it arrives: the end of its way, at the edge of the node.
      const length = Math.min(Math.max(0.6 * this.radius, 5), 12);
      const { x, y, ahead } = this.#along(message, 1, 0);
      context.fillStyle = colour;
      brush.head(context, [x + ahead[0] * 2, y + ahead[1] * 2], ahead, length);
    };
    if (done > 0 && reel.happening[done - 1] < Happening.Loses)
      reel
        .touchedBy(done - 1)
        .subarray(0, 400)
        .forEach((message) => show(message, 2.6));
    if (flight >= 0 && !(isLost(reel.happening[flights.end[flight]]) && flights.end[flight] < done))
      show(flights.message[flight], 4.5);
  }

  /**
   * Draws lost messages, each as its way so far and a cross. They stay until the next message on the same link, so that
   * the reason for the silence can still be seen. Returns the flights that were drawn.
   */
  #drawLosses(context) {
    const { reel, brush, flights, done } = this.scene;
    const shown = this.losses.filter(({ since, until }) => since < done && (done <= until || since === done - 1));
    return shown.slice(-MOST_LOSSES).map(({ flight, since }) => {
      const message = flights.message[flight];
      const { colour, dash } = brush.look(reel.kind[message]);
      const part = reel.happening[since] === Happening.Loses ? LOST_AT : 1;
      const way = Array.from({ length: PIECES + 1 }, (_, piece) => this.#along(message, (part * piece) / PIECES, 0));
      context.strokeStyle = colour;
      context.setLineDash(dash);
      context.lineWidth = flight === this.scene.flight ? 4.5 : since === done - 1 ? 2.6 : 1.6;
      context.beginPath();
      line(context, ...way.map(({ x, y }) => [x, y]));
      context.stroke();
      const { x, y, normal } = way.at(-1);
      brush.loss(context, x, y, Math.min(Math.max(0.35 * this.radius, 4), 9));
      return { flight, x, y, normal, reach: 5 };
    });
  }

  #drawNodes(context) {
    const { reel, timeline } = this.scene;
    const byStatus = [[], [], [], []];
    for (let node = 0; node < reel.nodes; node++) byStatus[timeline.status(node)].push(node);
    // Rare kinds of nodes come last, above the others.
    for (const status of [Status.Undecided, Status.Follower, Status.Down, Status.Leader]) {
      if (this.radius < SMALLEST && status < Status.Leader) {
        const parts = new Set(byStatus[status].map((node) => timeline.part[node]));
        for (const part of parts)
          this.#drawDots(
            context,
            byStatus[status].filter((node) => timeline.part[node] === part),
            status,
            part,
          );
      } else byStatus[status].forEach((node) => this.#drawNode(context, node, status, timeline.part[node]));
    }
  }

  /** Thousands of nodes as dots, in one go: squares take a browser a tenth of the time. */
  #drawDots(context, nodes, status, part) {
    const { brush } = this.scene;
    const { fill, stroke } = brush.standing(status, part);
    const squares = (colour, reach) => {
      context.fillStyle = brush.value(colour);
      context.beginPath();
      for (const node of nodes) {
        const [x, y] = this.at(node);
        context.rect(x - reach, y - reach, 2 * reach, 2 * reach);
      }
      context.fill();
    };
    squares(stroke, this.radius);
    if (status !== Status.Follower) squares(fill, this.radius - 0.8);
  }

  #drawNode(context, node, status, part) {
    const { reel, brush, words } = this.scene;
    const [x, y] = this.at(node);
    brush.node(context, status, part, x, y, this.radius);
    if (this.radius < 9) return;
    this.room.take(x, y, 1.9 * this.radius, 1.9 * this.radius);
    const isBright = status === Status.Leader || (status === Status.Undecided && part >= 0);
    const colour = isBright ? 'ongold-fill' : 'within-fill';
    const id = this.radius > 14 ? reel.ids[node] : undefined;
    const size = Math.min(0.72 * this.radius, 15);
    // What is too long stands outside, as far as there is room to the next node.
    const room = Math.max(3.8 * this.radius, 0.9 * this.apart * this.scale);
    const name = brush.fitted(context, words.name(node), size, room);
    const fits = (text, size) => brush.width(context, text, size) <= 1.75 * this.radius;
    const inside = fits(name, size);
    const low = id === undefined ? 0 : -0.22 * this.radius;
    const above = y - this.radius - 8;
    if (!inside) this.room.take(x, above, brush.width(context, name, size), size);
    brush.say(context, name, x, inside ? y + low : above, {
      colour: inside ? colour : 'faint-fill',
      size,
      halo: !inside,
    });
    if (id === undefined) return;
    const text = `id ${id}`;
    const small = Math.max(0.48 * this.radius, 8);
    if (fits(text, small)) brush.say(context, text, x, y + 0.42 * this.radius, { colour, size: small, halo: false });
    else {
      this.room.take(x, y + this.radius + 8, brush.width(context, text, 9), 11);
      brush.say(context, text, x, y + this.radius + 8, { colour: 'faint-fill', size: 9 });
    }
  }

  /** The node that has just acted, and the one that is looked at. */
  #drawRings(context) {
    const { reel, brush, done, node } = this.scene;
    const ring = (node, colour, width, room) => {
      context.beginPath();
      circle(context, ...this.at(node), this.radius + room);
      context.strokeStyle = brush.value(colour);
      context.lineWidth = width;
      context.stroke();
    };
    if (done > 0) ring(reel.node[done - 1], 'cursor', 3, 3.5);
    if (node >= 0) ring(node, 'chosen', 2, 7.5);
  }

  #nameSome(context) {
    const { reel, brush, words, done, node } = this.scene;
    const named = new Set([done > 0 ? reel.node[done - 1] : -1, node].filter((node) => node >= 0));
    for (const node of named) {
      const [x, y] = this.at(node);
      const half = brush.width(context, words.node(node), 12) / 2;
      const middle = Math.min(Math.max(x, half), this.width - half);
      brush.say(context, words.node(node), middle, y - this.radius - 14, { bold: true });
    }
  }

  /** Draws the messages that are under way, and returns those with a label. */
  #drawPackets(context) {
    const { reel, brush, flights, underWay: under } = this.scene;
    this.packets = [];
    if (this.isCrowd && under.length > MOST_IN_CROWD) {
      const text = phrase('packets.heat', { all: grouped(under.length) });
      brush.remark(context, text, 8, this.height - 10, this.width - 16);
      return [];
    }
    const each = Math.ceil(under.length / MOST_PACKETS);
    const reach = Math.min(Math.max(0.32 * this.radius, 1.6), 6);
    for (let index = 0; index < under.length; index += each) {
      const flight = under[index];
      const message = flights.message[flight];
      const { x, y, normal, ahead } = this.#along(message, this.scene.progress(flight), reach);
      if (under.length <= MOST_POINTED) this.packets.push({ flight, x, y, normal, reach });
      brush.packet(context, reel.kind[message], x, y, flight === this.scene.flight ? 1.5 * reach : reach);
      // Which way it goes.
      if (reach > SMALLEST) brush.head(context, [x + ahead[0] * 2.3 * reach, y + ahead[1] * 2.3 * reach], ahead, reach);
    }
    if (each > 1) {
      const some = grouped(Math.ceil(under.length / each));
      const text = phrase('packets.some', { some, all: grouped(under.length) });
      brush.remark(context, text, 8, this.height - 10, this.width - 16);
    }
    return under.length > MOST_TEXTS ? [] : this.packets;
  }

  /** What messages say, beside their ways: on either side, near or farther off, wherever there is room. */
  #drawTexts(context, messages) {
    if (this.radius < 9) return;
    const { reel, brush, flights, words } = this.scene;
    messages.forEach(({ x, y, reach }) => this.room.take(x, y, 2 * reach, 2 * reach));
    // What is looked at comes first.
    const ordered = [...messages].sort((a, b) => (b.flight === this.scene.flight) - (a.flight === this.scene.flight));
    for (const { flight, x, y, normal, reach } of ordered) {
      const message = flights.message[flight];
      const text = squeezed(words.label(message), 18);
      const [wide, high] = [brush.width(context, text, SAID) + 2, SAID + 1];
      const beside = (side, far) => {
        const across = Math.abs(normal[0]) * (wide / 2) + Math.abs(normal[1]) * (high / 2);
        const away = side * (across + reach + (side < 0 ? 2 * reach : 2) + far);
        const middle = x + normal[0] * away;
        return [Math.min(Math.max(middle, wide / 2 + 2), this.width - wide / 2 - 2), y + normal[1] * away];
      };
      const places = [0, 7, 14, 21, 28].flatMap((far) => [beside(1, far), beside(-1, far)]);
      const place = this.room.claim(places, wide, high) ?? (flight === this.scene.flight ? places[0] : undefined);
      if (place) brush.say(context, text, ...place, { colour: brush.look(reel.kind[message]).colour, size: SAID });
    }
  }

  /** A place on the right of a message's way, between the edges of its nodes; which way is right, and which ahead. */
  #along(message, part, aside) {
    const { reel } = this.scene;
    const [from, to, port] = [reel.from[message], reel.to[message], reel.port[message]];
    const [a, b] = [this.at(from), this.at(to)];
    if (from === to) {
      const [turn, round] = [2 * Math.PI * (0.12 + 0.76 * part), 1.6 * this.radius];
      const [x, y] = [a[0] + round * Math.sin(turn), a[1] - round * (1 - Math.cos(turn))];
      return { x, y, normal: [Math.sin(turn), -1], ahead: [Math.cos(turn), -Math.sin(turn)] };
    }
    const length = Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]), 1);
    const edge = Math.min((this.radius + aside + 2) / length, 0.4);
    const t = edge + (1 - 2 * edge) * (aside > 0 ? 0.12 + 0.82 * part : part);
    const bow = reel.bows.get(`${from}:${port}`);
    const mix = (p, q) => p + (q - p) * t;
    const c = bow ? this.#screen(...bow) : [0, 1].map((axis) => (a[axis] + b[axis]) / 2);
    const sides = [0, 1].map((axis) => [mix(a[axis], c[axis]), mix(c[axis], b[axis])]);
    const [x, y] = sides.map(([p, q]) => mix(p, q));
    const run = Math.max(Math.hypot(sides[0][1] - sides[0][0], sides[1][1] - sides[1][0]), 1e-9);
    const ahead = sides.map(([p, q]) => (q - p) / run);
    const normal = [-ahead[1], ahead[0]];
    return { x: x + aside * normal[0], y: y + aside * normal[1], normal, ahead };
  }
}

/** By message: its link. */
function linksOf({ links, nodes, from, to, messages }) {
  const byEnds = new Map();
  links.from.forEach((a, link) => {
    byEnds.set(a * nodes + links.to[link], link);
    byEnds.set(links.to[link] * nodes + a, link);
  });
  return Int32Array.from({ length: messages }, (_, message) => byEnds.get(from[message] * nodes + to[message]) ?? 0);
}

/** Whether this end of a message means that it never arrives. */
function isLost(happening) {
  return happening === Happening.Loses || happening === Happening.Misses;
}

/** The flights that never arrive: the event that ends each, and the next one that sends a message by the same link. */
function lossesOf({ reel, flights }) {
  const losses = [];
  const open = new Map();
  for (let flight = 0; flight < flights.count; flight++) {
    const [message, end] = [flights.message[flight], flights.end[flight]];
    const link = `${reel.from[message]}:${reel.port[message]}`;
    const before = open.get(link);
    if (before) before.until = flights.begin[flight];
    open.delete(link);
    if (!isLost(reel.happening[end])) continue;
    const loss = { flight, since: end, until: reel.events };
    open.set(link, loss);
    losses.push(loss);
  }
  return losses;
}

/** The least distance between some of the nodes. Where there are many, they are too near for labels. */
function nearest({ x, y }) {
  if (x.length > 200) return 0;
  let best = Infinity;
  for (let a = 0; a < x.length; a++)
    for (let b = 0; b < a; b++) best = Math.min(best, Math.hypot(x[a] - x[b], y[a] - y[b]));
  return best;
}
