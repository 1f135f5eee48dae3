// The lab: a bench with an election on it, a player that shows it, and panels beside it.

import { ask } from './carrier.js';
import { Bench, FIRST } from './bench.js';
import { Branches, comparison } from './branches.js';
import { Break } from './break.js';
import { button, h, menu, prose } from './dom.js';
import { Interference } from './interfere.js';
import { Lessons } from './lessons.js';
import { Measure } from './measure.js';
import { Parallel } from './parallel.js';
import { Race } from './race.js';
import { Setup } from './setup.js';
import { Share, decode, encode, fitsLink, viewOf } from './share.js';
import { Table } from './table.js';
import { LANGUAGES, language, speakIn, t, usualLanguage } from './texts.js';
import { Work } from './work.js';
import { mount } from './player/player.js';

const PANELS = ['setup', 'break', 'measure', 'race', 'lessons', 'table', 'share'];
/** The largest size of a dropped file, in bytes. */
const LARGEST_FILE = 50_000_000;
/** Narrower pages have no room for a panel beside the player. */
const NARROW = 1100;

/** The page. */
class Lab {
  constructor(root) {
    this.root = root;
    this.open = innerWidth < NARROW ? null : 'setup';
    this.catalogue = null;
    this.player = null;
    this.#build();
    this.work = new Work(this.working);
    this.bench = new Bench(
      (branch, state) => this.#show(branch, state),
      (what, action) => this.work.do(what, action),
    );
    this.bench.renamed = () => this.#remember();
    this.#makePanels();
    this.#listen();
  }

