// Runs made up by chance, in the form in which the program writes them.

import { Happening } from '../../player/reel.js';

/** The same numbers from 0 to before `below` every time. */
export function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A run of a number of events on a ring. Messages are sent, repeated, lost and received. Nodes decide and crash. */
export function madeUp({ nodes, events, seed = 1 }) {
  const draw = generator(seed);
  const columns = { node: [], happening: [], sends: [], touches: [], touched: [] };
  const messages = { to: [], port: [], text: [] };
  const moments = { time: [], first: [] };
  const notes = { event: [], text: [] };
  const underWay = [];
  const touch = (...numbers) => {
    columns.touches.push(numbers.length);
    columns.touched.push(...numbers);
  };
  for (let event = 0; event < events; event++) {
    if (event === 0 || draw(4) === 0) {
      moments.time.push(moments.time.length);
      moments.first.push(event);
    }
    const what = draw(100);
    let node = draw(nodes);
    let sends = 0;
    if (what < 60 && underWay.length > 0) {
      const [message] = underWay.splice(draw(Math.min(underWay.length, 40)), 1);
      node = messages.to[message];
      columns.happening.push(what < 4 ? Happening.Misses : Happening.Receives);
      touch(message);
      sends = what < 4 ? 0 : draw(3);
    } else if (what < 64 && underWay.length > 0) {
      const message = underWay[draw(underWay.length)];
      columns.happening.push(Happening.Repeats);
      underWay.push(message);
      touch(message);
    } else if (what < 67 && underWay.length > 0) {
      columns.happening.push(Happening.Loses);
      touch(...underWay.splice(draw(underWay.length), 1));
    } else {
      const others = ['Starts', 'TimesOut', 'Recovers', 'Crashes', 'Leads', 'Follows', 'Wavers'];
      const happening = Happening[others[draw(others.length)]];
      columns.happening.push(happening);
      touch();
      sends = happening <= Happening.TimesOut ? 1 + draw(2) : 0;
      if (happening === Happening.Follows) {
        notes.event.push(event);
        notes.text.push(String(draw(nodes)));
      }
    }
    columns.node.push(node);
    columns.sends.push(sends);
    for (let sent = 0; sent < sends; sent++) {
      underWay.push(messages.to.length);
      messages.to.push((node + 1) % nodes);
      messages.port.push(0);
      messages.text.push(draw(3));
    }
  }
  const numbers = Array.from({ length: nodes }, (_, node) => node);
  return {
    format: 2,
    scenario: {
      algorithm: 'made-up',
      network: 'ring:3',
      timing: 'unit',
      initiators: 3,
      seed: '1',
      parameters: [],
      faults: [],
      more_faults: 0,
    },
    outcome: {
      leaders: [],
      leader_count: 0,
      stopped: null,
      decided: null,
      messages: { election: 0, announce: 0, overhead: 0, numbering: 0 },
    },
    broken: [],
    repeat: 'none',
    nodes: { names: [], ids: numbers.map(String) },
    sheet: { width: 100, height: 100, radius: 5, x: numbers, y: numbers },
    links: { from: numbers, port: numbers.map(() => 0), to: numbers.map((node) => (node + 1) % nodes), bows: [] },
    cuts: [],
    is_ring: true,
    lanes: numbers,
    texts: { kinds: ['elect', 'announce'], text: ['elect(1)', 'elect(2)', 'announce(2)'], kind: [0, 0, 1] },
    messages,
    events: columns,
    moments,
    notes,
    roles: { event: [], text: [] },
    draws: { event: [], text: [] },
    rules: { event: [], text: [] },
    variables: { event: [], values: [] },
    rulebook: [],
  };
}
