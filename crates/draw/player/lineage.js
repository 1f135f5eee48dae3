// Which message made a node send which other one: what led to a message, and what came of it.

import { firstAtLeast } from './search.js';
import { Happening } from './reel.js';

/** The largest number of messages that are followed in one line. */
const MOST = 2_000;

/** Causes and effects among the flights of a run. */
export class Lineage {
  constructor(reel, flights) {
    Object.assign(this, { reel, flights });
    /** The flights in the order in which they end. */
    this.byEnd = Int32Array.from({ length: flights.count }, (_, flight) => flight).sort(
      (a, b) => flights.end[a] - flights.end[b] || a - b,
    );
    this.ends = this.byEnd.map((flight) => flights.end[flight]);
  }

  /** The flights whose arrival made a node send this one. */
  causes(flight) {
    const event = this.reel.sentBy[this.flights.message[flight]];
    return [...this.byEnd.subarray(firstAtLeast(this.ends, event), firstAtLeast(this.ends, event + 1))].filter((it) =>
      this.#arrives(it),
    );
  }

  /** The flights that a node sent because this one arrived. */
  effects(flight) {
    const { begin, end } = this.flights;
    if (!this.#arrives(flight)) return [];
    const event = end[flight];
    const first = firstAtLeast(begin, event);
    return Array.from({ length: firstAtLeast(begin, event + 1) - first }, (_, index) => first + index);
  }

  /** All flights that led to this one, and all that came of it; not the flight itself. */
  of(flight) {
    if (this.known?.flight !== flight) {
      const line = (next) => {
        const seen = new Set([flight]);
        for (const it of seen) if (seen.size < MOST) next(it).forEach((other) => seen.add(other));
        seen.delete(flight);
        return seen;
      };
      const [past, future] = [line((it) => this.causes(it)), line((it) => this.effects(it))];
      this.known = { flight, past, future };
    }
    return this.known;
  }

  #arrives(flight) {
    const fate = this.flights.fate(flight);
    return fate !== undefined && fate < Happening.Loses;
  }
}
