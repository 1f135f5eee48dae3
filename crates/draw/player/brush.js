// Shapes and colours on a canvas. What differs in colour differs in shape or dashes too.

import { Happening } from './reel.js';
import { Part, Status } from './timeline.js';
import { squeezed } from './words.js';

/** How many looks there are for kinds of messages; further kinds share them. */
const LOOKS = 7;
/** How many looks there are for roles; further roles share them. */
const ROLES = 4;
/** Below this radius no shape can be seen. */
const SMALLEST = 2;
const FONT = "'DejaVu Sans', Verdana, system-ui, sans-serif";

/** The colours of a page, as its style sheet has them. */
export class Brush {
  constructor(element) {
    this.element = element;
    this.refresh();
  }

  /** Reads the colours again, because the theme may have changed. */
  refresh() {
    const style = getComputedStyle(this.element);
    this.colours = {};
    this.value = (name) => (this.colours[name] ??= style.getPropertyValue(`--${name}`).trim());
    this.looks = Array.from({ length: LOOKS }, (_, look) => ({
      colour: this.value(`k${look}`),
      dash: this.value(`k${look}-dash`).split(/\s+/).filter(Boolean).map(Number),
    }));
  }

  /** The look of a kind of messages. */
  look(kind) {
    return this.looks[kind % LOOKS];
  }

