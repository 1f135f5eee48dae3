// Pages that the program writes, in a browser: every control, by mouse and by keys, and that nothing is asked of the
// network.

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
  race: ['run peterson --topology ring:8', 0],
  phases: ['run hirschberg-sinclair --topology ring:8', 0],
  loss: ['run chang-roberts --topology ring:6 --fault loss=0.2 --seed 3 --force', 1],
  grid: ['run echo-election --topology grid:3x3 --initiators 0,4,8', 0],
  tree: ['run tree-waves --topology tree:10', 0],
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
    const words = ['where', 'when', 'now', 'node-title', 'node-facts'].map((name) => part(name).textContent);
    const entries = ['kinds', 'states', 'signs', 'events'].flatMap((name) =>
      [...part(name).children].filter((it) => !it.hidden).map((it) => it.textContent),
    );
    return [...words, ...entries, part('slider').value, part('network').toDataURL(), part('overview').toDataURL()];
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
    const now = await part('now').textContent();
    assert.match(now, /^node 1 starts, is now participant, sends elect\(7\) to node 2 \(rule 1a\)$/);
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
        // Conditions and variables have places of their own on the page.
        const [told, rules] = steps[event].replace(/ \(id \S+\)/, '').split('; follows rule ');
        const [, now, labels] = /^(.*?)(?: \(rule (.*)\))?$/.exec(await part('now').textContent());
        assert.equal(now, told, `${name}, event ${event + 1}`);
        assert.equal(labels?.split(',')[0], rules?.match(/^\w+/)[0], `${name}, event ${event + 1}`);
      }
    });
  }
});

