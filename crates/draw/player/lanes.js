// Which nodes have a lane in the diagram, and in which order.

import { phrase } from './phrases.js';

/** The orders to choose from, each with what nodes are sorted by. */
const ORDERS = {
  usual: null,
  id: ({ ids }) => (node) => (Number.isFinite(Number(ids[node])) ? Number(ids[node]) : node),
  first: ({ eventsOf, events }) => (node) => eventsOf.of(node)[0] ?? events,
  busy: ({ eventsOf }) => (node) => -eventsOf.of(node).length,
};

/** The lanes that the user wants: a list of nodes, and an order. */
export class Lanes {
  constructor(part, scene, changed) {
    Object.assign(this, { part, scene, changed });
    for (const order of Object.keys(ORDERS)) part('order').add(new Option(phrase(`order.${order}`), order));
    part('lanes').placeholder = phrase('lanes.all');
    part('lanes').size = part('lanes').placeholder.length;
    part('lanes').addEventListener('change', () => this.#choose());
    part('order').addEventListener('change', () => this.#choose());
  }

  /** What was chosen, to be chosen again in another run. */
  get state() {
    return { nodes: this.part('lanes').value, order: this.part('order').value };
  }

  restore({ nodes, order }) {
    [this.part('lanes').value, this.part('order').value] = [nodes, order];
    if (nodes !== '' || order !== 'usual') this.#choose();
  }

  #choose() {
    const { reel } = this.scene;
    const [wanted, wrong] = this.#read(this.part('lanes').value);
    const told = wrong === undefined ? '' : phrase('lanes.unknown', { name: wrong });
    this.part('lanes').setCustomValidity(told);
    this.part('lanes').setAttribute('aria-invalid', String(told !== ''));
    this.part('lanes').title = told;
    if (told !== '') return this.part('lanes').reportValidity();
    const nodes = wanted.length > 0 ? wanted : [...reel.usualLanes];
    const by = ORDERS[this.part('order').value]?.(reel);
    reel.setLanes(by ? nodes.sort((a, b) => by(a) - by(b) || a - b) : nodes);
    this.changed();
  }

  /** The nodes of a list such as 0-3,7, and the first word that names none. */
  #read(text) {
    const { words } = this.scene;
    const nodes = new Set();
    for (const word of text.split(/[\s,]+/).filter(Boolean)) {
      const [first, last] = /^\d+-\d+$/.test(word) ? word.split('-') : [word, word];
      const [from, to] = [words.find(first), words.find(last)];
      if (from < 0 || to < 0) return [[], word];
      for (let node = Math.min(from, to); node <= Math.max(from, to); node++) nodes.add(node);
    }
    return [[...nodes], undefined];
  }
}
