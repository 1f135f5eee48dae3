// Pages that the program writes, in a browser: every control, by mouse and by keys, and that nothing is asked of the network.

import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { chromium } from 'playwright-core';

import { bellwether, folder } from './program.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is run for each page, and how it ends. */
const RUNS = {
  ring: ['run chang-roberts --topology ring:8', 0],
  faults: [
    'run chang-roberts --topology ring:6 --fault loss=0.2 --fault duplicate=0.2 --fault cut=1-2@3..5 --force',
    1,
  ],
  crash: ['run bully --topology complete:5 --ids ascending --fault crash=4@3 --fault recover=4@9 --force', 1],
  rounds: ['run floodmax --topology torus:3x4', 0],
  chance: ['run itai-rodeh --topology ring:5 --timing uniform --seed 7', 0],
  check: ['check bully --topology complete:3 --timers any', 1],
  live: ['live franklin --topology ring:6 --latency 1..5ms', 0],
  workers: ['ring 4 -n 2 --sleep 0 --worker-sleep 1', 0],
  large: ['run le-lann --topology ring:320', 0],
  wide: ['run echo-election --topology gnp:2000:0.005 --initiators one', 0],
};

let browser;

before(async () => {
  for (const [name, [line, code]] of Object.entries(RUNS)) bellwether(`${line} --html ${name}.html`, code);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page, and makes sure when it is closed that it asked for nothing and complained about nothing. */
async function open(name, { hash = '', ...options } = {}, play) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  const [requests, complaints] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  const url = pathToFileURL(join(folder, `${name}.html`)).href;
  try {
    await page.goto(url + hash);
    await play(page, (part) => page.locator(`[data-part="${part}"]`));
    assert.deepEqual(
      requests.map((request) => request.split('#')[0]),
      [url],
      name,
    );
    assert.deepEqual(complaints, [], name);
  } finally {
    await context.close();
  }
}

/** How many events have happened, and how many there are. */
async function where(part) {
  const text = await part('where').textContent();
  return text.split(' / ').map((number) => Number(number.replaceAll(',', '')));
}

/** What is said about what the mouse points at, once the page has heard of it. */
async function hint(part) {
  await part('hint').evaluate(() => new Promise((heard) => requestAnimationFrame(() => requestAnimationFrame(heard))));
  return (await part('hint').isVisible()) ? part('hint').textContent() : '';
}

const done = async (part) => (await where(part))[0];

/** Everything that a page shows at its place: words, and the pictures' pixels. */
function shown(page) {
  return page.evaluate(() => {
    const part = (name) => document.querySelector(`[data-part="${name}"]`);
    const words = ['where', 'when', 'now', 'node-title', 'node-facts', 'kinds', 'states', 'events'].map(
      (name) => part(name).textContent,
    );
    return [...words, part('slider').value, part('network').toDataURL(), part('overview').toDataURL()];
  });
}

/** Everything that the diagram shows; it depends on how far it is scrolled. */
async function scrolled(page, to) {
  await page.evaluate((to) => (document.querySelector('[data-part=scroller]').scrollTop = to), to);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  return page.evaluate(() => document.querySelector('[data-part=diagram]').toDataURL());
}

test('every button, the slider and the speed', async () => {
  await open('ring', {}, async (page, part) => {
    const [at, events] = await where(part);
    assert.equal(at, 0);
    assert.ok((await part('back').isDisabled()) && (await part('first').isDisabled()));
    await part('onward').click();
    await part('onward').click();
    assert.equal(await done(part), 2);
    assert.match(await part('now').textContent(), /^node 1 starts, is now participant, sends elect\(7\) to node 2$/);
    assert.match(await part('node-facts').textContent(), /undecided, participant/);
    await part('back').click();
    assert.equal(await done(part), 1);
    await part('last').click();
    assert.equal(await done(part), events);
    assert.ok((await part('onward').isDisabled()) && (await part('last').isDisabled()));
    await part('first').click();
    assert.equal(await done(part), 0);
    await part('slider').fill('20');
    assert.equal(await done(part), 20);
    assert.match(await part('slider').getAttribute('aria-valuetext'), /^event 20 of 43, t=3: node 1 receives/);
    await part('speed').selectOption('1000');
    await part('play').click();
    await page.waitForFunction(
      (events) => document.querySelector('[data-part=where]').textContent === `${events} / ${events}`,
      events,
    );
    assert.equal(await part('play').getAttribute('aria-label'), 'Play');
    // From the end it begins again, and can be paused.
    await part('speed').selectOption('0.5');
    await part('play').click();
    assert.equal(await part('play').getAttribute('aria-label'), 'Pause');
    assert.equal(await part('now').getAttribute('aria-live'), 'off');
    await part('play').click();
    assert.equal(await part('play').getAttribute('aria-label'), 'Play');
    assert.ok((await done(part)) < events);
    for (const row of [0, 3]) await page.locator('[data-part=events] button').nth(row).click();
    assert.equal(await page.locator('[data-part=events] [aria-current=step]').count(), 1);
  });
});

test('a node is chosen in any view, and its events are gone through', async () => {
  await open('ring', {}, async (page, part) => {
    await part('node-find').fill('id 8');
    await part('node-find').press('Enter');
    assert.equal(await part('node-title').textContent(), 'Node 4');
    await part('last').click();
    assert.match(await part('node-facts').textContent(), /leads, since t=8/);
    const steps = [];
    await part('first').click();
    while (await part('node-onward').isEnabled()) {
      await part('node-onward').click();
      steps.push(await part('now').textContent());
    }
    assert.ok(steps.length > 3 && steps.every((step) => step.startsWith('node 4 ')), steps.join());
    const before = await done(part);
    await part('node-back').click();
    assert.ok((await done(part)) < before);
    await part('node-release').click();
    assert.ok(await part('node-release').isHidden());
    await part('node-find').fill('77');
    await part('node-find').press('Enter');
    assert.equal(await part('node-unknown').textContent(), "There is no node '77'.");

    // Who points at the top of the circle points at node 0.
    const box = await part('network').boundingBox();
    let y = box.y;
    do await page.mouse.move(box.x + box.width / 2, (y += 4));
    while (y < box.y + box.height && !(await hint(part)).startsWith('node 0 (id 5)'));
    await page.mouse.click(box.x + box.width / 2, y);
    assert.equal(await part('node-title').textContent(), 'Node 0');
    await page.mouse.click(box.x + box.width / 2, y);
    assert.ok(await part('node-release').isHidden());

    // The first lane's name chooses it too.
    const lanes = await part('diagram').boundingBox();
    let x = lanes.x + 40;
    do await page.mouse.move((x += 4), lanes.y + 15);
    while (x < lanes.x + lanes.width && !(await hint(part)).startsWith('node 0'));
    await page.mouse.click(x + 10, lanes.y + 15);
    assert.equal(await part('node-title').textContent(), 'Node 0');
  });
});

test('a message is chosen where it is drawn, and gone to', async () => {
  await open('ring', { hash: '#k=8' }, async (page, part) => {
    const box = await part('diagram').boundingBox();
    let found = false;
    for (let x = box.x + 60; x < box.x + box.width && !found; x += 6) {
      await page.mouse.move(x, box.y + 100);
      found = / from node \d to node \d, sent at /.test(await hint(part));
      if (found) await page.mouse.click(x, box.y + 100);
    }
    assert.ok(found, 'no message was found');
    assert.ok(await part('message').isVisible());
    await part('message-end').click();
    assert.match(await part('now').textContent(), /receives elect/);
    await part('message-begin').click();
    assert.match(await part('now').textContent(), /starts, is now participant, sends elect/);
    await part('message-release').click();
    assert.ok(await part('message').isHidden());
  });
});

test('back and forth shows the same as straight through', async () => {
  for (const name of ['faults', 'crash', 'rounds', 'chance', 'check', 'live', 'workers']) {
    await open(name, {}, async (page, part) => {
      const [, events] = await where(part);
      const seen = [await shown(page)];
      for (let event = 0; event < events; event++) {
        await page.keyboard.press('ArrowRight');
        seen.push(await shown(page));
      }
      assert.equal(new Set(seen.map((all) => all[0])).size, events + 1);
      const drawn = await scrolled(page, 60);
      for (let event = events - 1; event >= 0; event--) {
        await page.keyboard.press('ArrowLeft');
        assert.deepEqual(await shown(page), seen[event], `${name}: back to ${event}`);
      }
      for (const event of [events >> 1, 3, events - 1, 1]) {
        await part('slider').fill(String(event));
        assert.deepEqual(await shown(page), seen[event], `${name}: straight to ${event}`);
      }
      await page.keyboard.press('End');
      assert.equal(await scrolled(page, 60), drawn, `${name}: the diagram in the end`);
    });
  }
});

test('keys do everything', async () => {
  await open('ring', {}, async (page, part) => {
    const [, events] = await where(part);
    const after = async (key) => {
      await page.keyboard.press(key);
      return done(part);
    };
    assert.equal(await after('ArrowRight'), 1);
    assert.equal(await after('ArrowLeft'), 0);
    assert.equal(await after('PageDown'), 8);
    assert.equal(await after('PageDown'), 16);
    assert.equal(await after('ArrowLeft'), 15);
    assert.equal(await after('PageUp'), 8);
    assert.equal(await after('End'), events);
    assert.equal(await after('ArrowRight'), events);
    assert.equal(await after('Home'), 0);
    assert.equal(await after('PageUp'), 0);
    assert.equal(await after('ArrowRight'), 1);
    // The next event of node 0, which started.
    assert.ok((await after('n')) > 8);
    assert.equal(await part('node-title').textContent(), 'Node 0');
    assert.equal(await after('p'), 1);
    await page.keyboard.press('Escape');
    assert.ok(await part('node-release').isHidden());
    const speed = await part('speed').inputValue();
    await page.keyboard.press('>');
    assert.ok(Number(await part('speed').inputValue()) > Number(speed));
    await page.keyboard.press('<');
    assert.equal(await part('speed').inputValue(), speed);
    await page.keyboard.press('Space');
    assert.equal(await part('play').getAttribute('aria-label'), 'Pause');
    await page.keyboard.press('Space');
    assert.equal(await part('play').getAttribute('aria-label'), 'Play');
    await page.keyboard.press('+');
    await page.keyboard.press('-');

    // Every control is reached with the tab key, and what has the focus shows it.
    const wanted = await page.evaluate(
      () =>
        [...document.querySelectorAll('button, input, select, summary, [tabindex="0"]')].filter(
          (it) => it.checkVisibility() && !it.disabled,
        ).length,
    );
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let tab = 0; tab < wanted; tab++) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(() => {
          const focused = document.activeElement;
          focused.dataset.reached ??= String(document.querySelectorAll('[data-reached]').length);
          return getComputedStyle(focused).outlineStyle === 'none' ? 'no outline' : focused.dataset.reached;
        }),
      );
    }
    assert.ok(!reached.has('no outline'));
    assert.equal(reached.size, wanted);
    // On a button the space bar presses it.
    await part('theme').focus();
    await page.keyboard.press('Space');
    assert.equal(await part('theme').textContent(), 'theme: light');
    assert.equal(await part('play').getAttribute('aria-label'), 'Play');
  });
});

