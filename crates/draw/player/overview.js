// The whole run in a strip above the slider: how many messages are under way, and what is worth a look.

import { Happening } from './reel.js';

/** Draws the strip. */
export class Overview {
  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    this.load = loadOf(scene.reel);
    this.notable = [];
    scene.reel.happening.forEach((happening, event) => {
      if (happening === Happening.Leads || happening === Happening.Crashes || happening === Happening.Recovers)
        this.notable.push(event);
    });
  }

  draw() {
    const { reel, brush, done } = this.scene;
    const { context, width, height } = brush.begin(this.canvas);
    // Events not seen yet are not shown here either, and neither is their number.
    const { known } = this.scene;
    const most = Math.max(...this.#columns(Math.floor(width), known), 1);
    const x = (event) => (width * event) / Math.max(known, 1);
    const floor = height - 1;
    for (const [colour, from, to] of [
      ['link-stroke', 0, done],
      ['idle-stroke', done, known],
    ]) {
      context.fillStyle = brush.value(colour);
      for (let column = Math.floor(x(from)); column < x(to); column++) {
        const high = ((floor - 10) * this.columns[column]) / most;
        context.fillRect(column, floor - high, 1, high);
      }
      context.fillRect(x(from), floor, x(to) - x(from), 1);
    }
    this.#drawPhases(context, x, height);
    let last = -Infinity;
    for (const event of this.notable) {
      if (event >= known) break;
      const place = Math.min(Math.max(x(event + 1), 6), width - 6);
      if (place - last < 7) continue;
      last = place;
      context.globalAlpha = event < done ? 1 : 0.5;
      brush.sign(context, reel.happening[event], place, 7, 5);
    }
    context.globalAlpha = 1;
    this.#drawMarks(context, x, height);
    context.fillStyle = brush.value('cursor');
    context.fillRect(x(done) - 1, 0, 2, height);
  }

  /** A dashed line where a phase begins, unless it is too near to another. */
  #drawPhases(context, x, height) {
    const { reel, brush, known } = this.scene;
    context.fillStyle = brush.value('gap-stroke');
    let last = -Infinity;
    for (const event of reel.phases) {
      if (event >= known || x(event) - last < 4) continue;
      last = x(event);
      // Whole pixels look the same however often they are drawn.
      for (let y = 0; y < height; y += 4) context.fillRect(Math.floor(last), y, 1, 2);
    }
  }

  /** What the page marks: a flag. */
  #drawMarks(context, x, height) {
    const { brush, marks, known } = this.scene;
    context.fillStyle = brush.value('chosen');
    for (const { done } of marks) {
      if (done > known) continue;
      context.fillRect(x(done) - 1, 0, 2, height);
      context.beginPath();
      context.moveTo(x(done), height - 12);
      context.lineTo(x(done) + 8, height - 8);
      context.lineTo(x(done), height - 4);
      context.fill();
    }
  }

  /** By column: the most messages under way in it, if the strip holds this number of events. */
  #columns(width, known) {
    if (this.columns?.length !== width || this.held !== known) {
      this.columns = new Float64Array(width);
      this.held = known;
      const events = Math.max(known, 1);
      this.load.subarray(0, known + 1).forEach((load, done) => {
        const to = Math.min(Math.floor((width * (done + 1)) / events), width - 1);
        for (let column = Math.min(Math.floor((width * done) / events), width - 1); column <= to; column++) {
          this.columns[column] = Math.max(this.columns[column], load);
        }
      });
    }
    return this.columns;
  }
}

/** After each number of events: how many copies of messages are under way. */
function loadOf(reel) {
  const load = new Int32Array(reel.events + 1);
  for (let event = 0; event < reel.events; event++) {
    const touched = reel.touchedFrom[event + 1] - reel.touchedFrom[event];
    const sent = reel.sentFrom[event + 1] - reel.sentFrom[event];
    load[event + 1] = load[event] + sent + (reel.happening[event] === Happening.Repeats ? touched : -touched);
  }
  return load;
}
