// The page in Firefox: it opens, and plays an election.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Firefox } from './firefox.mjs';
import { serve } from './server.mjs';

let page;
let firefox;

before(async () => {
  page = await serve();
  firefox = await Firefox.start(process.env.FIREFOX);
});
after(async () => {
  await firefox?.close();
  page?.close();
});

const part = (name) => `document.querySelector('[data-part=${name}]')`;
const done = () => firefox.evaluate(`Number(${part('slider')}.value)`);

test('Firefox opens the page and plays an election to its end', async () => {
  await firefox.open(page.url);
  await firefox.until(`${part('slider')} && Number(${part('slider')}.value) > 0`);
  const title = await firefox.evaluate(`${part('title')}.textContent`);
  assert.equal(title, 'chang-roberts on ring:8 · unit delays · seed 1');
  await firefox.press('>', '>', '>');
  await firefox.until(`${part('where')}.textContent.includes('43 / 43')`);
  assert.match(await firefox.evaluate(`${part('outcome')}.textContent`), /^node 4 \(id 8\) leads/);
  assert.match(await firefox.evaluate(`${part('now')}.textContent`), /^node 4 receives announce\(8\) from node 3/);

  // It is drawn, and goes back and forth.
  const picture = () => firefox.evaluate(`${part('network')}.toDataURL()`);
  await firefox.press('Home');
  assert.equal(await done(), 0);
  const first = await picture();
  await firefox.press('ArrowRight', 'ArrowRight');
  assert.equal(await done(), 2);
  assert.notEqual(await picture(), first);
  await firefox.click('[data-part=back]');
  await firefox.click('[data-part=first]');
  assert.equal(await picture(), first);

  // An intervention asks the engine again.
  await firefox.press('ArrowRight', 'c');
  await firefox.until(`${part('title')}.textContent.includes('crash=0@')`);
  assert.deepEqual(firefox.complaints, []);
});