test('a place is shared by its address', async () => {
  await open('ring', { hash: '#k=17&node=4' }, async (page, part) => {
    assert.equal(await done(part), 17);
    assert.equal(await part('node-title').textContent(), 'Node 4');
    await part('onward').click();
    await page.waitForFunction(() => location.hash === '#k=18&node=4');
    await page.evaluate(() => (location.hash = '#k=3'));
    await page.waitForFunction(() => document.querySelector('[data-part=where]').textContent.startsWith('3 /'));
  });
  for (const hash of ['#k=999999999', '#k=-1', '#k=x&node=99', '#%', '#']) {
    await open('ring', { hash }, async (page, part) => {
      const [at, events] = await where(part);
      assert.equal(at, hash.includes('999') ? events : 0, hash);
    });
  }
});

test('what is told is what --events tells', async () => {
  for (const name of ['ring', 'faults', 'crash', 'rounds', 'chance']) {
    const [line, code] = RUNS[name];
    const steps = bellwether(`${line} --events`, code)
      .split('\n')
      .flatMap((text) => /^(?:t=\S+|round \d+)\s+(.*)$/.exec(text)?.[1] ?? []);
    await open(name, {}, async (page, part) => {
      const [, events] = await where(part);
      for (let event = 0; event < events; event++) {
        await page.keyboard.press('ArrowRight');
        const expected = steps[event].replace(/ \(id \S+\)/, '');
        assert.equal(await part('now').textContent(), expected, `${name}, event ${event + 1}`);
      }
    });
  }
});

