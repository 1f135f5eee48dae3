// The branches: what grew from what, which one is shown, and two of them side by side.

import { partingOf } from './bench.js';
import { button, h } from './dom.js';
import { n, t } from './texts.js';

/** The strip of branches above the player. */
export class Branches {
  constructor(root, bench, { turn, compare }) {
    Object.assign(this, { root, bench, turn, compare });
  }

  update() {
    const { bench, root } = this;
    root.hidden = bench.branches.length < 2;
    if (root.hidden) return root.replaceChildren();
    const items = bench.branches.map((branch, index) => {
      const isShown = index === bench.current;
      const mark =
        branch.parent < 0 ? '' : h('small', { class: 'faint' }, ` ${t('branch.from', this.#origin(branch))}`);
      const show = button([h('span', {}, branch.name), mark].flat(), () => this.turn(index), {
        'aria-current': isShown ? 'true' : undefined,
      });
      const rename = button('✎', () => this.#rename(index), {
        class: 'plain',
        'aria-label': t('branch.rename', branch),
      });
      const remove =
        index === 0
          ? null
          : button('✕', () => bench.remove(index), { class: 'plain', 'aria-label': t('branch.remove', branch) });
      return h('li', { style: `--depth:${this.#depth(index)}` }, show, isShown ? [rename, remove] : []);
    });
    const others = bench.branches
      .map((branch, index) => [index, branch.name])
      .filter(([index]) => index !== bench.current);
    const { parent } = bench.branch;
    const against = h(
      'select',
      { 'aria-label': t('branch.with') },
      others.map(([value, text]) => h('option', { value }, text)),
    );
    if (parent >= 0) against.value = String(parent);
    const show = button(t('branch.compare'), () => this.compare(bench.current, Number(against.value)));
    root.replaceChildren(
      h('h2', {}, t('branch.title')),
      h('ul', {}, items),
      h('span', { class: 'row versus' }, show, against),
    );
  }

  #origin({ parent, at }) {
    return { name: this.bench.branches[parent].name, at: n(at) };
  }

  #depth(index) {
    let depth = 0;
    for (let at = this.bench.branches[index].parent; at >= 0; at = this.bench.branches[at].parent) depth++;
    return depth;
  }

  #rename(index) {
    const branch = this.bench.branches[index];
    const item = this.root.querySelectorAll('li')[index];
    let isOver = false;
    const leave = (name) => {
      // Taking the field away takes the focus from it, too.
      if (isOver) return;
      isOver = true;
      if (name !== '') this.bench.rename(index, name);
      this.update();
      this.bench.renamed();
    };
    const press = ({ key }) => {
      if (key === 'Enter') leave(input.value.trim());
      if (key === 'Escape') leave('');
    };
    const input = h('input', {
      value: branch.name,
      'aria-label': t('branch.rename', branch),
      on: { keydown: press, blur: () => leave(input.value.trim()) },
    });
    item.replaceChildren(input);
    input.focus();
    input.select();
  }
}

/** What is said about two branches: where they part, and what each costs; and the time at which they part. */
export function comparison(one, other) {
  const reels = [one, other].map((branch) => branch.answer.reel);
  const event = partingOf(...reels);
  const lengths = reels.map((reel) => reel.events.node.length);
  const same = event === Math.min(...lengths) && lengths[0] === lengths[1];
  const moments = reels[0].moments;
  const moment = moments.time.filter((_, index) => moments.first[index] <= event).at(-1) ?? 0;
  const messages = reels.map((reel) => reel.messages.to.length);
  const parting = same ? t('compare.same') : t('compare.parts', { event: n(event + 1), time: String(moment) });
  const difference = messages[0] - messages[1];
  const cost = t(difference === 0 ? 'compare.cost-same' : 'compare.cost', {
    one: one.name,
    other: other.name,
    a: n(messages[0]),
    b: n(messages[1]),
    difference: `${difference > 0 ? '+' : '−'}${n(Math.abs(difference))}`,
  });
  return { notes: [parting, cost], time: same ? 0 : moment };
}
