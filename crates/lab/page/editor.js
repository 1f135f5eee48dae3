// A network to draw: nodes and links are added, moved and deleted by pointer or by keys.

import { button, h } from './dom.js';
import { t } from './texts.js';

const SVG = 'http://www.w3.org/2000/svg';
const [WIDTH, HEIGHT, RADIUS] = [400, 300, 15];
/** The largest number of nodes that can be drawn by hand. */
const MOST = 60;
/** How far a key moves a node. */
const STEP = 10;

/** The editor. `use` gets the network as an edge list, and the places of its nodes. */
export class Editor {
  constructor(network, use, close) {
    Object.assign(this, { use, close });
    this.nodes = new Map();
    this.links = new Set();
    this.tool = 'move';
    /** The node from which a link is being drawn. */
    this.from = null;
    if (network && network.nodes <= MOST) this.#take(network);
    this.picture = document.createElementNS(SVG, 'svg');
    this.picture.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.picture.setAttribute('role', 'group');
    this.picture.setAttribute('aria-label', t('editor.picture'));
    this.told = h('p', { class: 'faint', role: 'status' });
    this.tools = ['move', 'node', 'link', 'delete'].map((tool) =>
      button(t(`editor.${tool}`), () => this.#choose(tool), { 'data-tool': tool, class: 'small' }),
    );
    this.element = h(
      'section',
      { class: 'editor', 'aria-label': t('editor.title') },
      h(
        'div',
        { class: 'row' },
        this.tools,
        button(t('editor.clear'), () => this.#clear(), { class: 'small' }),
      ),
      this.picture,
      this.told,
      h(
        'div',
        { class: 'row' },
        button(t('editor.use'), () => this.#use(), { class: 'strong' }),
        button(t('close'), close),
      ),
    );
    this.picture.addEventListener('pointerdown', (event) => this.#press(event));
    this.#choose('move');
  }

  #take({ nodes, names, from, to, x, y, width, height }) {
    const scale = Math.min((WIDTH - 40) / width, (HEIGHT - 30) / height);
    const [left, top] = [(WIDTH - width * scale) / 2, (HEIGHT - height * scale) / 2];
    for (let node = 0; node < nodes; node++)
      this.nodes.set(node, { x: left + x[node] * scale, y: top + y[node] * scale, name: names[node] });
    from.forEach((a, link) => this.links.add(key(a, to[link])));
  }

  #choose(tool) {
    this.tool = tool;
    this.from = null;
    for (const each of this.tools) each.setAttribute('aria-pressed', String(each.dataset.tool === tool));
    this.told.textContent = t(`editor.${tool}-help`);
    this.#render();
  }

  #clear() {
    this.nodes.clear();
    this.links.clear();
    this.#choose('node');
  }

  #render(focused) {
    const shape = (name, attributes, ...children) => {
      const element = document.createElementNS(SVG, name);
      Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
      element.append(...children);
      return element;
    };
    const links = [...this.links].map((link) => {
      const [a, b] = link.split('-').map(Number);
      const [p, q] = [this.nodes.get(a), this.nodes.get(b)];
      const line = shape('line', { x1: p.x, y1: p.y, x2: q.x, y2: q.y, class: 'edge', 'data-link': link });
      line.append(shape('title', {}, `${a} – ${b}`));
      return line;
    });
    const nodes = [...this.nodes].map(([number, { x, y }]) => {
      const circle = shape('circle', { cx: x, cy: y, r: RADIUS });
      const text = shape('text', { x, y: y + 4, 'text-anchor': 'middle' }, String(number));
      const group = shape(
        'g',
        {
          class: this.from === number ? 'vertex held' : 'vertex',
          tabindex: '0',
          role: 'button',
          'aria-label': t('editor.vertex', { node: number }),
          'data-node': number,
        },
        circle,
        text,
      );
      group.addEventListener('keydown', (event) => this.#key(event, number));
      return group;
    });
    this.picture.replaceChildren(...links, ...nodes);
    if (focused !== undefined) this.picture.querySelector(`[data-node="${focused}"]`)?.focus();
  }

  #at({ clientX, clientY }) {
    const { left, top, width, height } = this.picture.getBoundingClientRect();
    const scale = Math.min(width / WIDTH, height / HEIGHT);
    const place = (at, from, size, whole) => (at - from - (size - whole * scale) / 2) / scale;
    return within(place(clientX, left, width, WIDTH), place(clientY, top, height, HEIGHT));
  }

