// How fast the lab's page is in a browser: until the first election is drawn, a frame of it, and a seek.
//
// A frame is the time from one picture to the next while the run is played, without waiting for the screen. A seek is
// the time in which the page goes to another place of the run and draws it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { serve } from '../../tests/lab/server.mjs';

const require = createRequire(new URL('../../tests/browser/package.json', import.meta.url));
const { chromium } = require('playwright-core');
const cytoscape = readFileSync(require.resolve('cytoscape/dist/cytoscape.min.js'), 'utf8');

/** The runs: what they are called here, and their elections. */
const CASES = {
  '64 nodes': { algorithm: 'echo-election', topology: 'gnp:64:0.1', seed: 1 },
  '1,000 nodes': { algorithm: 'echo-election', topology: 'gnp:1000:0.008', seed: 1 },
  '100,000 events': { algorithm: 'le-lann', topology: 'ring:315', seed: 1 },
};
const OPENINGS = 5;
const FRAMES = 60;
const SEEKS = 60;
const PATIENCE = 300_000;

const middle = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const last = (times) => times.toSorted((a, b) => a - b)[Math.floor(0.95 * times.length)];
const ms = (time) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox', '--disable-frame-rate-limit', '--disable-gpu-vsync'],
});

/** A page of its own, of this address. */
async function opened(url, use) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(PATIENCE);
  try {
    await page.goto(url);
    return await use(page);
  } finally {
    await page.close();
  }
}

/** How long it takes from the address to the first event that is drawn. */
const untilFirst = (url) =>
  opened(url, (page) =>
    page.evaluate(
      () =>
        new Promise((seen) => {
          const look = () => {
            const slider = document.querySelector('[data-part=slider]');
            if (slider && Number(slider.value) > 0) requestAnimationFrame(() => seen(performance.now()));
            else requestAnimationFrame(look);
          };
          look();
        }),
    ),
  );

/** A run on the lab's page: how long it takes to be there, and its frames and seeks. */
const onLab = (url, election) =>
  opened(url, async (page) => {
    await page.locator('[data-part=slider]').waitFor();
    const link = { b: [{ n: 'main', p: -1, a: 0, r: { ask: 'run', election } }], c: 0, k: 0 };
    const begun = performance.now();
    await page.evaluate((link) => {
      location.hash = btoa(JSON.stringify(link)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    }, link);
    await page.locator('[data-part=title]', { hasText: election.topology }).waitFor();
    const shown = performance.now() - begun;
    await page.locator('[data-part=speed]').selectOption('1000');
    const measured = await page.evaluate(
      async ([frames, seeks]) => {
        const slider = document.querySelector('[data-part=slider]');
        const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
        const to = (done) => {
          slider.value = done;
          const begun = performance.now();
          slider.dispatchEvent(new Event('input'));
          return performance.now() - begun;
        };
        const events = Number(slider.max);
        const times = { frames: [], seeks: [] };
        // Playing begins in the middle, where most is under way.
        to(Math.round(events / 3));
        document.querySelector('[data-part=play]').click();
        let before = await frame();
        for (let count = 0; count < frames; count++) {
          const now = await frame();
          times.frames.push(now - before);
          before = now;
        }
        document.querySelector('[data-part=play]').click();
        for (let seek = 1; seek <= seeks; seek++) {
          times.seeks.push(to(Math.round((events * ((seek * 37) % 61)) / 61)));
          await frame();
        }
        return { ...times, events };
      },
      [FRAMES, SEEKS],
    );
    const reel = await page.evaluate(async (election) => {
      const asked = { method: 'POST', headers: { 'content-type': 'application/json' } };
      const body = JSON.stringify({ ask: 'run', election });
      const text = globalThis.bellwetherCarrier
        ? await globalThis.bellwetherCarrier(body)
        : await (await fetch('api', { ...asked, body })).text();
      const { sheet, links } = JSON.parse(text).reel;
      return { x: sheet.x, y: sheet.y, from: links.from, to: links.to };
    }, election);
    return { shown, ...measured, reel };
  });

/** The same network drawn by Cytoscape.js: in each frame some messages move, and a node changes its colour. */
const onCytoscape = (network) =>
  opened('about:blank', async (page) => {
    await page.setContent('<div id="place" style="width:1000px;height:800px"></div>');
    await page.evaluate(cytoscape);
    return page.evaluate(
      async ([{ x, y, from, to }, frames]) => {
        const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
        const packets = Math.min(from.length, 50);
        const way = (link, part) => ({
          x: x[from[link]] + part * (x[to[link]] - x[from[link]]),
          y: y[from[link]] + part * (y[to[link]] - y[from[link]]),
        });
        const cy = globalThis.cytoscape({
          container: document.getElementById('place'),
          layout: { name: 'preset' },
          elements: [
            ...x.map((_, node) => ({ data: { id: `n${node}` }, position: { x: x[node], y: y[node] } })),
            ...from.map((_, link) => ({ data: { id: `l${link}`, source: `n${from[link]}`, target: `n${to[link]}` } })),
            ...Array.from({ length: packets }, (_, link) => ({ data: { id: `m${link}` }, position: way(link, 0) })),
          ],
          style: [
            { selector: 'node', style: { width: 12, height: 12, label: 'data(id)', 'font-size': 6 } },
            { selector: 'edge', style: { width: 1 } },
            { selector: '.acted', style: { 'background-color': '#d00' } },
          ],
        });
        await frame();
        const times = [];
        let before = await frame();
        for (let count = 0; count < frames; count++) {
          for (let link = 0; link < packets; link++) cy.$id(`m${link}`).position(way(link, count / frames));
          cy.$id(`n${count % x.length}`).toggleClass('acted');
          // Its own frame comes after ours.
          await frame();
          const now = await frame();
          times.push(now - before);
          before = now;
        }
        return times;
      },
      [network, FRAMES],
    );
  });

const server = await serve();
const carriers = { HTTP: server.url, WebAssembly: process.env.LAB_FILE };
const networks = {};
console.log('| page | first election |');
console.log('| --- | --- |');
for (const [name, url] of Object.entries(carriers)) {
  const openings = [];
  for (let opening = 0; opening < OPENINGS; opening++) openings.push(await untilFirst(url));
  console.log(`| ${name} | ${ms(middle(openings))} |`);
}
console.log('\n| run | page | shown after | frame | seek | 95 of 100 seeks |');
console.log('| --- | --- | --- | --- | --- | --- |');
for (const [run, election] of Object.entries(CASES)) {
  for (const [name, url] of Object.entries(carriers)) {
    const { shown, frames, seeks, events, reel } = await onLab(url, election);
    networks[run] = reel;
    const what = `${run}: ${election.algorithm} on ${election.topology}, ${events.toLocaleString('en-US')} events`;
    const told = [shown, middle(frames), middle(seeks), last(seeks)].map(ms);
    console.log(`| ${what} | ${name} | ${told.join(' | ')} |`);
  }
  console.log(`| the same network | Cytoscape.js | | ${ms(middle(await onCytoscape(networks[run])))} | | |`);
}
await browser.close();
server.close();
