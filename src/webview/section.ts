/** One chart with its heading, what it says in a sentence, and its table. */
interface Section {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Undefined where there is nothing to draw. */
  readonly drawing: Node | undefined;
  readonly asTable: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the page that a screen reader finds by its heading. */
export function sectionOf({ id, title, about, drawing, asTable, head, rows }: Section): HTMLElement {
  const table = rows.length === 0 ? [] : [tableOf(title, head, rows)];
  const folded =
    table.length === 0
      ? []
      : [element('details', {}, element('summary', {}, `${asTable}: ${title}`), scrolled(title, ...table))];
  return element(
    'section',
    { 'aria-labelledby': id },
    element('h2', { id }, title),
    element('p', { class: 'about' }, about),
    ...(drawing === undefined ? [] : [drawing]),
    ...folded,
  );
}

/** What is wider than the page scrolls by itself, with the keyboard too. */
export function scrolled(label: string, ...children: readonly Node[]): HTMLElement {
  return element('div', { class: 'scrolled', tabindex: 0, role: 'region', 'aria-label': label }, ...children);
}

/** Figures for those who read instead of look. The first column names the row. */
export function tableOf(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  const heads = head.map((word) => element('th', { scope: 'col' }, word));
  const body = rows.map(([first = '', ...rest]) =>
    element('tr', {}, element('th', { scope: 'row' }, first), ...rest.map((cell) => element('td', {}, cell))),
  );
  return element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...heads)),
    element('tbody', {}, ...body),
  );
}

type Attributes = Readonly<Record<string, string | number>>;
type Child = Node | string;

/** An element of the page. Text is always text: nothing of a model or a person is read as HTML. */
export function element(tag: string, attributes: Attributes, ...children: readonly Child[]): HTMLElement {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function drawn(tag: string, attributes: Attributes, ...children: readonly Child[]): SVGElement {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** A part of a drawing that the keyboard reaches and that says what it shows. */
export function reachable(says: string, look: string, ...children: readonly Child[]): SVGElement {
  const attributes = { tabindex: 0, role: 'img', 'aria-label': says, class: look };
  return drawn('g', attributes, drawn('title', {}, says), ...children);
}

function filled<Made extends Element>(made: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
