// What a person can do on the page of the lab, point by point.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, test } from 'node:test';

import { AXE, begin, done, drop, end, open, panel, titled } from './page.mjs';

before(begin);
after(end);

test('an election runs as soon as the page is open', () =>
  open({ reducedMotion: 'no-preference' }, async (page, part) => {
    const shown = await page.evaluate(() => performance.now());
    assert.ok(shown < 5_000, `after ${shown} ms`);
    await page.waitForFunction(() => Number(document.querySelector('[data-part=slider]').value) > 0);
    assert.equal(await part('play').getAttribute('aria-label'), 'Pause');
    await titled(page, 'chang-roberts on ring:8');
  }));

test('set up: menus offer what fits and say why the rest does not', () =>
  open({}, async (page) => {
    const setup = await panel(page, 'setup');
    await setup.locator('summary').click();
    const reasons = await setup.locator('.reasons li').allTextContents();
    assert.ok(reasons.length > 2 && reasons.some((reason) => /tree/.test(reason)), reasons.join());
    await setup.locator('[data-field=algorithm]').selectOption('franklin');
    await titled(page, 'franklin on ring:8');
    // One that needs another network gets it.
    await setup.locator('[data-field=algorithm]').selectOption('bully');
    await titled(page, 'bully on complete:5');
    await setup.locator('[data-field=algorithm]').selectOption('chang-roberts');
    await titled(page, 'chang-roberts on ring:8');
    await setup.locator('[data-field=topology]').fill('ring:5');
    await setup.locator('[data-field=topology]').press('Enter');
    await titled(page, 'chang-roberts on ring:5');
    await setup.locator('[data-field=seed]').fill('7');
    await setup.locator('[data-field=seed]').press('Enter');
    await titled(page, 'seed 7');
    await setup.locator('[data-field=timing]').selectOption('uniform');
    await titled(page, 'uniform');
    await setup.locator('[data-field=set-announce]').selectOption('none');
    await page.waitForFunction(() => !/announce/.test(document.querySelector('[data-part=outcome]').textContent));
    await setup.locator('[data-field=initiators]').fill('0,2');
    await setup.locator('[data-field=initiators]').press('Enter');
    await page.locator('[data-part=facts] dd', { hasText: /^2$/ }).waitFor({ state: 'attached' });
    await setup.locator('[data-field=fault]').fill('crash=1@2');
    await setup.locator('[data-field=fault]').press('Enter');
    await titled(page, 'crash=1@2');
    await setup.locator('.faults button').click();
    await page.locator('[data-part=title]', { hasNotText: 'crash' }).waitFor();
  }));

test('set up: ids are typed, and dragged', () =>
  open({}, async (page, part) => {
    const setup = await panel(page, 'setup');
    await setup.locator('[data-field=ids]').fill('1,2,3,4,5,6,7,8');
    await setup.locator('[data-field=ids]').press('Enter');
    await part('outcome').filter({ hasText: 'node 7 (id 8)' }).waitFor();
    const [from, to] = [setup.locator('.id-bar').nth(7), setup.locator('.id-bar').nth(0)];
    const [a, b] = [await from.boundingBox(), await to.boundingBox()];
    await page.mouse.move(a.x + a.width / 2, a.y + a.height - 6);
    await page.mouse.down();
    await page.mouse.move(b.x + b.width / 2, b.y + b.height - 6, { steps: 5 });
    await page.mouse.up();
    await part('outcome').filter({ hasText: 'node 0 (id 8)' }).waitFor();
    await setup.locator('.id-bar').nth(0).press('ArrowRight');
    await part('outcome').filter({ hasText: 'node 1 (id 8)' }).waitFor();
    // The bar keeps the focus wherever it goes.
    for (const node of [2, 3]) {
      await page.keyboard.press('ArrowRight');
      await part('outcome').filter({ hasText: `node ${node} (id 8)` }).waitFor();
    }
  }));

test('set up: the text about an algorithm has its own keys', () =>
  open({}, async (page, part) => {
    await part('slider').fill('9');
    await (await panel(page, 'setup')).getByRole('button', { name: 'explain this algorithm' }).click();
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('ArrowRight');
    assert.equal(await part('slider').inputValue(), '9');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowRight');
    assert.equal(await part('slider').inputValue(), '10');
  }));

