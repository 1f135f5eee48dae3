// Playing, stepping and seeking: by buttons, by the slider and by keys.

import { counted, grouped, phrase } from './phrases.js';
import { firstAtLeast } from './search.js';

/** Events a second. */
const SPEEDS = [0.5, 1, 2, 4, 8, 16, 32, 64, 125, 250, 500, 1000, 2000, 5000, 10000];
/** The longest time a run plays at the default speed, in seconds. */
const LONGEST = 60;

/** The controls of a player: they call `go` with the place to go to, and `play` with whether to play. */
export class Controls {
  constructor(part, scene, { go, play, keys }) {
    Object.assign(this, { part, scene, go, play });
    const { reel } = scene;
    this.slider = part('slider');
    this.slider.max = reel.events;
    this.slider.addEventListener('input', () => go({ done: Number(this.slider.value) }));
    const click = (name, action) => part(name).addEventListener('click', action);
    click('first', () => go({ done: 0 }));
    click('back', () => this.step(-1));
    click('play', () => play(!this.isPlaying));
    click('onward', () => this.step(1));
    click('last', () => go({ done: scene.known }));
    this.speed = part('speed');
    SPEEDS.forEach((speed) => this.speed.add(new Option(counted(speed, 'pace'), speed)));
    this.speed.value = SPEEDS.find((speed) => speed >= reel.events / LONGEST && speed >= 2) ?? SPEEDS.at(-1);
    this.stride = part('stride');
    const strides = ['event', 'moment', ...(reel.phases.length > 0 ? ['phase'] : []), 'node'];
    strides.forEach((stride) => this.stride.add(new Option(phrase(`stride.${stride}`), stride)));
    this.isPlaying = false;
    this.actions = {
      ' ': () => play(!this.isPlaying),
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => go({ done: 0 }),
      End: () => go({ done: scene.known }),
      PageUp: () => go({ done: this.#momentBefore() }),
      PageDown: () => go({ done: this.#momentAfter() }),
      '[': () => go({ done: this.#phaseBefore() }),
      ']': () => go({ done: this.#phaseAfter() }),
      '<': () => this.#change(-1),
      '>': () => this.#change(1),
      ...keys,
    };
  }

  /** Events a second. */
  get pace() {
    return Number(this.speed.value);
  }

  /** A step back or onward, as long as was chosen. */
  step(by) {
    const { go, scene, actions } = this;
    const far = {
      event: () => go({ done: scene.done + by }),
      moment: () => go({ done: by < 0 ? this.#momentBefore() : this.#momentAfter() }),
      phase: () => go({ done: by < 0 ? this.#phaseBefore() : this.#phaseAfter() }),
      node: () => (by < 0 ? actions.p() : actions.n()),
    };
    far[this.stride.value]();
  }

  /** Does what a key stands for, and returns whether it stands for anything. */
  press(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !(key in this.actions)) return false;
    if (target.matches?.('input:not([type=range]), select, textarea') || target.closest?.('dialog')) return false;
    // The keys that buttons and the like know themselves.
    if (key === ' ' && target.matches?.('button, summary, a')) return false;
    event.preventDefault();
    this.actions[key]();
    return true;
  }

  update(isPlaying) {
    const { part, scene } = this;
    const { reel, words, done } = scene;
    const { isFutureHidden, known } = scene;
    this.isPlaying = isPlaying;
    this.slider.max = known;
    this.slider.value = done;
    const told = done === 0 ? phrase('nothing') : words.event(done - 1);
    const values = { done, events: reel.events, when: words.when(done), told };
    this.slider.setAttribute('aria-valuetext', phrase(isFutureHidden ? 'where.alone' : 'where.of', values));
    part('play').setAttribute('aria-label', phrase(isPlaying ? 'pause' : 'play'));
    part('play').dataset.playing = String(isPlaying);
    const where = grouped(done);
    part('where').textContent = isFutureHidden
      ? phrase('where.event', { done: where })
      : `${where} / ${grouped(reel.events)}`;
    part('when').textContent = done === 0 ? '' : words.when(done);
    part('now').setAttribute('aria-live', isPlaying ? 'off' : 'polite');
    part('now').textContent = told;
    [
      ['first', 'back', done === 0],
      ['last', 'onward', done === reel.events],
    ].forEach(([far, near, isThere]) => {
      part(far).disabled = isThere;
      part(near).disabled = isThere;
    });
    if (isFutureHidden) part('last').disabled = done === known;
  }

  /** The end of the moment before, or the beginning. */
  #momentBefore() {
    const { reel, done } = this.scene;
    return done === 0 ? 0 : reel.firstOf[reel.momentOf[done - 1]];
  }

  /** The end of this moment; if it is reached, of the next one. */
  #momentAfter() {
    const { reel, done } = this.scene;
    return done === reel.events ? done : (reel.firstOf[reel.momentOf[done] + 1] ?? reel.events);
  }

  /** The beginning of the phase before, or of the run. */
  #phaseBefore() {
    const { reel, done } = this.scene;
    return Math.max((reel.phases[firstAtLeast(reel.phases, done - 1) - 1] ?? -1) + 1, 0);
  }

  /** The beginning of the next phase, or the end. */
  #phaseAfter() {
    const { reel, done } = this.scene;
    return (reel.phases[firstAtLeast(reel.phases, done)] ?? reel.events - 1) + 1;
  }

  #change(by) {
    const index = this.speed.selectedIndex + by;
    if (index >= 0 && index < SPEEDS.length) this.speed.selectedIndex = index;
  }
}