  /** Makes a canvas as sharp as the screen and wipes it. A unit of its context is `scale` units of the page. */
  begin(
    canvas,
    scale = 1,
    [wide, tall] = [canvas.clientWidth, canvas.clientHeight],
    ratio = globalThis.devicePixelRatio || 1,
  ) {
    const [columns, rows] = [Math.round(wide * ratio), Math.round(tall * ratio)];
    if (canvas.width !== columns || canvas.height !== rows) [canvas.width, canvas.height] = [columns, rows];
    const context = canvas.getContext('2d');
    const [width, height] = [wide / scale, tall / scale];
    context.setTransform(ratio * scale, 0, 0, ratio * scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.lineJoin = 'round';
    return { context, width, height };
  }

  /** Text with the ground around it, so that lines do not cross it. */
  say(context, text, x, y, { colour = 'text-fill', size = 11, align = 'center', bold = false, halo = true } = {}) {
    context.font = `${bold ? '600 ' : ''}${size}px ${FONT}`;
    context.textAlign = align;
    context.textBaseline = 'middle';
    context.setLineDash([]);
    if (halo) {
      context.strokeStyle = this.value('ground-fill');
      context.lineWidth = 4;
      context.strokeText(text, x, y);
    }
    context.fillStyle = colour.startsWith('#') ? colour : this.value(colour);
    context.fillText(text, x, y);
  }

  /** How wide text is. */
  width(context, text, size = 11, bold = false) {
    context.font = `${bold ? '600 ' : ''}${size}px ${FONT}`;
    return context.measureText(text).width;
  }

  /** The text, shortened to this width; at least a letter of it is left. */
  fitted(context, text, size, room) {
    let length = text.length;
    while (length > 1 && this.width(context, squeezed(text, length), size) > room) length--;
    return squeezed(text, length);
  }

  /** A remark on a picture, on as many lines as it takes; the last one is at this height. */
  remark(context, text, x, y, room) {
    const lines = [];
    for (const word of text.split(' ')) {
      const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
      if (lines.length > 0 && this.width(context, longer, 11, true) <= room) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    lines.forEach((line, index) =>
      this.say(context, line, x, y - 14 * (lines.length - 1 - index), { align: 'left', bold: true }),
    );
  }

  /** A message on its way: every kind has its shape. */
  packet(context, kind, x, y, reach) {
    if (reach < SMALLEST) {
      context.fillStyle = this.look(kind).colour;
      context.fillRect(x - reach, y - reach, 2 * reach, 2 * reach);
      return;
    }
    context.beginPath();
    packetShape(context, kind, x, y, reach);
    context.fillStyle = this.look(kind).colour;
    context.strokeStyle = this.value('ground-fill');
    context.lineWidth = 1.5;
    context.setLineDash([]);
    context.stroke();
    context.fill();
  }

  /** The head of an arrow: its tip, which way it points, and how long it is. */
  head(context, [x, y], [dx, dy], length) {
    context.setLineDash([]);
    context.beginPath();
    const half = 0.45 * length;
    const foot = [x - dx * length, y - dy * length];
    line(context, [x, y], [foot[0] - dy * half, foot[1] + dx * half], [foot[0] + dy * half, foot[1] - dx * half]);
    context.closePath();
    context.fill();
  }

  /** How a node of this status and part is filled and outlined. */
  standing(status, part) {
    if (status === Status.Undecided && part >= 0) return { fill: `role${part % ROLES}-fill`, stroke: 'node-stroke' };
    if (status === Status.Undecided && part === Part.Asleep) return { fill: 'sleeps-fill', stroke: 'sleeps-stroke' };
    const fill = ['node-fill', 'tint-fill', 'gold-fill', 'ground-fill'][status];
    return { fill, stroke: status === Status.Leader ? 'gold-stroke' : 'node-stroke' };
  }

  /** How the lane of a node of this status and part is drawn: its colour, its width and its dashes. */
  lane(status, part) {
    if (status === Status.Follower) return ['follower-stroke', 2.4, []];
    if (status === Status.Leader) return ['leader-stroke', 4.5, []];
    if (status === Status.Down) return ['down-stroke', 1.2, [3, 4]];
    if (part === Part.Asleep) return ['asleep-stroke', 1, [1, 4]];
    if (part === Part.Nameless) return ['undecided-stroke', 1.2, []];
    const look = part % ROLES;
    return [`lane${look}-stroke`, [3.2, 2.2, 2.6, 2.6][look], [[], [6, 3], [2, 3], [9, 3, 2, 3]][look]];
  }

  /** A node of this status and part, without its name. */
  node(context, status, part, x, y, radius) {
    const small = radius < 7;
    const { fill, stroke } = this.standing(status, part);
    context.setLineDash(status === Status.Down ? [3, 2] : []);
    context.lineWidth = small ? 1 : 1.6;
    context.strokeStyle = this.value(stroke);
    context.fillStyle = this.value(fill);
    context.beginPath();
    if (small && status === Status.Leader) star(context, x, y, Math.max(2.4 * radius, 9));
    else if (status === Status.Undecided) roleShape(context, part, x, y, radius);
    else circle(context, x, y, radius);
    context.fill();
    context.stroke();
    context.setLineDash([]);
    if (status === Status.Down)
      this.#stroke(context, 'fails-stroke', small ? 1.2 : 2.4, () => cross(context, x, y, 0.6 * radius));
    if (small) return;
    if (status === Status.Leader) this.sign(context, Happening.Leads, x + 0.8 * radius, y - 0.8 * radius, 0.4 * radius);
    if (status === Status.Follower)
      this.sign(context, Happening.Follows, x + 0.8 * radius, y - 0.8 * radius, 0.34 * radius);
  }

  /** Draws the sign of an event, if it has one, and returns whether it has. */
  sign(context, happening, x, y, reach = 7) {
    context.setLineDash([]);
    const path = (draw) => {
      context.beginPath();
      draw();
    };
    const fill = (name) => {
      context.fillStyle = this.value(name);
      context.fill();
    };
    const outlined = (inside, outside, draw) => {
      path(draw);
      fill(inside);
      context.strokeStyle = this.value(outside);
      context.lineWidth = thin;
      context.stroke();
    };
    // Small signs have thinner lines, which must not cover them.
    const thin = Math.min(1.5, 0.3 * reach);
    switch (happening) {
      case Happening.Starts:
        outlined('solid-fill', 'solid-stroke', () => circle(context, x, y, 0.6 * reach));
        return true;
      case Happening.TimesOut:
        outlined('hollow-fill', 'hollow-stroke', () => circle(context, x, y, 0.8 * reach));
        this.#stroke(context, 'hollow-stroke', 1.4, () =>
          line(context, [x, y - 0.5 * reach], [x, y], [x + 0.35 * reach, y + 0.2 * reach]),
        );
        return true;
      case Happening.HearsOfCrash:
        outlined('hollow-fill', 'hollow-stroke', () => polygon(context, x, y, 0.9 * reach, 4, 0));
        this.#stroke(context, 'fails-stroke', 1.4, () => cross(context, x, y, 0.26 * reach));
        return true;
      case Happening.Crashes:
        this.#stroke(context, 'fails-stroke', 3, () => cross(context, x, y, 0.75 * reach));
        return true;
      case Happening.Recovers:
        path(() => polygon(context, x, y, 0.95 * reach, 3, 0));
        fill('rises-fill');
        return true;
      case Happening.Leads:
        outlined('gold-fill', 'gold-stroke', () => star(context, x, y, 1.3 * reach));
        return true;
      case Happening.Follows:
        outlined('solid-fill', 'solid-stroke', () => circle(context, x, y, 0.9 * reach));
        this.#stroke(context, 'tick-stroke', thin, () =>
          line(
            context,
            [x - 0.4 * reach, y],
            [x - 0.1 * reach, y + 0.36 * reach],
            [x + 0.44 * reach, y - 0.34 * reach],
          ),
        );
        return true;
      case Happening.Wavers:
        outlined('hollow-fill', 'hollow-stroke', () => circle(context, x, y, 0.75 * reach));
        return true;
      default:
        return false;
    }
  }

