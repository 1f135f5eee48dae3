// WebAssembly gives the same bytes as the program: every algorithm, every timing, every kind of request.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

import { serve } from '../../crates/lab/page/carrier-wasm.js';

const program = new WebAssembly.Module(readFileSync(process.env.LAB_WASM));

/** Runs the worker's own code here. What it posts is kept, the last first. */
function worker(module) {
  const posted = [];
  globalThis.self = { postMessage: (text) => posted.unshift(text) };
  serve();
  const { onmessage } = globalThis.self;
  onmessage({ data: module });
  return (request) => {
    onmessage({ data: JSON.stringify(request) });
    return posted[0];
  };
}

const inWasm = worker(program);

/** The program's responses to these requests. */
function natively(requests) {
  const { status, stdout, stderr } = spawnSync(join(process.env.LAB_EXAMPLES, 'answers'), {
    input: requests.map((request) => `${JSON.stringify(request)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  assert.equal(status, 0, stderr);
  const lines = stdout.split('\n');
  assert.equal(lines.pop(), '');
  assert.equal(lines.length, requests.length);
  return lines;
}

/** Asks both, and gives what they say. Every response must be the same, and `ok` unless it may be refused. */
function compared(requests, mayRefuse = () => false) {
  return natively(requests).map((expected, place) => {
    const [request, got] = [requests[place], inWasm(requests[place])];
    const asked = JSON.stringify(request);
    if (got !== expected) {
      const at = [...expected].findIndex((char, index) => char !== got[index]);
      const near = (text) => text.slice(Math.max(0, at - 80), at + 80);
      assert.fail(`${asked}: they part at ${at}:\nprogram …${near(expected)}…\n   wasm …${near(got)}…`);
    }
    const response = JSON.parse(got);
    assert.ok(response.ok || mayRefuse(request), `${asked}: ${got.slice(0, 400)}`);
    return response;
  });
}

const [{ algorithms, stories }] = compared([{ ask: 'catalogue' }]);
const names = algorithms.map(({ name }) => name);
const NETWORKS = {
  'one-way ring': ['ring:3', 'ring:6', 'ring:23'],
  'two-way ring': ['ring:3', 'ring:6', 'ring:23'],
  tree: ['tree:4', 'tree:9', 'binary-tree:20'],
  'connected graph': ['complete:3', 'grid:3x4', 'gnp:20:0.2'],
  'complete graph': ['complete:3', 'complete:5', 'complete:9'],
};
const networks = new Map(algorithms.map(({ name, network }) => [name, NETWORKS[network]]));
/** What never ends is refused where it would have to. */
const neverEnds = new Set(algorithms.filter(({ perpetual }) => perpetual).map(({ name }) => name));
const each = (make) => names.flatMap((name) => make(name, networks.get(name)));

test('runs', () => {
  const timings = [undefined, 'unit', 'uniform', 'exponential', 'rounds'];
  const requests = each((algorithm, [, ...larger]) =>
    larger.flatMap((topology) =>
      [1, 7].flatMap((seed) =>
        timings.map((timing) => ({ ask: 'run', election: { algorithm, topology, seed, timing } })),
      ),
    ),
  );
  assert.equal(requests.length, names.length * 20);
  const runs = compared(requests, ({ election }) => election.timing === 'rounds' && neverEnds.has(election.algorithm));
  assert.ok(runs.every(({ ok, reel }) => !ok || reel.events !== undefined));
  // The comparison sees a difference: seeds give other runs.
  const [one, seven] = [1, 7].map((seed) =>
    inWasm({ ask: 'run', election: { algorithm: 'chang-roberts', topology: 'ring:23', seed } }),
  );
  assert.notEqual(one, seven);
});

test('runs with faults', () => {
  const faults = ['lose=0#0', 'repeat=1#0', 'crash=1@2', 'cut=0-1@1..4', 'slow=2:3', 'hold=0#0:9'];
  const usual = { timing: 'uniform', force: true, limit: 5000 };
  compared(
    each((algorithm, [, topology]) =>
      faults.map((fault) => ({ ask: 'run', election: { algorithm, topology, fault: [fault], ...usual } })),
    ),
    // Not every network has this link.
    ({ election }) => election.fault[0].startsWith('cut'),
  );
});

test('checks', () => {
  const freedoms = [{}, { loss: 1 }, { crashes: 1 }];
  const reports = compared(
    each((algorithm, [topology]) =>
      freedoms.map((freedom) => ({ ask: 'check', check: { algorithm, topology, ...freedom } })),
    ),
    ({ check }) => check.loss || check.crashes || neverEnds.has(check.algorithm),
  );
  assert.ok(reports.some(({ reel }) => reel !== null && reel !== undefined), 'no counterexample at all');
});

test('pictures', () => {
  const forms = ['svg', 'network', 'html', 'trace', 'text'];
  const requests = each((algorithm, [, topology]) =>
    forms.map((form) => ({ ask: 'picture', election: { algorithm, topology }, form })),
  );
  const pictures = compared(requests, ({ form, election }) => form === 'text' && neverEnds.has(election.algorithm));
  const traces = pictures.filter((_, place) => requests[place].form === 'trace');
  compared(traces.map(({ text }) => ({ ask: 'open', trace: text })));
});

test('all else', () => {
  const election = { algorithm: 'chang-roberts', topology: 'ring:5' };
  const check = { algorithm: 'chang-roberts', topology: 'ring:4' };
  const [{ templates }] = compared([{ ask: 'exercise', seed: 1, student: 1, language: 'en' }]);
  const exercises = templates.map((template) => ({ ask: 'exercise', seed: 1, student: 7, template, language: 'de' }));
  compared([
    ...each((what) => [{ ask: 'explain', what }]),
    ...stories.map(({ name }) => ({ ask: 'explain', what: name })),
    ...['ring:8', 'gnp:30:0.2', 'file:net.txt'].map((topology) => ({
      ask: 'fits',
      topology,
      files: { 'net.txt': '0 1\n1 2\n2 0\n' },
    })),
    ...['en', 'de', 'fr', 'ro'].map((language) => ({ ask: 'lessons', language })),
    ...exercises,
    ...exercises.map(({ seed, student, template }) => ({ ask: 'grade', seed, student, template, answer: '1' })),
    { ask: 'worst', election, of: 'ids', quantity: 'messages' },
    { ask: 'worst', election, of: 'schedule', quantity: 'messages' },
    { ask: 'can-happen', check, what: 'two-leaders' },
    { ask: 'can-happen', check, what: 'nobody-informed' },
    { ask: 'can-happen', check, what: 'more-than', messages: 8 },
    ...['messages', 'time', 'bits'].map((quantity) => ({
      ask: 'point',
      election: { algorithm: 'franklin' },
      kind: 'ring',
      nodes: 64,
      runs: 20,
      quantity,
    })),
  ]);
});

test('refusals', () => {
  const [tooLarge, unreadable, ...others] = compared(
    [
      { ask: 'run', election: { algorithm: 'chang-roberts', topology: 'ring:4000000000' } },
      { ask: 'nothing' },
      { ask: 'run', election: { algorithm: 'bully', topology: 'ring:4' } },
      { ask: 'run', election: { algorithm: 'echo-election', topology: 'gnp:4000000000:0.5' } },
      { ask: 'check', check: { algorithm: 'chang-roberts', topology: 'ring:400000' } },
    ],
    () => true,
  );
  assert.equal(tooLarge.error.kind, 'too-large');
  assert.equal(unreadable.error.kind, 'unreadable');
  assert.ok(others.every(({ ok }) => !ok));
});

test('a panic leaves its words', () => {
  const lab = new WebAssembly.Instance(program).exports;
  assert.throws(() => lab.request(-1), WebAssembly.RuntimeError);
  const words = Buffer.from(lab.memory.buffer, lab.response(), lab.response_length()).toString();
  assert.match(words, /panicked at .*:\n.*capacity overflow/);
});

test('an instance that traps is replaced, and says why', () => {
  const real = WebAssembly.Instance;
  const traps = (words) => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    new Uint8Array(memory.buffer).set(Buffer.from(words), 1000);
    const answer = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    return { memory, answer, request: () => 0, response: () => 1000, response_length: () => words.length };
  };
  try {
    for (const [words, kind, what] of [
      ['panicked at x.rs:1:2:\nno', 'broken', /has met a bug.*panicked at x\.rs:1:2:\nno/],
      ['panicked at y.rs:1:2:\ncapacity overflow', 'too-large', /more memory than a page has/],
      ['', 'too-large', /more memory than a page has/],
    ]) {
      let instances = 0;
      WebAssembly.Instance = class {
        constructor(module) {
          this.exports = instances++ === 0 ? traps(words) : new real(module).exports;
        }
      };
      const ask = worker(program);
      const { ok, error } = JSON.parse(ask({ ask: 'catalogue' }));
      assert.deepEqual([ok, error.kind], [false, kind]);
      assert.match(error.what, what);
      assert.equal(JSON.parse(ask({ ask: 'catalogue' })).ok, true);
      assert.equal(instances, 2);
    }
  } finally {
    WebAssembly.Instance = real;
  }
});
