// Drives Firefox by WebDriver BiDi, as far as the tests need it. It speaks to any build, also to a distribution's.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const WebSocket = require('ws');

/** How long anything may take, in milliseconds. */
const PATIENCE = 60_000;
const KEYS = { ArrowLeft: '\uE012', ArrowRight: '\uE014', End: '\uE010', Home: '\uE011' };

/** A Firefox without a window, with one page. */
export class Firefox {
  #asked = new Map();
  #last = 0;

  /** Starts it. */
  static async start(executable) {
    const firefox = new Firefox();
    firefox.profile = mkdtempSync(join(tmpdir(), 'lab-firefox-'));
    const options = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', firefox.profile];
    firefox.process = spawn(executable, [...options, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await new Promise((heard, failed) => {
      createInterface(firefox.process.stderr).on('line', (line) => {
        const found = /WebDriver BiDi listening on (\S+)/.exec(line);
        if (found) heard(found[1]);
      });
      firefox.process.once('exit', (code) => failed(new Error(`Firefox ended with code ${code}`)));
    });
    await firefox.#connect(`${address}/session`);
    return firefox;
  }

  async #connect(address) {
    /** What the page complained about. */
    this.complaints = [];
    this.socket = new WebSocket(address, { perMessageDeflate: false });
    await new Promise((open, failed) => this.socket.once('open', open).once('error', failed));
    this.socket.on('message', (text) => this.#hear(JSON.parse(text)));
    await this.#ask('session.new', { capabilities: {} });
    await this.#ask('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await this.#ask('browsingContext.getTree', {});
    this.context = contexts[0].context;
    await this.#ask('browsingContext.setViewport', { context: this.context, viewport: { width: 1400, height: 900 } });
  }

  #ask(method, params) {
    const id = ++this.#last;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve, reject) => this.#asked.set(id, { resolve, reject }));
  }

  #hear({ id, type, method, params, result, error, message }) {
    if (method === 'log.entryAdded' && params.level === 'error') this.complaints.push(params.text);
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (type === 'success') asked?.resolve(result);
    else if (type === 'error') asked?.reject(new Error(`${error}: ${message}`));
  }

  /** Opens a page. */
  open(url) {
    return this.#ask('browsingContext.navigate', { context: this.context, url, wait: 'complete' });
  }

  /** What an expression is worth on the page: plain data, or the promise of it. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.#ask('script.evaluate', {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context: this.context },
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return JSON.parse(result.value);
  }

  /** Waits until an expression is true. */
  async until(expression) {
    for (const end = performance.now() + PATIENCE; performance.now() < end; ) {
      // The page looks once a frame, so nobody waits longer than it takes.
      const look = `new Promise((seen) => requestAnimationFrame(() => seen(Boolean(${expression}))))`;
      if (await this.evaluate(look)) return;
    }
    throw new Error(`this never came true: ${expression}`);
  }

  /** Presses keys, one after the other. */
  press(...keys) {
    const actions = keys
      .map((key) => KEYS[key] ?? key)
      .flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value })));
    const keyboard = { type: 'key', id: 'keys', actions };
    return this.#ask('input.performActions', { context: this.context, actions: [keyboard] });
  }

  /** Clicks on the middle of an element. */
  async click(selector) {
    const { x, y } = await this.evaluate(`(() => {
      const { left, top, width, height } = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
    })()`);
    const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
    const actions = [{ type: 'pointerMove', x, y }, ...press];
    await this.#ask('input.performActions', {
      context: this.context,
      actions: [{ type: 'pointer', id: 'mouse', actions }],
    });
  }

  /** Ends it. */
  async close() {
    const ended = new Promise((ended) => this.process.once('exit', ended));
    await this.#ask('browser.close', {});
    await ended;
    rmSync(this.profile, { recursive: true, force: true });
  }
}
