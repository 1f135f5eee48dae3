// Where the phases of a run begin.

/** The variables in which algorithms count their phases. */
const COUNTERS = ['phase', 'level'];

/** The first event of each phase: from the program, or else the first time a node's counter reaches a number. */
export function phasesOf(reel, told) {
  if (Array.isArray(told)) return told.filter((event) => Number.isInteger(event) && event >= 0 && event < reel.events);
  const begins = [];
  let most = -Infinity;
  reel.variables.forEach((values, event) => {
    const name = COUNTERS.find((name) => values[name] !== undefined && values[name] !== null);
    const number = name === undefined ? NaN : Number(values[name]);
    if (!(number > most)) return;
    most = number;
    begins.push(event);
  });
  return begins.length > 1 ? begins : [];
}
