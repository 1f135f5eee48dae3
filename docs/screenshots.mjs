// Takes the pictures of the replay page and of the lab, each into the folder that is named.

import { createRequire } from 'node:module';

import { serve } from '../tests/lab/server.mjs';

const require = createRequire(new URL('../tests/browser/package.json', import.meta.url));
const { chromium } = require('playwright-core');

const LAPTOP = { width: 1400, height: 900 };
const PROJECTOR = { width: 1920, height: 1080 };
const PHONE = { width: 390, height: 844 };

const [folder] = process.argv.slice(2);
const server = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });

const part = (page, name) => page.locator(`[data-part=${name}]`);
const titled = (page, words) => part(page, 'title').filter({ hasText: words }).waitFor();

/** Goes to a place of the run. */
async function seek(page, done) {
  await part(page, 'slider').fill(String(done));
  await page.evaluate(() => document.activeElement.blur());
}

/** Opens a panel of the lab. */
async function panel(page, name) {
  const tab = page.locator(`[data-panel=${name}]`);
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
  return page.locator(`[data-body=${name}]`);
}

/** Sets an election up. */
async function setUp(page, algorithm, topology) {
  const setup = await panel(page, 'setup');
  await setup.locator('[data-field=algorithm]').selectOption(algorithm);
  await titled(page, algorithm);
  if (!topology) return;
  await setup.locator('[data-field=topology]').fill(topology);
  await setup.locator('[data-field=topology]').press('Enter');
  await titled(page, topology);
}

/** What is done on the lab's page before its picture is taken. */
const STATES = {
  'lab-fork': async (page) => {
    await seek(page, 16);
    await page.keyboard.press('c');
    await titled(page, 'crash=7@2');
    await page.getByRole('button', { name: 'compare with' }).click();
    await page.locator('.parallel').waitFor();
    await page.getByRole('slider', { name: 'Time' }).press('End');
  },
  'lab-break': async (page) => {
    const breaking = await panel(page, 'break');
    await breaking.locator('[data-assumption=ids]').click();
    await titled(page, 'one schedule of all');
    await part(page, 'last').click();
  },
  'lab-measure': async (page) => {
    await setUp(page, 'peterson');
    await seek(page, 34);
    const measure = await panel(page, 'measure');
    await measure.getByRole('button', { name: 'measure', exact: true }).click();
    await measure.locator('table tbody tr').nth(4).waitFor({ state: 'attached' });
    await measure.getByText(/runs/).first().waitFor();
  },
  'lab-race': async (page) => {
    const race = await panel(page, 'race');
    await race.getByRole('button', { name: 'start the race' }).click();
    await page.locator('.card').nth(2).waitFor();
    await page.getByRole('slider', { name: 'Time' }).fill('5');
  },
  'lab-lesson': async (page) => {
    const lessons = await panel(page, 'lessons');
    await lessons.locator('[data-lesson]').nth(1).click();
    await lessons.getByText(/^Step 1 of/).waitFor();
    await lessons.locator('[data-lesson-next]').click();
    await lessons.getByText(/^Step 2 of/).waitFor();
  },
  'lab-large': async (page) => {
    await setUp(page, 'echo-election', 'gnp:300:0.02');
    await seek(page, 4_000);
  },
};

/** Takes a picture of a page, with what is done on it before. */
async function take(name, url, viewport, prepare, options = {}) {
  const page = await browser.newPage({ viewport, reducedMotion: 'reduce', locale: 'en-US', ...options });
  await page.goto(url);
  await part(page, 'slider').waitFor();
  await prepare(page);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.close();
}

await take('replay', `file://${folder}/run.html#k=44&node=4`, { width: 1280, height: 800 }, () => {});
const first = (page) => seek(page, 19);
await take('lab', server.url, LAPTOP, first);
for (const [name, prepare] of Object.entries(STATES)) await take(name, server.url, LAPTOP, prepare);
await take('lab-dark', server.url, PROJECTOR, first, { colorScheme: 'dark' });
await take('lab-phone', server.url, PHONE, first, { hasTouch: true, isMobile: true });
await browser.close();
server.close();
