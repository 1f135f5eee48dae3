// Looking things up in ascending numbers.

/** The first place from `low` on, but before `high`, whose number is at least this; `high` if there is none. */
export function firstAtLeast(numbers, wanted, low = 0, high = numbers.length) {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
