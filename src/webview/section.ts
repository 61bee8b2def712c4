import { element } from './dom.js';
import { tableOf } from './table.js';

/** One chart with its heading, what it says in a sentence, and its table. */
export interface Section {
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