test('whoever listens or sees otherwise has the same page', async () => {
  const see = (name, colorScheme, viewport) =>
    open(name, { colorScheme, viewport, hash: '#k=9&node=0' }, async (page, part) => {
      for (const summary of await page.locator('summary').all()) await summary.press('Enter');
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const told = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      assert.deepEqual(told, [], `${name}, ${colorScheme}, ${viewport.width}`);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(sideways <= 0, `${name} is ${sideways} pixels too wide for ${viewport.width}`);
      assert.ok((await part('network').getAttribute('aria-label')).includes('nodes'));
    });
  const [wide, narrow] = [1280, 400].map((width) => ({ width, height: 800 }));
  // What is narrow has nothing to show that is not there when it is wide, so its dark colours are seen there.
  for (const name of Object.keys(RUNS))
    await Promise.all([see(name, 'light', wide), see(name, 'light', narrow), see(name, 'dark', wide)]);
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
  /** The most pictures between two events. All frames are taken in one go, so a busy machine skips no event. */
  const motion = async (reducedMotion) => {
    const pictures = new Map();
    await open('chance', { reducedMotion, hash: '#k=6' }, async (page, part) => {
      await part('speed').selectOption('0.5');
      await part('play').click();
      const frames = await page.evaluate(async () => {
        const part = (name) => document.querySelector(`[data-part="${name}"]`);
        const seen = [];
        while (seen.length < 12) {
          await new Promise(requestAnimationFrame);
          seen.push([part('slider').value, part('network').toDataURL()]);
        }
        return seen;
      });
      for (const [place, picture] of frames) pictures.set(place, (pictures.get(place) ?? new Set()).add(picture));
    });
    return Math.max(...[...pictures.values()].map((some) => some.size));
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

/** Keeps what is written on each canvas, and the crosses on it, since it was wiped last. */
function watch() {
  const kept = new Map();
  const of = (context) => {
    const name = context.canvas.dataset.part ?? context.canvas.parentElement?.dataset.part;
    if (!kept.has(name)) kept.set(name, { words: [], crosses: new Set() });
    return kept.get(name);
  };
  const { clearRect, fillText, moveTo, stroke } = CanvasRenderingContext2D.prototype;
  Object.assign(CanvasRenderingContext2D.prototype, {
    clearRect(...all) {
      Object.assign(of(this), { words: [], crosses: new Set() });
      return clearRect.apply(this, all);
    },
    fillText(text, x, y) {
      const size = Number(/([\d.]+)px/.exec(this.font)[1]);
      const wide = this.measureText(text).width;
      const left = x - { left: 0, center: wide / 2, right: wide }[this.textAlign];
      of(this).words.push({ text, left, right: left + wide, y, size, scale: this.getTransform().a });
      return fillText.call(this, text, x, y);
    },
    moveTo(x, y) {
      this.last = `${x.toFixed(1)} ${y.toFixed(1)}`;
      return moveTo.call(this, x, y);
    },
    stroke(...all) {
      const fails = getComputedStyle(document.documentElement).getPropertyValue('--fails-stroke').trim();
      if (this.strokeStyle === fails) of(this).crosses.add(this.last);
      return stroke.apply(this, all);
    },
  });
  globalThis.written = (name) => kept.get(name)?.words ?? [];
  globalThis.crosses = (name) => kept.get(name)?.crosses.size ?? 0;
}

/** How many pixels of a canvas have exactly this colour. */
function painted(part, name, colour) {
  return part(name).evaluate((canvas, colour) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += wanted.every((value, index) => data[at + index] === value);
    return count;
  }, colour);
}

/** The entries of a list that are to be seen. */
const listed = (list) =>
  list.evaluate((list) => [...list.children].filter((it) => !it.hidden).map((it) => it.textContent.trim()).join(' '));

const variable = (page, name) =>
  page.evaluate((name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim(), name);

test('who is still in the race is told by colour and shape', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await open('race', { colorScheme }, async (page, part) => {
      const variables = ['role0-fill', 'role1-fill', 'lane0-stroke', 'lane1-stroke'];
      const looks = await Promise.all(variables.map((it) => variable(page, it)));
      const seen = () =>
        Promise.all(looks.map((look, index) => painted(part, index < 2 ? 'network' : 'diagram', look)));
      assert.deepEqual((await seen()).slice(0, 2), [0, 0]);
      assert.match(await listed(part('states')), /asleep 8 active 0 relay 0 follows 0 leads 0/);
      await part('slider').fill('8');
      assert.match(await listed(part('states')), /asleep 0 active 8 relay 0/);
      const [active, relay] = await seen();
      assert.ok(active > 4_000 && relay === 0, `${active} ${relay}`);
      await part('slider').fill('30');
      assert.match(await listed(part('states')), /active 3 relay 5/);
      const later = await seen();
      assert.ok(later.every((count) => count > 100), later.join());
      // Squares fill more of their corners than circles: a corner of a relay is filled, one of an active node is not.
      assert.match(await part('node-facts').textContent(), /undecided, active/);
      await part('last').click();
      assert.match(await listed(part('states')), /active 0 relay 0 follows 7 leads 1/);
    });
  }
});

test('what is still to come can be hidden, and nothing gives it away', async () => {
  const [line] = RUNS.ring;
  bellwether(`${line} --limit 20 --html stopped.html`, 3);
  const at = (name, hash) => {
    let all;
    const look = async (page, part) => {
      await page.waitForFunction(() => document.querySelector('[data-part=future]').ariaPressed === 'true');
      const words = await page.evaluate(() => document.querySelector('.player').innerText);
      const labels = await page.evaluate(() =>
        [...document.querySelectorAll('[aria-label]')].map((it) => it.ariaLabel),
      );
      const tall = await part('scroller').evaluate((scroller) => scroller.scrollHeight);
      const { max } = await part('slider').evaluate(({ max }) => ({ max }));
      all = [words, labels, tall, max, ...(await shown(page)), await scrolled(page, 0)];
    };
    return open(name, { hash }, look).then(() => all);
  };
  // A run that goes on looks like one that was stopped soon after: in words, pixels and lengths.
  for (const k of [0, 1, 9, 13, 17]) {
    const hash = `#k=${k}&future=hidden`;
    assert.deepEqual(await at('ring', hash), await at('stopped', hash), hash);
  }
  await open('ring', { hash: '#k=5' }, async (page, part) => {
    const told = () => page.evaluate(() => document.querySelector('.player').innerText);
    assert.match(await told(), /node 4 \(id 8\) leads/);
    await page.keyboard.press('h');
    assert.doesNotMatch(await told(), /leads ·|announce\(\d|messages$|\/ 43/);
    assert.equal(await part('where').textContent(), 'event 5');
    await page.waitForFunction(() => location.hash === '#k=5&future=hidden');
    // The end is the end of what was seen; back and forth within that is free.
    await page.keyboard.press('End');
    assert.equal(await part('where').textContent(), 'event 5');
    for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    assert.equal(await part('where').textContent(), 'event 9');
    await part('future').click();
    assert.match(await told(), /node 4 \(id 8\) leads/);
    await part('future').click();
    // At the end everything is known.
    for (let step = 9; step < 43; step++) await page.keyboard.press('ArrowRight');
    assert.match(await part('outcome').textContent(), /node 4 \(id 8\) leads/);
  });
  // Faults to come are hidden, too, and so is what is broken in the end.
  await open('crash', { hash: '#k=3&future=hidden' }, async (page) => {
    const words = await page.evaluate(() => document.querySelector('.player').innerText);
    assert.doesNotMatch(words, /crash|is down|two leaders/);
  });
});

test('what is lost has a cross at every step, in both pictures', async () => {
  for (const name of ['loss', 'faults']) {
    await open(name, { hash: '#future=hidden', viewport: { width: 1400, height: 1400 } }, async (page, part) => {
      await page.evaluate(watch);
      const facts = JSON.parse(readFileSync(join(folder, `${name}.html`), 'utf8').match(/id="reel">(.*)<\/script>/)[1]);
      let lost = 0;
      for (let event = 0; event < facts.events.node.length; event++) {
        await page.keyboard.press('ArrowRight');
        const isLoss = facts.events.happening[event] === 7 || facts.events.happening[event] === 8;
        lost += isLoss ? facts.events.touches[event] : 0;
        const [inDiagram, inNetwork] = await page.evaluate(() => [crosses('diagram'), crosses('network')]);
        if (name === 'loss') assert.equal(inDiagram, lost, `${name}: ${event + 1}`);
        if (isLoss) assert.ok(inNetwork > 0, `${name}: ${event + 1}`);
        if (isLoss) assert.match(await part('now').textContent(), /is lost/);
      }
      // Nothing is sent by these links any more: it can still be seen why nothing comes.
      assert.ok(lost > 0 && (await page.evaluate(() => crosses('network'))) > 0, name);
    });
  }
});

test('no word is cut at an edge or lies on another', async () => {
  for (const [name, width] of [
    ['ring', 1280],
    ['race', 1400],
    ['phases', 1400],
    ['crash', 1400],
    ['grid', 1400],
    ['loss', 1400],
    ['tree', 1920],
  ]) {
    for (const future of ['', '&future=hidden']) {
      await open(name, { viewport: { width, height: 900 } }, async (page, part) => {
        await page.evaluate(watch);
        const [, events] = await where(part);
        for (let k = 1; k <= events; k += 7) {
          await page.evaluate((hash) => (location.hash = hash), `#k=${k}${future}`);
          await page.waitForFunction((k) => Number(document.querySelector('[data-part=slider]').value) === k, k);
          for (const view of ['diagram', 'network']) {
            const words = await page.evaluate((view) => written(view), view);
            const size = await part(view).evaluate(({ clientWidth }) => clientWidth);
            // Names and moments stand beside the picture, and have their places.
            const said = words.filter(({ text, size }) => (view === 'diagram' ? size === 10.5 : size === 11) && text);
            for (const { text, left, right } of said)
              assert.ok(left >= -0.5 && right <= size + 0.5, `${name} ${k}: ${text} in the ${view} is cut: ${left}`);
            for (const [index, a] of said.entries())
              for (const b of said.slice(0, index))
                assert.ok(
                  a.right <= b.left + 1 || b.right <= a.left + 1 || Math.abs(a.y - b.y) >= 10,
                  `${name} ${k}: ${a.text} lies on ${b.text} in the ${view}`,
                );
          }
        }
      });
    }
  }
});

test('hiding the future takes no word from what has happened', async () => {
  for (const width of [1280, 1400, 1920]) {
    await open('phases', { hash: '#k=26', viewport: { width, height: 900 } }, async (page, part) => {
      await page.evaluate(watch);
      const said = () =>
        page.evaluate(() => written('diagram').filter(({ text }) => /^(probe|reply)/.test(text)).length);
      const lanes = () =>
        page.evaluate(() =>
          written('diagram').flatMap(({ text, left }) => (/^[0-7]$/.test(text) ? Math.round(left) : [])),
        );
      await page.keyboard.press('h');
      await page.waitForFunction(() => document.querySelector('[data-part=future]').ariaPressed === 'true');
      const [places, hidden] = [await lanes(), await said()];
      assert.ok(places.length === 8 && hidden >= 16, `${width}: ${hidden} of ${places.length} lanes`);
      await part('future').click();
      await page.waitForFunction(() => document.querySelector('[data-part=future]').ariaPressed === 'false');
      assert.deepEqual(await lanes(), places);
    });
  }
});

test('every message under way says what it is, where there is room', async () => {
  await open('grid', { hash: '#k=30', viewport: { width: 1400, height: 900 } }, async (page, part) => {
    await page.evaluate(watch);
    for (let k = 1; k < 56; k++) {
      await part('slider').fill(String(k));
      const under = Number(/under way (\d+)/.exec(await part('kinds').textContent())[1]);
      const said = await page.evaluate(() => written('network').filter(({ size }) => size === 11).length);
      assert.ok(said >= 0.85 * Math.min(under, 12), `${k}: ${said} of ${under}`);
    }
  });
});

test('the rule that is followed and the current event are always seen', async () => {
  for (const viewport of [
    { width: 1280, height: 800 },
    { width: 1920, height: 1080 },
  ])
    await open('grid', { hash: '#k=1&node=4', viewport }, async (page, part) => {
      for (let k = 1; k < 56; k += 6) {
        await part('slider').fill(String(k));
        const rooms = await page.evaluate(() =>
          ['.events [aria-current]', '.rule.lit'].flatMap((selector) => {
            const line = document.querySelector(selector);
            const frames = line ? [line.closest('ol, pre'), line.closest('section'), line.closest('.side')] : [];
            const [inner, ...outer] = [line, ...frames].map((it) => it?.getBoundingClientRect());
            return outer.map(({ top, bottom }) => Math.max(top - inner.top, inner.bottom - bottom));
          }),
        );
        assert.ok(rooms.length >= 3 && Math.max(...rooms) <= 1, `${k}: ${rooms}`);
      }
      // The controls above the diagram stand beside its title, in one line.
      const [title, zoom] = await Promise.all(
        ['#diagram-title', '.diagram > .zoom'].map((selector) => page.locator(selector).boundingBox()),
      );
      assert.ok(zoom.height < 30 && title.x + title.width <= zoom.x, JSON.stringify([title, zoom]));
    });
});

test('one view is large enough for a lecture hall', async () => {
  const viewport = { width: 1920, height: 1080 };
  await open('phases', { hash: '#k=40', viewport }, async (page, part) => {
    await page.evaluate(watch);
    for (const view of ['network', 'diagram']) {
      await page.keyboard.press('v');
      assert.equal(await part('view').textContent(), `view: ${view}`);
      const box = await part(view).boundingBox();
      assert.ok(box.width > 1_800 && box.height > 650, JSON.stringify(box));
      assert.ok(await part(view === 'network' ? 'scroller' : 'network').isHidden());
      const sizes = await page.evaluate((view) => written(view).map(({ size, scale }) => size * scale), view);
      // A fiftieth of the height of the picture is legible from the last row; ids are smaller.
      assert.ok(Math.min(...sizes) >= 19 && sizes.filter((size) => size >= 24).length > 8, sizes.join());
      for (const [selector, least] of [['.now', 26], ['.tally li', 22]]) {
        const size = await page.locator(selector).first().evaluate((it) => getComputedStyle(it).fontSize);
        assert.ok(parseFloat(size) >= least);
      }
      await page.waitForFunction((view) => location.hash === `#k=40&view=${view}`, view);
      // What is pointed at is found where it is drawn.
      const name = (await page.evaluate((view) => written(view), view)).find(({ text }) => text === '4');
      const [x, y] = [(name.left + name.right) / 2, name.y].map((at) => at * name.scale);
      await page.mouse.move(box.x + x, box.y + y);
      assert.match(await hint(part), /^node 4 /);
    }
    await page.keyboard.press('v');
    assert.equal(await part('view').textContent(), 'view: all');
    await page.keyboard.press('v');
    await page.keyboard.press('Escape');
    assert.equal(await part('view').textContent(), 'view: all');
    assert.ok(await part('network').isVisible() && (await part('scroller').isVisible()));
    await part('view').click();
    assert.equal(await part('view').textContent(), 'view: network');
  });
  await open('phases', { hash: '#k=40&view=diagram&future=hidden', viewport }, async (page, part) => {
    assert.equal(await part('view').textContent(), 'view: diagram');
    assert.equal(await part('future').getAttribute('aria-pressed'), 'true');
  });
});

test('on paper circles are round and nothing is cut', async () => {
  await open('phases', { hash: '#k=40', colorScheme: 'dark' }, async (page, part) => {
    const before = await shown(page);
    await page.evaluate(watch);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const printed = await page.evaluate(() =>
      [...document.querySelectorAll('.network canvas, .paper canvas')].map((canvas) => {
        const { width, height, right } = canvas.getBoundingClientRect();
        const squeezed = (canvas.width / canvas.height / (width / height)).toFixed(2);
        return { squeezed, right, isSheet: !canvas.dataset.part };
      }),
    );
    assert.ok(printed.filter(({ isSheet }) => isSheet).length > 1);
    for (const { squeezed, right } of printed) {
      assert.equal(squeezed, '1.00');
      assert.ok(right <= 720, String(right));
    }
    assert.ok((await part('events').isHidden()) && (await part('slider').isHidden()));
    assert.ok(await part('outcome').isVisible());
    // On paper it is light.
    assert.ok((await painted(part, 'network', await variable(page, 'role0-fill'))) > 1_000);
    assert.equal(await variable(page, 'panel'), '#ffffff');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    assert.deepEqual(await shown(page), before);
    // As a browser prints it: the whole diagram, on three pages.
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.equal(pdf.match(/\/Type \/Page\b/g).length, 3);
    assert.deepEqual(await shown(page), before);
  });
});

test('speeds are said in plain words', async () => {
  await open('ring', {}, async (page, part) => {
    const speeds = await part('speed').evaluate(({ options }) => [...options].map(({ text }) => text));
    assert.deepEqual(speeds.slice(0, 3), ['0.5 events a second', '1 event a second', '2 events a second']);
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
    foreign: [/("format":)2/, '$199', /format 99 of runs/],
    cut: [/"lanes":\[[^\]]*\],/, '', /'lanes' is missing/],
    torn: [/"outcome":\{/, '"outcome":', /cannot be shown/],
  };
  for (const [name, [what, by, told]] of Object.entries(damages)) {
    const damaged = page.replace(what, by);
    assert.notEqual(damaged, page, name);
    writeFileSync(join(folder, `${name}.html`), damaged);
    const tab = await browser.newPage();
    await tab.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    assert.match(await tab.getByRole('alert').textContent(), told);
    await tab.close();
  }
});