  #press(event) {
    const node = event.target.closest('[data-node]')?.dataset.node;
    const link = event.target.closest('[data-link]')?.dataset.link;
    const number = node === undefined ? undefined : Number(node);
    if (this.tool === 'node' && number === undefined) return this.#addNode(this.#at(event));
    if (this.tool === 'delete' && number !== undefined) return this.#delete(number);
    if (this.tool === 'delete' && link !== undefined) {
      this.links.delete(link);
      return this.#render();
    }
    if (this.tool === 'link' && number !== undefined) return this.#link(number);
    if (this.tool === 'move' && number !== undefined) this.#drag(event, number);
  }

  #drag(event, number) {
    event.preventDefault();
    this.picture.setPointerCapture(event.pointerId);
    const move = (event) => {
      Object.assign(this.nodes.get(number), this.#at(event));
      this.#render();
    };
    this.picture.addEventListener('pointermove', move);
    const stop = () => this.picture.removeEventListener('pointermove', move);
    this.picture.addEventListener('pointerup', stop, { once: true });
  }

  #addNode(place) {
    if (this.nodes.size === MOST) return void (this.told.textContent = t('editor.most', { most: MOST }));
    let number = 0;
    while (this.nodes.has(number)) number++;
    this.nodes.set(number, place);
    this.#render(number);
  }

  /** The first of two nodes is remembered; the second is linked to it, or the link between them goes. */
  #link(number) {
    if (this.from === null) this.from = number;
    else {
      const link = key(this.from, number);
      if (this.from !== number && !this.links.delete(link)) this.links.add(link);
      this.from = null;
    }
    this.#render(number);
  }

  #delete(number) {
    this.nodes.delete(number);
    this.links = new Set([...this.links].filter((link) => !link.split('-').map(Number).includes(number)));
    this.#render([...this.nodes.keys()][0]);
  }

  #key(event, number) {
    const node = this.nodes.get(number);
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    const actions = {
      Enter: () => this.#link(number),
      l: () => this.#link(number),
      Delete: () => this.#delete(number),
      a: () => this.#addNode(within(node.x + 3 * RADIUS, node.y + RADIUS)),
    };
    if (!by && !(event.key in actions)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!by) return actions[event.key]();
    Object.assign(node, within(node.x + by[0], node.y + by[1]));
    this.#render(number);
  }

  /** Hands the network over, with its nodes numbered from 0. */
  #use() {
    const numbers = new Map([...this.nodes.keys()].sort((a, b) => a - b).map((number, index) => [number, index]));
    const linked = new Set([...this.links].flatMap((link) => link.split('-').map(Number)));
    if (numbers.size < 2) return void (this.told.textContent = t('editor.few'));
    const alone = [...numbers.keys()].find((number) => !linked.has(number));
    if (alone !== undefined) return void (this.told.textContent = t('editor.alone', { node: alone }));
    const lines = [...this.links].map((link) => link.split('-').map((end) => numbers.get(Number(end))));
    // In this order the network can be spelt out in a command, and its nodes keep their ports.
    lines.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    const places = {};
    for (const [number, index] of numbers) {
      const { x, y } = this.nodes.get(number);
      places[index] = [x, y];
    }
    const all = [...[...numbers.values()].map((node) => [node]), ...lines];
    this.use(all.map((line) => `${line.join(' ')}\n`).join(''), places);
  }
}

function key(a, b) {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}

function within(x, y) {
  const bounded = (value, most) => Math.min(Math.max(value, RADIUS + 2), most - RADIUS - 2);
  return { x: bounded(x, WIDTH), y: bounded(y, HEIGHT) };
}
