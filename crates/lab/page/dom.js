// Elements of the page.

/** An element. `on` has its listeners, `is` properties, `style` its style; all else are attributes. */
export function h(name, { on = {}, is = {}, style, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  // The page's policy allows no style in attributes.
  if (style) element.style.cssText = style;
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== null && value !== false)
      element.setAttribute(key, value === true ? '' : value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  Object.assign(element, is);
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  return element;
}

/** Fills an element; nothing stands for nothing. */
export function put(root, ...children) {
  root.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

/** A button. */
export function button(text, click, attributes = {}) {
  return h('button', { type: 'button', on: { click }, ...attributes }, text);
}

/** A field with its label above it. */
export function field(label, control, help) {
  const note = help ? h('small', { class: 'faint' }, help) : null;
  return h('label', { class: 'field' }, h('span', {}, label), control, note);
}

/** A menu; an option is a value, or a value, its text, and why it cannot be chosen. */
export function menu(options, value, change, attributes = {}) {
  const all = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  const items = all.map(([value, text, reason]) =>
    h('option', { value, disabled: Boolean(reason), title: reason ?? undefined }, text),
  );
  const select = h('select', { ...attributes, on: { change: () => change(select.value) } }, items);
  select.value = value;
  return select;
}

/** A stretch of a line that is marked: strong, emphasis or code. */
const MARKED = /(\*\*[^*]+\*\*|\*[^*\s](?:[^*]*[^*\s])?\*|`[^`]+`)/;

/** A block of code between its fences. */
const FENCED = /^```\w*\n([\s\S]*?)\n?^```$/m;

/** Text marked as in Markdown: **bold**, *emphasis*, `code`, blocks of code, lists, headings and paragraphs. */
export function prose(text) {
  const inline = (line) =>
    line.split(MARKED).map((piece, index) => {
      if (index % 2 === 0) return piece;
      if (piece.startsWith('**')) return h('b', {}, piece.slice(2, -2));
      return h(piece.startsWith('*') ? 'em' : 'code', {}, piece.slice(1, -1));
    });
  const code = (text) => h('pre', { tabindex: '0' }, h('code', {}, text));
  const block = (text) => {
    const lines = text.split('\n');
    if (/^#+ /.test(text)) return h('h3', {}, inline(text.replace(/^#+ /, '')));
    if (lines.every((line) => /^\s*[-*] /.test(line)))
      return h(
        'ul',
        {},
        lines.map((line) => h('li', {}, inline(line.replace(/^\s*[-*] /, '')))),
      );
    if (lines.every((line) => /^( {4}|\t)/.test(line))) return code(text.replace(/^ {4}/gm, ''));
    return h('p', {}, inline(lines.map((line) => line.trim()).join(' ')));
  };
  return text.split(FENCED).flatMap((piece, index) => {
    if (index % 2 === 1) return code(piece);
    return piece
      .replace(/^\n+|\s+$/g, '')
      .split(/\n\s*\n/)
      .filter(Boolean)
      .map(block);
  });
}

/** Offers text or a picture as a file. */
export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
