import { withLineFeeds } from './lines.js';
import { readBlocks } from './markdownBlocks.js';
import { textOf, type Span } from './span.js';

const heading = '## Execution Notes Appendix'; // as upstream writes it

/** The reminders in the text of an appendix block: its list items, each on one line and without its bullet. */
export function notesIn(block: string): readonly string[] {
  const text = withLineFeeds(block);
  return spansIn(text).map((span) => plainNote(textOf(text, span)));
}

/** A reminder on one line, without a bullet. */
export function plainNote(text: string): string {
  return text
    .trim()
    .replace(/^(?:[*+-]|\d{1,9}[.)])\s+/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** The text of the block with more reminders at its end. */
export function withMoreNotes(block: string, added: readonly string[]): string {
  const text = withLineFeeds(block).trim();
  if (text === '') return `${heading}\n\n${listOf(added)}`;
  const endsWithList = spansIn(text).at(-1)?.end === text.length;
  return `${text}${endsWithList ? '\n' : '\n\n'}${listOf(added)}`;
}

/** The text of the block with these in place of its reminders. Whatever else stands in it comes before them. */
export function withOtherNotes(block: string, notes: readonly string[]): string {
  const text = withLineFeeds(block).trim();
  const ends = [0, ...spansIn(text).map(({ end }) => end)];
  const starts = [...spansIn(text).map(({ start }) => start), text.length];
  const rest = starts
    .map((start, at) => text.slice(ends[at], start))
    .join('')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .trim();
  return `${rest === '' ? heading : rest}\n\n${listOf(notes)}`;
}

function spansIn(text: string): readonly Span[] {
  return readBlocks(text)
    .items.filter(({ level }) => level === 0)
    .map(({ span }) => span);
}

function listOf(notes: readonly string[]): string {
  return notes.map((note) => `- ${note}`).join('\n');
}
