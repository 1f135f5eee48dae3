// The space-time diagram: lanes of nodes, time downwards, messages from lane to lane. Only the visible part is drawn.

import { Happening, rules } from './reel.js';
import { Part, Status, statusAfter } from './timeline.js';
import { circle, distanceTo, hasSign, line } from './brush.js';
import { Room } from './room.js';
import { firstAtLeast } from './search.js';
import { squeezed } from './words.js';
import { grouped, phrase } from './phrases.js';

/** The room for names above, and before the first moment and behind the last one. */
const HEAD = 44;
const ABOVE = 26;
const BELOW = 46;
/** The room for a moment beside the lanes: the same for most runs, so that hiding the future moves no lane. */
const MOMENT = 44;
/** How far lanes are apart. */
const NARROWEST = 32;
const WIDEST = 130;
/** How far beyond the visible part arrows are drawn. */
const MARGIN = 60;
/** The greatest factor by which a short run is stretched. */
const MOST_STRETCHED = 2.5;
/** The factor by which a run of hidden length is stretched. */
const USUALLY_STRETCHED = 1.4;
/** The largest number of messages that are drawn. */
const MOST_FLIGHTS = 2_000;
/** The largest number of messages with a label, if ten letters fit between two lanes. */
const MOST_TEXTS = 220;
const LEGIBLE = 45;
/** The size of the letters on messages and signs, and how far texts are apart. */
const SAID = 10.5;
const LINE = 12;
/** The size of the letters of ids above lanes. */
const IDS = 9;
/** The room that a sign takes. */
const SIGN = 15;
/** How far the ring around the last event reaches. */
const RING = 11;
/** The room beside the lanes of a ring for messages that go round it. */
const SIDE = 18;
/** The number of messages of the last event that have a label in any case. */
const MOST_SPECIAL = 12;
/** A picture to keep: pixels for a unit of the page, the longest side and the largest area, in such units. */
const PICTURE = { ratio: 2, side: 8_000, area: 16_000_000 };
/** In it, the room for a lane where there is enough of it, and the height of a part with as much as on a screen. */
const ROOMY = 80;
const SCREEN = 800;
/** How much of the room between two lanes a stripe of a cut takes. */
const STRIPE = 0.2;
/** How much of the future is visible. */
const FUTURE = 0.3;

/** Draws the diagram into a canvas that stays where it is while the scroller around it scrolls. */
export class SpaceTimeView {
  constructor(scroller, canvas, spacer, scene) {
    Object.assign(this, { scroller, canvas, spacer, scene });
    this.zoom = 1;
    /** The pieces of arrows that are drawn, for the pointer. */
    this.pieces = [];
    /** How many messages were not drawn, as there are too many. */
    this.omitted = 0;
    /** The sheet of paper that is drawn, if it is one and not the screen. */
    this.sheet = null;
  }

