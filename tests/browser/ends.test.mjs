// Every algorithm, whatever goes wrong: at the end of its page stands what the report says.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { Flights } from '../../crates/draw/player/flights.js';
import { Reel } from '../../crates/draw/player/reel.js';
import { Status, Timeline } from '../../crates/draw/player/timeline.js';
import { Words } from '../../crates/draw/player/words.js';
import { bellwether, folder } from './program.mjs';

const LINES = [
  '',
  '--timing uniform',
  '--timing reorder --force',
  '--fault loss=0.1 --fault duplicate=0.2 --force',
  '--fault crash=0@2 --fault recover=0@6 --force',
  '--elections 2 --force',
  '--timing rounds --force',
];

after(() => rmSync(folder, { recursive: true, force: true }));

/** The run that is in a page. */
function data(name) {
  const page = readFileSync(join(folder, name), 'utf8');
  return JSON.parse(/<script type="application\/json" id="reel">(.*)<\/script>/.exec(page)[1]);
}

test('the end of a page is what the report says', () => {
  const catalogue = JSON.parse(bellwether('list --json', 0));
  let compared = 0;
  for (const { name } of catalogue) {
    for (const options of LINES) {
      const line = `run ${name} ${options} --limit 20000 --json --html end.html`.replace('  ', ' ');
      const told = bellwether(line, 0, 1, 2, 3);
      // Not every algorithm goes with everything.
      if (!told) continue;
      compared++;
      const report = JSON.parse(told);
      const reel = new Reel(data('end.html'));
      const [flights, timeline, words] = [new Flights(reel), new Timeline(reel), new Words(reel)];
      timeline.seek(reel.events);
      const nodes = Array.from({ length: reel.nodes }, (_, node) => node);
      assert.deepEqual(
        nodes.filter((node) => timeline.status(node) === Status.Leader),
        report.leaders.map(({ node }) => node),
        line,
      );
      const sent = Object.fromEntries(reel.kinds.map((kind, number) => [kind, timeline.sent[number]]));
      const counted = Object.fromEntries(Object.entries(report.messages.by_kind).filter(([, count]) => count > 0));
      // A synchronizer has messages of its own, which carry those of the algorithm.
      if (!reel.kinds.includes('pulse')) assert.deepEqual(sent, counted, line);
      if (reel.ids.length > 0) {
        const held = nodes.map((node) => {
          if (timeline.status(node) === Status.Leader) return reel.ids[node];
          return timeline.status(node) === Status.Follower ? reel.notes.get(timeline.ruling[node]) : undefined;
        });
        assert.deepEqual(
          held,
          report.decided.map((id) => id?.toString()),
          line,
        );
      }
      for (let event = 0; event < reel.events; event++)
        assert.doesNotMatch(words.event(event), /undefined|NaN|null/, line);
      flights.message.forEach((_, flight) => assert.doesNotMatch(words.flight(flights, flight), /undefined|NaN/, line));
    }
  }
  assert.ok(compared > 3 * catalogue.length, `only ${compared} runs`);
});
