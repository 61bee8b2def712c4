import { isDrawn } from '../drawnValue.js';
import { isNamed, isNotation } from '../notation.js';
import { isPassword, isSpokenPassword, looksRandom } from '../plausibleValue.js';
import { judgeName } from '../names/secretNames.js';
import type { Search, Span } from '../span.js';

/**
 * Secrets whose name stands in a field of its own beside that of the value (`- name: DB_PASSWORD`, `value: …` below it;
 * `{"name": …, "value": …}`, `<add key="…" value="…"/>`), and those that a connection is called with, which only their
 * place among the arguments tells.
 */
export function* findPairedSecrets(text: string): Search {
  const found: Span[] = [];
  for (const pattern of /value/i.test(text) ? pairs : []) {
    found.push(...inFields(text, pattern));
    yield;
  }
  for (const { 0: call, index } of connectionEnd.test(text) ? text.matchAll(connection) : []) {
    const from = index + call.length;
    const spans = amongArguments(text.slice(from, from + longestCall));
    found.push(...spans.map(({ start, end, kind }) => ({ start: from + start, end: from + end, kind })));
    yield;
  }
  return found;
}

function inFields(text: string, pattern: RegExp): readonly Span[] {
  return [...text.matchAll(pattern)].filter(isPaired).map((match) => spanOf(match, 'field-secret'));
}

function amongArguments(call: string): readonly Span[] {
  const all = [...call.matchAll(argument)];
  const end = all.findIndex(({ groups }) => groups?.['end'] !== undefined);
  return (end < 0 ? all : all.slice(0, end)).filter(isGiven).map((match) => spanOf(match, 'login-password'));
}

const quote = '\\\\{0,3}["\']';
const field = (names: string): string =>
  `(?<![\\w-])(?:${quote})?[a-z]{0,20}(?:${names})(?:${quote})?\\s{0,3}[:=]\\s{0,4}`;
const name = `${field('name|key')}(?:${quote})?(?<name>[a-z_][\\w.-]{1,60})(?:${quote})?`;
const value = `${field('value')}(?:${quote}(?<quoted>[^"'\\\\\\n]{4,600})|(?<bare>[^\\s"'\`<>,;{}[\\]\\\\]{4,600}))`;
/** To the next field of the same thing: no bracket, and no item of another list. */
const next = '(?:\\\\[nr]|\\s){0,3},?(?:\\\\[nrt]|\\s){0,80}';
const pairs = [new RegExp(`${name}${next}${value}`, 'dgi'), new RegExp(`${value}(?:${quote})?${next}${name}`, 'dgi')];

function isPaired({ groups = {} }: RegExpExecArray): boolean {
  const written = groups['quoted'] ?? groups['bare'] ?? '';
  switch (judgeName(groups['name'] ?? '')) {
    case 'password':
    case 'pass':
      return isPassword(written, 'loose') && !isNotation(written);
    case 'token':
      return looksRandom(written, 'loose') && !isNamed(written);
    case 'vendor':
      return written.length >= 14 && looksRandom(written, 'loose');
    case undefined:
      return false;
  }
}

/** Of a driver for a database and of a login: server, account and password, in whichever order. */
const connection =
  /\b(?:\w{0,40}_)?(?:connect|getConnection|mysqli|PDO|authenticate|log_?in|sign_?in)\((?=[^\n)]{0,200}?,)/gi;
/** What each of them ends with: few texts hold it, and it is found in a small part of the time. */
const connectionEnd = /[tnioe]\(/i;
const longestCall = 400;
/** Every argument but the first, and the end of the call. */
const argument = /,\s{0,20}(?:"(?<quoted>[^"\n]{4,200})"|'(?<bare>[^'\n]{4,200})')(?=\s{0,20}[,)])|(?<end>\)|;)/dg;

function isGiven({ groups = {} }: RegExpExecArray): boolean {
  const given = groups['quoted'] ?? groups['bare'] ?? '';
  return isDrawn(given) && isSpokenPassword(given) && !isNotation(given);
}

function spanOf({ indices }: RegExpExecArray, kind: string): Span {
  const [start, end] = indices?.groups?.['quoted'] ?? indices?.groups?.['bare'] ?? [0, 0];
  return { start, end, kind };
}
