// The program, and the pages that it writes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for pages. */
export const folder = mkdtempSync(join(tmpdir(), 'bellwether-pages-'));

/** Runs the program there; what it prints comes back, if it ends with one of these codes. */
export function bellwether(line, ...codes) {
  const { status, stdout, stderr } = spawnSync(process.env.BELLWETHER, line.split(' '), {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.ok(codes.includes(status), `${line}: ${stderr}`);
  return stdout;
}
