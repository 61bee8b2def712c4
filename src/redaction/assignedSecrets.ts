import { isDrawn } from './drawnValue.js';
import { isNotation } from './notation.js';
import { isPassword, looksRandom } from './plausibleValue.js';
import { judgeForeignName, judgeName, type NameFamily } from './names/secretNames.js';
import type { Search, Span } from './span.js';
import type { ValueForm } from './standIn.js';

/**
 * Secrets that a name gives away: `DB_PASSWORD=…`, `"apiKey": "…"`, `client secret: …`, `--token …`, `<password>…`.
 * A name alone is not enough: the value must look like one, too, or half of all documentation would be blacked out.
 */
export function* findAssignedSecrets(text: string): Search {
  return [
    ...(yield* eachMatch(text.matchAll(assignment), namedSpans)),
    ...(yield* eachMatch(text.matchAll(flag), flagSpans)),
    ...(ascii.test(text) ? [] : yield* eachMatch(text.matchAll(foreignAssignment), foreignSpans)),
  ];
}

const few = 64; // matches a piece: names with a sign behind them stand in every other line

function* eachMatch(matches: Iterable<RegExpExecArray>, spansOf: (match: RegExpExecArray) => readonly Span[]): Search {
  const found: (readonly Span[])[] = [];
  let looked = 0;
  for (const match of matches) {
    if ((looked += 1) % few === 0) yield;
    const spans = spansOf(match);
    if (spans.length > 0) found.push(spans);
  }
  yield;
  return found.flat();
}

function namedSpans(match: RegExpExecArray): readonly Span[] {
  return spanOf(match, judgeName(fullName(match)) ?? judgeEscaped(match));
}

/** The words before a flag are no part of its name, and one that a secret was glued to has had its value. */
function flagSpans(match: RegExpExecArray): readonly Span[] {
  const name = match.groups?.['name'] ?? '';
  return name.includes('REDACTED_') ? [] : spanOf(match, judgeName(name));
}

function foreignSpans(match: RegExpExecArray): readonly Span[] {
  return spanOf(match, judgeForeignName(match.groups?.['name'] ?? ''));
}

/** Behind the `\n` of JSON the n is no part of the name. */
function judgeEscaped({ input, index, groups = {} }: RegExpExecArray): NameFamily | undefined {
  const name = groups['name'] ?? '';
  return input[index - 1] === '\\' && /^[nrt]/.test(name) ? judgeName(name.slice(1)) : undefined;
}

function spanOf(match: RegExpExecArray, family: NameFamily | undefined): readonly Span[] {
  const found = family === undefined ? undefined : valueOf(match);
  if (found === undefined || family === undefined || !isSecret(family, found)) return [];
  const kind = `${family === 'pass' ? 'password' : family}-assignment`;
  return [{ start: found.start, end: found.start + found.value.length, kind }];
}

