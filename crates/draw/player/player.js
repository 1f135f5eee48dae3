// The player: a run to watch, step by step, forwards and backwards.

import { Scene } from './scene.js';
import { NetworkView } from './network.js';
import { SpaceTimeView } from './spacetime.js';
import { Overview } from './overview.js';
import { EventList, LinkPanel, MessagePanel, NodePanel, Tally, fill } from './panels.js';
import { KnowledgePanel } from './knowledge.js';
import { Controls } from './controls.js';
import { Lanes } from './lanes.js';
import { counted, phrase } from './phrases.js';

const icon = (path) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path fill="currentColor" d="${path}"/></svg>`;
const zoomButton = (what, how, sign) =>
  `<button type="button" data-part="${what}-${how}" aria-label="${phrase(`${what}.${how}`)}">${sign}</button>`;
const zoomButtons = (what) =>
  [
    ['smaller', '−'],
    ['fit', '◻'],
    ['larger', '+'],
  ]
    .map(([how, sign]) => zoomButton(what, how, sign))
    .join('');
const round = (name, path) =>
  `<button type="button" data-part="${name}" aria-label="${phrase(name)}">${icon(path)}</button>`;
const release = (what) =>
  `<button type="button" class="plain" data-part="${what}-release" aria-label="${phrase(`${what}.release`)}">✕</button>`;

/** The page's words and controls, in the language that is spoken. */
const markup = () => `
<header>
  <div>
    <h1 data-part="title"></h1>
    <p class="outcome" data-part="outcome"></p>
    <ul class="broken" data-part="broken" aria-label="${phrase('broken')}"></ul>
  </div>
  <div class="tools">
    <div class="row">
      <details data-part="about">
        <summary>${phrase('run')}</summary>
        <dl data-part="facts"></dl>
      </details>
      <details data-part="keys">
        <summary>${phrase('keys')}</summary>
        <dl class="keys" data-part="key-list">
          <dt>${phrase('key.space')}</dt><dd>${phrase('keys.play')}</dd>
          <dt>← →</dt><dd>${phrase('keys.step')}</dd>
          <dt>${phrase('key.pages')}</dt><dd>${phrase('keys.moment')}</dd>
          <dt>[ ]</dt><dd>${phrase('keys.phase')}</dd>
          <dt>${phrase('key.ends')}</dt><dd>${phrase('keys.ends')}</dd>
          <dt>p n</dt><dd>${phrase('keys.node')}</dd>
          <dt>&lt; &gt;</dt><dd>${phrase('keys.speed')}</dd>
          <dt>− +</dt><dd>${phrase('keys.zoom')}</dd>
          <dt>h</dt><dd>${phrase('keys.future')}</dd>
          <dt>v</dt><dd>${phrase('keys.view')}</dd>
          <dt>${phrase('key.esc')}</dt><dd>${phrase('keys.escape')}</dd>
          <dt>?</dt><dd>${phrase('keys.keys')}</dd>
        </dl>
      </details>
      <button type="button" data-part="theme"></button>
    </div>
    <p class="repeat" data-part="command"><code data-part="repeat"></code>
      <button type="button" data-part="copy">${phrase('copy')}</button></p>
  </div>