test('set up: a network is drawn by pointer and by keys', () =>
  open({}, async (page, part) => {
    const setup = await panel(page, 'setup');
    await setup.getByRole('button', { name: 'draw it' }).click();
    await setup.locator('[data-tool=link]').click();
    for (const node of [0, 4]) await setup.locator(`[data-node="${node}"]`).click();
    assert.equal(await setup.locator('[data-link="0-4"]').count(), 1);
    await setup.locator('[data-tool=node]').click();
    await setup.locator('.editor svg').click({ position: { x: 15, y: 15 } });
    await setup.getByRole('button', { name: 'use this network' }).click();
    assert.match(await setup.locator('.editor [role=status]').textContent(), /Node 8 has no link/);
    await setup.locator('[data-node="8"]').press('Enter');
    await setup.locator('[data-node="7"]').press('Enter');
    const before = await setup.locator('[data-node="8"] circle').getAttribute('cx');
    await setup.locator('[data-node="8"]').press('ArrowRight');
    assert.notEqual(await setup.locator('[data-node="8"] circle').getAttribute('cx'), before);
    await setup.locator('[data-node="3"]').press('Delete');
    // The others are numbered as they will be in the run.
    assert.equal(await setup.locator('[data-node="8"]').count(), 0);
    assert.equal(await setup.locator('[data-link="6-7"]').count(), 1);
    await setup.getByRole('button', { name: 'use this network' }).click();
    await titled(page, 'echo-election on graph6:');
    assert.match(await part('network').getAttribute('aria-label'), /8 nodes and 8 links/);
    assert.match(await setup.locator('.note').textContent(), /chang-roberts does not run on this network/);
    // The command holds the same election, without a file.
    const outcome = await part('outcome').textContent();
    await (await panel(page, 'share')).getByRole('button', { name: 'copy the command' }).click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(command, /^bellwether run echo-election --topology '?graph6:/);
    if (!process.env.BELLWETHER) return;
    const shell = `bellwether() { "$BELLWETHER" "$@"; }; ${command} --json`;
    const { leaders, messages } = JSON.parse(execFileSync('bash', ['-c', shell], { cwd: tmpdir() }));
    assert.ok(outcome.includes(`node ${leaders[0].node} (id ${leaders[0].id}) leads`), outcome);
    assert.ok(outcome.includes(`messages: ${messages.total} `), outcome);
  }));

test('set up: a graph file is dropped; one that cannot be read is refused', () =>
  open({}, async (page, part) => {
    await drop(page, 'my net.txt', '0 1\n1 2\n2 0\n2 3\n');
    await titled(page, 'file:my_net.txt');
    assert.match(await part('network').getAttribute('aria-label'), /4 nodes and 4 links/);
    // Names cannot be spelt out in a command, so the file can be saved under the name that the command has.
    const share = await panel(page, 'share');
    await drop(page, 'named.txt', 'a b\nb c\nc a\n');
    await titled(page, 'file:named.txt');
    await share.getByText('The command reads named.txt.').waitFor();
    const saving = page.waitForEvent('download');
    await share.getByRole('button', { name: 'save named.txt' }).click();
    const file = await saving;
    assert.equal(file.suggestedFilename(), 'named.txt');
    assert.equal(readFileSync(await file.path(), 'utf8'), 'a b\nb c\nc a\n');
    await drop(page, 'bad.graphml', '<graphml><graph><node></graph>');
    await page.locator('.refusal').waitFor();
    await titled(page, 'file:named.txt');
  }));

test('set up: what is typed wrong is told in a sentence, with what is on the page', () =>
  open({}, async (page, part) => {
    const setup = await panel(page, 'setup');
    const type = async (field, text) => {
      await setup.locator(`[data-field=${field}]`).fill(text);
      await setup.locator(`[data-field=${field}]`).press('Enter');
    };
    const refused = async (field, text, usual = '') => {
      await type(field, text);
      await page.locator('.refusal').waitFor();
      const told = await page.locator('.refusal').textContent();
      assert.doesNotMatch(told, /request|"ask"|--|file:PATH/, told);
      const before = await setup.locator(`[data-field=${field}]`).elementHandle();
      await type(field, usual);
      // The form is another one as soon as the run is there.
      await before.waitForElementState('hidden');
      assert.equal(await page.locator('.refusal').count(), 0);
      return told;
    };
    assert.match(await refused('topology', 'ring:0', 'ring:8'), /a ring has at least one node: ring:1/);
    assert.match(await refused('topology', 'rign:8', 'ring:8'), /did you mean ring:8\?/);
    assert.match(await refused('ids', 'abc'), /'abc' is none of random, ascending, descending, same or 3,1,4/);
    assert.match(await refused('ids', '1,2'), /Ids by node: 2 ids for 8 nodes/);
    assert.match(await refused('initiators', '9'), /Who starts: there is no node 9/);
    const forced = /"run it although an assumption is broken" does so all the same/;
    assert.match(await refused('ids', '1 1 2 3 4 5 6 7'), forced);
    await type('ids', '1 2 3 4 5 6 8 7');
    await part('outcome').filter({ hasText: 'node 6 (id 8)' }).waitFor();
    await setup.getByRole('button', { name: 'explain this algorithm' }).click();
    const rules = page.locator('dialog pre').first();
    assert.match(await rules.innerText(), /^1 {2}start:\n {3}a {2}not participant:/);
  }));

test('time: play, pause, speed, steps by event, moment, phase and node, and the slider', () =>
  open({}, async (page, part) => {
    await part('onward').click();
    assert.equal(await done(part), 1);
    await part('stride').selectOption('moment');
    await part('onward').click();
    assert.equal(await done(part), 8);
    await part('back').click();
    assert.equal(await done(part), 0);
    await part('slider').fill('20');
    assert.equal(await done(part), 20);
    await part('stride').selectOption('node');
    const acted = await part('node-title').textContent();
    await part('onward').click();
    assert.equal(await part('node-title').textContent(), acted);
    assert.ok((await done(part)) > 20);
    await page.keyboard.press('Escape');
    await part('speed').selectOption('1000');
    await part('first').click();
    await part('play').click();
    await part('where').filter({ hasText: '43 / 43' }).waitFor();
    const setup = await panel(page, 'setup');
    await setup.locator('[data-field=algorithm]').selectOption('hirschberg-sinclair');
    await titled(page, 'hirschberg-sinclair');
    await page.evaluate(() => document.activeElement.blur());
    const phases = [];
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press(']');
      phases.push(await done(part));
    }
    assert.ok(
      new Set(phases).size === 4 && phases.every((at, index) => index === 0 || at > phases[index - 1]),
      phases.join(),
    );
    await page.keyboard.press('[');
    assert.equal(await done(part), phases[2]);
    // Peterson and Franklin have no counter among their variables: the engine tells where their phases begin.
    for (const algorithm of ['peterson', 'franklin']) {
      await setup.locator('[data-field=algorithm]').selectOption(algorithm);
      await titled(page, algorithm);
      await page.evaluate(() => document.activeElement.blur());
      const begins = [];
      for (let step = 0; step < 3; step++) {
        await page.keyboard.press(']');
        begins.push(await done(part));
      }
      assert.ok(begins[0] === 1 && begins[1] > 8 && begins[2] > begins[1], `${algorithm}: ${begins}`);
    }
  }));

test('back and forth equals straight through', () =>
  open({}, async (page, part) => {
    const shown = async () => [await part('now').textContent(), await part('network').evaluate((it) => it.toDataURL())];
    await part('slider').fill('17');
    const straight = await shown();
    for (const key of ['End', 'Home', 'PageDown', 'PageDown', 'ArrowRight']) await page.keyboard.press(key);
    assert.equal(await done(part), 17);
    assert.deepEqual(await shown(), straight);
  }));

