import { withLineFeeds } from '../document/lines.js';

/** A rule in the form in which two are compared: without bullet, case, spacing and final full stop. */
export function normalRule(text: string): string {
  return text
    .trim()
    .replace(/^(?:[*+-]|\d{1,9}[.)])\s+/, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/[.。;]$/, '')
    .toLowerCase();
}

/** True where the lines of `content` already stand together in `text`, blank lines and bullets aside. */
export function isAlreadyIn(text: string, content: string): boolean {
  return normalLines(text).includes(normalLines(content));
}

function normalLines(text: string): string {
  const lines = withLineFeeds(text)
    .split('\n')
    .map(normalRule)
    .filter((line) => line !== '');
  return `\n${lines.join('\n')}\n`;
}
