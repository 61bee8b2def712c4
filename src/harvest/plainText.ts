/**
 * A text as a person reads it: without what steers a terminal (colours, titles, links, going back over what is written) and
 * without other control characters. Line breaks and tabs stay; a return to the beginning of the line is a new line.
 */
export function plainText(text: string): string {
  return controls.test(text) ? text.replaceAll(/\r\n?/gu, '\n').replaceAll(sequences, '') : text;
}

const control = String.raw`(?![\n\t])\p{Cc}`;
const controls = new RegExp(control, 'u');
const escape = String.raw`\u001B`;

/**
 * Strings for the terminal with what ends them (OSC, DCS and the like: a title, the address of a link), orders (CSI), two
 * letters behind an escape, and every character of control by itself. Counted: one that never ends takes no more than that.
 */
const sequences = new RegExp(
  [
    `(?:${escape}[\\]PX^_]|[\\u0090\\u0098\\u009D-\\u009F])\\P{Cc}{0,2000}(?:\\u0007|${escape}\\\\|\\u009C)`,
    `(?:${escape}\\[|\\u009B)[0-?]{0,60}[ -/]{0,10}[@-~]`,
    `${escape}[ -/]{0,4}[0-Z\\\\^-~]`,
    control,
  ].join('|'),
  'gu',
);