test('look: a message is followed to its cause and its effects, and lanes are chosen', () =>
  open({}, async (page, part) => {
    for (const key of ['PageDown', 'PageDown', 'm']) await page.keyboard.press(key);
    assert.match(await part('message-text').textContent(), /^elect\(7\) from node 2 to node 3/);
    assert.equal(await part('message-causes').textContent(), 'elect(7) to node 2');
    await part('message-effects').getByRole('button').first().click();
    assert.match(await part('message-text').textContent(), /^elect\(7\) from node 3 to node 4/);
    await part('message-causes').getByRole('button').click();
    await part('message-causes').getByRole('button').click();
    assert.match(await part('message-causes').textContent(), /no message/);
    await part('lanes').fill('1-3,7');
    await part('lanes').press('Enter');
    assert.match(await part('diagram').getAttribute('aria-label'), /^Space-time diagram: 8 lanes/);
    await page.keyboard.press('Escape');
    await part('onward').click();
    assert.match(await part('diagram').getAttribute('aria-label'), /^Space-time diagram: 4 lanes/);
    await part('order').selectOption('id');
    await part('lanes').fill('99');
    await part('lanes').press('Enter');
    assert.equal(await part('lanes').getAttribute('aria-invalid'), 'true');
  }));

test('look: hundreds of nodes are shown by heat, and a seek among 100,000 events is drawn at once', () =>
  open({}, async (page, part) => {
    const setup = await panel(page, 'setup');
    await setup.locator('[data-field=algorithm]').selectOption('le-lann');
    await titled(page, 'le-lann');
    await setup.locator('[data-field=topology]').fill('ring:315');
    await setup.locator('[data-field=topology]').press('Enter');
    await titled(page, 'ring:315', 60_000);
    assert.ok(Number(await part('slider').getAttribute('max')) > 99_000);
    const times = await page.evaluate(async () => {
      const slider = document.querySelector('[data-part=slider]');
      const times = [];
      for (let seek = 1; seek <= 9; seek++) {
        slider.value = Math.round((Number(slider.max) * ((seek * 7) % 10)) / 10);
        const begun = performance.now();
        slider.dispatchEvent(new Event('input'));
        times.push(performance.now() - begun);
        await new Promise((drawn) => requestAnimationFrame(drawn));
      }
      return times.sort((a, b) => a - b);
    });
    console.log(`  seek among ${await part('slider').getAttribute('max')} events: median ${times[4].toFixed(1)} ms`);
    assert.ok(times[4] < 100, times.join());
  }));

test('interfere: every action forks, what happened before stays, and branches are named and compared', () =>
  open({}, async (page, part) => {
    const branches = page.locator('.branches li');
    const act = (name) => page.locator('.act', { hasText: name });
    await part('slider').fill('16');
    const past = await part('now').textContent();
    await act('crash it').click();
    await titled(page, 'crash=7@2');
    assert.equal(await part('now').textContent(), past);
    assert.equal(await branches.count(), 2);
    await part('last').click();
    await part('node-find').fill('7');
    await part('node-find').press('Enter');
    await act('recover it').click();
    await titled(page, 'recover=7@');
    await branches.nth(0).getByRole('button').first().click();
    await page.locator('[data-part=title]', { hasNotText: 'crash' }).waitFor();
    await part('slider').fill('16');
    await page.keyboard.press('m');
    await act('drop').click();
    await titled(page, 'lose=2#1');
    assert.match(await page.locator('[data-part=kinds]').textContent(), /lost 1/);
    for (const [name, fault] of [
      ['duplicate', 'repeat=2#1'],
      ['deliver now', 'hold=2#1:0.5'],
      ['delay by', 'hold=2#1:4'],
    ]) {
      await branches.nth(0).getByRole('button').first().click();
      await page.locator('[data-part=title]', { hasNotText: '#' }).waitFor();
      await part('slider').fill('16');
      await page.keyboard.press('m');
      await act(name).click();
      await titled(page, fault);
    }
    await branches.nth(0).getByRole('button').first().click();
    await page.locator('[data-part=title]', { hasNotText: '#' }).waitFor();
    await part('slider').fill('30');
    await act('let it start').click();
    await titled(page, 'start=');
    await branches.nth(0).getByRole('button').first().click();
    await page.locator('[data-part=title]', { hasNotText: 'start=' }).waitFor();
    assert.equal(await part('slider').inputValue(), '30', 'a related run is shown at the same place');
    await part('slider').fill('8');
    const box = await part('network').boundingBox();
    // From the middle outwards, between node 0 and node 1.
    for (let far = 0; far < box.height / 2 && (await part('link').isHidden()); far += 4)
      await page.mouse.click(box.x + box.width / 2 + 0.383 * far, box.y + box.height / 2 - 0.924 * far);
    await act('cut this link').click();
    await titled(page, 'cut=');
    // Names and comparison.
    const rename = page.getByRole('button', { name: /^Rename/ });
    await rename.click();
    await page.locator('.branches input').fill('without a link');
    await page.locator('.branches input').press('Enter');
    await branches.filter({ hasText: 'without a link' }).waitFor();
    await page.getByRole('button', { name: 'compare with' }).click();
    await page.locator('.parallel').waitFor();
    assert.match(await page.locator('.parallel').textContent(), /They part with event \d+, at time \d+/);
    assert.match(await page.locator('.parallel').textContent(), /Difference: [+−]\d+/);
    assert.equal(await page.locator('.card canvas').count(), 2);
    await page.getByRole('button', { name: 'back to the player' }).click();
    await titled(page, 'cut=');
  }));

test('measure: counters stand against what is proved, and a chart over n grows', () =>
  open({}, async (page, part) => {
    const measure = await panel(page, 'measure');
    assert.match(await measure.locator('.counters').textContent(), /at least 23 · on average 29.74 · at most 44/);
    await part('slider').fill('16');
    assert.match(await measure.locator('.counters').textContent(), /messages11/);
    await measure.getByRole('combobox').nth(1).selectOption('16');
    await measure.getByRole('button', { name: 'measure', exact: true }).click();
    await measure.getByText(/The mean of 20 runs/).waitFor({ timeout: 60_000 });
    await measure.locator('summary').click();
    assert.equal(await measure.locator('table tbody tr').count(), 3);
    assert.match(await measure.locator('.chart').getAttribute('aria-label'), /^Mean by n: 4: /);
    // Stopped half-way it keeps what it has.
    await measure.getByRole('combobox').nth(1).selectOption('256');
    const [compute, cancel] = ['measure', 'cancel'].map((name) =>
      measure.getByRole('button', { name, exact: true, includeHidden: true }),
    );
    const both = [await compute.elementHandle(), await cancel.elementHandle()];
    await page.evaluate((buttons) => buttons.forEach((button) => button.click()), both);
    await measure.getByText(/^Cancelled/).waitFor();
    const setup = await panel(page, 'setup');
    await setup.locator('[data-field=algorithm]').selectOption('peterson');
    await titled(page, 'peterson');
    const phases = await panel(page, 'measure');
    assert.match(await phases.locator('table').first().textContent(), /in the race/);
  }));

