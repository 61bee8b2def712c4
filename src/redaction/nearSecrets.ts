import { isFormula, isNamedInSentence, isNotation } from './notation.js';
import { caseless, type CaselessPattern, type FindNames } from './names/caselessPattern.js';
import { about, gap, key, otherPassword, passwordName, rarePassword, tokenName, user } from './names/passwordNames.js';
import {
  isBelowBlock,
  isDrawnToken,
  isLikelyPassword,
  isLongToken,
  isPassword,
  isUnmistakable,
} from './plausibleValue.js';
import { remembered } from './remembered.js';
import { findShapeAtStart } from './secretShape.js';
import type { Search, SecretShape, Span } from './span.js';

/**
 * Secrets that stand near their name without a sign between them: before it (“use … as the password”, “… is my GitHub
 * token”), in the sentence after it (“The password has changed. It’s now …”), alone on a line below it, and anywhere in the
 * same clause where nobody would write such a word for its meaning.
 */
export function* findNearSecrets(text: string, findNames: FindNames): Search {
  const found: Span[] = [];
  const wordsOf = remembered(unmistakableIn, 1);
  let looked = 0;
  for (const { name, isValue, shapes } of groups) {
    for (const { index, 0: word } of findNames(name)) {
      if ((looked += 1) % few === 0) yield;
      if (placeholder.test(text.slice(Math.max(0, index - 50), index))) continue;
      const from = index + word.length;
      const behind = text.slice(from, from + farthestBehind);
      for (const each of shapes)
        for (const { start, end, kind } of findShapeAtStart(behind, each))
          found.push({ start: from + start, end: from + end, kind });
      if (isValue === undefined) continue;
      found.push(
        ...beforeName(text, index, word.length, isValue),
        ...inClause(text, index, word.length, wordsOf(text)),
      );
    }
    yield;
  }
  return found;
}

const few = 64; // names a piece
/** What stands for a secret is called by the name of it. */
const placeholder = /REDACTED_[a-z0-9-]{0,40}$/;
const farthestBehind = 400;
const farthestBefore = 140;
const clause = 90; // characters to each side of a name

