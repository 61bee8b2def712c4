import { findAssignedSecrets } from './assignedSecrets.js';
import { knownFinder } from './knownSecrets.js';
import { findNumberSecrets } from './numberSecrets.js';
import { findNearSecrets } from './nearSecrets.js';
import { findPastedSecrets } from './pastedSecrets.js';
import { findHighEntropy } from './plausibleValue.js';
import { findingIn } from './names/caselessPattern.js';
import { remembered } from './remembered.js';
import { findWithSecretlint } from './secretlintFinder.js';
import { findShapedSecrets } from './shapedSecrets.js';
import { findSaidSecrets } from './saidSecrets.js';
import { joinedReading, spelledReading, type Reading } from './spelledReading.js';
import { findToldSecrets } from './toldSecrets.js';
import { mergeSpans, outside, type Search, type Span } from './span.js';
import { createHmac } from 'node:crypto';

interface FoundSecret {
  readonly kind: string;
  readonly placeholder: string;
}

interface Redaction {
  readonly text: string;
  /** In the order of the text, one entry for each place; never the secret itself. */
  readonly found: readonly FoundSecret[];
}

/**
 * Takes secrets out of text and puts them back. The same secret has the same placeholder in every run and process that
 * shares the key, redacting twice changes nothing more, and `restore(redact(text).text)` is the text again.
 */
export interface Redactor {
  redact(text: string): Redaction;
  /** The same in pieces, for a text of any length: whoever drives it can let others have their turn, or leave it. */
  redacting(text: string): Generator<undefined, Redaction, undefined>;
  /** Puts back what this redactor took out before; other placeholders stay. */
  restore(text: string, how?: Restoring): string;
}

/** How secrets are put back. */
export interface Restoring {
  /**
   * `json` escapes the secret for the inside of a JSON string, where a key block's line breaks would otherwise break the
   * reply it is quoted in.
   */
  readonly form?: 'text' | 'json';
  /** Whether a placeholder may be undone here; every one where it is missing. */
  readonly only?: (placeholder: string, secret: string) => boolean;
}

interface RedactorOptions {
  /** Keys the placeholders' hashes: the state key of this user. */
  readonly key: string;
  /** Secrets known by value, such as the keys in use; taken out whatever their shape. */
  readonly known?: readonly string[];
}

/**
 * A redactor remembers what it took out for as long as it lives, and takes it out of later texts wherever it stands: a
 * secret known by its name alone is one without the name too. It writes nothing anywhere.
 */
export function createRedactor({ key, known = [] }: RedactorOptions): Redactor {
  const secrets = new Map<string, string>();
  const before = rememberSecrets();
  const findKnown = knownFinder(known);
  const replace = (text: string, span: Span): FoundSecret => {
    const secret = text.slice(span.start, span.end);
    const placeholder = placeholderFor(span.kind, secret, key);
    secrets.set(placeholder, secret);
    before.add(secret, span.kind);
    return { kind: span.kind, placeholder };
  };
  const pass = (text: string, spans: readonly Span[]): string =>
    splice(text, spans, (span) => replace(text, span).placeholder);

  function* rounds(text: string): Generator<undefined, Redaction, undefined> {
    let current = text;
    for (let round = 0; round < maximumRounds; round++) {
      const unchanged = current;
      current = pass(current, findKnown(current));
      current = pass(current, yield* findOwnOnce(current));
      current = pass(current, yield* findWithSecretlintOnce(current));
      current = pass(current, yield* before.find(current));
      if (current === unchanged) break;
    }
    return { text: current, found: foundIn(current, secrets) };
  }

  let worked: { readonly text: string; readonly redaction: Redaction } | undefined;
  const redact = remembered(
    (text) => (worked?.text === text ? worked.redaction : atOnce(rounds(text))),
    textsRemembered,
  );
  return {
    redact,
    *redacting(text) {
      if (text.length <= longestShared) return redact(text);
      worked = { text, redaction: yield* rounds(text) };
      const redaction = redact(text);
      worked = undefined;
      return redaction;
    },
    restore(text, { form = 'text', only } = {}) {
      return text.replaceAll(placeholderPattern, (placeholder) => {
        const secret = secrets.get(placeholder);
        if (secret === undefined || only?.(placeholder, secret) === false) return placeholder;
        return form === 'json' ? JSON.stringify(secret).slice(1, -1) : secret;
      });
    },
  };
}