test('race: several algorithms on the same network, ids and delays', () =>
  open({}, async (page) => {
    const race = await panel(page, 'race');
    const chosen = race.getByRole('checkbox', { checked: true });
    while ((await chosen.count()) > 0) await chosen.first().uncheck();
    assert.ok(await race.getByRole('button', { name: 'start the race' }).isDisabled());
    for (const name of ['chang-roberts', 'franklin', 'peterson']) await race.locator(`input[value=${name}]`).check();
    await race.getByRole('button', { name: 'start the race' }).click();
    await page.locator('.card').nth(2).waitFor();
    const verdict = page.locator('.verdict');
    await page.getByRole('slider', { name: 'Time' }).press('Home');
    assert.equal(await verdict.textContent(), '');
    await page.getByRole('slider', { name: 'Time' }).press('End');
    assert.match(await verdict.textContent(), /fewest messages to elect: chang-roberts, with 19/);
    for (const card of await page.locator('.card').all())
      assert.match(await card.textContent(), /node 4 \(id 8\) leads/);
    await page.locator('.card').nth(1).getByRole('button', { name: 'watch' }).click();
    await titled(page, 'franklin on ring:8');
  }));

test('break it: each assumption that is dropped gives a counterexample, or the reason why it was never made', () =>
  open({}, async (page, part) => {
    const broken = async (assumption) => {
      const breaking = await panel(page, 'break');
      await breaking.locator(`[data-assumption=${assumption}]`).click();
      await breaking
        .locator('.result p')
        .filter({ hasText: /It breaks|Nothing goes wrong|stopped/ })
        .waitFor({ timeout: 60_000 });
      return breaking.locator('.result').first().textContent();
    };
    for (const assumption of ['fifo', 'ids', 'loss', 'crash']) {
      assert.match(await broken(assumption), /It breaks/, assumption);
      await titled(page, 'one schedule of all');
      await page.locator('.branches li').first().getByRole('button').first().click();
      await titled(page, 'ring:8');
    }
    assert.match(await broken('duplicate'), /Nothing goes wrong|It breaks/);
    const breaking = await panel(page, 'break');
    assert.ok(await breaking.locator('[data-assumption=delay]').isDisabled());
    await page.locator('.branches li').first().getByRole('button').first().click();
    const choose = async (algorithm) => {
      const setup = await panel(page, 'setup');
      await setup.locator('[data-field=algorithm]').selectOption(algorithm);
      await titled(page, algorithm);
    };
    await choose('bully');
    assert.match(await broken('delay'), /It breaks/);
    await page.locator('.branches li').first().getByRole('button').first().click();
    await choose('itai-rodeh');
    assert.match(await broken('size'), /It breaks\. It never ends/);
    // What the checker found cannot be changed, and it says so.
    assert.ok(
      await part('node-more')
        .getByText(/found by the checker/)
        .isVisible(),
    );
  }));