</header>
<div class="views">
  <div class="left">
    <section class="network" aria-labelledby="network-title">
      <h2 id="network-title">${phrase('network')}</h2><span class="zoom">${zoomButtons('network')}</span>
      <canvas data-part="network" role="img" tabindex="0"></canvas>
    </section>
    <section class="tallies" aria-label="${phrase('tallies')}">
      <ul class="tally" data-part="kinds" aria-label="${phrase('kinds')}"></ul>
      <ul class="tally" data-part="states" aria-label="${phrase('states')}"></ul>
      <ul class="tally" data-part="signs" aria-label="${phrase('signs')}"></ul>
    </section>
  </div>
  <section class="diagram" aria-labelledby="diagram-title">
    <h2 id="diagram-title">${phrase('diagram')}</h2>
    <span class="zoom">
      <input data-part="lanes" size="8" aria-label="${phrase('lanes')}" />
      <select data-part="order" aria-label="${phrase('lanes')}"></select>
      <span class="zoom">${zoomButtons('diagram')}</span>
    </span>
    <div class="scroller" data-part="scroller" tabindex="0" role="group" aria-label="${phrase('diagram.scrolls')}">
      <canvas data-part="diagram" role="img"></canvas>
      <div data-part="spacer"></div>
    </div>
  </section>
  <div class="side">
    <section aria-labelledby="node-title" class="node">
      <div class="row">
        <h2 id="node-title" data-part="node-title"></h2> <span class="faint" data-part="node-how"></span>
        ${release('node')}
      </div>
      <dl data-part="node-facts"></dl>
      <h3 id="variables-title" data-part="variables-title">${phrase('variables')}</h3>
      <dl class="variables" data-part="variables" aria-labelledby="variables-title"></dl>
      <div class="row">
        <button type="button" data-part="node-back">${phrase('node.back')}</button>
        <button type="button" data-part="node-onward">${phrase('node.onward')}</button>
        <label>${phrase('node.find')} <input data-part="node-find" size="9" aria-describedby="node-unknown" /></label>
      </div>
      <p class="wrong" id="node-unknown" data-part="node-unknown" role="status"></p>
      <div data-part="node-more"></div>
    </section>
    <section data-part="message" aria-labelledby="message-title" class="message" hidden>
      <div class="row">
        <h2 id="message-title">${phrase('message')}</h2>
        ${release('message')}
      </div>
      <p data-part="message-text"></p>
      <dl class="lineage">
        <dt>${phrase('message.causes')}</dt><dd data-part="message-causes"></dd>
        <dt>${phrase('message.effects')}</dt><dd data-part="message-effects"></dd>
      </dl>
      <div class="row">
        <button type="button" data-part="message-begin">${phrase('message.begin')}</button>
        <button type="button" data-part="message-end">${phrase('message.end')}</button>
      </div>
      <div data-part="message-more"></div>
    </section>
    <section data-part="link" aria-labelledby="link-title" class="link" hidden>
      <div class="row">
        <h2 id="link-title">${phrase('link')}</h2>
        ${release('link')}
      </div>
      <p data-part="link-text"></p>
      <div data-part="link-more"></div>
    </section>
    <section data-part="rules" aria-labelledby="rules-title" class="rules">
      <div class="row"><h2 id="rules-title">${phrase('rules')}</h2>
        <span class="faint" data-part="followed"></span></div>
      <pre data-part="rulebook" tabindex="0" aria-labelledby="rules-title"></pre>
    </section>
    <section aria-labelledby="events-title" class="events">
      <h2 id="events-title">${phrase('events')}</h2>
      <ol data-part="events"></ol>
    </section>
  </div>
</div>
<section class="controls" aria-label="${phrase('controls')}">
  <p class="now"><b data-part="when"></b> <span data-part="now" aria-live="polite"></span></p>
  <div class="buttons">
    ${round('first', 'M6 5h2.5v14H6zM20 5v14L9.5 12z')}
    ${round('back', 'M17 5v14L7 12z')}
    <button type="button" data-part="play" class="main" aria-label="${phrase('play')}">
      <span class="if-paused">${icon('M7 4v16l13-8z')}</span
      ><span class="if-playing">${icon('M6 4h4v16H6zM14 4h4v16h-4z')}</span>
    </button>
    ${round('onward', 'M7 5v14l10-7z')}
    ${round('last', 'M15.5 5H18v14h-2.5zM4 5v14l10.500-7z')}
  </div>
  <div class="track">
    <canvas data-part="overview" aria-hidden="true"></canvas>
    <input type="range" data-part="slider" min="0" step="1" aria-label="${phrase('slider')}" />
  </div>
  <div class="pace">
    <output data-part="where"></output>
    <select data-part="speed" aria-label="${phrase('speed')}"></select>
  </div>
  <div class="modes">
    <select data-part="stride" aria-label="${phrase('stride')}"></select>
    <button type="button" data-part="future" aria-pressed="false">${phrase('future.hide')}</button>
    <button type="button" data-part="view"></button>
  </div>
