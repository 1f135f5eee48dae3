// The core of the player: what it says of a place in a run is what going there event by event says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Axis } from '../../player/axis.js';
import { Flights } from '../../player/flights.js';
import { Happening, Reel } from '../../player/reel.js';
import { firstAtLeast } from '../../player/search.js';
import { Status, Timeline } from '../../player/timeline.js';
import { Words } from '../../player/words.js';
import { generator, madeUp } from './runs.mjs';

/** Everything after each number of events, kept in the plainest way: how many copies of which message are under way. */
function straightThrough(reel) {
  const state = {
    done: 0,
    status: Array(reel.nodes).fill(Status.Undecided),
    copies: new Map(),
    sent: Array(reel.kinds.length).fill(0),
    arrived: 0,
    lost: 0,
    by: Array.from({ length: reel.nodes }, () => [0, 0]),
  };
  const states = [structuredClone(state)];
  const add = (message, by) => {
    const copies = (state.copies.get(message) ?? 0) + by;
    if (copies === 0) state.copies.delete(message);
    else state.copies.set(message, copies);
  };
  for (let event = 0; event < reel.events; event++) {
    const [happening, node] = [reel.happening[event], reel.node[event]];
    state.done++;
    for (const message of reel.touchedBy(event)) {
      add(message, happening === Happening.Repeats ? 1 : -1);
      if (happening === Happening.Loses || happening === Happening.Misses) state.lost++;
      else if (happening !== Happening.Repeats) {
        state.arrived++;
        state.by[node][1]++;
      }
    }
    const [from, to] = reel.sent(event);
    for (let message = from; message < to; message++) {
      add(message, 1);
      state.sent[reel.kind[message]]++;
      state.by[node][0]++;
    }
    const rulings = {
      [Happening.Leads]: Status.Leader,
      [Happening.Follows]: Status.Follower,
      [Happening.Crashes]: Status.Down,
      [Happening.Wavers]: Status.Undecided,
      [Happening.Recovers]: Status.Undecided,
    };
    state.status[node] = rulings[happening] ?? state.status[node];
    states.push(structuredClone(state));
  }
  return states;
}

/** The same, as the player says it. */
function told(reel, flights, timeline) {
  const nodes = Array.from({ length: reel.nodes }, (_, node) => node);
  const copies = new Map();
  for (const flight of flights.underWay(timeline.done)) {
    const message = flights.message[flight];
    copies.set(message, (copies.get(message) ?? 0) + 1);
  }
  const by = nodes.map((node) => Object.values(timeline.counts(node)));
  const { done, sent, arrived, lost } = timeline;
  return { done, status: nodes.map((node) => timeline.status(node)), copies, sent: [...sent], arrived, lost, by };
}

const sorted = ({ copies, ...others }) => ({ ...others, copies: [...copies].sort(([a], [b]) => a - b) });

test('every place is the same forwards, backwards and at random', () => {
  for (const [nodes, events, seed] of [
    [1, 0, 1],
    [1, 40, 2],
    [5, 1_700, 3],
    [40, 2_100, 4],
  ]) {
    const reel = new Reel(madeUp({ nodes, events, seed }));
    const [flights, timeline] = [new Flights(reel), new Timeline(reel)];
    const states = straightThrough(reel).map(sorted);
    const draw = generator(seed);
    const forwards = states.map((_, done) => done);
    const places = [...forwards, ...forwards.toReversed(), ...forwards.map(() => draw(events + 1))];
    for (const done of places) assert.deepEqual(sorted(told(reel, flights, timeline.seek(done))), states[done]);
  }
});

test('checkpoints do not grow faster than the run', () => {
  const reel = new Reel(madeUp({ nodes: 20_000, events: 5_000 }));
  const timeline = new Timeline(reel);
  assert.ok(timeline.checkpoints.length * reel.nodes <= 20 * reel.events);
});

test('a place among 100,000 events is found within a frame', () => {
  const reel = new Reel(madeUp({ nodes: 1_000, events: 100_000 }));
  const [flights, timeline] = [new Flights(reel), new Timeline(reel)];
  const draw = generator(7);
  const seek = (done) => {
    const begun = performance.now();
    timeline.seek(done);
    flights.underWay(done);
    return performance.now() - begun;
  };
  for (let warm = 0; warm < 50; warm++) seek(draw(100_001));
  const times = Array.from({ length: 200 }, () => seek(draw(100_001))).sort((a, b) => a - b);
  // The median: another process may have had the processor meanwhile.
  assert.ok(times[100] < 16, `${times[100]} ms`);
});