test('break it: the worst ids, what can ever happen, and the errata', () =>
  open({}, async (page, part) => {
    const breaking = await panel(page, 'break');
    await breaking.getByRole('button', { name: 'worst ids' }).click();
    await breaking.locator('.result', { hasText: 'The worst has' }).waitFor({ timeout: 60_000 });
    await part('outcome').filter({ hasText: 'messages: 44 = 36 to elect' }).waitFor();
    await breaking.getByRole('button', { name: 'two leaders' }).click();
    await breaking.locator('.result', { hasText: 'Never' }).waitFor({ timeout: 60_000 });
    await breaking.getByRole('spinbutton', { name: 'Number of messages' }).fill('4');
    await breaking.getByRole('spinbutton', { name: 'Number of messages' }).press('Tab');
    await breaking.getByRole('button', { name: 'more messages than' }).click();
    const found = breaking.locator('.result', { hasText: /^Yes: .*\. [1-9]\d* states of ring:3/ });
    await found.waitFor({ timeout: 60_000 });
    await page.locator('.branches li', { hasText: 'more than 4 messages' }).waitFor();
    const [answer, question] = await Promise.all(
      [found, breaking.getByRole('button', { name: 'more messages than' })].map((it) => it.boundingBox()),
    );
    assert.ok(answer.y > question.y && answer.y < question.y + 120, 'the answer is below its question');
    // What the checker has found is no election, so the worst case of the one before is looked for.
    await breaking.getByRole('button', { name: 'worst ids' }).click();
    await breaking.locator('.result', { hasText: 'The worst has' }).waitFor({ timeout: 60_000 });
    await page.locator('.branches li').first().getByRole('button').first().click();
    await breaking.locator('[data-erratum="chang-roberts/no-rule-for-leader"]').click();
    await titled(page, 'one schedule of all');
    const find = page.locator('[data-erratum="chang-roberts/no-rule-for-leader"]');
    const erratum = breaking.locator('.erratum', { has: find });
    await erratum.locator('.result', { hasText: 'It breaks' }).waitFor();
    // The solution keeps its diagram, and the code that is different.
    await erratum.getByText('solution').click();
    assert.ok((await erratum.locator('pre').count()) >= 2);
    const solution = await erratum.locator('details').last().innerText();
    assert.doesNotMatch(solution, /```/);
    assert.match(solution, /^ {2}t=0 /m);
    const setup = await panel(page, 'setup');
    await setup.getByRole('button', { name: 'set up a new election' }).click();
    await setup.locator('[data-field=topology]').fill('ring:4');
    await setup.locator('[data-field=topology]').press('Enter');
    await titled(page, 'ring:4');
    await panel(page, 'break');
    await breaking.getByRole('button', { name: 'worst schedule' }).click();
    const dearest = /^The worst has \d+ messages\.\s*Every schedule was followed/;
    await breaking.locator('.result', { hasText: dearest }).waitFor({ timeout: 60_000 });
  }));

test('share: a link restores branches, place and view; commands and files are handed out', () =>
  open({}, async (page, part) => {
    await part('slider').fill('16');
    await page.keyboard.press('c');
    await titled(page, 'crash=7@2');
    await part('slider').fill('19');
    await part('node-find').fill('3');
    await part('node-find').press('Enter');
    const share = await panel(page, 'share');
    await share.getByRole('button', { name: 'copy the link' }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await share.getByRole('button', { name: 'copy the command' }).click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(command, /^bellwether run chang-roberts --topology ring:8 .*--fault crash=7@2/);
    const shown = async () => [
      await part('now').textContent(),
      await part('node-title').textContent(),
      await part('title').textContent(),
      await page.locator('.branches li').count(),
      await part('network').evaluate((it) => it.toDataURL()),
    ];
    await panel(page, 'setup');
    const before = await shown();
    for (const [name, ending] of [
      ['replay page', 'html'],
      ['SVG', 'svg'],
      ['trace', 'ndjson'],
      ['PNG of the network', 'png'],
    ]) {
      const saving = page.waitForEvent('download');
      await (await panel(page, 'share')).getByRole('button', { name, exact: true }).click();
      const file = await saving;
      assert.ok(file.suggestedFilename().endsWith(ending), file.suggestedFilename());
      const content = readFileSync(await file.path());
      assert.ok(content.length > 500, name);
      if (ending === 'ndjson') await drop(page, 'run.ndjson', content.toString());
    }
    await open({ hash: new URL(link).hash }, async (other) => {
      await titled(other, 'crash=7@2');
      await panel(other, 'setup');
      const there = (name) => other.locator(`[data-part="${name}"]`);
      const restored = [
        await there('now').textContent(),
        await there('node-title').textContent(),
        await there('title').textContent(),
        await other.locator('.branches li').count(),
        await there('network').evaluate((it) => it.toDataURL()),
      ];
      assert.deepEqual(restored, before);
    });
  }));

test('share: a link that was cut off is told, and there is an election all the same', () =>
  open({ hash: '#eyJiIjpb' }, async (page, part) => {
    await page.locator('.refusal', { hasText: 'The link cannot be read' }).waitFor();
    assert.ok(await part('slider').isVisible());
  }));

test('lessons step along and judge the answer; exercises too', (context) =>
  open({}, async (page, part) => {
    const lessons = await panel(page, 'lessons');
    await lessons.getByText(/Each lesson shows/).waitFor({ timeout: 60_000 });
    if (await lessons.locator('.refusal').count()) return context.skip('this program has no lessons');
    const count = await lessons.locator('[data-lesson]').count();
    assert.ok(count >= 10, `${count} lessons`);
    for (let index = 0; index < count; index++) {
      await lessons.locator('[data-lesson]').nth(index).click();
      await lessons.getByText(/^Step 1 of/).waitFor();
      const next = lessons.locator('[data-lesson-next]');
      for (let step = 2; await next.count(); step++) {
        await next.click();
        await lessons.getByText(new RegExp(`^Step ${step} of`)).waitFor();
      }
      await lessons.getByRole('button', { name: 'show a solution' }).click();
      await lessons.locator('.verdict').waitFor();
      const solution = /^Answer: (.+?)\.?$/.exec(await lessons.locator('.verdict b').textContent())?.[1];
      const answer = lessons.getByRole('textbox', { name: 'Your answer' });
      if (await answer.count()) await answer.fill(String(solution ?? '').trim());
      await lessons.locator('[data-check]').click();
      await lessons.locator('.verdict', { hasText: 'Right.' }).waitFor();
      await lessons.getByRole('button', { name: 'all lessons' }).click();
    }
    return part('slider').waitFor();
  }));

test('lessons: an empty answer is no answer, a wrong one is told once, and the next lesson is at the end', () =>
  open({}, async (page) => {
    const lessons = await panel(page, 'lessons');
    await lessons.locator('[data-lesson=chang-roberts]').click();
    await lessons.getByText(/^Step 1 of/).waitFor();
    const next = lessons.locator('[data-lesson-next]');
    for (let step = 2; await next.count(); step++) {
      await next.click();
      await lessons.getByText(new RegExp(`^Step ${step} of`)).waitFor();
    }
    const verdict = lessons.locator('.verdict');
    await lessons.locator('[data-check]').click();
    await verdict.filter({ hasText: 'Write an answer first.' }).waitFor();
    await lessons.getByRole('textbox', { name: 'Your answer' }).fill('1');
    await lessons.locator('[data-check]').click();
    await verdict.filter({ hasText: 'count again' }).waitFor();
    assert.equal((await verdict.textContent()).match(/Not yet/g).length, 1);
    await lessons.getByRole('button', { name: /^next lesson: The best/ }).click();
    await lessons.getByText(/^Step 1 of/).waitFor();
    for (let step = 2; await next.count(); step++) {
      await next.click();
      await lessons.getByText(new RegExp(`^Step ${step} of`)).waitFor();
    }
    await lessons.getByText('You may change: the ids.').waitFor();
  }));

test('exercises: the questions are those of the sheet, in its order, and no run gives an answer away', () =>
  open({}, async (page, part) => {
    const lessons = await panel(page, 'lessons');
    await lessons.getByRole('spinbutton', { name: 'Seed of the course' }).fill('7');
    await lessons.getByRole('spinbutton', { name: 'Your number' }).fill('3');
    await lessons.locator('[data-exercise=begin]').click();
    const headings = [
      'Count the messages',
      'Who leads?',
      'After the first phase',
      'Count the phases',
      'The worst order',
      'What is broken?',
      'In which round?',
      'One wave',
      'On average',
      'Can it ever happen?',
    ];
    for (const [place, heading] of headings.entries()) {
      await lessons.locator('h2', { hasText: `${place + 1}. ${heading}` }).waitFor();
      await lessons.getByText(`Question ${place + 1} of 10, student 3, seed 7`).waitFor();
      const isShown = !['What is broken?', 'On average'].includes(heading);
      assert.equal(await part('slider').count(), isShown ? 1 : 0, heading);
      if (isShown) {
        const ids = await lessons.locator('dt', { hasText: 'Ids by node' }).count();
        assert.equal(ids, heading === 'The worst order' ? 0 : 1, heading);
      }
      if (heading === 'What is broken?') {
        await page.getByText('it would give the answer away').waitFor();
        await lessons.locator('[data-check]').click();
        await lessons.locator('.verdict').waitFor();
        await part('slider').waitFor();
      }
      if (heading === 'On average') {
        await part('language').selectOption('de');
        await lessons.locator('h2', { hasText: '9. ' }).waitFor();
        await page.getByText('Die Frage betrifft viele.').waitFor();
        await part('language').selectOption('en');
        await lessons.locator('h2', { hasText: '9. On average' }).waitFor();
      }
      const next = lessons.locator('[data-exercise=next]');
      if (place + 1 < headings.length) await next.click();
      else assert.ok(await next.isDisabled());
    }
    await lessons.getByText('This is the last question of the sheet.').waitFor();
    await lessons.getByRole('button', { name: 'all lessons' }).click();
    await part('slider').waitFor();
  }));

test('every language has the whole page', () =>
  open({}, async (page, part) => {
    const english = await page.locator('body').innerText();
    for (const [language, [name, word]] of Object.entries({
      de: ['Kaputt machen', 'Netz'],
      fr: ['Casser', 'Réseau'],
      ro: ['Strică-l', 'Rețea'],
    })) {
      await part('language').selectOption(language);
      await page.locator('[data-panel=break]', { hasText: name }).waitFor();
      await page.locator('#network-title', { hasText: word }).waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      const spoken = await page.locator('body').innerText();
      for (const text of ['Space and time', 'Set up', 'hide the future', 'nothing has happened yet', 'Algorithm\n'])
        assert.ok(english.includes(text) && !spoken.includes(text), `${language}: ${text}`);
      // What happens in a step, who leads and what nodes are is told in the page's language too.
      await part('slider').fill('1');
      for (const name of ['now', 'title', 'outcome', 'states']) {
        const told = await part(name).textContent();
        assert.doesNotMatch(told, /\b(starts|participant,|on ring|leads|to elect|asleep)\b/, `${language}: ${told}`);
      }
      // No key stands where a text should be.
      assert.doesNotMatch(spoken, /\b(setup|act|panel|branch|measure|assume)\.[a-z]/);
    }
  }));

test('every lesson has its first step in every language', () =>
  open({}, async (page, part) => {
    const english = new Set();
    for (const language of ['en', 'de', 'fr', 'ro']) {
      await part('language').selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
      const lessons = await panel(page, 'lessons');
      await lessons.locator('[data-lesson]').nth(9).waitFor({ timeout: 60_000 });
      const names = await lessons
        .locator('[data-lesson]')
        .evaluateAll((all) => all.map((button) => button.dataset.lesson));
      for (const name of names) {
        await lessons.locator(`[data-lesson="${name}"]`).click();
        const text = await lessons.locator('.lesson').innerText();
        assert.ok(text.length > 20, `${language}: ${name}`);
        if (language === 'en') english.add(text);
        else assert.ok(!english.has(text), `${language}: ${name} is in English`);
        await lessons.locator('.row .end').first().click();
      }
    }
  }));

test('the lease is set up, played and interfered with; what it has no meaning for says so', () =>
  open({}, async (page, part) => {
    const setup = await panel(page, 'setup');
    await setup.locator('[data-field=algorithm]').selectOption('lease');
    await titled(page, 'lease on complete:5');
    assert.match(await part('outcome').textContent(), /^node 2 \(id 5\) leads/);
    await part('slider').fill('300');
    await part('node-find').fill('2');
    await part('node-find').press('Enter');
    await page.locator('.act', { hasText: 'crash it' }).click();
    await titled(page, 'crash=2@');
    assert.match(await (await panel(page, 'break')).textContent(), /lease never ends/);
    assert.match(await (await panel(page, 'measure')).textContent(), /never ends/);
    assert.equal(await (await panel(page, 'race')).locator('input[value=lease]').count(), 0);
  }));

test('a program that breaks down leaves a message and a working page', (context) =>
  open({}, async (page) => {
    const [worker] = page.workers();
    if (!worker) return context.skip('this page has a server');
    await worker.evaluate(() => {
      Uint8Array.prototype.set = () => {
        delete Uint8Array.prototype.set;
        throw new WebAssembly.RuntimeError('unreachable');
      };
    });
    const setup = await panel(page, 'setup');
    const seed = async (text) => {
      await setup.locator('[data-field=seed]').fill(text);
      await setup.locator('[data-field=seed]').press('Enter');
    };
    await seed('5');
    await page.locator('.refusal', { hasText: 'more memory than a page has' }).waitFor();
    await seed('6');
    return titled(page, 'seed 6');
  }));

test('keys do everything, and ? shows them', () =>
  open({}, async (page, part) => {
    await page.keyboard.press('?');
    assert.ok(await part('key-list').isVisible());
    assert.match(await part('key-list').textContent(), /open or close a panel/);
    await page.keyboard.press('Escape');
    for (const [index, name] of ['setup', 'break', 'measure', 'race', 'lessons', 'table', 'share'].entries()) {
      const tab = page.locator(`[data-panel=${name}]`);
      if ((await tab.getAttribute('aria-expanded')) === 'true') continue;
      await page.keyboard.press(String(index + 1));
      assert.equal(await tab.getAttribute('aria-expanded'), 'true', name);
    }
    for (const key of ['PageDown', 'PageDown', 'm', 'd']) await page.keyboard.press(key);
    await titled(page, 'lose=2#1');
    await page.keyboard.press('c');
    await titled(page, 'crash=');
    await page.keyboard.press('v');
    assert.equal(await page.locator('.stage').getAttribute('data-view'), 'network');
    assert.ok(await page.locator('header.bar').isHidden());
    await page.keyboard.press('Escape');
    await page.keyboard.press('h');
    assert.match(await part('outcome').textContent(), /Who will lead/);
    // Every control that is shown is reached with the tab key.
    const wanted = await page.evaluate(
      () =>
        [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(
          (it) => it.checkVisibility() && !it.disabled && it.tabIndex >= 0,
        ).length,
    );
    const reached = new Set();
    await page.evaluate(() => document.activeElement.blur());
    for (let tab = 0; tab < wanted + 3; tab++) {
      await page.keyboard.press('Tab');
      reached.add(await page.evaluate(() => [...document.querySelectorAll('*')].indexOf(document.activeElement)));
    }
    assert.ok(reached.size >= wanted, `${reached.size} of ${wanted}`);
  }));

test('the table tells what the picture shows', () =>
  open({}, async (page, part) => {
    const table = await panel(page, 'table');
    assert.equal(await table.locator('tbody tr').count(), 43);
    await table.getByRole('textbox').fill('LEADS');
    assert.equal(await table.locator('tbody tr').count(), 1);
    await table.locator('tbody button').click();
    assert.equal(await part('now').textContent(), 'node 4 LEADS');
  }));

test('what is refused, too large or given up is told, and what was there stays', () =>
  open({}, async (page, part) => {
    const setup = await panel(page, 'setup');
    const network = async (text) => {
      await setup.locator('[data-field=topology]').fill(text);
      await setup.locator('[data-field=topology]').press('Enter');
    };
    await network('ring:zero');
    await page.locator('.refusal').waitFor();
    await network('ring:1000000000');
    await page.locator('.refusal', { hasText: /too large/i }).waitFor();
    await titled(page, 'chang-roberts on ring:8');
    assert.ok(await part('slider').isVisible());
    await page.getByRole('button', { name: 'close', exact: true }).first().click();
  }));

for (const scheme of ['light', 'dark'])
  test(`nothing hinders anybody, ${scheme}`, () =>
    open({ colorScheme: scheme }, async (page, part) => {
      await page.evaluate(readFileSync(AXE, 'utf8'));
      const check = async (where) => {
        const found = await page.evaluate(async () => {
          const { violations } = await globalThis.axe.run();
          return violations.map(
            ({ id, nodes }) =>
              `${id}: ${nodes
                .map(({ html }) => html.slice(0, 200))
                .slice(0, 3)
                .join(' | ')}`,
          );
        });
        assert.deepEqual(found, [], where);
      };
      await part('slider').fill('16');
      await page.keyboard.press('m');
      for (const name of ['setup', 'break', 'measure', 'race', 'lessons', 'table', 'share']) {
        await panel(page, name);
        await check(name);
      }
      await page.keyboard.press('c');
      await titled(page, 'crash=');
      await check('branches');
      await page.getByRole('button', { name: 'compare with' }).click();
      await page.locator('.parallel').waitFor();
      await check('side by side');
    }));

test('a phone has one column, and nothing stands out of it', () =>
  open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page, part) => {
    for (const name of [null, 'setup', 'break', 'measure', 'share']) {
      if (name) await panel(page, name);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${name}: ${width}`);
    }
    await part('onward').click();
    assert.equal(await done(part), 1);
  }));