</section>
<div class="paper" data-part="paper" aria-hidden="true"></div>
<div class="hint" data-part="hint" hidden aria-hidden="true"></div>
`;

/** What is shown: all views, or one of them large. */
const VIEWS = ['all', 'network', 'diagram'];
/** On a screen of this size one view alone is drawn as large as usual; on a larger one, larger. */
const USUAL = { width: 800, height: 450 };
const LARGEST = 4;
/** The size of a diagram on a sheet of paper, and the most sheets. */
const SHEET = { width: 680, height: 930, most: 12 };

/**
 * Plays a run, as the program wrote it, in an element of the page; throws if it is not one. Options:
 * `state` is what another player was showing. `isAddressed` says whether the page's address has the place in the run.
 * `changed` is called whenever something else is shown. `keys` are further keys, `marks` further marks on the slider.
 */
export function mount(root, data, options = {}) {
  const scene = new Scene(data, root);
  scene.marks = options.marks ?? [];
  root.innerHTML = markup();
  root.classList.add('player');
  return new Player(root, scene, { isAddressed: true, changed: () => {}, keys: {}, state: {}, ...options });
}

/** A run that is being watched. */
class Player {
  constructor(root, scene, { state, isAddressed, changed, keys }) {
    const part = (name) => root.querySelector(`[data-part="${name}"]`);
    Object.assign(this, { root, scene, part, isAddressed, changed });
    this.position = 0;
    this.isPlaying = false;
    this.view = 'all';
    /** Ends all listening. */
    this.ending = new AbortController();
    this.network = new NetworkView(part('network'), scene);
    this.diagram = new SpaceTimeView(part('scroller'), part('diagram'), part('spacer'), scene);
    this.overview = new Overview(part('overview'), scene);
    const go = (where) => this.go(where);
    this.node = new NodePanel(part, scene, go);
    this.knowledge = new KnowledgePanel(part, scene);
    this.message = new MessagePanel(part, scene, go);
    this.link = new LinkPanel(part, scene, go);
    this.events = new EventList(part('events'), scene, go);
    this.tally = new Tally(part, scene);
    this.lanes = new Lanes(part, scene, () => this.#resize());
    const own = {
      n: this.node.onward,
      p: this.node.back,
      Escape: () => {
        this.setView('all');
        part('keys').open = false;
        go({ node: -1, flight: -1, link: -1 });
      },
      h: () => this.hideFuture(!scene.isFutureHidden),
      v: () => this.#nextView(),
      '?': () => (part('keys').open = !part('keys').open),
      '+': () => this.#enlarge(this.diagram, 1.25),
      '-': () => this.#enlarge(this.diagram, 0.8),
    };
    this.controls = new Controls(part, scene, { go, play: (whether) => this.play(whether), keys: { ...own, ...keys } });
    this.#tell();
    this.#listen();
    this.diagram.resize();
    if (isAddressed) this.#readFragment();
    this.#restore(state);
    this.#show();
  }

  /** What is shown, so that another player can go on from here. */
  get state() {
    const { scene, view, theme, controls } = this;
    const { done, node, isFutureHidden } = scene;
    const [pace, stride] = [controls.speed.value, controls.stride.value];
    return { done, node, isFutureHidden, view, theme, pace, stride, lanes: this.lanes.state };
  }

  /** Stops, and listens no longer. */
  close() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.remembering);
    this.resizing.disconnect();
    this.ending.abort();
  }

  #restore({ done, node, flight, isFutureHidden, view, theme, pace, stride, lanes }) {
    const { scene, controls } = this;
    if (theme) this.#setTheme(theme);
    if (pace) controls.speed.value = pace;
    const isOffered = [...controls.stride.options].some((option) => option.value === stride);
    if (stride && isOffered) controls.stride.value = stride;
    if (lanes) this.lanes.restore(lanes);
    if (node !== undefined && node < scene.reel.nodes) scene.node = node;
    if (flight !== undefined && flight < scene.flights.count) scene.flight = flight;
    if (done !== undefined) {
      scene.seek(done);
      this.position = scene.done;
    }
    if (isFutureHidden) this.hideFuture(true);
    if (VIEWS.includes(view) && view !== this.view) this.setView(view);
  }

  /** Goes to a place, chooses a node, a flight or a link, or several of that; -1 chooses none. */
  go({ done, node, flight, link }) {
    const { scene } = this;
    if (done !== undefined) {
      this.position = Math.min(Math.max(done, 0), scene.reel.events);
      scene.seek(this.position);
    }
    if (node !== undefined) scene.node = node;
    if (flight !== undefined) scene.flight = flight;
    if (link !== undefined) scene.link = link;
    this.#show();
    this.#remember();
  }

  /** Plays on from here, or pauses. At the end it begins again. */
  play(whether) {
    if (whether && this.scene.done === this.scene.reel.events) this.go({ done: 0 });
    this.isPlaying = whether;
    this.before = undefined;
    this.go({ done: this.scene.done });
    cancelAnimationFrame(this.frame);
    if (whether) this.frame = requestAnimationFrame((time) => this.#advance(time));
  }

  #advance(time) {
    const { reel } = this.scene;
    // After a while in the background it goes on where it was.
    const passed = Math.min(time - (this.before ?? time), 200) / 1000;
    this.before = time;
    this.position = Math.min(this.position + passed * this.controls.pace, reel.events);
    const done = Math.floor(this.position);
    this.scene.seek(done, this.#isCalm() ? 0 : this.position - done);
    if (done === reel.events) return this.play(false);
    this.#show();
    this.frame = requestAnimationFrame((time) => this.#advance(time));
  }

  /** Whether the user wants reduced motion. */
  #isCalm() {
    return matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  #show() {
    this.#tellOutcome();
    this.node.update();
    this.knowledge.update();
    this.message.update();
    this.link.update();
    this.events.update();
    this.tally.update();
    this.controls.update(this.isPlaying);
    this.changed(this);
    // Only now is anything asked about the layout, so that the browser works it out once.
    this.knowledge.reveal();
    this.events.reveal();
    this.diagram.follow();
    this.#draw();
  }

  #draw() {
    const { part } = this;
    // A view that is not shown has no room to be drawn in.
    if (part('network').clientWidth > 0) this.network.draw();
    if (part('scroller').clientWidth > 0) this.diagram.draw();
    this.overview.draw();
  }

  #enlarge(view, factor) {
    view.enlarge(factor);
    this.#draw();
  }

  /** Hides what is still to come, or shows it. */
  hideFuture(whether) {
    this.scene.hideFuture(whether);
    this.diagram.resize();
    const button = this.part('future');
    button.setAttribute('aria-pressed', String(whether));
    button.textContent = phrase(whether ? 'future.show' : 'future.hide');
    this.#show();
    this.#remember();
  }

  #nextView() {
    this.setView(VIEWS[(VIEWS.indexOf(this.view) + 1) % VIEWS.length]);
  }

  /** Shows all views, or one of them large. */
  setView(view) {
    this.view = view;
    if (view === 'all') delete this.root.dataset.view;
    else this.root.dataset.view = view;
    this.part('view').textContent = phrase(`view.${view}`);
    this.#resize();
    this.#remember();
  }

  /** Finds out how much room there is, and draws everything. */
  #resize() {
    const fit = Math.min(innerWidth / USUAL.width, innerHeight / USUAL.height);
    this.scene.scale = this.view === 'all' ? 1 : Math.min(Math.max(fit, 1), LARGEST);
    this.root.style.setProperty('--scale', this.scene.scale);
    this.diagram.resize();
    this.diagram.follow();
    this.tally.paint();
    this.#draw();
  }

  /** Lays everything out for paper, in light colours: pictures have a size that does not depend on the screen. */
  #print(whether) {
    this.root.classList.toggle('printed', whether);
    if (whether) {
      [this.viewBefore, this.themeBefore] = [this.view, this.theme];
      this.view = 'all';
      delete this.root.dataset.view;
      this.#setTheme('light');
      this.scene.brush.refresh();
      this.#resize();
      this.part('paper').replaceChildren(...this.diagram.sheets(SHEET.width, SHEET.height, SHEET.most));
      this.diagram.resize();
    } else {
      this.part('paper').replaceChildren();
      this.#setTheme(this.themeBefore);
      this.scene.brush.refresh();
      this.setView(this.viewBefore);
    }
  }

  /** Shows how the run ends, unless the future is hidden. */
  #tellOutcome() {
    const { part } = this;
    const { reel, caption, isOutcomeKnown } = this.scene;
    const told = `${isOutcomeKnown} ${reel.lanes.length}`;
    if (told === this.toldOutcome) return;
    this.toldOutcome = told;
    part('outcome').textContent = isOutcomeKnown ? caption.outcome : phrase('outcome.hidden');
    part('broken').hidden = reel.broken.length === 0 || !isOutcomeKnown;
    // The faults to come are a part of the title, of the command and of the facts.
    part('title').textContent = isOutcomeKnown ? caption.title : caption.run;
    part('about').hidden = !isOutcomeKnown;
    part('command').hidden = !isOutcomeKnown;
    const messages = isOutcomeKnown ? `, ${counted(reel.messages, 'message')}` : '';
    const outcome = isOutcomeKnown ? ` ${caption.outcome}.` : '';
    const about = phrase('about.diagram', { lanes: counted(reel.lanes.length, 'lane'), messages, outcome });
    part('diagram').setAttribute('aria-label', about);
  }

  /** Fills in all that does not change. */
  #tell() {
    const { part } = this;
    const { reel, words, caption } = this.scene;
    part('broken').replaceChildren(
      ...reel.broken.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
    );
    part('repeat').textContent = reel.repeat;
    fill(part('facts'), caption.facts);
    const [nodes, links] = [counted(reel.nodes, 'node'), counted(reel.links.from.length, 'link')];
    part('network').setAttribute('aria-label', phrase('about.network', { nodes, links }));
    this.#setTheme('auto');
    part('theme').addEventListener('click', () => {
      const themes = ['auto', 'light', 'dark'];
      this.#setTheme(themes[(themes.indexOf(this.theme) + 1) % themes.length]);
      this.#recolour();
    });
    part('copy').addEventListener('click', () => this.#copy());
    const [name, id] = [words.name(0), reel.ids[0]];
    part('node-find').placeholder = id === undefined ? name : phrase('node.example', { name, id });
    part('view').textContent = phrase(`view.${this.view}`);
    part('view').addEventListener('click', () => this.#nextView());
    part('future').addEventListener('click', () => this.hideFuture(!this.scene.isFutureHidden));
  }

  #setTheme(theme) {
    this.theme = theme;
    if (theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    this.part('theme').textContent = phrase(`theme.${theme}`);
  }

  #recolour() {
    this.scene.brush.refresh();
    this.tally.paint();
    this.#draw();
  }

  async #copy() {
    const { part, scene } = this;
    const told = (text) => (part('copy').textContent = text);
    await navigator.clipboard.writeText(scene.reel.repeat).then(
      () => told(phrase('copied')),
      () => getSelection().selectAllChildren(part('repeat')),
    );
  }

  #listen() {
    const { part } = this;
    const { signal } = this.ending;
    document.addEventListener('keydown', (event) => this.controls.press(event), { signal });
    part('scroller').addEventListener('scroll', () => this.diagram.draw());
    for (const [name, view] of [
      ['network', this.network],
      ['diagram', this.diagram],
    ]) {
      part(`${name}-smaller`).addEventListener('click', () => this.#enlarge(view, 0.8));
      part(`${name}-fit`).addEventListener('click', () => this.#enlarge(view, 0));
      part(`${name}-larger`).addEventListener('click', () => this.#enlarge(view, 1.25));
      this.#listenTo(part(name), view);
    }
    let held = false;
    part('network').addEventListener('pointerdown', () => (held = true));
    document.addEventListener('pointerup', () => (held = false), { signal });
    part('network').addEventListener('pointermove', (event) => {
      if (!held) return;
      this.network.drag(event.movementX / this.scene.scale, event.movementY / this.scene.scale);
      this.network.draw();
    });
    part('overview').addEventListener('pointerdown', (event) => {
      const { left, width } = part('overview').getBoundingClientRect();
      this.go({ done: Math.round((this.scene.known * (event.clientX - left)) / width) });
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#recolour(), { signal });
    if (this.isAddressed) addEventListener('hashchange', () => this.#readFragment() && this.#show(), { signal });
    addEventListener('beforeprint', () => this.#print(true), { signal });
    addEventListener('afterprint', () => this.#print(false), { signal });
    this.resizing = new ResizeObserver(() => this.#resize());
    this.resizing.observe(this.root);
  }

  /** Pointing at something shows what it is; a click chooses it in all views. */
  #listenTo(canvas, view) {
    const at = (event) => {
      const { left, top } = canvas.getBoundingClientRect();
      return [(event.clientX - left) / this.scene.scale, (event.clientY - top) / this.scene.scale];
    };
    canvas.addEventListener('pointermove', (event) => {
      const found = view.find(...at(event));
      canvas.style.cursor = found ? 'pointer' : '';
      this.#hint(found, event);
    });
    canvas.addEventListener('pointerleave', () => this.#hint(null));
    canvas.addEventListener('click', (event) => {
      const found = view.find(...at(event));
      if (!found) return;
      const { reel, node, flight, link } = this.scene;
      if (found.event !== undefined) this.go({ done: found.event + 1, node: reel.node[found.event] });
      else if (found.flight !== undefined) this.go({ flight: found.flight === flight ? -1 : found.flight });
      else if (found.link !== undefined) this.go({ link: found.link === link ? -1 : found.link });
      else this.go({ node: found.node === node ? -1 : found.node });
    });
  }

  #hint(found, event) {
    const hint = this.part('hint');
    hint.hidden = !found;
    if (!found) return;
    const { words, timeline, flights, reel, horizon, done } = this.scene;
    if (found.flight !== undefined) hint.textContent = words.flight(flights, found.flight, horizon, done);
    else if (found.event !== undefined)
      hint.textContent = `${words.moment(reel.momentOf[found.event])}: ${words.event(found.event)}`;
    else if (found.link !== undefined) {
      const [a, b] = [reel.links.from, reel.links.to].map((ends) => words.plain(ends[found.link]));
      hint.textContent = `${phrase('link')}: ${a} – ${b}`;
    } else {
      const { node } = found;
      const status = words.status(timeline.status(node), timeline.ruling[node], timeline.role(node));
      hint.textContent = `${words.node(node)}: ${status}`;
    }
    const [x, y] = [Math.min(event.clientX + 14, innerWidth - hint.offsetWidth - 8), event.clientY + 18];
    hint.style.transform = `translate(${Math.max(x, 4)}px, ${Math.min(y, innerHeight - hint.offsetHeight - 8)}px)`;
  }

  /** The place in the run is in the address, to be shared: #k=123&node=4&future=hidden&view=network. */
  #remember() {
    if (!this.isAddressed) return;
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => {
      const { done, node, isFutureHidden } = this.scene;
      const parts = [
        `k=${done}`,
        ...(node >= 0 ? [`node=${node}`] : []),
        ...(isFutureHidden ? ['future=hidden'] : []),
        ...(this.view === 'all' ? [] : [`view=${this.view}`]),
      ];
      history.replaceState(null, '', `#${parts.join('&')}`);
    }, 250);
  }

  #readFragment() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const whole = (name) => (/^\d{1,9}$/.test(wanted.get(name) ?? '') ? Number(wanted.get(name)) : undefined);
    const { scene } = this;
    const [done, node] = [whole('k'), whole('node')];
    if (done !== undefined) {
      scene.seek(done);
      this.position = scene.done;
    }
    if (node !== undefined && node < scene.reel.nodes) scene.node = node;
    const [isHidden, view] = [wanted.get('future') === 'hidden', wanted.get('view') ?? 'all'];
    if (isHidden !== scene.isFutureHidden) this.hideFuture(isHidden);
    if (view !== this.view && VIEWS.includes(view)) this.setView(view);
    return done !== undefined || node !== undefined;
  }
}
