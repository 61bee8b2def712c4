import { element, scrolled, tableOf } from './section.js';
import type { ReportPayload } from './reportMessage.js';

/** The candidates that the run ended with, side by side; nothing where it chose by the score alone. */
export function candidatesSection({ candidates }: ReportPayload): readonly HTMLElement[] {
  if (candidates === undefined) return [];
  const { title, sentences, head, rows } = candidates;
  return [
    element(
      'section',
      { 'aria-labelledby': 'candidates' },
      element('h2', { id: 'candidates' }, title),
      ...sentences.map((sentence) => element('p', { class: 'about' }, sentence)),
      scrolled(title, tableOf(title, head, rows)),
    ),
  ];
}
