import { withLineFeeds } from '../skill/document/lines.js';

/** A text as two documents of the editor are compared: line feeds only and no byte order mark, as the editor has neither. */
export function plainText(text: string): string {
  return withLineFeeds(text.startsWith('\uFEFF') ? text.slice(1) : text);
}