/** All pieces of a search in one go. */
function atOnce<Result>(steps: Generator<undefined, Result, undefined>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Each round can only uncover what a former one stood beside; real texts need two. */
const maximumRounds = 8;

const textsRemembered = 128;

/** As the text stands, and as it is meant where something hides it. */
function* findOwn(text: string): Search {
  const found = yield* findAsWritten(text);
  const spelled = spelledReading(text);
  const joined = joinedReading(text);
  const hidden = spelled === undefined ? [] : yield* findAsWritten(spelled.text);
  const tokens = joined === undefined ? [] : yield* findShapedSecrets(joined.text);
  return [...found, ...placed(hidden, spelled), ...placed(tokens, joined).filter(isBroken(text, found))];
}

function placed(spans: readonly Span[], reading: Reading | undefined): readonly Span[] {
  return spans.map(({ start, end, kind }) => {
    const [from, to] = reading?.originalOf(start, end) ?? [start, end];
    return { start: from, end: to, kind };
  });
}

/** It lies on two lines, and what the second of them begins with is no secret of its own. */
function isBroken(text: string, found: readonly Span[]): (span: Span) => boolean {
  return ({ start, end }) => {
    const at = text.slice(start, end).lastIndexOf('\n');
    return at >= 0 && end - start < longestBroken && !found.some((each) => each.start > start + at && each.start < end);
  };
}

const longestBroken = 2_000;

function* findAsWritten(text: string): Search {
  const spaced = withoutEscapes(text);
  const findNames = findingIn(spaced);
  return [
    ...(yield* findShapedSecrets(spaced)),
    ...(yield* findAssignedSecrets(text)),
    ...(yield* findToldSecrets(spaced)),
    ...(yield* findSaidSecrets(spaced, findNames)),
    ...(yield* findNearSecrets(spaced, findNames)),
    ...(yield* findPastedSecrets(text)),
    ...(yield* findNumberSecrets(spaced)),
    ...findHighEntropy(spaced),
  ];
}

const findOwnOnce = onceWhereClean(findOwn);
const findWithSecretlintOnce = onceWhereClean(findWithSecretlint);

/**
 * What shape alone says of a text does not depend on who asks: all redactors of a process share the texts in which nothing
 * was found, since a run, the next one and what they store work on the same ones. A text with a secret in it is not kept.
 */
function onceWhereClean(find: (text: string) => Search): (text: string) => Search {
  const clean = new Set<string>();
  return function* (text) {
    if (text.length > longestShared) return yield* find(text);
    const found = clean.delete(text) ? [] : yield* find(text);
    if (found.length === 0) clean.add(text);
    const [oldest] = clean;
    if (clean.size > textsShared && oldest !== undefined) clean.delete(oldest);
    return found;
  };
}

/** Together at most a few megabytes. */
const textsShared = 1024;
const longestShared = 16_384;

/** With spaces where JSON has `\n`, so that the n is no part of the word that follows; everything stays in its place. */
function withoutEscapes(text: string): string {
  return text.includes('\\') ? text.replaceAll(/\\[nrt]/g, '  ') : text;
}

/** Replaces the spans; what touches a placeholder was redacted before and stays. */
function splice(text: string, spans: readonly Span[], replacement: (span: Span) => string): string {
  if (spans.length === 0) return text;
  const placeholders = [...text.matchAll(placeholderPattern)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    kind: '',
  }));
  let result = '';
  let at = 0;
  for (const span of mergeSpans(outside(spans, placeholders))) {
    result += text.slice(at, span.start) + replacement(span);
    at = span.end;
  }
  return result + text.slice(at);
}

function foundIn(text: string, secrets: ReadonlyMap<string, string>): readonly FoundSecret[] {
  return [...text.matchAll(placeholderPattern)]
    .filter(([placeholder]) => secrets.has(placeholder))
    .map(([placeholder]) => ({ kind: placeholder.split('_')[1] ?? '', placeholder }));
}

/** Secrets by value, found again in any text in time that does not grow with their number. */
interface RememberedSecrets {
  /** Remembers a secret with the kind that it was first found as; one that is too short is not. */
  add(secret: string, kind: string): void;
  readonly find: (text: string) => Search;
}

/** What stood behind “password:” once may be an ordinary word elsewhere: a shorter one is not remembered. */
const shortest = 12;
const placesAPiece = 32_768;

function rememberSecrets(): RememberedSecrets {
  const byStart = new Map<string, Map<string, string>>();
  return {
    add(secret, kind) {
      if (secret.length < shortest) return;
      const start = secret.slice(0, shortest);
      const sharing = byStart.get(start) ?? new Map<string, string>();
      if (!sharing.has(secret)) sharing.set(secret, kind);
      byStart.set(start, sharing);
    },
    *find(text) {
      if (byStart.size === 0) return [];
      const found: Span[] = [];
      for (let start = 0; start + shortest <= text.length; start += 1) {
        if (start % placesAPiece === placesAPiece - 1) yield;
        for (const [secret, kind] of byStart.get(text.slice(start, start + shortest)) ?? []) {
          if (text.startsWith(secret, start)) found.push({ start, end: start + secret.length, kind });
        }
      }
      return found;
    },
  };
}

/**
 * What stands in the text where a secret stood: the kind, and twelve digits of a keyed hash. One word of plain ASCII, so
 * that it survives JSON, URLs, shells and tokenizers, and keyed, so that nobody without the key can test a guess.
 */
export function placeholderFor(kind: string, secret: string, key: string): string {
  const digest = createHmac('sha256', key).update(secret).digest('hex');
  return `REDACTED_${kind}_${digest.slice(0, hashDigits)}`;
}

const hashDigits = 12; // 48 bits: two secrets of one text never meet by chance

/** What stands for a secret in a text, whoever put it there. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(placeholderPattern)].map(([placeholder]) => placeholder);
}

/** Finds every placeholder, ours or another run's. Use with `matchAll` or `replaceAll` only: both start afresh. */
const placeholderPattern = /REDACTED_[a-z0-9-]{1,40}_[0-9a-f]{12}/g;