  /** The visible part: its size, and how far it is scrolled. */
  get #port() {
    if (this.sheet) return this.sheet;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.scroller;
    const [width, height, left, top] = [clientWidth, clientHeight, scrollLeft, scrollTop].map(
      (pixels) => pixels / this.scene.scale,
    );
    return { width, height, left, top };
  }

  /** How many times as much is drawn as on a screen. */
  get #screens() {
    return this.sheet?.screens ?? 1;
  }

  /** Finds out how much room there is. */
  resize() {
    const { reel, axis, words, brush } = this.scene;
    const context = this.canvas.getContext('2d');
    // How wide or how long it becomes must not tell what is still to come.
    const { isFutureHidden } = this.scene;
    const places = isFutureHidden ? [0] : [0, reel.moments >> 1, reel.moments - 1];
    const labels = places.filter((moment) => moment >= 0 && moment < reel.moments);
    this.gutter = 18 + Math.max(MOMENT, ...labels.map((moment) => brush.width(context, words.moment(moment), 11)));
    const port = this.#port;
    const side = reel.isRing ? SIDE : 0;
    const room = port.width - this.gutter - 12 - 2 * side;
    const narrowest = this.sheet?.narrowest ?? NARROWEST;
    this.gap = this.zoom * Math.min(Math.max(room / reel.lanes.length, narrowest), WIDEST);
    this.margin = this.gutter + side + Math.max(0, (room - this.gap * reel.lanes.length) / 2);
    this.wide = this.margin + this.gap * reel.lanes.length + 12 + side;
    const hasRoom = (id) => brush.width(context, `id ${id}`, IDS) <= this.gap - 4;
    /** What stands before the ids of lanes: nothing, if the ids take all the room. */
    this.idWord = Array.from(reel.lanes).every((node) => hasRoom(reel.ids[node])) ? 'id ' : '';
    // A short run has all the height there is.
    const height = port.height - HEAD - ABOVE - BELOW;
    const fit = isFutureHidden ? USUALLY_STRETCHED : height / Math.max(axis.length, 1);
    this.stretch = this.zoom * Math.min(Math.max(fit, 1), MOST_STRETCHED);
    this.#extend();
  }

  /** As long as what may be seen of the run: how far it can be scrolled must not tell how much is still to come. */
  #extend() {
    const { axis, reel, known, isFutureHidden, scale } = this.scene;
    const end = isFutureHidden ? (axis.places[reel.momentOf[known - 1]] ?? 0) : axis.length;
    this.tall = HEAD + ABOVE + end * this.stretch + BELOW;
    if (this.sheet) return;
    const { style } = this.spacer;
    const [width, height] = [Math.max(this.wide * scale, 0), this.tall * scale].map((pixels) => `${pixels}px`);
    if (style.width !== width) style.width = width;
    if (style.height !== height) style.height = height;
  }

  /** Draws all of it on sheets of paper: canvases of this size in pixels of the page, at most `most` of them. */
  sheets(width, height, most) {
    const { reel } = this.scene;
    const { zoom } = this;
    this.zoom = 1;
    this.sheet = { width: Math.max(width, 90 + NARROWEST * reel.lanes.length), height, left: 0, top: 0 };
    this.resize();
    const canvases = [];
    const step = height - HEAD - ABOVE;
    for (let [top, bottom] = [0, 0]; bottom < this.tall - BELOW / 2 && canvases.length < most; top += step) {
      bottom = top + height;
      this.sheet = { ...this.sheet, top, height: Math.min(height, this.tall - top) };
      const canvas = document.createElement('canvas');
      this.#drawOn(canvas, [this.sheet.width, this.sheet.height], 1);
      canvases.push(canvas);
    }
    this.sheet = null;
    this.zoom = zoom;
    return canvases;
  }

  /** Draws all of it on one canvas. `until` is the moment with which that ends, if all would be too long. */
  picture() {
    const { reel, words } = this.scene;
    const { zoom } = this;
    this.zoom = 1;
    const [beside, lanes] = [2 * SIDE + 100, Math.max(reel.lanes.length, 1)];
    const wide = (room) => Math.min(Math.max(beside + room * lanes, 480), PICTURE.side);
    this.sheet = { width: wide(ROOMY), height: SCREEN, left: 0, top: 0, narrowest: 1 };
    this.resize();
    // Lanes of a long run are as narrow as they may be, so that more of it is drawn.
    const room = (PICTURE.area / Math.min(this.tall, PICTURE.side) - beside) / lanes;
    const width = wide(Math.min(Math.max(room, NARROWEST), ROOMY));
    this.sheet.width = width;
    this.resize();
    const height = Math.min(this.tall, PICTURE.side, PICTURE.area / width);
    this.sheet.height = height;
    this.sheet.screens = Math.ceil(height / SCREEN);
    const canvas = document.createElement('canvas');
    this.#drawOn(canvas, [width, height], 1, PICTURE.ratio);
    // Nothing of the page is behind it.
    this.context.globalCompositeOperation = 'destination-over';
    this.context.fillStyle = this.scene.brush.value('ground-fill');
    this.context.fillRect(0, 0, width, height);
    const until = height < this.tall ? words.moment(this.#lastWithin(height)) : undefined;
    this.sheet = null;
    this.zoom = zoom;
    this.resize();
    if (this.scroller.clientWidth > 0) this.draw();
    return { canvas, until };
  }

  /** The last moment above this height. */
  #lastWithin(height) {
    return Math.max(firstAtLeast(this.scene.axis.places, (height - HEAD - ABOVE) / this.stretch) - 1, 0);
  }

  /** Makes it larger or smaller, around now. */
  enlarge(factor) {
    this.zoom = factor === 0 ? 1 : Math.min(Math.max(this.zoom * factor, 0.3), 4);
    this.resize();
    this.follow(true);
  }

  /** Scrolls so that now, and the node that has just acted, is visible; unless it already is. */
  follow(always = false) {
    const { scroller, scene } = this;
    this.#extend();
    const port = this.#port;
    const height = port.height - HEAD;
    const now = ABOVE + scene.place * this.stretch;
    const [top, bottom] = [port.top + 0.15 * height, port.top + 0.75 * height];
    if (always || now < top || now > bottom) scroller.scrollTop = (now - 0.45 * height) * scene.scale;
    const lane = scene.subject < 0 ? -1 : scene.reel.laneOf[scene.subject];
    if (lane < 0) return;
    const x = this.margin + this.gap * (lane + 0.5);
    if (x - port.left < this.gutter + this.gap || x - port.left > port.width - this.gap)
      scroller.scrollLeft = (x - port.width / 2) * scene.scale;
  }

  /** Draws what is visible. */
  draw() {
    const { clientWidth, clientHeight } = this.scroller;
    this.canvas.style.width = `${clientWidth}px`;
    this.canvas.style.height = `${clientHeight}px`;
    this.#drawOn(this.canvas, [clientWidth, clientHeight], this.scene.scale);
  }

  #drawOn(canvas, size, scale, ratio) {
    const { scene } = this;
    const { reel, brush } = scene;
    const { context, width, height } = brush.begin(canvas, scale, size, ratio);
    const { left, top } = this.#port;
    Object.assign(this, { context, width, height, left, top });
    const lane = (x) => Math.floor((x + left - this.margin) / this.gap);
    /** The lanes and the moments that are to be seen: from the first to before the last. */
    this.lanes = [Math.max(lane(0) - 1, 0), Math.min(lane(width) + 2, reel.lanes.length)];
    const place = (y) => (y + top - HEAD - ABOVE) / this.stretch;
    this.moments = scene.axis.between(place(HEAD), place(height));
    this.room = new Room();
    const signs = this.#signs();
    const acting = scene.event < 0 ? -1 : reel.laneOf[reel.node[scene.event]];
    if (acting >= 0) this.room.take(this.#x(acting), this.#y(reel.momentOf[scene.event]), 2 * RING, 2 * RING);
    this.#drawSubject();
    this.#drawCuts();
    this.#drawMoments();
    this.#drawLanes();
    this.#drawFlights();
    this.#drawSigns(signs);
    this.#drawNow();
    this.#drawHead();
  }

  /** What is at a place: a flight, an event, a node or nothing. */
  find(x, y) {
    const { reel } = this.scene;
    const lane = Math.round((x + this.left - this.margin) / this.gap - 0.5);
    const node = lane >= 0 && lane < reel.lanes.length ? reel.lanes[lane] : -1;
    const isNear = node >= 0 && Math.abs(this.#x(lane) - x) < Math.min(12, 0.35 * this.gap);
    if (y < HEAD) return node >= 0 ? { node } : null;
    const event = isNear ? this.#eventNear(node, y) : -1;
    if (event >= 0) return { event };
    let [best, found] = [7, -1];
    for (const { from, to, flight } of this.pieces) {
      const distance = distanceTo(x, y, from, to);
      if (distance < best) [best, found] = [distance, flight];
    }
    if (found >= 0) return { flight: found };
    if (isNear) return { node };
    return null;
  }

  #eventNear(node, y) {
    const { reel } = this.scene;
    const events = reel.eventsOf.of(node);
    let [best, found] = [9, -1];
    for (let moment = this.moments[0]; moment < this.moments[1]; moment++) {
      const distance = Math.abs(this.#y(moment) - y);
      if (distance >= best) continue;
      // The last event of the node in this moment.
      const next = moment + 1 < reel.moments ? reel.firstOf[moment + 1] : reel.events;
      const event = events[firstAtLeast(events, Math.min(next, this.scene.horizon)) - 1];
      if (event >= reel.firstOf[moment]) [best, found] = [distance, event];
    }
    return found;
  }

  #x(lane) {
    return this.margin + this.gap * (lane + 0.5) - this.left;
  }

  #y(moment) {
    return this.#screenY(this.scene.axis.places[moment]);
  }

  #screenY(place) {
    return HEAD + ABOVE + place * this.stretch - this.top;
  }

  /** The first event that is to be seen, and the last one. */
  #events() {
    const { reel } = this.scene;
    const [first, last] = this.moments;
    const end = last < reel.moments ? reel.firstOf[last] : reel.events;
    return [reel.firstOf[first] ?? 0, Math.min(end, this.scene.horizon) - 1];
  }

  #drawSubject() {
    const { scene, context } = this;
    const lane = scene.node < 0 ? -1 : scene.reel.laneOf[scene.node];
    if (lane < 0) return;
    context.fillStyle = scene.brush.value('chosen-ground');
    context.fillRect(this.#x(lane) - 0.4 * this.gap, HEAD, 0.8 * this.gap, this.height);
  }

  /**
   * Draws cut links as stripes between neighbouring lanes. On a ring, the link from the last to the first has a stripe
   * on either side. Any other link has one at each of its lanes, joined where it begins.
   */
  #drawCuts() {
    const { context, scene } = this;
    const { reel, brush, axis } = scene;
    context.fillStyle = brush.value('cut-fill');
    context.strokeStyle = brush.value('cut-stroke');
    context.lineWidth = 1;
    context.setLineDash([2, 2]);
    for (const { from, to, since, until } of reel.cuts) {
      const [a, b] = [reel.laneOf[from], reel.laneOf[to]].sort((a, b) => a - b);
      if (a < 0) continue;
      const top = this.#screenY(axis.at(Number(since)));
      if (scene.isFutureHidden && scene.time < Number(since)) continue;
      const end = until === null ? this.#screenY(axis.length) + BELOW / 2 : this.#screenY(axis.at(Number(until)));
      const bottom = scene.isFutureHidden ? Math.min(end, this.#screenY(scene.place)) : end;
      const last = reel.lanes.length - 1;
      const isRound = a === 0 && b === last && last > 1 && this.#goesRound(a, b);
      const areas = () => {
        if (isRound) return [[-0.5, 0, bottom], [last, last + 0.5, bottom]];
        if (b - a > 1) return [[a, a + STRIPE, bottom], [b - STRIPE, b, bottom], [a, b, top]];
        return [[a, b, bottom]];
      };
      for (const [left, right, low] of areas()) {
        context.beginPath();
        context.rect(this.#x(left), top, this.#x(right) - this.#x(left), low - top);
        context.fill();
        context.stroke();
      }
    }
    context.setLineDash([]);
  }

  #drawMoments() {
    const { context, scene, width } = this;
    const { brush, words, axis } = scene;
    let last = -Infinity;
    this.labels = [];
    for (let moment = this.moments[0]; moment < this.moments[1]; moment++) {
      if (scene.reel.firstOf[moment] >= scene.horizon) break;
      const y = this.#y(moment);
      const gap = axis.gaps.has(moment);
      if (gap) {
        const middle = (this.#y(moment - 1) + y) / 2;
        context.setLineDash([1, 4]);
        context.strokeStyle = brush.value('gap-stroke');
        context.lineWidth = 1;
        context.beginPath();
        line(context, [this.gutter, middle], [width, middle]);
        context.stroke();
        context.setLineDash([]);
      }
      if (y - last < 15) continue;
      last = y;
      context.strokeStyle = brush.value('grid-stroke');
      context.lineWidth = 1;
      context.beginPath();
      line(context, [this.gutter, y], [width, y]);
      context.stroke();
      this.labels.push([words.moment(moment), y]);
    }
  }

  #drawLanes() {
    const { context, scene } = this;
    const { reel, brush, timeline } = scene;
    const [first, last] = this.#events();
    const now = this.#screenY(scene.place);
    const end = scene.isFutureHidden ? now : this.#screenY(scene.axis.length) + 24;
    const [top, bottom] = [Math.max(this.#screenY(-ABOVE / this.stretch), HEAD), Math.min(end, this.height)];
    for (let lane = this.lanes[0]; lane < this.lanes[1]; lane++) {
      const x = this.#x(lane);
      const turns = timeline.turnsOf.of(reel.lanes[lane]);
      let index = firstAtLeast(turns, first) - 1;
      let from = top;
      for (; from < bottom; index++) {
        const [turn, next] = [turns[index], turns[index + 1]];
        const to = next === undefined || next > last ? bottom : Math.min(this.#y(reel.momentOf[next]), bottom);
        const isRuled = turn !== undefined && rules(reel.happening[turn]);
        const status = isRuled ? statusAfter(reel, turn) : Status.Undecided;
        const [colour, wide, dash] = brush.lane(status, turn === undefined ? Part.Asleep : timeline.partAfter[turn]);
        context.strokeStyle = brush.value(colour);
        context.lineWidth = wide;
        context.setLineDash(dash);
        for (const [a, b, alpha] of [
          [from, Math.min(to, now), 1],
          [Math.max(from, now), to, FUTURE],
        ]) {
          if (b <= a) continue;
          context.globalAlpha = alpha;
          context.beginPath();
          line(context, [x, a], [x, b]);
          context.stroke();
        }
        from = Math.max(to, from);
        if (next === undefined || next > last) break;
      }
    }
    context.globalAlpha = 1;
    context.setLineDash([]);
  }

  /** The messages of nodes that are to be seen: first what is still to come, faintly, then what has been. */
  #drawFlights() {
    const { context, scene, width } = this;
    const { reel, flights, brush, done } = scene;
    const [first, last] = this.#events();
    let visible = [];
    // Messages between invisible nodes would hide the rest.
    const isSeen = (node) => reel.laneOf[node] >= this.lanes[0] && reel.laneOf[node] < this.lanes[1];
    flights.each(first, last, (flight) => {
      const message = flights.message[flight];
      if (flights.begin[flight] >= scene.horizon) return;
      if (isSeen(reel.from[message]) || isSeen(reel.to[message])) visible.push(flight);
    });
    const ofNode = (flight) => [reel.from, reel.to].some((end) => end[flights.message[flight]] === scene.node);
    const most = MOST_FLIGHTS * this.#screens;
    if (visible.length > most && scene.node >= 0) visible = visible.filter(ofNode);
    this.omitted = Math.max(visible.length - most, 0);
    if (this.omitted > 0) {
      const each = visible.length / most;
      visible = Array.from({ length: most }, (_, index) => visible[Math.floor(index * each)]);
    }
    this.pieces = visible
      .flatMap((flight) => this.#arrow(flight))
      .flatMap((piece) => this.#sofar(piece))
      .flatMap((piece) => this.#clipped(piece));
    const now = this.#screenY(scene.place);
    context.globalAlpha = FUTURE;
    this.#strokePieces(this.pieces.filter(({ flight }) => flights.end[flight] >= done));
    context.globalAlpha = 1;
    // What was lost on its way is drawn in full: how far down its arrow goes says nothing about time.
    const isOver = ({ flight }) => flights.end[flight] < done && !reachesReceiver(flights.fate(flight));
    this.#strokePieces(this.pieces.filter(isOver));
    context.save();
    context.beginPath();
    context.rect(0, HEAD, width, Math.max(now + 1 - HEAD, 0));
    context.clip();
    this.#strokePieces(this.pieces.filter((piece) => flights.begin[piece.flight] < done && !isOver(piece)));
    context.restore();
    this.#drawSpecial();
    this.#drawTexts();
    for (const way of this.#waysUnderWay().values()) {
      const piece = way.find(({ from, to }) => now >= from[1] && now <= to[1]) ?? way[0];
      const { flight, from, to } = piece;
      const part = to[1] > from[1] ? Math.min(Math.max((now - from[1]) / (to[1] - from[1]), 0), 1) : 0.5;
      brush.packet(
        context,
        reel.kind[flights.message[flight]],
        from[0] + part * (to[0] - from[0]),
        from[1] + part * (to[1] - from[1]),
        4,
      );
    }
  }

  /** By flight that is under way: its pieces. */
  #waysUnderWay() {
    const { flights, done } = this.scene;
    const ways = new Map();
    for (const piece of this.pieces) {
      const { flight } = piece;
      if (flights.begin[flight] >= done || flights.end[flight] < done) continue;
      if (!ways.has(flight)) ways.set(flight, []);
      ways.get(flight).push(piece);
    }
    return ways;
  }

  /** Whether a message goes round the ring, out on one side and in on the other. */
  #isRound(message, from, to) {
    return this.#goesRound(from, to) && (this.scene.reel.port[message] === 0 ? to <= from : to >= from);
  }

  /** Whether lanes are a whole ring in its order, so that the last is a neighbour of the first. */
  #goesRound(from, to) {
    const { reel } = this.scene;
    if (!reel.isRing || from < 0 || to < 0 || reel.lanes.length < reel.nodes) return false;
    return reel.lanes[from] === from && reel.lanes[to] === to;
  }

  /** Whether a message with one end without a lane goes to the right, as it would if all nodes had lanes. */
  #isOnward(message) {
    const { reel } = this.scene;
    const rises = reel.isRing ? reel.port[message] === 0 : reel.from[message] < reel.to[message];
    return rises === reel.lanes[0] <= reel.lanes.at(-1);
  }

  /** The pieces of an arrow: two if it goes round the ring, else one. */
  #arrow(flight) {
    const { reel, flights } = this.scene;
    const [message, begin, end] = [flights.message[flight], flights.begin[flight], flights.end[flight]];
    const [a, b] = [reel.laneOf[reel.from[message]], reel.laneOf[reel.to[message]]];
    const fate = flights.fate(flight);
    const y = this.#y(reel.momentOf[begin]);
    // What never arrives ends on the way.
    const arrives = reachesReceiver(fate);
    const low = arrives ? this.#y(reel.momentOf[end]) : y + 26 * this.stretch;
    const tip = { [Happening.Loses]: 'loss', [Happening.Misses]: 'loss', undefined: 'open' }[fate] ?? 'head';
    const piece = (from, to, tip) => ({ flight, from, to, tip });
    if (this.#isRound(message, a, b)) {
      const onward = reel.port[message] === 0;
      const [right, left] = [this.#x(reel.lanes.length - 0.5), this.#x(-0.5)];
      const middle = (y + low) / 2;
      const [out, back] = onward ? [right, left] : [left, right];
      if (!arrives) return [piece([this.#x(a), y], [out, middle], tip)];
      return [piece([this.#x(a), y], [out, middle], 'none'), piece([back, middle], [this.#x(b), low], tip)];
    }
    const stub = (this.#isOnward(message) ? 0.55 : -0.55) * this.gap;
    if (b < 0) return [piece([this.#x(a), y], [this.#x(a) + stub, (y + low) / 2], tip)];
    if (a < 0) return [piece([this.#x(b) - stub, (y + low) / 2], [this.#x(b), low], tip)];
    const from = [this.#x(a), y];
    const to = [this.#x(b), low];
    return [piece(from, arrives ? to : [from[0] + 0.45 * (to[0] - from[0]), low], tip)];
  }

  /** The part of a piece that may be shown. If the future is hidden, a message under way ends now. */
  #sofar(piece) {
    const { scene } = this;
    const { from, to, flight } = piece;
    if (!scene.isFutureHidden || scene.flights.end[flight] < scene.done) return [piece];
    const now = this.#screenY(scene.place);
    if (from[1] > now) return [];
    const part = to[1] > now ? (now - from[1]) / (to[1] - from[1]) : 1;
    const end = [0, 1].map((axis) => from[axis] + part * (to[axis] - from[axis]));
    return [{ ...piece, to: end, tip: part === 1 && piece.tip === 'none' ? 'none' : 'under way' }];
  }

  /** The visible part of a piece. Browsers are slow at dashes that go far beyond it. */
  #clipped(piece) {
    const { from, to } = piece;
    let [begin, end] = [0, 1];
    for (const [axis, most] of [this.width, this.height].entries()) {
      const span = to[axis] - from[axis];
      const bounds = [-MARGIN, most + MARGIN].map((bound) => (bound - from[axis]) / span).sort((a, b) => a - b);
      if (span !== 0) [begin, end] = [Math.max(begin, bounds[0]), Math.min(end, bounds[1])];
      else if (from[axis] < -MARGIN || from[axis] > most + MARGIN) return [];
    }
    if (begin > end) return [];
    const at = (part) => [0, 1].map((axis) => from[axis] + part * (to[axis] - from[axis]));
    return [{ ...piece, from: at(begin), to: at(end), tip: end < 1 ? 'none' : piece.tip }];
  }

  #strokePieces(pieces, width = 1.4) {
    const { context, scene } = this;
    const { reel, flights, brush } = scene;
    const byKind = new Map();
    for (const piece of pieces) {
      const kind = reel.kind[flights.message[piece.flight]];
      if (!byKind.has(kind)) byKind.set(kind, []);
      byKind.get(kind).push(piece);
    }
    for (const [kind, some] of byKind) {
      const { colour, dash } = brush.look(kind);
      [context.strokeStyle, context.fillStyle, context.lineWidth] = [colour, colour, width];
      context.setLineDash(dash);
      context.beginPath();
      some.forEach(({ from, to }) => line(context, from, to));
      context.stroke();
      context.setLineDash([]);
      context.beginPath();
      some.filter(({ tip }) => tip === 'head').forEach(({ from, to }) => arrowHead(context, from, to, 3 * width + 4));
      context.fill();
      context.beginPath();
      some.filter(({ tip }) => tip === 'open').forEach(({ to }) => circle(context, ...to, 3));
      context.stroke();
    }
    pieces.filter(({ tip }) => tip === 'loss').forEach(({ to }) => brush.loss(context, ...to));
  }

  /** What the last event received and sent, and the message that was chosen. */
  #drawSpecial() {
    const { scene } = this;
    const { flights, event, flight } = scene;
    const isOfEvent = (it) => event >= 0 && (flights.end[it] === event || flights.begin[it] === event);
    this.#strokePieces(
      this.pieces.filter((piece) => isOfEvent(piece.flight)),
      2.4,
    );
    this.#strokePieces(
      this.pieces.filter((piece) => piece.flight === flight),
      4,
    );
    if (flight >= 0) this.#drawLineage(flight);
  }

  /** What led to the message that was chosen, and what came of it: a broad stripe. */
  #drawLineage(flight) {
    const { context, scene } = this;
    const { past, future } = scene.lineage.of(flight);
    context.strokeStyle = scene.brush.value('chosen');
    context.lineWidth = 7;
    context.lineCap = 'round';
    for (const [related, alpha, dash] of [
      [past, 0.4, []],
      [future, 0.4, [1, 10]],
    ]) {
      context.globalAlpha = alpha;
      context.setLineDash(dash);
      context.beginPath();
      this.pieces.filter((piece) => related.has(piece.flight)).forEach(({ from, to }) => line(context, from, to));
      context.stroke();
    }
    context.globalAlpha = 1;
    context.lineCap = 'butt';
    context.setLineDash([]);
  }

  #drawTexts() {
    const { context, scene } = this;
    const { reel, flights, brush, words, done, event, flight: chosen } = scene;
    const few = this.pieces.length <= MOST_TEXTS * this.#screens && this.gap >= LEGIBLE;
    const isSpecial = (flight) =>
      flight === chosen || (event >= 0 && (flights.end[flight] === event || flights.begin[flight] === event));
    const said = this.pieces.filter(({ tip }) => tip !== 'none');
    const special = new Set(said.filter(({ flight }) => isSpecial(flight)).slice(0, MOST_SPECIAL));
    // Those that are looked at come first: where there is no room for a text, it is left out.
    for (const piece of [...special, ...(few ? said.filter((piece) => !special.has(piece)) : [])]) {
      const { flight, from, to } = piece;
      const [message, bold] = [flights.message[flight], special.has(piece)];
      const most = bold ? 40 : Math.max(Math.floor(this.gap / 4.5), 6);
      const text = squeezed(words.label(message), most) + squeezed(this.#beyond(flight), most);
      const half = brush.width(context, text, SAID, bold) / 2 + 2;
      // Beside the first and the last lane there is hardly any room.
      const [leftmost, rightmost] = [this.gutter - this.left + half, this.#rightmost() - half];
      // Before its last lane, where it is apart from others that were sent together with it.
      const part = Math.max(1 - (0.5 * this.gap) / Math.max(Math.abs(to[0] - from[0]), 1), 0.5);
      const at = (part) => {
        const [x, y] = [0, 1].map((axis) => from[axis] + part * (to[axis] - from[axis]));
        return [Math.max(Math.min(x, rightmost), leftmost), y];
      };
      const within = (part) => Math.min(Math.max(part, 0.05), 0.95);
      const places = [0, -0.12, 0.12, -0.24, 0.24, -0.36].map((more) => at(within(part + more)));
      // What comes to a stop on its way has room below it.
      const below = [LINE, 2 * LINE, 3 * LINE].map((more) => [at(1)[0], to[1] + more]);
      const isShort = Math.hypot(to[0] - from[0], to[1] - from[1]) < SIGN;
      const possible = piece.tip === 'head' ? places : isShort ? below : [...places, ...below];
      const place = this.room.claim(possible, 2 * half, LINE);
      if (!place) continue;
      const [x, y] = place;
      context.globalAlpha = flights.begin[flight] < done ? 1 : 0.45;
      brush.say(context, text, x, y - 1, { colour: brush.look(reel.kind[message]).colour, size: SAID, bold });
    }
    context.globalAlpha = 1;
  }

  /** The end that an arrow does not touch: a node without a lane, or a receiver that it never reaches. */
  #beyond(flight) {
    const { reel, flights, words } = this.scene;
    const [from, to] = [reel.from, reel.to].map((end) => end[flights.message[flight]]);
    if (reel.laneOf[from] < 0) return ` ← ${words.name(from)}`;
    const isThere = !this.scene.isFutureHidden || flights.end[flight] < this.scene.done;
    const arrives = isThere && reachesReceiver(flights.fate(flight));
    return arrives && reel.laneOf[to] >= 0 ? '' : ` → ${words.name(to)}`;
  }

  /** What happened on the lanes, by lane and moment: the signs side by side, and the words that belong to them. */
  #signs() {
    const { reel, brush, timeline } = this.scene;
    const [first, last] = this.#events();
    const groups = new Map();
    for (let event = first; event <= last; event++) {
      const lane = reel.laneOf[reel.node[event]];
      if (lane < this.lanes[0] || lane >= this.lanes[1]) continue;
      const happening = reel.happening[event];
      const signs = [];
      const sign = (draw, text, isTimer = false) => signs.push({ event, draw, text, isTimer });
      if (hasSign(happening)) {
        const isTimer = happening === Happening.TimesOut && reel.notes.has(event);
        const text = isTimer ? phrase('timer', { name: reel.notes.get(event) }) : '';
        sign((context, x, y) => brush.sign(context, happening, x, y, 7), text, isTimer);
      }
      // A node that starts takes up a role, which its lane shows.
      if (reel.roles.has(event) && happening !== Happening.Starts)
        sign((context, x, y) => brush.turn(context, timeline.partAfter[event], x, y), reel.roles.get(event));
      if (reel.draws.has(event)) sign((context, x, y) => brush.die(context, x, y), reel.draws.get(event));
      if (signs.length === 0) continue;
      const key = `${lane}:${reel.momentOf[event]}`;
      if (!groups.has(key)) groups.set(key, { x: this.#x(lane), y: this.#y(reel.momentOf[event]), signs: [] });
      groups.get(key).signs.push(...signs);
    }
    for (const { x, y, signs } of groups.values())
      this.room.take(x + (SIGN * (signs.length - 1)) / 2, y, SIGN * signs.length, SIGN);
    groups.forEach((group) => Object.assign(group, this.#note(group)));
    return [...groups.values()];
  }

  /** The words beside signs, and their place: where there is no room for all of them, those about roles and choices. */
  #note({ x, y, signs }) {
    const { context } = this;
    const { brush } = this.scene;
    if (this.gap <= 50) return {};
    const words = (some) => some.flatMap(({ text }) => text || []).join(', ');
    const texts = new Set([words(signs), words(signs.filter(({ isTimer }) => !isTimer))]);
    for (const text of [...texts].filter(Boolean)) {
      const wide = brush.width(context, text, SAID) + 2;
      const right = x + SIGN * (signs.length - 0.5) + 2 + wide / 2;
      const places = [
        [right, y],
        [x + wide / 2 - SIGN / 2, y + SIGN / 2 + LINE / 2],
        [x - SIGN / 2 - 3 - wide / 2, y],
        [x + wide / 2 - SIGN / 2, y - SIGN / 2 - LINE / 2],
      ].filter(([middle]) => middle - wide / 2 >= this.gutter - this.left && middle + wide / 2 <= this.#rightmost());
      const place = this.room.claim(places, wide, LINE);
      if (place) return { text, place };
    }
    return {};
  }

  /** Draws the signs, and their words. */
  #drawSigns(groups) {
    const { context, scene } = this;
    const { brush, done } = scene;
    for (const { x, y, signs, text, place } of groups) {
      signs.forEach(({ event, draw }, index) => {
        context.globalAlpha = event < done ? 1 : FUTURE;
        draw(context, x + SIGN * index, y);
      });
      context.globalAlpha = signs[0].event < done ? 1 : 0.45;
      if (place) brush.say(context, text, ...place, { size: SAID });
    }
    context.globalAlpha = 1;
  }

  /** Where the picture ends on the right. */
  #rightmost() {
    return Math.max(this.wide, this.width) - this.left;
  }

  #drawNow() {
    const { context, scene, width } = this;
    const { brush, reel, event } = scene;
    const y = this.#screenY(scene.place);
    context.strokeStyle = brush.value('cursor');
    context.lineWidth = 1.5;
    context.beginPath();
    line(context, [this.gutter - 4, y], [width, y]);
    context.stroke();
    const lane = event < 0 ? -1 : reel.laneOf[reel.node[event]];
    if (lane < 0) return;
    context.lineWidth = 3;
    context.beginPath();
    circle(context, this.#x(lane), this.#y(reel.momentOf[event]), RING);
    context.stroke();
  }

  /** Names of lanes above and moments on the left, over everything else. */
  #drawHead() {
    const { context, scene, width, height } = this;
    const { reel, brush, words, timeline } = scene;
    context.fillStyle = brush.value('ground-fill');
    context.fillRect(0, 0, width, HEAD);
    context.fillRect(0, HEAD, this.gutter - 4, height);
    const now = this.#screenY(scene.place);
    for (const [text, y] of this.labels) {
      if (y > HEAD + 6 && Math.abs(y - now) > 11)
        brush.say(context, text, this.gutter - 9, y, { size: 10, align: 'right', colour: 'faint-fill', halo: false });
    }
    if (now > HEAD && scene.done > 0)
      brush.say(context, words.when(scene.done), this.gutter - 9, now, {
        size: 10,
        align: 'right',
        bold: true,
        halo: false,
      });
    for (let lane = this.lanes[0]; lane < this.lanes[1]; lane++) {
      const [node, x] = [reel.lanes[lane], this.#x(lane)];
      if (x < this.gutter - 8) continue;
      const bold = node === scene.node || (scene.event >= 0 && node === reel.node[scene.event]);
      const size = brush.width(context, words.name(node), 12.5) <= this.gap - 8 ? 12 : IDS;
      const name = brush.fitted(context, words.name(node), size + 0.5, this.gap - 4);
      brush.say(context, name, x, 15, { bold, size, halo: false });
      if (reel.ids.length > 0 && this.gap > 24)
        brush.say(context, brush.fitted(context, this.idWord + reel.ids[node], IDS, this.gap - 3), x, 30, {
          size: IDS,
          colour: 'faint-fill',
          halo: false,
        });
      if (timeline.status(node) === Status.Leader)
        brush.sign(context, Happening.Leads, x - 0.5 * brush.width(context, name, size) - 11, 14, 5);
    }
    context.fillStyle = brush.value('grid-stroke');
    context.fillRect(0, HEAD - 2, width, 1.5);
    if (this.omitted > 0) {
      const some = MOST_FLIGHTS * this.#screens;
      const text = phrase('flights.some', { some: grouped(some), all: grouped(some + this.omitted) });
      brush.remark(context, text, 12, height - 14, width - 24);
    }
  }
}

/** Whether this end of a message is at its receiver. */
function reachesReceiver(fate) {
  return fate !== undefined && fate !== Happening.Loses;
}

function arrowHead(context, from, to, reach) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const back = Math.min(reach, 0.6 * length);
  const [x, y] = [to[0] - back * dx, to[1] - back * dy];
  context.moveTo(...to);
  context.lineTo(x - 0.42 * back * dy, y + 0.42 * back * dx);
  context.lineTo(x + 0.42 * back * dy, y - 0.42 * back * dx);
  context.closePath();
}
