import type { Span } from '../document/span.js';
import { isBlank, withLineFeeds, withoutOuterBlankLines } from '../document/lines.js';
import type { NotAppliedReason } from './splice.js';

/**
 * Where the anchor stands, if it stands in exactly one place. Line breaks of every kind are equal, and blank lines around
 * the anchor do not count; everything else must be as written.
 */
export function findAnchor(text: string, anchor: string): Span | NotAppliedReason {
  const wanted = withoutOuterBlankLines(withLineFeeds(anchor));
  if (isBlank(wanted)) {
    return { kind: 'refused', reason: 'empty', detail: 'The edit names no text to change.' };
  }
  const normal = withLineFeeds(text);
  const at = normal.indexOf(wanted);
  if (at < 0) {
    return { kind: 'unmatched', reason: 'anchor-missing', detail: `The document does not contain ${shown(wanted)}.` };
  }
  if (normal.includes(wanted, at + 1)) {
    const detail = `The document contains ${shown(wanted)} more than once.`;
    return { kind: 'unmatched', reason: 'anchor-ambiguous', detail };
  }
  return { start: sourceOffset(text, at), end: sourceOffset(text, at + wanted.length) };
}

const longestShown = 80;

/** A text as it is quoted in a report: on one line, and not too long. */
export function shown(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `“${line.length > longestShown ? `${line.slice(0, longestShown)}…` : line}”`;
}

/** Where a place of the text with line feeds only is in the text as it is. */
function sourceOffset(text: string, normalOffset: number): number {
  if (!text.includes('\r')) return normalOffset;
  let offset = 0;
  for (let normal = 0; normal < normalOffset; normal += 1) {
    offset += text[offset] === '\r' && text[offset + 1] === '\n' ? 2 : 1;
  }
  return offset;
}
