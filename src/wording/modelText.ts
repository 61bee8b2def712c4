// Control characters, and those that turn the reading direction or hide: a lens must not be made to say what it does not.
// oxlint-disable-next-line no-control-regex -- these are the characters to be removed
const unseen = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;
const punctuation = /[!-/:-@[-`{-~]/g;
const longestText = 2_000;

/** Text that a model wrote, as it may stand in a lens or a menu: one line, at most so long, and no icon of its own. */
export function onOneLine(text: string, most: number): string {
  const line = text.replaceAll(unseen, ' ').replaceAll(/\s+/g, ' ').replaceAll('$(', '$ (').trim();
  return line.length > most ? `${line.slice(0, most - 1).trimEnd()}…` : line;
}

/**
 * Text that a model wrote, as Markdown that shows exactly that text: no link, no image, no HTML and no icon comes of it,
 * whatever it says. Line breaks stay.
 */
export function asMarkdown(text: string): string {
  const shown = text.length > longestText ? `${text.slice(0, longestText)}…` : text;
  // Icons are looked for after Markdown has taken its backslashes: only a space keeps one from appearing.
  return shown
    .replaceAll('$(', '$ (')
    .split(/\r\n?|\n/)
    .map((line) =>
      line
        .replaceAll(unseen, ' ')
        .trim()
        .replaceAll(punctuation, String.raw`\$&`),
    )
    .join('  \n');
}
