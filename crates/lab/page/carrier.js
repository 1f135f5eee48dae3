// How a question reaches the engine: by HTTP, or by what the page brought along (as a worker with WebAssembly).

import { onPage } from './remedies.js';

/** An answer that says no; `kind` is refused, too-large, unreadable, or unreachable. */
export class Refused extends Error {
  constructor({ kind, what }) {
    super(onPage(what));
    this.kind = kind;
  }
}

/**
 * Asks the engine; an answer that says no is thrown. `signal` gives up waiting.
 *
 * A page that has an engine of its own sets `globalThis.bellwetherCarrier` before this module is loaded: a function
 * from the request as text and the signal to a promise of the answer as text.
 */
export async function ask(request, { signal } = {}) {
  const carry = globalThis.bellwetherCarrier ?? byHttp;
  const answer = JSON.parse(await carry(JSON.stringify(request), signal));
  if (!answer.ok) throw new Refused(answer.error);
  return answer;
}

async function byHttp(body, signal) {
  const headers = { 'content-type': 'application/json' };
  const failed = (what) => new Refused({ kind: 'unreachable', what });
  const response = await fetch('api', { method: 'POST', body, headers, signal }).catch((error) => {
    if (error.name === 'AbortError') throw error;
    throw failed('unreachable');
  });
  const text = await response.text();
  if (!response.ok && !text.startsWith('{')) throw failed(`${response.status} ${text.slice(0, 200)}`);
  return text;
}