test('whoever listens or sees otherwise has the same page', async () => {
  for (const name of Object.keys(RUNS)) {
    for (const colorScheme of ['light', 'dark']) {
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 400, height: 800 },
      ]) {
        await open(name, { colorScheme, viewport, hash: '#k=9&node=0' }, async (page, part) => {
          for (const summary of await page.locator('summary').all()) await summary.press('Enter');
          await page.evaluate(axe);
          const { violations } = await page.evaluate(() => globalThis.axe.run());
          const told = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
          assert.deepEqual(told, [], `${name}, ${colorScheme}, ${viewport.width}`);
          const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(sideways <= 0, `${name} is ${sideways} pixels too wide for ${viewport.width}`);
          assert.ok((await part('network').getAttribute('aria-label')).includes('nodes'));
        });
      }
    }
  }
});

test('themes change colours by hand, too', async () => {
  await open('ring', { colorScheme: 'dark' }, async (page, part) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.querySelector('.network')).backgroundColor);
    const dark = await ground();
    const network = await part('network').evaluate((canvas) => canvas.toDataURL());
    await part('theme').click();
    assert.notEqual(await ground(), dark);
    assert.notEqual(await part('network').evaluate((canvas) => canvas.toDataURL()), network);
    await part('theme').click();
    assert.equal(await ground(), dark);
    await part('theme').click();
    assert.equal(await part('theme').textContent(), 'theme: auto');
    await page.emulateMedia({ colorScheme: 'light' });
    assert.notEqual(await ground(), dark);
  });
});

