// Requests in Chromium, by way of the worker: from a server with the program beside the page, and from disk as one.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { chromium } = createRequire(new URL('../browser/package.json', import.meta.url))('playwright-core');
const modules = fileURLToPath(new URL('../../crates/lab/page', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'bellwether-wasm-'));
const site = join(folder, 'site');
const single = join(folder, 'single.html');
let browser;
let server;
let hosted;

before(async () => {
  mkdirSync(site);
  copyFileSync(join(modules, 'carrier-wasm.js'), join(site, 'carrier-wasm.js'));
  writeFileSync(
    join(site, 'index.html'),
    '<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Carrier</title>\n<link rel="icon" href="data:,">\n' +
      '<script type="module" src="carrier-wasm.js"></script>\n<script type="module" src="main.js"></script>\n',
  );
  writeFileSync(
    join(site, 'main.js'),
    'globalThis.ask = async (request, signal) =>\n' +
      '  JSON.parse(await globalThis.bellwetherCarrier(JSON.stringify(request), signal));\n',
  );
  const pack = join(process.env.LAB_EXAMPLES, 'pack');
  const packed = spawnSync(pack, [site, process.env.LAB_WASM, single], { encoding: 'utf8' });
  assert.equal(packed.status, 0, packed.stderr);
  copyFileSync(process.env.LAB_WASM, join(site, 'lab.wasm'));
  const types = { html: 'text/html', js: 'text/javascript', json: 'application/json', wasm: 'application/wasm' };
  server = createServer(({ url }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    try {
      response.setHeader('content-type', types[name.split('.').pop()] ?? 'text/plain');
      response.end(readFileSync(join(site, name)));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  hosted = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true });
});

/** Opens a page and hands it to a test. Nothing may be wrong in it, and nothing may be asked of anybody else. */
async function opened(url, check) {
  const page = await browser.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !/^(blob|data):/.test(request.url())) wrong.push(request.url());
  });
  try {
    await page.goto(url);
    await check(page);
    assert.deepEqual(wrong, []);
  } finally {
    await page.close();
  }
}

const RUN = { ask: 'run', election: { algorithm: 'chang-roberts', topology: 'ring:23' } };
/** Takes seconds: it stops at two million states. */
const LONG = { ask: 'check', check: { algorithm: 'echo-election', topology: 'complete:7' } };

for (const [name, address] of [
  ['from a server', () => hosted],
  ['from disk, in one file', () => pathToFileURL(single).href],
]) {
  test(`${name}: requests are answered`, () =>
    opened(address(), async (page) => {
      const [catalogue, run, refused, unknown] = await page.evaluate(
        (requests) => Promise.all(requests.map((request) => globalThis.ask(request))),
        [{ ask: 'catalogue' }, RUN, { ...RUN, election: { algorithm: 'bully', topology: 'ring:23' } }, { ask: 'x' }],
      );
      assert.ok(catalogue.algorithms.length > 20);
      assert.equal(run.report.algorithm, 'chang-roberts');
      assert.deepEqual([refused.ok, unknown.error.kind], [false, 'unreadable']);
    }));

  test(`${name}: long work can be stopped, and what waits behind it is answered`, () =>
    opened(address(), async (page) => {
      const started = page.waitForEvent('worker');
      await page.evaluate(
        ([long, run]) => {
          const { ask } = globalThis;
          const outcome = (asked) => asked.then(
            (response) => response.ok,
            (error) => error.name,
          );
          const [first, third] = [new AbortController(), new AbortController()];
          const asked = [
            ask(long, first.signal),
            ask(run),
            ask(long, third.signal),
            ask(run),
            ask(run, AbortSignal.abort()),
          ];
          Object.assign(globalThis, { first, third, outcomes: Promise.all(asked.map(outcome)) });
        },
        [LONG, RUN],
      );
      const ended = (await started).waitForEvent('close');
      const outcomes = await page.evaluate(() => {
        globalThis.third.abort();
        globalThis.first.abort();
        return globalThis.outcomes;
      });
      assert.deepEqual(outcomes, ['AbortError', true, 'AbortError', true, 'AbortError']);
      await ended;
      assert.equal(page.workers().length, 1);
    }));
}

test('a server without the program: everybody who asks is told, until it is there', async () => {
  const page = await browser.newPage();
  const ask = () => page.evaluate(() => globalThis.ask({ ask: 'catalogue' }));
  rmSync(join(site, 'lab.wasm'));
  await page.goto(hosted);
  for (let time = 0; time < 2; time++) {
    const what = 'The program cannot run here: lab.wasm: 404 Not Found';
    assert.deepEqual(await ask(), { ok: false, error: { kind: 'unreachable', what } });
  }
  copyFileSync(process.env.LAB_WASM, join(site, 'lab.wasm'));
  assert.equal((await ask()).ok, true);
  await page.close();
});

test('where no worker may start, whoever asks is told', async () => {
  const page = await browser.newPage();
  await page.route(hosted, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': "worker-src 'none'" };
    await route.fulfill({ response, headers });
  });
  await page.goto(hosted);
  for (let time = 0; time < 2; time++) {
    const { ok, error } = await page.evaluate(() => globalThis.ask({ ask: 'catalogue' }));
    assert.deepEqual([ok, error.kind], [false, 'unreachable']);
  }
  await page.close();
});
