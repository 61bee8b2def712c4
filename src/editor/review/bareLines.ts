import { linesWithBreaks, withLineFeeds } from '../../skill/document/lines.js';

const mark = /^(?:[-*+>]|\d+[.)])\s+/;

/** The lines of a text that say something, each without indentation and the mark of its list, which formatters rewrite. */
export function bareLines(text: string): readonly string[] {
  return linesWithBreaks(withLineFeeds(text))
    .map((line) => line.trim().replace(mark, ''))
    .filter((line) => line !== '');
}