test('views are made larger and smaller', async () => {
  await open('ring', { hash: '#k=20' }, async (page, part) => {
    for (const view of ['network', 'diagram']) {
      const drawn = () => part(view).evaluate((canvas) => canvas.toDataURL());
      const usual = await drawn();
      await part(`${view}-larger`).click();
      assert.notEqual(await drawn(), usual, view);
      await part(`${view}-fit`).click();
      assert.equal(await drawn(), usual, view);
      if (view === 'diagram') await part('diagram-smaller').click();
    }
    await part('network-larger').click();
    const drawn = await part('network').evaluate((canvas) => canvas.toDataURL());
    const box = await part('network').boundingBox();
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 45, box.y + 25);
    await page.mouse.up();
    assert.notEqual(await part('network').evaluate((canvas) => canvas.toDataURL()), drawn);
  });
});

test('messages move between events, unless nothing should move', async () => {
  const motion = async (reducedMotion) => {
    const seen = new Set();
    await open('chance', { reducedMotion, hash: '#k=6' }, async (page, part) => {
      await part('speed').selectOption('0.5');
      await part('play').click();
      const at = await done(part);
      for (let frame = 0; frame < 12; frame++) {
        const [now, drawn] = await page.evaluate(async () => {
          await new Promise(requestAnimationFrame);
          const part = (name) => document.querySelector(`[data-part="${name}"]`);
          return [Number(part('slider').value), part('network').toDataURL()];
        });
        if (now === at) seen.add(drawn);
      }
    });
    return seen.size;
  };
  assert.equal(await motion('reduce'), 1);
  assert.ok((await motion('no-preference')) > 3);
});

test('what is broken is said, and so is how to repeat the run', async () => {
  await open('check', {}, async (page, part) => {
    assert.match(
      await part('broken').textContent(),
      /at most one leader at any instant.*two leaders: node 1 becomes leader/,
    );
    assert.equal(await part('repeat').textContent(), 'bellwether check bully --topology complete:3 --timers any');
    await page.getByText('This run').click();
    assert.match(await part('facts').textContent(), /algorithmbully/);
  });
  await open('ring', { permissions: ['clipboard-read', 'clipboard-write'] }, async (page, part) => {
    assert.ok(await part('broken').isHidden());
    await part('copy').click();
    await page.waitForFunction(() => document.querySelector('[data-part=copy]').textContent === 'copied');
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      'bellwether run chang-roberts --topology ring:8 --seed 1',
    );
  });
});

test('large runs open and are gone through', async () => {
  for (const [name, least] of [
    ['large', 100_000],
    ['wide', 10_000],
  ]) {
    await open(name, {}, async (page, part) => {
      const [, events] = await where(part);
      assert.ok(events > least);
      for (const place of [events >> 1, events, 1, least - 1]) {
        await part('slider').fill(String(place));
        assert.equal(await done(part), place);
      }
      const milliseconds = await page.evaluate(async () => {
        const slider = document.querySelector('[data-part=slider]');
        const times = [];
        for (let index = 0; index < 41; index++) {
          slider.value = (index * 61_803) % Number(slider.max);
          const begun = performance.now();
          slider.dispatchEvent(new Event('input'));
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
          times.push(performance.now() - begun);
        }
        return times.sort((a, b) => a - b)[20];
      });
      // With two frames until it is drawn, without a graphics processor and beside other processes.
      assert.ok(milliseconds < 200, `${name}: ${milliseconds} ms`);
      await part('first').click();
      await part('speed').selectOption('10000');
      await part('play').click();
      await page.waitForFunction(() => Number(document.querySelector('[data-part=slider]').value) > 2_000);
      await part('play').click();
      assert.ok((await done(part)) > 2_000);
    });
  }
});

test('a page whose run was damaged says so', async () => {
  const page = readFileSync(join(folder, 'ring.html'), 'utf8');
  const damages = {
    foreign: [/("format":)1/, '$199', /format 99 of runs/],
    cut: [/"lanes":\[[^\]]*\],/, '', /'lanes' is missing/],
    torn: [/"clock":\{/, '"clock":', /cannot be shown/],
  };
  for (const [name, [what, by, told]] of Object.entries(damages)) {
    writeFileSync(join(folder, `${name}.html`), page.replace(what, by));
    const tab = await browser.newPage();
    await tab.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    assert.match(await tab.getByRole('alert').textContent(), told);
    await tab.close();
  }
});