/** “use … as the root password”, “… is my GitHub token”, “… ist das Passwort”: the value, and the words that join it. */
function beforeName(text: string, at: number, length: number, isValue: (value: string) => boolean): readonly Span[] {
  const before = text.slice(Math.max(0, at - farthestBefore), at);
  const joint = joints.exec(before);
  if (joint === null || saidOfName.test(text.slice(at + length, at + length + 20))) return [];
  const word = /[^\s"'`<>,;“”„«»「」]{4,100}["'`”“»」*]{0,3}$/u.exec(before.slice(0, joint.index))?.[0] ?? '';
  const value = word.replace(/["'`”“»」*]+$/u, '').replace(wordsBefore, '');
  if (!isValue(value) || isNamedInSentence(value) || isNotation(value)) return [];
  const start = at - before.length + joint.index - word.length + word.indexOf(value);
  return [{ start, end: start + value.length, kind: 'near-secret' }];
}

/** Marks, and words of languages that write no spaces. */
const wordsBefore = /^(?:[^]*[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef])?[*(]*/u;

const owned = `(?:(?:the|my|our|your|his|her|their|its|a|an|das|mein|unser|dein|ihr|le|mon|notre|votre|la|mi|tu|nuestra|a|minha|nossa|il|de|het|mijn)${gap}{1,3})`;
const adjectives = `(?:[\\p{L}\\d][\\p{L}\\d.'’_-]{0,30}${gap}{1,3}){0,3}`;
const joints = new RegExp(
  [
    `${gap}{1,3}(?:as|als|comme|como|come|jako)${gap}{1,3}${owned}?${adjectives}$`,
    `${gap}{1,3}(?:is|was|ist|war|est|es|é|è)${gap}{1,3}${owned}${adjectives}$`,
    `${gap}{0,3}(?:[,(–—-]${gap}{0,2})(?:that|this|which|das|ce|c)?(?:['’]s|['’]est|${gap}is|${gap}ist)${gap}{1,3}${owned}${adjectives}$`,
    `${gap}{0,3}(?:是|作为|作為|当作?|當作?|は|が)${gap}{0,3}(?:我的|我们的|你的|私の)?[^\\s，。,.]{0,12}$`,
  ].join('|'),
  'iu',
);

/** Behind a name that is only the first half of one: what stands before it is no password. */
const saidOfName =
  /^(?:s\b|-\p{L}|的|の|[错錯誤误过過哈字管策强強重]|[ -]{1,2}(?:hash|kdf|deriv|expir|error|incorrect|wrong|bypass|ticket|test|standard|manager|field|column|polic|grant|typ|format|algorithm|valid|check|cod|prov|issu|endpoint|vault|stor|librar|class|function|method|param|prefix|generat|encod|pattern|rule|name|scheme|id\b|limit|bucket|count|budget|reset|input|prompt|box))/iu;

/** All words of a text that nobody writes for their meaning, in their order: most texts have none. */
function unmistakableIn(text: string): readonly Span[] {
  return [...text.matchAll(mixedWord)].flatMap(({ 0: found, index }) => {
    const whole = found.replace(/[.!?]+$/, '');
    const value = whole.replace(setting, '');
    if (!isUnmistakable(value) || isFormula(whole) || isBelowBlock(text, index)) return [];
    const end = index + whole.length;
    return [{ start: end - value.length, end, kind: 'near-secret' }];
  });
}

/** Of `TOKEN_TTL=15m` only what is set may be a secret. */
const setting = /^[A-Za-z_]{1,30}=/;

const sign = '[^\\s"\'`<>,;:()\\[\\]{}|“”„«»「」，。；、）（]';
const mixedWord = new RegExp(`(?<!${sign})(?=[^\\d\\s]{0,80}\\d)${sign}{8,80}(?![=(]|${sign})`, 'gu');

/** Those of them in the name's own clause. */
function inClause(text: string, at: number, length: number, words: readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  for (let next = firstFrom(words, at - clause); next < words.length; next += 1) {
    const span = words[next];
    if (span === undefined || span.start > at + length + clause) break;
    const between = span.start < at ? text.slice(span.end, at) : text.slice(at + length, span.start);
    if (!/\n|[.!?。]\s/.test(between)) found.push(span);
  }
  return found;
}

/** The place of the first span that begins there or later. */
function firstFrom(spans: readonly Span[], at: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One word on a line, which may be quoted, an item of a list, or fenced. */
const line = `["'\`*]{0,3}${gap}{0,3}\\r?\\n(?:${gap}{0,20}(?:(?:\`{3}|~{3})[\\w-]{0,20}${gap}{0,3}|[-=]{3,40})?\\r?\\n){0,3}${gap}{0,20}(?:[>*•-]${gap}{1,3})?`;
const alone = `["'\`*]{0,3}(?!\\w{1,40}[=:])(?<secret>[^\\s"'\`<>,;]{5,199}[^\\s"'\`<>,;.*])["'\`*]{0,3}[.]?${gap}{0,3}(?=\\r?\\n|(?![^]))`;

/** What joins a name to the next line, where anything does: “The password is”. */
const being = `(?:${gap}{1,3}(?:is|are|was|ist|lautet|war|est|es|é|è|är|это|είναι|este|to|jest|je)(?:${gap}{1,3}(?:now|still|jetzt|nun|maintenant|ahora|agora|теперь))?)?${gap}{0,3}`;

/** What a sentence begins with that goes on about the one before it. */
const it = `(?:(?:and|but|so|now|und|jetzt|et|y)${gap}{1,3})?(?:(?:it|this|that|mine|the new (?:one|value)|new one)(?:['’]s|${gap}{1,3}(?:is|was)|:)|(?:es|das neue|neu) (?:ist|lautet|hei(?:ß|ss)t)|c['’]est|(?:le nouveau|il) est|(?:ahora|la nueva|agora|a nova) (?:es|é)|现在是|新的是|它是|今は)(?:${gap}{1,3}(?:now|still|just|currently|jetzt|nun|maintenant|désormais))?${gap}{0,2}[:：]?${gap}{0,3}["'\`“«「*]{0,3}`;
const next =
  '(?<secret>[^\\s"\'`<>,;“”„«»\\u3000-\\u30ff\\u4e00-\\u9fff\\uff00-\\uffef]{5,199}[^\\s"\'`<>,;“”„«».)\\]}|*:!?\\u3000-\\u30ff\\u4e00-\\u9fff\\uff00-\\uffef]!?)';

const inNext = `[^.!?;\\n。！；]{0,80}[.!?;,。！；，—–-]["')]?\\s{0,3}${it}${next}`;

/** What happens to those alone that open something. */
const renewed = '[^.!?;\\n]{0,60}(?:expire|revoke|rotate|renew|leak)';

interface NearGroup {
  readonly name: CaselessPattern;
  readonly shapes: readonly SecretShape[];
  /** Whether a word may be what the name says; missing where the name alone says too little. */
  readonly isValue?: (value: string) => boolean;
}

const credentials = '\\b(?:credentials|creds|zugangsdaten|anmeldedaten|identifiants|credenciales)(?!\\p{L})';

const tokensBelow: readonly SecretShape[] = [
  shape(`${about}${being}[:：]?${line}${alone}`, isDrawnToken),
  shape(`[^\\n:.]{1,60}[:：]${line}${alone}`, isDrawnToken),
];

const groups: readonly NearGroup[] = [
  {
    name: passwordName,
    isValue: (value) => isPassword(value, 'loose') && isMarked(value),
    shapes: [
      shape(`${about}${being}[:：]?${line}${alone}`, isLikelyPassword),
      shape(`[^\\n:.]{1,60}[:：]${line}${alone}`, isLikelyPassword),
      shape(inNext, isToldLater),
    ],
  },
  {
    name: caseless(`${key}|\\bsecret`),
    isValue: isDrawnToken,
    shapes: [...tokensBelow, shape(inNext, isDrawnToken)],
  },
  {
    // Much is said of tokens that are parts of a text.
    name: tokenName,
    isValue: isDrawnToken,
    shapes: [...tokensBelow, shape(inNext, isLongToken), shape(`(?=${renewed})${inNext}`, isDrawnToken)],
  },
  {
    // These mean much else too.
    name: caseless(`${otherPassword}|${rarePassword}|${credentials}`),
    isValue: isUnmistakable,
    shapes: [shape(`${about}(?=${gap})${being}[:：]?${line}${alone}`, isLikelyPassword)],
  },
  {
    name: caseless(user),
    shapes: [shape(`${gap}{0,3}[:=]${gap}{0,3}["'\`*]{0,3}[\\w.@+-]{2,60}${line}${alone}`, isLikelyPassword)],
  },
];

/** What stands right behind a name. */
function shape(pattern: string, accept: (value: string) => boolean): SecretShape {
  return { kind: 'near-secret', pattern: new RegExp(`(?<![^])${pattern}`, 'dgiuy'), accept };
}

/** Not letters alone, which are a word. */
function isMarked(value: string): boolean {
  return /\d|[^\p{L}\d_.:/-]/u.test(value);
}

/** What is said of a password in the next sentence is no word with another joined to it: `2FA-protected`. */
function isToldLater(value: string): boolean {
  return isPassword(value, 'loose') && isMarked(value) && !isNamedInSentence(value) && !/^[\w.]+-\p{Ll}+$/u.test(value);
}
