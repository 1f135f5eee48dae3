// To hand on what is seen: a link that restores it, the command line, and files.

import { ask } from './carrier.js';
import { button, h, put, save } from './dom.js';
import { t } from './texts.js';

/** The largest length of a link. */
const LONGEST = 30_000;
/** What a trace is called in a command. */
const RECORDED = 'trace.ndjson';

/** What the page shows, as the part of its address behind #. */
export function encode(view) {
  const bytes = new TextEncoder().encode(JSON.stringify(view));
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** What a link shows; null if it is none. */
export function decode(text) {
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const view = JSON.parse(new TextDecoder().decode(Uint8Array.from(plain, (letter) => letter.charCodeAt(0))));
    const isFine =
      Array.isArray(view?.b) && view.b.length > 0 && view.b.every(({ r }) => r && typeof r.ask === 'string');
    return isFine ? view : null;
  } catch {
    return null;
  }
}

/** All that a link holds: the branches as requests, which one is shown, the place in it, and files. */
export function viewOf(bench, state) {
  const branches = bench.branches.map(({ name, parent, at, request }) => ({ n: name, p: parent, a: at, r: request }));
  const used = branches.map(({ r }) => (r.election ?? r.check)?.topology);
  const files = Object.fromEntries(Object.entries(bench.files).filter(([name]) => used.includes(`file:${name}`)));
  const places = Object.fromEntries(Object.entries(bench.places).filter(([topology]) => used.includes(topology)));
  const { done, node, isFutureHidden, view } = state;
  return {
    b: branches,
    c: bench.current,
    k: done,
    ...(node >= 0 ? { node } : {}),
    ...(isFutureHidden ? { hidden: true } : {}),
    ...(view !== 'all' ? { view } : {}),
    ...(Object.keys(files).length > 0 ? { f: files } : {}),
    ...(Object.keys(places).length > 0 ? { at: places } : {}),
  };
}

/** Whether a view fits into a link. */
export function fitsLink(view) {
  return view.b.every(({ r }) => r.ask !== 'open') && encode(view).length <= LONGEST;
}

/** The file that a command reads, by the name that it has there; nothing if it reads none. */
function needed({ trace, election, check }, files, command) {
  if (trace && command.includes(RECORDED)) return { name: RECORDED, text: trace };
  const [, name] = /^file:(.*)$/.exec((election ?? check)?.topology ?? '') ?? [];
  return command.includes(`file:${name}`) && files[name] !== undefined ? { name, text: files[name] } : null;
}

/** The panel for sharing. */
export class Share {
  constructor(root, lab) {
    Object.assign(this, { root, lab });
  }

  update() {
    const { bench, player } = this.lab;
    if (!player) return;
    const { election, branch } = bench;
    const repeat = branch.answer.repeat || player.scene.reel.repeat;
    this.told = h('p', { role: 'status', class: 'faint' });
    const copy = async (text, done) => {
      await navigator.clipboard.writeText(text).then(
        () => (this.told.textContent = done),
        () => this.#show(text),
      );
    };
    this.link = h('textarea', { readonly: true, rows: 3, 'aria-label': t('share.link'), 'data-share': 'link' });
    this.tick();
    const picture = (form, ending, type) => async () => {
      const answer = await this.lab.work.do(t('work.picture'), (signal) =>
        bench.answer({ ask: 'picture', election, form }, signal),
      );
      if (answer) save(`${election.algorithm}.${ending}`, answer.text, type);
    };
    const keep = (part, canvas) =>
      canvas.toBlob((blob) => save(`${election?.algorithm ?? 'run'}-${part}.png`, blob, 'image/png'));
    const diagram = () => {
      const { canvas, until } = player.diagram.picture();
      this.told.textContent = until === undefined ? '' : t('share.png-until', { until });
      keep('diagram', canvas);
    };
    const needs = { disabled: election === null, title: election === null ? t('share.recorded') : undefined };
    const picker = h('input', {
      type: 'file',
      class: 'unseen',
      tabindex: '-1',
      'aria-hidden': 'true',
      on: { change: () => picker.files[0] && this.lab.drop(picker.files[0]) },
    });
    const file = needed(branch.request, bench.files, repeat);
    put(
      this.root,
      h('h2', {}, t('share.link')),
      h('p', { class: 'faint' }, t('share.link-help')),
      this.link,
      h(
        'div',
        { class: 'row' },
        button(t('share.copy-link'), () => copy(this.#url(), t('share.copied')), { class: 'strong' }),
      ),
      h('h2', {}, t('share.command')),
      h('pre', { class: 'command', tabindex: '0' }, h('code', {}, repeat)),
      h(
        'div',
        { class: 'row' },
        button(t('share.copy-command'), () => copy(repeat, t('share.copied'))),
        file && button(t('share.save-file', file), () => save(file.name, file.text, 'text/plain')),
      ),
      file && h('p', { class: 'faint' }, t('share.needs-file', file)),
      h('h2', {}, t('share.save')),
      h(
        'div',
        { class: 'row' },
        button(t('share.replay'), picture('html', 'html', 'text/html'), needs),
        button('SVG', picture('svg', 'svg', 'image/svg+xml'), needs),
        button(t('share.trace'), picture('trace', 'ndjson', 'application/x-ndjson'), needs),
        button(t('share.text'), picture('text', 'txt', 'text/plain'), needs),
        button(t('share.png-network'), () => keep('network', player.part('network'))),
        button(t('share.png-diagram'), diagram),
      ),
      h('h2', {}, t('share.open')),
      h('p', { class: 'faint' }, t('share.open-help')),
      button(t('share.choose'), () => picker.click()),
      picker,
      this.told,
    );
  }

  tick() {
    if (this.link && !this.root.hidden) this.link.value = this.#url();
  }

  #url() {
    const view = this.lab.view();
    return view && fitsLink(view) ? `${location.href.split('#')[0]}#${encode(view)}` : t('share.too-long');
  }

  #show(text) {
    this.told.textContent = t('share.by-hand');
    if (this.link.value === text) this.link.select();
  }
}

/** Opens a trace: its run, and its election if it can be held again. */
export function openTrace(trace, signal) {
  return ask({ ask: 'open', trace }, { signal });
}