/** A hash that shows an election at a place in it. */
const showing = (election, k = 0) => `#${Buffer.from(
  JSON.stringify({ b: [{ n: 'main', p: -1, a: 0, r: { ask: 'run', election: { seed: 1, ...election } } }], c: 0, k }),
).toString('base64url')}`;

test('one view alone has all the screen, with a panel open too', async () => {
  for (const viewport of [
    { width: 1400, height: 900 },
    { width: 1920, height: 1080 },
  ])
    await open({ viewport }, async (page, part) => {
      await panel(page, 'setup');
      for (const view of ['network', 'scroller']) {
        await page.locator('body').press('v');
        const box = await part(view).boundingBox();
        const isLarge = box.width > 0.95 * viewport.width && box.height > 0.6 * viewport.height;
        assert.ok(isLarge, `${view}: ${JSON.stringify(box)}`);
        assert.ok(await page.locator('[data-body=setup]').isHidden());
      }
      await page.locator('body').press('v');
      assert.ok(await page.locator('[data-body=setup]').isVisible());
    });
});

test('the rule that is followed and the current event are always seen', async () => {
  const grid = { algorithm: 'echo-election', topology: 'grid:3x3' };
  for (const [election, isMessageChosen] of [
    [grid, false],
    [grid, true],
    [{ ...grid, algorithm: 'adoption' }, false],
    [{ algorithm: 'lease', topology: 'complete:5' }, true],
    [{ algorithm: 'chang-roberts', topology: 'ring:8', fault: ['crash=1@2'], force: true }, true],
  ])
    await open({ hash: showing(election) }, async (page, part) => {
      const most = Number(await part('slider').getAttribute('max'));
      for (let k = 1; k <= most; k += Math.ceil(most / 12)) {
        await part('slider').fill(String(k));
        if (isMessageChosen) await page.keyboard.press('m');
        const hidden = await page.evaluate(() =>
          ['.events [aria-current]', '.rule.lit'].filter((selector) => {
            const element = document.querySelector(selector);
            if (!element) return false;
            const { top, bottom } = element.getBoundingClientRect();
            const frames = [element.closest('ol, pre'), element.closest('section'), element.closest('.side')];
            return frames.some((frame) => {
              const room = frame.getBoundingClientRect();
              return top < room.top - 1 || bottom > room.bottom + 1;
            });
          }),
        );
        assert.deepEqual(hidden, [], `${election.algorithm} at ${k}`);
      }
    });
});