test('copies of a message end one after the other', () => {
  const data = madeUp({ nodes: 2, events: 0 });
  data.events = {
    node: [0, 0, 1, 1],
    happening: [Happening.Starts, Happening.Repeats, Happening.Receives, Happening.Misses],
    sends: [1, 0, 0, 0],
    touches: [0, 1, 1, 1],
    touched: [0, 0, 0],
  };
  data.messages = { to: [1], port: [0], text: [0] };
  data.moments = { time: [0, 1, 2], first: [0, 2, 3] };
  const reel = new Reel(data);
  const flights = new Flights(reel);
  assert.deepEqual([...flights.begin], [0, 1]);
  assert.deepEqual([...flights.end], [2, 3]);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((done) => flights.underWay(done).length),
    [0, 1, 2, 1, 0],
  );
  const words = new Words(reel);
  assert.equal(words.flight(flights, 0), 'elect(1) from node 0 to node 1, sent at t=0, arrived at t=1');
  assert.equal(
    words.flight(flights, 1),
    'elect(1) from node 0 to node 1, sent at t=0, lost, as the node was down at t=2',
  );
  data.events.touched = [0, 0, 0];
  data.events.happening[1] = Happening.Loses;
  assert.throws(() => new Flights(new Reel(data)), /event 3: no copy of message 0 is under way/);
});

test('what is not a run is refused with the reason', () => {
  const refused = (data) => {
    try {
      return new Reel(data) && 'taken';
    } catch (error) {
      return error.message;
    }
  };
  assert.match(refused(null), /not a run/);
  assert.match(refused({ title: 'something else' }), /not a run/);
  assert.match(refused({ format: 99 }), /format 99.*reads format 2/);
  const broken = (change) => {
    const data = madeUp({ nodes: 3, events: 50 });
    change(data);
    return refused(data);
  };
  assert.equal(
    broken(() => {}),
    'taken',
  );
  assert.match(
    broken((data) => (data.events.node[7] = 3)),
    /events.node: number 7 of the list is 3, and must be below 3/,
  );
  assert.match(
    broken((data) => data.events.happening.pop()),
    /events.happening: a list of 50 numbers is wanted/,
  );
  assert.match(
    broken((data) => (data.messages.to[0] = 'x')),
    /messages.to: number 0 of the list is x/,
  );
  assert.match(
    broken((data) => data.events.sends.fill(0)),
    /events.sends: they add up to 0/,
  );
  assert.match(
    broken((data) => delete data.moments.first),
    /moments.first: a list/,
  );
  assert.match(
    broken((data) => delete data.sheet),
    /sheet/,
  );
});

test('moments keep their distances as far as there is room', () => {
  const axis = new Axis(Float64Array.from([0, 1, 2, 2.001, 100]), { usual: 40, least: 10, most: 90 });
  assert.deepEqual([...axis.places], [0, 40, 80, 90, 180]);
  assert.deepEqual([...axis.gaps], [4]);
  assert.deepEqual(axis.between(41, 85), [1, 4]);
  assert.deepEqual(
    [-1, 0, 0.5, 2, 51.0005, 100, 200].map((time) => axis.at(time)),
    [0, 0, 20, 80, 135, 180, 180],
  );
  assert.deepEqual(axis.between(-50, 500), [0, 5]);
  assert.equal(new Axis(new Float64Array(0), { usual: 1, least: 1, most: 1 }).length, 0);
  const long = new Axis(
    Float64Array.from({ length: 1_000_000 }, (_, moment) => moment),
    { usual: 40, least: 10, most: 90 },
  );
  assert.ok(long.length <= 8e6);
});

test('numbers are found where they are', () => {
  const numbers = [1, 3, 3, 7];
  assert.deepEqual(
    [0, 1, 2, 3, 4, 7, 8].map((wanted) => firstAtLeast(numbers, wanted)),
    [0, 0, 1, 1, 3, 3, 4],
  );
});

test('nodes are found by their names, numbers and ids', () => {
  const data = madeUp({ nodes: 3, events: 5 });
  const words = new Words(new Reel(data));
  assert.deepEqual(
    ['2', ' node 1', 'id 0', '3', '-1', 'x', ''].map((text) => words.find(text)),
    [2, 1, 0, -1, -1, -1, -1],
  );
  data.nodes.names = ['Ulm', 'Bonn', 'Kiel'];
  const named = new Words(new Reel(data));
  assert.deepEqual(
    ['Bonn', 'id 2', '1'].map((text) => named.find(text)),
    [1, 2, -1],
  );
});
