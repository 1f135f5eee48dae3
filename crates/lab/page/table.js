// The events as a table: the text equal of the picture.

import { button, h, put } from './dom.js';
import { n, t } from './texts.js';

/** The number of rows on a page of the table. */
const PAGE = 100;

/** The panel with the table. */
export class Table {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
    this.wanted = '';
  }

  update() {
    this.body = h('tbody', {});
    this.where = h('p', { class: 'faint', role: 'status' });
    const find = h('input', {
      value: this.wanted,
      placeholder: t('table.placeholder'),
      'aria-label': t('table.filter'),
      on: { input: () => this.#filter(find.value) },
    });
    const heads = ['number', 'time', 'what'].map((name) => h('th', { scope: 'col' }, t(`table.${name}`)));
    this.before = button(t('table.before'), () => this.#turn(-1));
    this.after = button(t('table.after'), () => this.#turn(1));
    put(
      this.root,
      find,
      h('div', { class: 'row' }, this.before, this.after),
      this.where,
      h('table', { class: 'events-table' }, h('thead', {}, h('tr', {}, heads)), this.body),
    );
    this.#filter(this.wanted);
  }

  tick() {
    if (this.root.hidden || !this.rows) return;
    const { done, horizon, isFutureHidden } = this.lab.player.scene;
    if (isFutureHidden && horizon !== this.shownTo) return this.#filter(this.wanted);
    for (const [event, row] of this.rows) {
      row.classList.toggle('lit', event === done - 1);
      row.classList.toggle('future', event >= done);
    }
  }

  #filter(text) {
    this.wanted = text;
    const { player } = this.lab;
    if (!player) return;
    const { reel, words, horizon } = player.scene;
    this.shownTo = horizon;
    const lower = text.trim().toLowerCase();
    this.events = [];
    for (let event = 0; event < horizon; event++)
      if (lower === '' || words.event(event).toLowerCase().includes(lower)) this.events.push(event);
    const { done } = player.scene;
    this.page = Math.floor(
      Math.max(
        this.events.findLastIndex((event) => event < done),
        0,
      ) / PAGE,
    );
    this.total = reel.events;
    this.#render();
  }

  #turn(by) {
    this.page += by;
    this.#render();
  }

  #render() {
    const { player } = this.lab;
    const { words } = player.scene;
    const pages = Math.max(Math.ceil(this.events.length / PAGE), 1);
    this.page = Math.min(Math.max(this.page, 0), pages - 1);
    const events = this.events.slice(this.page * PAGE, (this.page + 1) * PAGE);
    this.rows = new Map(
      events.map((event) => {
        const go = button(n(event + 1), () => player.go({ done: event + 1 }), {
          class: 'plain',
          'aria-label': t('table.go', { event: n(event + 1) }),
        });
        return [
          event,
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, go),
            h('td', {}, words.when(event + 1)),
            h('td', {}, words.event(event)),
          ),
        ];
      }),
    );
    this.body.replaceChildren(...this.rows.values());
    this.where.textContent = t('table.page', { page: n(this.page + 1), pages: n(pages), count: n(this.events.length) });
    this.before.disabled = this.page === 0;
    this.after.disabled = this.page >= pages - 1;
    this.tick();
  }
}
