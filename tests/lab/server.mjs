// The page of the lab: the one that LAB_URL names, or the one that the program serves.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The address of the page, and what ends its server. */
export async function serve() {
  if (process.env.LAB_URL) return { url: process.env.LAB_URL, close: () => {} };
  const server = spawn(process.env.BELLWETHER, ['lab', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((heard, failed) => {
    createInterface(server.stdout).once('line', heard);
    server.once('exit', (code) => failed(new Error(`the lab ended with code ${code}`)));
  });
  return { url: JSON.parse(line).address, close: () => server.kill('SIGINT') };
}
