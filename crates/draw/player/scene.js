// What all views show: a run, the place in it that is looked at, and what was chosen there.

import { Happening, Reel } from './reel.js';
import { Flights } from './flights.js';
import { Timeline } from './timeline.js';
import { Caption } from './caption.js';
import { Words } from './words.js';
import { Axis } from './axis.js';
import { Brush } from './brush.js';
import { Lineage } from './lineage.js';

/** How far apart moments are in the diagram, in pixels. */
const PACE = { usual: 40, least: 18, most: 110 };

/** The share of its way after which a message is lost on a link. */
export const LOST_AT = 0.5;

/** A run and a place in it. */
export class Scene {
  constructor(data, root) {
    this.reel = new Reel(data);
    this.flights = new Flights(this.reel);
    this.lineage = new Lineage(this.reel, this.flights);
    this.timeline = new Timeline(this.reel);
    this.words = new Words(this.reel);
    this.caption = new Caption(this.reel, this.words);
    this.axis = new Axis(this.reel.time, PACE);
    this.brush = new Brush(root);
    /** The node, the flight and the link that were chosen, or -1. */
    this.node = -1;
    this.flight = -1;
    this.link = -1;
    /** What is marked on the slider besides what happens: places in the run, each with a label. */
    this.marks = [];
    /** Whether what is still to come is hidden, and how many events were seen since then. */
    this.isFutureHidden = false;
    this.seen = 0;
    /** How many times as large as usual everything is drawn. */
    this.scale = 1;
    this.seek(0);
  }

  /** Goes to the place after this number of events, and a part of the way to the next. */
  seek(done, part = 0) {
    const { reel, axis } = this;
    this.done = Math.min(Math.max(done, 0), reel.events);
    this.seen = Math.max(this.seen, this.done);
    this.timeline.seek(this.done);
    const [now, next] = [this.done - 1, Math.min(this.done, reel.events - 1)].map((event) => reel.momentOf[event] ?? 0);
    const smooth = part * part * (3 - 2 * part);
    const before = this.done === 0 ? axis.places[0] - PACE.least : axis.places[now];
    /** Where now is on the axis. */
    this.place = before + smooth * (axis.places[next] - before);
    this.time = this.done === 0 ? -Infinity : reel.time[now];
    this.underWay = this.flights.underWay(this.done);
  }

  /** Hides what is still to come from here on, or shows it. */
  hideFuture(whether) {
    this.isFutureHidden = whether;
    this.seen = this.done;
  }

  /** The number of events that may be drawn: all, or those that have happened if the future is hidden. */
  get horizon() {
    return this.isFutureHidden ? this.done : this.reel.events;
  }

  /** The number of events that may be named: all, or those seen so far if the future is hidden. */
  get known() {
    return this.isFutureHidden ? this.seen : this.reel.events;
  }

  /** Whether it may be said how the run ends. */
  get isOutcomeKnown() {
    return !this.isFutureHidden || this.done === this.reel.events;
  }

  /** The event that happened last; -1 before the first. */
  get event() {
    return this.done - 1;
  }

  /** The node that was chosen, or else the one of the last event; -1 before the first. */
  get subject() {
    if (this.node >= 0) return this.node;
    return this.done > 0 ? this.reel.node[this.event] : -1;
  }

  /** How far a flight has come, between 0 and 1. */
  progress(flight) {
    const { reel, flights, axis } = this;
    const end = flights.end[flight];
    const begun = axis.places[reel.momentOf[flights.begin[flight]]];
    // A message that never arrives has no known place.
    const ended = end < reel.events ? axis.places[reel.momentOf[end]] : begun + 2 * Math.max(axis.length - begun, 1);
    // A message that is lost on its way comes half of it.
    const whole = reel.happening[end] === Happening.Loses ? LOST_AT : 1;
    if (ended <= begun) return 0.5 * whole;
    return whole * Math.min(Math.max((this.place - begun) / (ended - begun), 0), 1);
  }
}
