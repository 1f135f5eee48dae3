// What a node knows: its variables, and the rules that it has just followed.

import { reveal } from './panels.js';
import { firstAtLeast } from './search.js';
import { phrase } from './phrases.js';

/** The variables of all nodes, at every place of the run. */
export class Knowledge {
  constructor(reel) {
    this.reel = reel;
    /** By node: for each variable its changes, in their order. */
    this.histories = new Map();
    reel.variables.forEach((values, event) => {
      const node = reel.node[event];
      if (!this.histories.has(node)) this.histories.set(node, new Map());
      const history = this.histories.get(node);
      for (const [name, value] of Object.entries(values)) {
        if (!history.has(name)) history.set(name, { events: [], values: [] });
        history.get(name).events.push(event);
        history.get(name).values.push(value);
      }
    });
  }

  /** The variables of a node after `done` events: name, value, and whether the node's last event changed it. */
  of(node, done, last) {
    const told = [];
    for (const [name, { events, values }] of this.histories.get(node) ?? []) {
      if (name === 'id') continue; // it never changes, and is told beside the node's name
      const place = firstAtLeast(events, done) - 1;
      if (place < 0 || (values[place] === null && events[place] !== last)) continue;
      const isNew = events[place] === last;
      const before = place > 0 ? values[place - 1] : null;
      told.push({ name, value: values[place], before, isNew });
    }
    return told;
  }
}

/** The rules, each in a line: a rule that a terminal breaks into lines has its label in all of them. */
const joined = (lines) =>
  lines.reduce((rules, [label, text]) => {
    const last = rules.at(-1);
    if (last?.[0] !== label) return [...rules, [label, text]];
    last[1] += ` ${text.trim()}`;
    return rules;
  }, []);

/** The variables of the node that is looked at, and the algorithm's rules with those lit that it has just followed. */
export class KnowledgePanel {
  constructor(part, scene) {
    Object.assign(this, { part, scene, knowledge: new Knowledge(scene.reel) });
    const { rulebook } = scene.reel;
    part('rules').hidden = rulebook.length === 0;
    this.lines = joined(rulebook).map(([label, text]) => {
      // Columns that fit a terminal are too wide here.
      const [, indent, words] = /^( *)(.*)$/.exec(text);
      const textContent = words.replace(/ {2,}/g, ' ');
      const className = indent === '' ? 'rule' : 'rule case';
      return { label, line: Object.assign(document.createElement('span'), { textContent, className }) };
    });
    part('rulebook').replaceChildren(...this.lines.map(({ line }) => line));
  }

  update() {
    const { part, scene } = this;
    const { reel, timeline, subject, done } = scene;
    const last = subject < 0 ? -1 : this.#lastStep(subject, timeline.eventsDone(subject));
    const variables = subject < 0 ? [] : this.knowledge.of(subject, done, last);
    part('variables').hidden = part('variables-title').hidden = variables.length === 0;
    part('variables').replaceChildren(...variables.flatMap((variable) => this.#row(variable)));
    const followed = new Set(reel.rules.get(last)?.split(', ') ?? []);
    for (const { label, line } of this.lines) line.classList.toggle('lit', followed.has(label));
    this.first = this.lines.find(({ label }) => followed.has(label));
    const rules = [...followed].join(phrase('followed.then'));
    part('followed').textContent = followed.size === 0 ? '' : phrase('followed', { rules });
  }

  /** Scrolls so that the rule is to be seen. */
  reveal() {
    if (this.first) reveal(this.first.line, this.part('rulebook'));
  }

  /** The last event of a node in which it took a step: decisions and fates of messages are no steps. */
  #lastStep(node, done) {
    const { reel } = this.scene;
    const events = reel.eventsOf.of(node);
    for (let index = done - 1; index >= 0; index--) if (reel.rules.has(events[index])) return events[index];
    return -1;
  }

  #row({ name, value, before, isNew }) {
    const cell = (kind, text) => Object.assign(document.createElement(kind), { textContent: text });
    const [term, definition] = [cell('dt', name), cell('dd', value ?? '—')];
    if (isNew) {
      [term, definition].forEach((each) => each.classList.add('changed'));
      definition.title = phrase(before === null ? 'variable.new' : 'variable.before', { before });
      if (before !== null && before !== undefined) definition.append(cell('small', phrase('variable.was', { before })));
    }
    return [term, definition];
  }
}
