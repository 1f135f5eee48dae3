// The room that is taken in a picture: no word covers another, nor a sign.

/** Rectangles, each by its middle. */
export class Room {
  constructor() {
    this.taken = [];
  }

  /** Takes a place, free or not. */
  take(x, y, width, height) {
    this.taken.push({ x, y, width, height });
  }

  /** Whether a place is free. */
  isFree(x, y, width, height) {
    return this.taken.every(
      (other) =>
        Math.abs(other.x - x) >= (other.width + width) / 2 || Math.abs(other.y - y) >= (other.height + height) / 2,
    );
  }

  /** The first of some places that is free, which is taken; undefined if none is. */
  claim(places, width, height) {
    const place = places.find(([x, y]) => this.isFree(x, y, width, height));
    if (place) this.take(...place, width, height);
    return place;
  }
}
