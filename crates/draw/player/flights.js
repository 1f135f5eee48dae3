// Every copy of a message on its way: from the event that sends it to the one that ends it.

import { Happening } from './reel.js';

/** The number of flights in a block. A block whose flights have all ended is skipped. */
const BLOCK = 256;

/** The flights of a run, in the order in which they begin. */
export class Flights {
  constructor(reel) {
    const most = reel.messages + reel.touched.length;
    const message = new Int32Array(most);
    const begin = new Int32Array(most);
    const end = new Int32Array(most).fill(reel.events);
    // The copies of a message that are under way form a list: the first of it by message, the next by flight.
    const first = new Int32Array(reel.messages).fill(-1);
    const next = new Int32Array(most).fill(-1);
    let count = 0;
    const depart = (number, event) => {
      message[count] = number;
      begin[count] = event;
      let last = first[number];
      while (last >= 0 && next[last] >= 0) last = next[last];
      if (last < 0) first[number] = count;
      else next[last] = count;
      count++;
    };
    for (let event = 0; event < reel.events; event++) {
      const repeats = reel.happening[event] === Happening.Repeats;
      for (const number of reel.touchedBy(event)) {
        if (repeats) {
          depart(number, event);
        } else {
          const flight = first[number];
          if (flight < 0) throw new Error(`event ${event + 1}: no copy of message ${number} is under way`);
          end[flight] = event;
          first[number] = next[flight];
        }
      }
      const [from, to] = reel.sent(event);
      for (let number = from; number < to; number++) depart(number, event);
    }
    this.count = count;
    this.reel = reel;
    /** By flight: its message, and the events that begin and end it. Without an end it is the number of events. */
    this.message = message.subarray(0, count);
    this.begin = begin.subarray(0, count);
    this.end = end.subarray(0, count);
    this.latest = new Int32Array(Math.ceil(count / BLOCK));
    for (let flight = 0; flight < count; flight++) {
      const block = Math.floor(flight / BLOCK);
      this.latest[block] = Math.max(this.latest[block], end[flight]);
    }
  }

  /** Calls `visit` for each flight that begins with event `high` or before, and ends with event `low` or later. */
  each(low, high, visit) {
    for (let block = 0; block < this.latest.length; block++) {
      const start = block * BLOCK;
      if (this.begin[start] > high) return;
      if (this.latest[block] < low) continue;
      const stop = Math.min(start + BLOCK, this.count);
      for (let flight = start; flight < stop && this.begin[flight] <= high; flight++) {
        if (this.end[flight] >= low) visit(flight);
      }
    }
  }

  /** The flights that are under way after this number of events. */
  underWay(done) {
    const flights = [];
    this.each(done, done - 1, (flight) => flights.push(flight));
    return flights;
  }

  /** The kind of the event that ended a flight, or undefined. */
  fate(flight) {
    return this.reel.happening[this.end[flight]];
  }
}
