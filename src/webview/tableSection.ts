import { element, scrolled, tableOf } from './section.js';
import type { PlainTable } from './reportMessage.js';

/** A table under its heading, such as the candidates side by side; nothing where there is none. */
export function tableSection(id: string, table: PlainTable | undefined): readonly HTMLElement[] {
  if (table === undefined) return [];
  const { title, sentences, head, rows } = table;
  return [
    element(
      'section',
      { 'aria-labelledby': id },
      element('h2', { id }, title),
      ...sentences.map((sentence) => element('p', { class: 'about' }, sentence)),
      scrolled(title, tableOf(title, head, rows)),
    ),
  ];
}
