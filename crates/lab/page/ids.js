// Ids as bars, one for each node: dragging one onto another swaps them, and keys do the same.

import { h } from './dom.js';
import { t } from './texts.js';

/** With more bars than this there is no room for the ids on them. */
const MANY = 12;

/** The ids of a run as bars. */
export class IdBars {
  constructor(ids, change) {
    Object.assign(this, { ids: [...ids], change });
    const kind = ids.length > MANY ? 'bars many' : 'bars';
    this.element = h('div', { class: kind, role: 'group', 'aria-label': t('ids.drag') });
    this.#render();
  }

  #render(focused) {
    const most = Math.max(...this.ids.map(Number), 1);
    const bars = this.ids.map((id, node) => {
      const bar = h(
        'button',
        {
          type: 'button',
          class: 'id-bar',
          'data-field': `id-${node}`,
          style: `--part:${Math.max(Number(id) / most, 0.04)}`,
          title: t('ids.bar', { node, id }),
          'aria-label': t('ids.bar', { node, id }),
          on: {
            keydown: (event) => this.#press(event, node),
            pointerdown: (event) => this.#hold(event, node),
          },
        },
        h('span', {}, String(id)),
      );
      return bar;
    });
    this.element.replaceChildren(...bars);
    if (focused !== undefined) bars[focused].focus();
  }

  #swap(a, b) {
    [this.ids[a], this.ids[b]] = [this.ids[b], this.ids[a]];
  }

  #press(event, node) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const other = (node + by + this.ids.length) % this.ids.length;
    this.#swap(node, other);
    // The one who hears of the change looks for the focus.
    this.#render(other);
    this.change(this.ids);
  }

  #hold(event, node) {
    const held = event.currentTarget;
    held.setPointerCapture(event.pointerId);
    held.classList.add('held');
    const under = ({ clientX, clientY }) =>
      [...this.element.children].findIndex((bar) => {
        const { left, right, top, bottom } = bar.getBoundingClientRect();
        return clientX >= left && clientX < right && clientY >= top - 20 && clientY < bottom + 20;
      });
    const move = (event) => {
      const over = under(event);
      [...this.element.children].forEach((bar, index) => bar.classList.toggle('over', index === over && over !== node));
    };
    const drop = (event) => {
      held.removeEventListener('pointermove', move);
      held.classList.remove('held');
      const over = under(event);
      if (over >= 0 && over !== node) {
        this.#swap(node, over);
        this.#render();
        this.change(this.ids);
      }
    };
    held.addEventListener('pointermove', move);
    held.addEventListener('pointerup', drop, { once: true });
  }
}
