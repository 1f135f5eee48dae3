// The page of the lab in Chromium.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

import { serve } from './server.mjs';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const { chromium } = require('playwright-core');

/** The text of axe-core, which finds what hinders people. */
export const AXE = require.resolve('axe-core/axe.min.js');

/** How long anything may take, in milliseconds. */
const PATIENCE = 15_000;

let browser;
let server;

/** Starts the browser, and the server if there is no page yet. */
export async function begin() {
  server = await serve();
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
}

/** Ends both. */
export async function end() {
  await browser?.close();
  server?.close();
}

/**
 * Opens the page and plays on it. It must complain about nothing, and ask nobody but its own server. What is to be
 * expected as a complaint is in `expected`.
 */
export async function open({ hash = '', expected = /^$/, ...options }, play) {
  const context = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  const home = server.url.split('#')[0];
  const isOwn = (asked) => asked.startsWith(home) || /^(data|blob):/.test(asked);
  page.on('request', (request) => isOwn(request.url()) || complaints.push(`asked ${request.url()}`));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.stack));
  const part = (name) => page.locator(`[data-part="${name}"]`);
  try {
    await page.goto(home + hash);
    await part('slider').waitFor();
    await play(page, part);
    assert.deepEqual(
      complaints.filter((complaint) => !expected.test(complaint)),
      [],
    );
  } finally {
    await context.close();
  }
}

/** Opens a panel. */
export async function panel(page, name) {
  const tab = page.locator(`[data-panel=${name}]`);
  if ((await tab.getAttribute('aria-expanded')) !== 'true') await tab.click();
  const body = page.locator(`[data-body=${name}]`);
  await body.waitFor();
  return body;
}

/** Waits until the title of the run says so. */
export function titled(page, words, timeout = PATIENCE) {
  return page.locator('[data-part=title]', { hasText: words }).waitFor({ timeout });
}

/** How many events have happened. */
export async function done(part) {
  return Number((await part('slider').inputValue()).trim());
}

/** Puts a file onto the page, as from a folder. */
export async function drop(page, name, content) {
  const transfer = await page.evaluateHandle(
    ([name, content]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], name));
      return transfer;
    },
    [name, content],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}