test('the sentence of the step is never cut, and moves nothing', async () => {
  for (const viewport of [
    { width: 1400, height: 900 },
    { width: 390, height: 844 },
  ])
    await open({ viewport, hash: showing({ algorithm: 'lease', topology: 'complete:5' }) }, async (page) => {
      const told = await page.evaluate(() => {
        const [slider, now] = ['[data-part=slider]', '.now'].map((selector) => document.querySelector(selector));
        const [heights, cut] = [new Set(), []];
        for (let k = 0; k <= 150; k++) {
          slider.value = k;
          slider.dispatchEvent(new Event('input'));
          heights.add(now.clientHeight);
          if (now.scrollHeight > now.clientHeight + 1) cut.push(now.textContent);
        }
        return { heights: heights.size, cut };
      });
      assert.deepEqual(told, { heights: 1, cut: [] }, `${viewport.width}`);
    });
});

test('share: the PNG has the whole diagram; of a run that is too long it says where it ends', async () => {
  const save = async (page) => {
    const share = await panel(page, 'share');
    const saving = page.waitForEvent('download');
    await share.getByRole('button', { name: 'PNG of the diagram' }).click();
    const content = readFileSync(await (await saving).path());
    return [content.readUInt32BE(16), content.readUInt32BE(20), await share.getByRole('status').textContent()];
  };
  await open({ hash: showing({ algorithm: 'chang-roberts', topology: 'ring:20' }) }, async (page, part) => {
    const tall = await part('spacer').evaluate(({ clientHeight }) => clientHeight);
    const before = await part('diagram').evaluate((it) => it.toDataURL());
    const [width, height, told] = await save(page);
    assert.ok(width >= 2 * 20 * 80 && height >= 2 * tall - 2, `${width} x ${height}, and ${tall} to scroll`);
    assert.equal(told, '');
    assert.equal(await part('diagram').evaluate((it) => it.toDataURL()), before);
  });
  await open({ hash: showing({ algorithm: 'lease', topology: 'complete:5' }) }, async (page) => {
    const [, height, told] = await save(page);
    assert.equal(height, 16_000);
    assert.match(told, /the PNG ends at t=\d/);
  });
});

