// Asks the program in this page: it runs as WebAssembly in a worker, so that the page stays awake and can stop it.

/** What the worker does. It is started from this function's text: a page on disk may not load a worker's file. */
export function serve() {
  // An instance never gives memory back, so one that has grown beyond this is replaced.
  const LARGE = 256 << 20;
  const ROOM = 'This takes more memory than a page has. Take fewer nodes, or the program on the command line.';
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let program;
  let lab = null;

  // A call may grow the memory, which makes every view of it void: so a view is taken after the call.
  const view = (address, length) => new Uint8Array(lab.memory.buffer, address >>> 0, length >>> 0);
  const response = () => {
    const [address, length] = [lab.response(), lab.response_length()];
    return decoder.decode(view(address, length));
  };
  const problem = (kind, what) => JSON.stringify({ ok: false, error: { kind, what } });

  function answer(request) {
    try {
      lab ??= new WebAssembly.Instance(program).exports;
      const bytes = encoder.encode(request);
      const room = lab.request(bytes.length);
      view(room, bytes.length).set(bytes);
      lab.answer();
      const answered = response();
      if (lab.memory.buffer.byteLength > LARGE) lab = null;
      return answered;
    } catch {
      const reason = lastWords();
      lab = null;
      if (reason === '' || reason.includes('capacity overflow')) return problem('too-large', ROOM);
      return problem('broken', `The lab has met a bug and has started anew: ${reason}`);
    }
  }

  // A panic leaves its reason as the response. An instance without memory or stack leaves none.
  function lastWords() {
    try {
      return lab === null ? '' : response();
    } catch {
      return '';
    }
  }

  self.onmessage = ({ data }) => {
    if (typeof data === 'string') self.postMessage(answer(data));
    else program = data;
  };
}

/** The program: in this page, or beside it. */
async function compiled() {
  const packed = document.getElementById('program');
  if (packed === null) {
    const found = await fetch('lab.wasm');
    if (!found.ok) throw new Error(`lab.wasm: ${found.status} ${found.statusText}`);
    return WebAssembly.compile(await found.arrayBuffer());
  }
  const bytes = Uint8Array.from(atob(packed.textContent), (char) => char.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}

/** Carries requests to a worker, one after the other. */
class Carrier {
  /** The promise of the program. */
  #compiled = null;
  #program;
  #worker = null;
  /** The requests without a response, the oldest first: the worker has that one. */
  #waiting = [];

  /** The response to a request. A signal that is aborted stops the work on it: the promise fails with its reason. */
  async ask(request, signal) {
    try {
      this.#compiled ??= compiled();
      this.#program = await this.#compiled;
    } catch (error) {
      this.#compiled = null; // the next request tries again
      return failed(error.message);
    }
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const asked = { request, resolve, settled: new AbortController() };
      const stop = () => {
        reject(signal.reason);
        this.#drop(asked);
      };
      signal?.addEventListener('abort', stop, { signal: asked.settled.signal });
      this.#waiting.push(asked);
      if (this.#waiting.length === 1) this.#send();
    });
  }

  #send() {
    if (this.#waiting.length === 0) return;
    this.#worker ??= this.#started();
    this.#worker.postMessage(this.#waiting[0].request);
  }

  #started() {
    const url = URL.createObjectURL(new Blob([`(${serve})();`], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onmessage = ({ data }) => {
      URL.revokeObjectURL(url);
      const asked = this.#waiting.shift();
      asked.settled.abort();
      asked.resolve(data);
      this.#send();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      const [asked] = this.#waiting;
      asked.resolve(failed(event.message ?? 'no worker starts'));
      this.#drop(asked);
    };
    worker.postMessage(this.#program);
    return worker;
  }

  #drop(asked) {
    asked.settled.abort();
    const place = this.#waiting.indexOf(asked);
    this.#waiting.splice(place, 1);
    if (place > 0) return;
    // Nothing but its end stops a worker.
    this.#worker.terminate();
    this.#worker = null;
    this.#send();
  }
}

function failed(why) {
  return JSON.stringify({ ok: false, error: { kind: 'unreachable', what: `The program cannot run here: ${why}` } });
}

const carrier = new Carrier();
globalThis.bellwetherCarrier = (request, signal) => carrier.ask(request, signal);
