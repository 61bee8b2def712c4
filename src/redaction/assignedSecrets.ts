import { judgeName } from './secretNames.js';
import { looksRandom, standsForSecret, wordShare } from './plausibleValue.js';
import type { Span } from './span.js';

/**
 * Secrets that a name gives away: `DB_PASSWORD=…`, `"apiKey": "…"`, `client secret: …`, `--token …`, `<password>…`.
 * A name alone is not enough: the value must look like one, too, or half of all documentation would be blacked out.
 */
export function findAssignedSecrets(text: string): readonly Span[] {
  return [...text.matchAll(assignment), ...text.matchAll(flag)].flatMap((match) => {
    const found = valueOf(match);
    const family = judgeName(fullName(match));
    if (found === undefined || family === undefined || !isSecret(family, found)) return [];
    return [{ start: found.start, end: found.start + found.value.length, kind: `${family}-assignment` }];
  });
}

// The value is only looked ahead at, so that `data: password=…` is seen at both names.
const value = /(?=(?<quoted>\\{0,3}(?:"[^"\n]{1,600}|'[^'\n]{1,600}|`[^`\n]{1,600}))|(?<bare>[^\s"'`<>,;&]{1,600}))/
  .source;
const name = /(?<![\w.$-])(?<name>[A-Za-z_][\w.-]{0,60})/.source;
const separator = /(?:\\{0,3}["'`\]]){0,3}[ \t]{0,4}(?:=>|:=|={1,3}|:|>| is )\s{0,4}/.source;
const assignment = new RegExp(`${name}${separator}${value}`, 'dg');
const flag = new RegExp(`(?<![\\w-])--?(?<name>[A-Za-z][\\w-]{0,40})[ \\t]{1,4}${value}`, 'dg');

/** With up to two words before it: the name of `client secret: …` is two words. */
function fullName({ input, index, groups = {} }: RegExpExecArray): string {
  const before = /(?:[A-Za-z][\w-]{0,30} ){1,2}$/.exec(input.slice(Math.max(0, index - 64), index))?.[0] ?? '';
  return before + (groups['name'] ?? '');
}

interface Value {
  readonly value: string;
  readonly start: number;
  /** Quoted, or glued to its name as in `NAME=value`: certainly a value, never the next word of a sentence. */
  readonly marked: boolean;
}

function valueOf({ indices, groups = {}, input: text }: RegExpExecArray): Value | undefined {
  const { quoted, bare } = indices?.groups ?? {};
  if (quoted !== undefined) return quotedValue(groups['quoted'] ?? '', quoted[0]);
  if (bare === undefined) return undefined;
  return {
    value: (groups['bare'] ?? '').replace(/[.)\]}|\\]+$/, ''),
    start: bare[0],
    marked: text.at(bare[0] - 1) === '=',
  };
}

/** Without the opening quote, and without the backslashes that escape the closing one inside of JSON. */
function quotedValue(text: string, start: number): Value {
  const open = /^\\*["'`]/.exec(text)?.[0] ?? '';
  return { value: text.slice(open.length).replace(/\\+$/, ''), start: start + open.length, marked: true };
}

function isSecret(family: 'password' | 'token' | 'vendor', found: Value): boolean {
  switch (family) {
    case 'password':
      return isPassword(found);
    case 'token':
      return looksRandom(found.value);
    case 'vendor':
      return found.value.length >= 14 && (looksRandom(found.value) || /^\d{15,}$/.test(found.value));
  }
}

/** A person's password can be anything: short, wordy, full of signs. A bare word that reads aloud is taken for prose. */
function isPassword({ value: text, marked }: Value): boolean {
  if (
    text.length < (marked && /[^A-Za-z]/.test(text) ? 4 : 6) ||
    /\s/.test(text) ||
    standsForSecret(text) ||
    /^[\d.,:-]+$/.test(text)
  )
    return false;
  return marked || /[^A-Za-z_:-]/.test(text) || /[a-z][A-Z]/.test(text) || wordShare(text) < 0.5;
}