test('many ids fit the panel, and controls their text in every language', () =>
  open({ hash: showing({ algorithm: 'chang-roberts', topology: 'ring:64' }) }, async (page, part) => {
    await page.locator('.id-bar').nth(63).waitFor();
    const drawer = page.locator('.drawer');
    assert.ok(await drawer.evaluate((it) => it.scrollWidth <= it.clientWidth));
    for (const language of ['de', 'fr', 'ro']) {
      await part('language').selectOption(language);
      await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' });
      await part('slider').waitFor();
      for (const name of ['lanes', 'order']) {
        const [has, wants] = await part(name).evaluate((it) => {
          const context = document.createElement('canvas').getContext('2d');
          context.font = getComputedStyle(it).font;
          const text = it.placeholder ?? it.selectedOptions[0].text;
          return [it.clientWidth - 8, context.measureText(text).width];
        });
        assert.ok(has >= wants - 1, `${language}: ${name} has ${has} and wants ${wants}`);
      }
    }
  }));

/** What is written into a canvas at a place in the run, and which lines are drawn there. */
const drawnAt = (page, canvas, k) =>
  page.evaluate(
    ([canvas, k]) => {
      const [words, looks] = [[], new Set()];
      const { fillText, stroke } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (text, x, ...more) {
        const { width } = this.measureText(text);
        const before = { left: 0, right: width, center: width / 2 }[this.textAlign];
        if (this.canvas.dataset.part === canvas) words.push({ text, left: x - before, right: x - before + width });
        return fillText.call(this, text, x, ...more);
      };
      CanvasRenderingContext2D.prototype.stroke = function (...path) {
        if (this.canvas.dataset.part === canvas) looks.add(`${this.strokeStyle} ${this.lineWidth.toFixed(1)}`);
        return stroke.apply(this, path);
      };
      const slider = document.querySelector('[data-part=slider]');
      slider.value = k;
      slider.dispatchEvent(new Event('input'));
      Object.assign(CanvasRenderingContext2D.prototype, { fillText, stroke });
      return { words, looks: [...looks] };
    },
    [canvas, k],
  );

test('large runs: counts keep apart, remarks are whole, and ids have all their digits', () =>
  open({ hash: showing({ algorithm: 'bully', topology: 'complete:300' }) }, async (page, part) => {
    const { words } = await drawnAt(page, 'diagram', 30_000);
    const cut = await page
      .locator('.tally li:visible')
      .evaluateAll((items) =>
        items
          .filter((item) => [item, item.querySelector('span')].some((it) => it.scrollWidth > it.clientWidth))
          .map((item) => item.textContent),
      );
    assert.deepEqual(cut, []);
    const [kinds, states] = await Promise.all(['kinds', 'states'].map((name) => part(name).boundingBox()));
    assert.ok(kinds.x + kinds.width <= states.x, JSON.stringify([kinds, states]));
    const { width } = await part('diagram').boundingBox();
    const remark = words.filter(({ text }) => /messages in view|see its own/.test(text));
    assert.ok(remark.length > 0 && remark.every(({ left, right }) => left >= 0 && right <= width), remark);
    const ids = words.filter(({ text }) => /^\d{3}$/.test(text));
    assert.ok(ids.length > 5 && words.every(({ text }) => !/^(id)?\d*…/.test(text)), JSON.stringify(words));
  }));

test('large runs: heat tells links apart when all have carried much', () =>
  open({ hash: showing({ algorithm: 'echo-election', topology: 'gnp:300:0.05' }) }, async (page, part) => {
    const end = Number(await part('slider').getAttribute('max'));
    const { looks } = await drawnAt(page, 'network', end);
    const widths = [1, 1.7, 2.4, 3.1, 3.8].map((width) => width.toFixed(1));
    const missing = widths.filter((width) => !looks.some((look) => look.endsWith(` ${width}`)));
    assert.deepEqual(missing, [], looks.join());
  }));

test('measure: phases are told when they are reached, whether the future is hidden or not', () =>
  open({ hash: showing({ algorithm: 'peterson', topology: 'ring:8' }) }, async (page) => {
    const measure = await panel(page, 'measure');
    const shown = async () => {
      const rows = await measure.locator('tr[data-phase]:visible').all();
      return Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).join(' ')));
    };
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('End');
    const all = await shown();
    assert.ok(all.length > 2 && all.every((row) => !row.includes('…')), all.join());
    for (const isHidden of [false, true]) {
      await page.keyboard.press('Home');
      if (isHidden) await page.keyboard.press('h');
      assert.deepEqual(await shown(), []);
      await page.keyboard.press(']');
      const [first, ...rest] = await shown();
      assert.ok(rest.length === 0 && first.endsWith('…') && first.includes('0 1 2') !== isHidden, first);
      await page.keyboard.press(']');
      const two = await shown();
      assert.ok(two.length === 2 && two[0] === all[0] && two[1].endsWith('…'), two.join());
    }
  }));