  /** Another role: its shape, or a diamond for one that has none. */
  turn(context, part, x, y, reach = 5.5) {
    context.setLineDash([]);
    context.beginPath();
    if (part >= 0) roleShape(context, part, x, y, reach);
    else polygon(context, x, y, reach, 4, 0);
    context.fillStyle = this.value(part >= 0 ? `role${part % ROLES}-fill` : 'solid-fill');
    context.strokeStyle = this.value(part >= 0 ? 'role-stroke' : 'solid-stroke');
    context.lineWidth = 1.4;
    context.fill();
    context.stroke();
  }

  /** A die: random choices. */
  die(context, x, y, reach = 5) {
    context.setLineDash([]);
    context.fillStyle = this.value('hollow-fill');
    context.strokeStyle = this.value('hollow-stroke');
    context.lineWidth = 1.4;
    context.beginPath();
    context.rect(x - reach, y - reach, 2 * reach, 2 * reach);
    context.fill();
    context.stroke();
    context.fillStyle = this.value('solid-fill');
    context.beginPath();
    circle(context, x - 0.4 * reach, y - 0.4 * reach, 1.2);
    circle(context, x + 0.4 * reach, y + 0.4 * reach, 1.2);
    context.fill();
  }

  /** A cross where a message is lost. */
  loss(context, x, y, reach = 4) {
    context.setLineDash([]);
    this.#stroke(context, 'fails-stroke', 0.5 * reach, () => cross(context, x, y, reach));
  }

  #stroke(context, colour, width, draw) {
    context.strokeStyle = this.value(colour);
    context.lineWidth = width;
    context.lineCap = 'round';
    context.beginPath();
    draw();
    context.stroke();
    context.lineCap = 'butt';
  }
}

/** Whether an event of this kind has a sign of its own. */
export function hasSign(happening) {
  const without = [Happening.Receives, Happening.PlaysRound, Happening.Loses, Happening.Misses, Happening.Repeats];
  return !without.includes(happening);
}

/** A circle, added to the path. */
export function circle(context, x, y, radius) {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** A line through points, added to the path. */
export function line(context, first, ...others) {
  context.moveTo(...first);
  others.forEach((point) => context.lineTo(...point));
}

/** How far a point is from a straight piece. */
export function distanceTo(x, y, from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const part = Math.min(Math.max(((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(x - from[0] - part * dx, y - from[1] - part * dy);
}

function cross(context, x, y, reach) {
  line(context, [x - reach, y - reach], [x + reach, y + reach]);
  line(context, [x - reach, y + reach], [x + reach, y - reach]);
}

function star(context, x, y, reach) {
  corners(context, x, y, 10, 0, (corner) => (corner % 2 === 0 ? reach : 0.45 * reach));
}

/** The outline of an undecided node: roles differ in shape, too. All have about the area of a circle. */
function roleShape(context, part, x, y, radius) {
  const look = part < 0 ? 0 : part % ROLES;
  if (look === 0) circle(context, x, y, radius);
  else if (look === 1) polygon(context, x, y, 1.27 * radius, 4, Math.PI / 4);
  else if (look === 2) polygon(context, x, y, 1.1 * radius, 6, Math.PI / 6);
  else polygon(context, x, y, 1.3 * radius, 4, 0);
}

/** A polygon with a corner at this angle, clockwise from the top. */
function polygon(context, x, y, reach, sides, angle) {
  corners(context, x, y, sides, angle, () => reach);
}

function corners(context, x, y, count, angle, reach) {
  for (let corner = 0; corner < count; corner++) {
    const turn = angle + (2 * Math.PI * corner) / count;
    const point = [x + reach(corner) * Math.sin(turn), y - reach(corner) * Math.cos(turn)];
    if (corner === 0) context.moveTo(...point);
    else context.lineTo(...point);
  }
  context.closePath();
}

function packetShape(context, kind, x, y, reach) {
  const shapes = [
    () => circle(context, x, y, reach),
    () => polygon(context, x, y, 1.3 * reach, 4, Math.PI / 4),
    () => polygon(context, x, y, 1.4 * reach, 3, 0),
    () => polygon(context, x, y, 1.3 * reach, 4, 0),
    () => polygon(context, x, y, 1.2 * reach, 6, 0),
    () => polygon(context, x, y, 1.4 * reach, 3, Math.PI),
    () => star(context, x, y, 1.5 * reach),
  ];
  shapes[kind % shapes.length]();
}
