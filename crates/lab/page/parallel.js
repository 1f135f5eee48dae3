// Runs side by side, moved through together: by time, so that equal moments stand beside each other.

import { button, h } from './dom.js';
import { n, t } from './texts.js';
import { Scene } from './player/scene.js';
import { NetworkView } from './player/network.js';
import { phrase } from './player/phrases.js';

/** The length of a race, in seconds. */
const LENGTH = 15;

/** Runs in cards, a slider and a button for all of them. */
export class Parallel {
  constructor(root, runs, { title, notes = [], verdict = '', time = 0, close, open }) {
    Object.assign(this, { root, verdict });
    this.ending = new AbortController();
    this.cards = runs.map((run) => new Card(run, open));
    const ends = this.cards.map((card) => card.end);
    this.end = Math.max(...ends, 1);
    this.time = time;
    this.slider = h('input', {
      type: 'range',
      min: 0,
      max: this.end,
      step: 'any',
      value: 0,
      'aria-label': t('parallel.time'),
      on: { input: () => this.seek(Number(this.slider.value)) },
    });
    this.toggle = button(t('parallel.play'), () => this.play(!this.isPlaying), { class: 'strong' });
    this.clock = h('output', { class: 'clock' });
    this.told = h('p', { role: 'status', class: 'verdict' });
    root.replaceChildren(
      h(
        'div',
        { class: 'parallel' },
        h('div', { class: 'row' }, h('h1', {}, title), button(t('parallel.close'), close, { class: 'end' })),
        notes.map((note) => h('p', {}, note)),
        verdict ? this.told : null,
        h(
          'div',
          { class: 'cards' },
          this.cards.map((card) => card.element),
        ),
        h('div', { class: 'row transport' }, this.toggle, this.slider, this.clock),
      ),
    );
    // Only what is in the page has colours.
    this.cards.forEach((card) => card.scene?.brush.refresh());
    this.resizing = new ResizeObserver(() => this.seek(this.time));
    this.resizing.observe(root);
    const { signal } = this.ending;
    document.addEventListener('keydown', (event) => this.#press(event), { signal });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#recolour(), { signal });
    this.seek(this.time);
  }

  /** Shows all runs as they are at this time; what came of them only at their end. */
  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.end);
    this.told.textContent = this.time === this.end ? this.verdict : '';
    this.slider.value = this.time;
    this.slider.setAttribute('aria-valuetext', t('parallel.at', { time: n(this.time, 1) }));
    this.clock.textContent = t('parallel.at', { time: n(this.time, 1) });
    this.cards.forEach((card) => card.seek(this.time));
  }

  play(whether) {
    this.isPlaying = whether;
    this.toggle.textContent = t(whether ? 'parallel.pause' : 'parallel.play');
    cancelAnimationFrame(this.frame);
    if (!whether) return;
    if (this.time >= this.end) this.seek(0);
    let before;
    const advance = (now) => {
      const passed = Math.min(now - (before ?? now), 200) / 1000;
      before = now;
      this.seek(this.time + (passed * this.end) / LENGTH);
      if (this.time >= this.end) return this.play(false);
      this.frame = requestAnimationFrame(advance);
    };
    this.frame = requestAnimationFrame(advance);
  }

  close() {
    cancelAnimationFrame(this.frame);
    this.resizing.disconnect();
    this.ending.abort();
  }

  #press(event) {
    if (event.target.matches?.('input, select, textarea, button')) return;
    const actions = {
      ' ': () => this.play(!this.isPlaying),
      ArrowRight: () => this.seek(Math.floor(this.time) + 1),
      ArrowLeft: () => this.seek(Math.ceil(this.time) - 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.end),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  #recolour() {
    this.cards.forEach((card) => card.scene?.brush.refresh());
    this.seek(this.time);
  }
}

/** One run: its network, and what it has cost so far. */
class Card {
  constructor({ name, answer, reason, state }, open) {
    this.end = 0;
    const title = h('h2', {}, name);
    if (!answer) {
      this.element = h('section', { class: 'card' }, title, h('p', { class: 'refusal' }, reason));
      return;
    }
    this.canvas = h('canvas', { role: 'img' });
    this.facts = h('dl', {});
    this.total = answer.reel.messages.to.length;
    this.bar = h('progress', { max: Math.max(this.total, 1), value: 0, 'aria-label': t('parallel.messages') });
    const show = open ? button(t('parallel.open'), () => open(state ?? name, this.scene.done)) : null;
    this.element = h(
      'section',
      { class: 'card' },
      h('div', { class: 'row' }, title, show),
      this.canvas,
      this.bar,
      this.facts,
    );
    this.scene = new Scene(answer.reel, this.element);
    this.answer = answer;
    this.end = this.scene.reel.time.at(-1) ?? 0;
    this.canvas.setAttribute('aria-label', `${name}: ${this.scene.caption.outcome}`);
    this.view = new NetworkView(this.canvas, this.scene);
  }

  seek(time) {
    if (!this.scene) return;
    const { scene } = this;
    const { reel } = scene;
    let [low, high] = [0, reel.moments];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (reel.time[middle] <= time) low = middle + 1;
      else high = middle;
    }
    const done = low < reel.moments ? reel.firstOf[low] : reel.events;
    const next = reel.time[low];
    const before = low > 0 ? reel.time[low - 1] : 0;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    scene.seek(done, next === undefined || calm ? 0 : Math.min(Math.max((time - before) / (next - before || 1), 0), 1));
    if (this.canvas.clientWidth > 0) this.view.draw();
    const sent = scene.timeline.sent.reduce((sum, count) => sum + count, 0);
    this.bar.value = sent;
    const isOver = done === reel.events;
    const { election, announce = 0 } = this.answer.report?.messages ?? {};
    const values = { all: n(sent), elect: n(election), announce: n(announce) };
    const cost = announce > 0 ? phrase('messages.both', values) : n(sent);
    const facts = [
      [t('parallel.messages'), isOver ? cost : `${n(sent)} / ${n(this.total)}`],
      [t('parallel.ends'), n(this.end, 2)],
      [t('parallel.outcome'), isOver ? scene.caption.outcome : t('parallel.running')],
    ];
    this.facts.replaceChildren(...facts.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)]));
    this.element.classList.toggle('over', isOver);
  }
}
