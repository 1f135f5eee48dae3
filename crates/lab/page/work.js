// Work that takes its time: what is being done, how long already, and a way to give it up.

import { button, h } from './dom.js';
import { n, t } from './texts.js';

/** Work is told about if it takes longer, in milliseconds. */
const PATIENCE = 250;

/** Does work one after the other, and tells about it in an element of the page. */
export class Work {
  constructor(root) {
    this.root = root;
    /** How many works are under way. */
    this.count = 0;
  }

  /** Does work that can be given up. Returns its result, or undefined if it failed or was given up. */
  async do(what, action, { quiet = false } = {}) {
    this.giving?.abort();
    const giving = new AbortController();
    this.giving = giving;
    const begun = performance.now();
    const clock = h('span', { class: 'clock' });
    const tick = () => (clock.textContent = `${n((performance.now() - begun) / 1000, 1)} s`);
    const shown = setTimeout(() => {
      tick();
      const cancel = button(t('work.cancel'), () => giving.abort());
      this.root.replaceChildren(
        h('p', { role: 'status' }, h('span', { class: 'spinner' }), ` ${what} `, clock, cancel),
      );
    }, PATIENCE);
    const ticking = setInterval(tick, 100);
    this.root.replaceChildren();
    try {
      const result = await action(giving.signal, (text) => (what = text));
      if (this.giving === giving) this.root.replaceChildren();
      return result;
    } catch (error) {
      if (this.giving !== giving) return undefined;
      if (error.name === 'AbortError') this.root.replaceChildren(h('p', { role: 'status' }, t('work.cancelled')));
      else if (!quiet) this.fail(error);
      return undefined;
    } finally {
      clearTimeout(shown);
      clearInterval(ticking);
    }
  }

  /** Tells what went wrong. */
  fail(error) {
    const heading = {
      refused: 'error.refused',
      'too-large': 'error.too-large',
      unreadable: 'error.unreadable',
      unreachable: 'error.unreachable',
    }[error.kind];
    const what = error.kind === 'unreachable' && error.message === 'unreachable' ? t('error.no-server') : error.message;
    if (!heading) console.error(error);
    this.root.replaceChildren(
      h(
        'p',
        { class: 'refusal', role: 'alert' },
        h('b', {}, t(heading ?? 'error.bug')),
        ` ${what} `,
        button('✕', () => this.root.replaceChildren(), { class: 'plain', 'aria-label': t('close') }),
      ),
    );
  }
}
