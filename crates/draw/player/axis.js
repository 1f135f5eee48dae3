// Where moments lie: in proportion to time, but with a least and a greatest distance.

import { firstAtLeast } from './search.js';

/** The longest element that browsers draw. */
const LONGEST = 8e6;

/** The places of moments along the diagram. */
export class Axis {
  /** `usual`, `least` and `most` are distances between moments. */
  constructor(times, { usual, least, most }) {
    const spans = Float64Array.from(
      { length: Math.max(times.length - 1, 0) },
      (_, index) => times[index + 1] - times[index],
    );
    const median = Math.max(spans.slice().sort()[spans.length >> 1] ?? 1, 1e-6);
    this.times = times;
    this.places = new Float64Array(times.length);
    /** The moments before which time was cut short. */
    this.gaps = new Set();
    spans.forEach((span, index) => {
      const wanted = (span / median) * usual;
      if (wanted > most) this.gaps.add(index + 1);
      this.places[index + 1] = this.places[index] + Math.min(Math.max(wanted, least), most);
    });
    const shrink = Math.min(1, LONGEST / Math.max(this.length, 1));
    if (shrink < 1) this.places = this.places.map((place) => place * shrink);
  }

  /** The place of a time; what lies between two moments lies between their places. */
  at(time) {
    const next = firstAtLeast(this.times, time);
    if (next === 0) return 0;
    if (next === this.times.length) return this.length;
    const [before, after] = [this.times[next - 1], this.times[next]];
    const part = (time - before) / (after - before);
    return this.places[next - 1] + part * (this.places[next] - this.places[next - 1]);
  }

  /** How long it is. */
  get length() {
    return this.places.at(-1) ?? 0;
  }

  /** The moments that lie between two places, and the next one on either side: from the first to before the second. */
  between(top, bottom) {
    const first = Math.max(firstAtLeast(this.places, top) - 1, 0);
    return [first, Math.min(firstAtLeast(this.places, bottom) + 1, this.places.length)];
  }
}
