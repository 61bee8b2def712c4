/**
 * A command as it is, in one line: words with anything but plain characters stand in quotes, and what moves, hides or
 * breaks a line is written as an escape. Two different commands never look the same.
 */
export function shownCommand(words: readonly string[]): string {
  return words.map(shownWord).join(' ');
}

function shownWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  return JSON.stringify(word).replaceAll(/[^\P{C}]|[\u2028\u2029\u00A0\u3164\uFFA0]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