  /** Begins with what the address tells, or with the first election; the catalogue comes meanwhile. */
  async begin() {
    const catalogue = ask({ ask: 'catalogue' });
    const wanted = decode(location.hash.slice(1));
    await (wanted ? this.#restore(wanted) : this.bench.hold(FIRST, { isPlaying: true }));
    if (location.hash.length > 1 && !wanted) this.work.fail({ kind: 'unreadable', message: t('share.unreadable') });
    try {
      this.catalogue = await catalogue;
      this.#updatePanels();
    } catch (error) {
      this.work.fail(error);
    }
  }

  #build() {
    this.tabs = PANELS.map((name) =>
      button(t(`panel.${name}`), () => this.toggle(name), {
        'data-panel': name,
        'aria-expanded': 'false',
        'aria-controls': `panel-${name}`,
      }),
    );
    const languages = menu(Object.entries(LANGUAGES), language(), (tag) => this.#speak(tag), {
      'aria-label': t('language'),
      'data-part': 'language',
    });
    this.working = h('div', { class: 'working' });
    this.strip = h('nav', { class: 'branches', 'aria-label': t('branch.title'), hidden: true });
    this.stage = h('main', { class: 'stage', id: 'player' });
    this.aside = h('aside', { class: 'drawer', 'aria-label': t('panels'), hidden: true });
    this.root.replaceChildren(
      h(
        'header',
        { class: 'bar' },
        h('strong', { class: 'brand' }, 'bellwether'),
        h('nav', { class: 'tabs', 'aria-label': t('panels') }, this.tabs),
        languages,
      ),
      h('div', { class: 'bench' }, this.aside, h('div', { class: 'middle' }, this.working, this.strip, this.stage)),
      h('dialog', { class: 'text', 'aria-label': t('explain.title') }),
    );
    this.dialog = this.root.querySelector('dialog');
  }

  #makePanels() {
    const bodies = Object.fromEntries(
      PANELS.map((name) => [name, h('div', { class: 'panel', id: `panel-${name}`, 'data-body': name, hidden: true })]),
    );
    this.bodies = bodies;
    this.aside.replaceChildren(
      ...PANELS.map((name) => {
        const close = button('✕', () => this.toggle(name), { class: 'plain end', 'aria-label': t('close') });
        return h(
          'section',
          { 'aria-labelledby': `title-${name}`, hidden: true, 'data-section': name },
          h('div', { class: 'row' }, h('h1', { id: `title-${name}` }, t(`panel.${name}`)), close),
          bodies[name],
        );
      }),
    );
    const make = {
      setup: Setup,
      break: Break,
      measure: Measure,
      race: Race,
      lessons: Lessons,
      table: Table,
      share: Share,
    };
    for (const [name, Panel] of Object.entries(make)) this[name] = new Panel(bodies[name], this);
    this.strips = new Branches(this.strip, this.bench, {
      turn: (index) => this.bench.turn(index, this.state),
      compare: (one, other) => this.#compare(one, other),
    });
    this.interference = new Interference(this.bench);
    this.#openPanel();
  }

  #listen() {
    document.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.matches?.('input, select, textarea') || event.target.closest?.('dialog')) return;
      const index = Number(event.key) - 1;
      if (Number.isInteger(index) && PANELS[index]) this.toggle(PANELS[index]);
    });
    addEventListener('hashchange', () => {
      const wanted = decode(location.hash.slice(1));
      if (wanted && encode(wanted) !== this.remembered) this.#restore(wanted);
    });
    document.addEventListener('dragover', (event) => event.preventDefault());
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files?.[0];
      if (file) this.drop(file);
    });
  }

  /** Opens a panel, or closes it. */
  toggle(name) {
    this.open = this.open === name ? null : name;
    this.#openPanel();
    if (this.open) this.aside.querySelector(`[data-section=${name}] h1`)?.scrollIntoView({ block: 'nearest' });
  }

  #openPanel() {
    this.aside.hidden = this.open === null;
    this.root.classList.toggle('has-drawer', this.open !== null);
    for (const tab of this.tabs) tab.setAttribute('aria-expanded', String(tab.dataset.panel === this.open));
    for (const section of this.aside.children) section.hidden = section.dataset.section !== this.open;
    for (const [name, body] of Object.entries(this.bodies)) body.hidden = name !== this.open;
    if (this.open) this[this.open]?.update();
  }

  #updatePanels() {
    this.setup.update();
    if (this.open && this.open !== 'setup') this[this.open].update();
  }

  /** Shows a branch in the player, at the place that the state tells. */
  #show(branch, state) {
    const before = this.state ?? {};
    this.sideBySide?.close();
    this.sideBySide = null;
    this.player?.close();
    const { view, theme, pace, isFutureHidden } = before;
    const marks = this.bench.branches
      .filter(({ parent, at }) => parent === this.bench.current && at > 0)
      .map(({ at, name }) => ({ done: at, label: name }));
    const kept = this.sameSize(before, branch) ? { lanes: before.lanes } : {};
    this.stage.classList.add('player');
    this.player = mount(this.stage, branch.answer.reel, {
      isAddressed: false,
      state: { view, theme, isFutureHidden, ...(state.isPlaying ? {} : { pace }), ...kept, ...state },
      marks,
      keys: this.interference.keys,
      changed: () => this.#tick(),
    });
    this.#tellKeys();
    this.interference.attach(this.player);
    this.strips.update();
    this.#updatePanels();
    this.#tellDropped(branch);
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (state.isPlaying && !calm) this.player.play(true);
    this.#remember();
  }

  sameSize(before, branch) {
    return before.lanes !== undefined && this.shownNodes === branch.answer.reel.sheet.x.length;
  }

  /** The assumptions that this election breaks are told beside its outcome. */
  #tellDropped({ answer }) {
    this.shownNodes = answer.reel.sheet.x.length;
    const dropped = answer.dropped ?? answer.report?.dropped ?? [];
    if (dropped.length === 0) return;
    this.player.part('outcome').after(h('p', { class: 'dropped' }, `${t('dropped')} ${dropped.join('; ')}`));
  }

  #tellKeys() {
    const keys = [
      ['1–7', 'keys.panels'],
      ['c', 'keys.crash'],
      ['s', 'keys.start'],
      ['m', 'keys.message'],
      ['d', 'keys.drop'],
    ];
    this.player.part('key-list').append(...keys.flatMap(([key, text]) => [h('dt', {}, key), h('dd', {}, t(text))]));
  }

  /** The player is at another place. */
  #tick() {
    if (!this.player || !this.interference.player) return;
    if (this.interference.player === this.player) this.interference.update();
    if (this.open === 'measure') this.measure.tick();
    if (this.open === 'table') this.table.tick();
    if (!this.player.isPlaying) this.#remember();
  }

  /** What the player shows, or showed before runs side by side took its place. */
  get state() {
    return this.sideBySide ? this.stateBefore : this.player?.state;
  }

  /** What is shown, as a link holds it. */
  view() {
    return this.player ? viewOf(this.bench, this.state) : null;
  }

  #remember() {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => {
      const view = this.view();
      if (!view || !fitsLink(view)) return;
      this.remembered = encode(view);
      history.replaceState(null, '', `#${this.remembered}`);
      this.share.tick();
    }, 250);
  }

  /** Shows what a link holds: all branches are asked for again. */
  async #restore({ b: branches, c: current = 0, k: done = 0, node, hidden, view, f: files = {}, at: places = {} }) {
    Object.assign(this.bench, { files, places });
    const answers = await this.work.do(t('work.restore'), (signal) =>
      Promise.all(branches.map(({ r }) => this.bench.answer(r, signal))),
    );
    if (!answers || answers.some((answer) => !answer.reel)) return this.player ?? this.bench.hold(FIRST);
    this.bench.branches = branches.map(({ n: name, p: parent, a: at, r: request }, index) => ({
      name: String(name),
      parent: Number.isInteger(parent) && parent < index ? Math.max(parent, -1) : -1,
      at: Number(at) || 0,
      request,
      answer: answers[index],
    }));
    const index = Math.min(Math.max(Number(current) || 0, 0), branches.length - 1);
    this.bench.go(index, {
      done: Number(done) || 0,
      node: node ?? -1,
      isFutureHidden: hidden === true,
      view: view ?? 'all',
    });
  }

  /** Two branches side by side. */
  #compare(one, other) {
    const { branches } = this.bench;
    const runs = [one, other].map((index) => ({ ...branches[index], state: index }));
    const { notes, time } = comparison(branches[one], branches[other]);
    this.parallel(runs, {
      title: t('compare.title', { one: branches[one].name, other: branches[other].name }),
      notes,
      time,
      open: (index, done) => this.bench.go(index, { done }),
    });
  }

  /** Shows runs side by side in place of the player. */
  parallel(runs, { open, ...rest }) {
    this.#clear();
    this.sideBySide = new Parallel(this.stage, runs, { ...rest, open, close: () => this.showAgain() });
    return this.sideBySide;
  }

  /** Shows no run, and says why. */
  hide(reason) {
    this.#clear();
    this.stage.replaceChildren(h('p', { class: 'no-run' }, reason));
    this.sideBySide = { close: () => this.stage.replaceChildren() };
  }

  /** Shows the run again whose place something else took. */
  showAgain() {
    if (this.sideBySide) this.bench.go(this.bench.current, this.stateBefore);
  }

  /** Takes the player away, and keeps what it showed. */
  #clear() {
    this.stateBefore = this.state;
    this.player.close();
    this.sideBySide?.close();
    this.stage.classList.remove('player');
    delete this.stage.dataset.view;
  }

  /** A file that was dropped: a trace is opened, anything else is a network. */
  async drop(file) {
    if (file.size > LARGEST_FILE)
      return this.work.fail({ kind: 'too-large', message: t('drop.too-large', { name: file.name }) });
    const text = await file.text();
    const isTrace = /^\s*\{[^\n]*"format"[^\n]*"scenario"/.test(text.slice(0, 20_000));
    if (isTrace) return this.bench.begin({ ask: 'open', trace: text }, file.name);
    const name = file.name.replaceAll(/[^\w.-]/g, '_');
    this.bench.files = { ...this.bench.files, [name]: text };
    return this.holdOn(`file:${name}`);
  }

  /** Holds an election on another network, by the same algorithm if it runs there. */
  async holdOn(topology) {
    const { bench, setup, work } = this;
    const request = { ask: 'fits', topology, ...bench.filesOf(topology) };
    const fits = await work.do(t('work.file'), (signal) => ask(request, { signal }));
    if (!fits) return;
    const { algorithm, seed = 1 } = bench.election ?? FIRST;
    const able = fits.algorithms.filter((it) => it.fits).map((it) => it.name);
    const other = able.includes('echo-election') ? 'echo-election' : (able[0] ?? algorithm);
    const chosen = able.includes(algorithm) ? algorithm : other;
    const answer = await bench.hold({ algorithm: chosen, topology, seed }, { isPlaying: true });
    if (answer?.reel && chosen !== algorithm) setup.say(t('setup.took-algorithm', { algorithm, chosen }));
  }

  /** The text about an algorithm. */
  async explain(what) {
    const info = this.catalogue.algorithms.find(({ name }) => name === what);
    const text = info?.explanation ?? (await ask({ ask: 'explain', what })).text;
    this.dialog.replaceChildren(
      h(
        'div',
        { class: 'row' },
        h('h1', {}, what),
        button(t('close'), () => this.dialog.close(), { class: 'end' }),
      ),
      ...prose(text),
    );
    this.dialog.showModal();
  }

  /** Speaks another language: the page is built anew, and shows what it showed. */
  async #speak(tag) {
    await speakIn(tag);
    const { state } = this;
    const { branches, current, files, places } = this.bench;
    const { lesson, step, exercise, seed, student } = this.lessons;
    this.sideBySide?.close();
    this.sideBySide = null;
    this.player?.close();
    this.player = null;
    this.#build();
    this.work.root = this.working;
    this.#makePanels();
    Object.assign(this.lessons, { lesson, step, exercise, seed, student });
    Object.assign(this.bench, { branches, current, files, places });
    if (state) this.bench.go(current, state);
    this.root.querySelector('[data-part=language]').focus();
  }
}

/** Builds the page, or says why it cannot be. */
async function begin(root) {
  try {
    await speakIn(usualLanguage());
    await new Lab(root).begin();
  } catch (error) {
    root.replaceChildren(h('p', { class: 'failure', role: 'alert' }, `The lab cannot be shown: ${error.message}.`));
    console.error(error);
  }
}

begin(document.getElementById('lab'));