// The value is only looked ahead at, so that `data: password=…` is seen at both names.
const valuePattern =
  /(?=(?<quoted>\\{1,15}(?:"[^"\n]{1,600}|'[^'\n]{1,600}|`[^`\n]{1,600})|"(?:\\[^\n]|[^"\\\n]){1,600}|'(?:\\[^\n]|[^'\\\n]){1,600}|`(?:\\[^\n]|[^`\\\n]){1,600}|[“„«「『][^”“»」』\n]{1,600})|(?<bare>[^\s"'`<>,;&，。；、）」]{1,600}))/
    .source;
const namePattern = /(?:(?<![\w.$-])|(?<=%[0-9A-Fa-f]{2}))(?<name>[A-Za-z_][\w.-]{0,60})/.source;
const sign = /(?:=>|:=|={1,3}|-{1,2}>|→|:|>| is |(?<weak> (?:was|to|ist|lautet|es|est|é) )|&#61;|%3[AD])/.source;
const separator = `(?:\\\\{0,15}["'\`\\]*_]){0,3}[ \\t]{0,4}${sign}[*_]{0,3}\\s{0,12}(?:[|>][+-]?[ \\t]{0,4}\\n[ \\t]{0,20})?`;
const assignment = new RegExp(`${namePattern}${separator}${valuePattern}`, 'g');
const flag = new RegExp(`(?<![\\w-])--?(?<name>[A-Za-z][\\w-]{0,40})[ \\t]{1,4}${valuePattern}`, 'g');

/** Names that other alphabets write, and the signs and words that other languages put between name and value. */
const foreignAssignment = new RegExp(
  `(?<name>contraseña|пароль|密码|密碼|口令|密钥|密鑰|令牌|パスワード|비밀번호|mot de passe|hasło|lösenord|şifre|clé (?:api|secrète)|api-schlüssel)["'\`\\]*_]{0,3}[ \\t\\u00a0\\u202f]{0,4}(?:=>|:=|={1,3}|[:：]|是|为|為|は| (?:es|est|é|ist|это|to|jest) )[*_]{0,3}\\s{0,12}${valuePattern.replace('，。；、）」', '\\u0080-\\uffff')}`,
  'gi',
);
const ascii = /^[\0-\x7f]*$/;

/** With up to two words before it: the name of `client secret: …` is two words. */
function fullName({ input, index, groups = {} }: RegExpExecArray): string {
  const name = groups['name'] ?? '';
  if (input[index - 1] !== ' ' || !/[\w-]/.test(input[index - 2] ?? '')) return name;
  const before = /(?:[A-Za-z][\w-]{0,30} ){1,2}$/.exec(input.slice(Math.max(0, index - 64), index))?.[0] ?? '';
  return before + name;
}

interface Value {
  readonly value: string;
  readonly start: number;
  readonly form: ValueForm;
  /** A word stands between name and value that may mean anything: the value itself must look drawn. */
  readonly weak: boolean;
}

/** The value was looked ahead at: it begins where the match ends. */
function valueOf(match: RegExpExecArray): Value | undefined {
  const { groups = {}, input } = match;
  const weak = groups['weak'] !== undefined;
  const start = match.index + match[0].length;
  const { quoted, bare } = groups;
  if (quoted !== undefined) return { ...quotedValue(quoted, start), form: 'quoted', weak };
  if (bare === undefined || isOnAnotherLine(match, bare, start)) return undefined;
  const glued = /[=D;]/.test(input.at(start - 1) ?? '');
  const line = glued ? restOfLine(match, start) : undefined;
  return { value: line ?? withoutTail(bare), start, form: glued ? 'glued' : 'loose', weak };
}

/**
 * A line of its own below a name is what is told of something else, and nothing that stands below `<your-password>` is its
 * value: only an element ends.
 */
function isOnAnotherLine({ input, index, 0: found }: RegExpExecArray, bare: string, start: number): boolean {
  if (!found.includes('\n')) return false;
  if (/^[\w.-]{1,60}(?:=(?!=?$)|:$)/.test(bare)) return true;
  const isElement = input[index - 1] === '<' && found.includes('>');
  return isElement && !/^\s{0,20}<\//.test(input.slice(start + bare.length, start + bare.length + 24));
}

/** Without the opening quote, and without the backslashes that escape the closing one inside of JSON. */
function quotedValue(text: string, start: number): Pick<Value, 'value' | 'start'> {
  const open = /^\\*["'`“„«「『]/.exec(text)?.[0] ?? '';
  return { value: text.slice(open.length).replace(/\\+$/, ''), start: start + open.length };
}

/** What closes the sentence, the bracket or the link around a value is no part of it; what closes a call is. */
function withoutTail(value: string): string {
  const word = value.replace(/\)?\]\(.*$/, '');
  return word.replace(word.includes('(') ? /[.\]}|\\*]+$/ : /[.)\]}|\\*]+$/, '');
}

/** The value of `NAME=value` on a line of its own goes to the end of the line, whatever signs it has. */
function restOfLine({ input, index }: RegExpExecArray, start: number): string | undefined {
  const before = input.slice(Math.max(0, index - 12), index);
  if (!/(?:^|\n)(?:export |set |ENV |ARG )?$/.test(before)) return undefined;
  const line = /^[^\s"'`<>]{1,600}(?=\r?\n|$)/.exec(input.slice(start, start + 602))?.[0];
  return line === undefined || /[;&][A-Za-z_ ]+=/.test(line) ? undefined : line;
}

/** Whether a value may be what its name says. */
export function isSecret(family: NameFamily, found: Pick<Value, 'value' | 'form' | 'weak'>): boolean {
  if (found.weak && !(found.value.length >= 6 && isDrawn(found.value))) return false;
  switch (family) {
    case 'password':
      return isPassword(found.value, found.form);
    case 'pass':
      return (
        found.value.length >= 6 &&
        isDrawn(found.value) &&
        !isNotation(found.value) &&
        isPassword(found.value, found.form)
      );
    case 'token':
      return looksRandom(found.value, found.form);
    case 'vendor':
      return found.value.length >= 14 && (looksRandom(found.value, found.form) || /^\d{15,}$/.test(found.value));
  }
}
