import { findAssignedSecrets } from './assignedSecrets.js';
import { findHighEntropy } from './highEntropy.js';
import { placeholderFor, placeholderPattern } from './placeholder.js';
import { remembered } from './remembered.js';
import { rememberSecrets } from './rememberedSecrets.js';
import { findWithSecretlint } from './secretlintFinder.js';
import { findShapedSecrets } from './shapedSecrets.js';
import { mergeSpans, outside, type Finder, type Span } from './span.js';

export interface FoundSecret {
  readonly kind: string;
  readonly placeholder: string;
}

export interface Redaction {
  readonly text: string;
  /** In the order of the text, one entry for each place; never the secret itself. */
  readonly found: readonly FoundSecret[];
}

/**
 * Takes secrets out of text and puts them back. The same secret has the same placeholder in every run and process that
 * shares the key, redacting twice changes nothing more, and `restore(redact(text).text)` is the text again.
 */
export interface Redactor {
  redact(text: string): Promise<Redaction>;
  /**
   * Puts back what this redactor took out before; other placeholders stay. `json` escapes the secret for the inside of
   * a JSON string, where a key block's line breaks would otherwise break the reply it is quoted in.
   */
  restore(text: string, form?: 'text' | 'json'): string;
}

export interface RedactorOptions {
  /** Keys the placeholders' hashes: the state key of this user. */
  readonly key: string;
  /** Secrets known by value, such as the keys in use; taken out whatever their shape. */
  readonly known?: readonly string[];
}

/**
 * A redactor remembers what it took out for as long as it lives, and takes it out of later texts wherever it stands: a
 * secret told by its name alone is one without the name too. It writes nothing anywhere.
 */
export function createRedactor({ key, known = [] }: RedactorOptions): Redactor {
  const secrets = new Map<string, string>();
  const before = rememberSecrets();
  const replace = (text: string, span: Span): FoundSecret => {
    const secret = text.slice(span.start, span.end);
    const placeholder = placeholderFor(span.kind, secret, key);
    secrets.set(placeholder, secret);
    before.add(secret, span.kind);
    return { kind: span.kind, placeholder };
  };
  const pass = async (text: string, find: Finder | typeof findWithSecretlint): Promise<string> =>
    splice(text, await find(text), (span) => replace(text, span).placeholder);

  const redact = async (text: string): Promise<Redaction> => {
    let current = text;
    for (let round = 0; round < maximumRounds; round++) {
      const unchanged = current;
      current = await pass(current, knownFinder(known));
      current = await pass(current, findOwn);
      current = await pass(current, findWithSecretlint);
      current = await pass(current, before.find);
      if (current === unchanged) break;
    }
    return { text: current, found: foundIn(current, secrets) };
  };

  return {
    redact: remembered(redact, textsRemembered),
    restore(text, form = 'text') {
      return text.replaceAll(placeholderPattern, (placeholder) => {
        const secret = secrets.get(placeholder);
        if (secret === undefined) return placeholder;
        return form === 'json' ? JSON.stringify(secret).slice(1, -1) : secret;
      });
    },
  };
}

/** Each round can only uncover what a former one stood beside; real texts need two. */
const maximumRounds = 8;

const textsRemembered = 128;

function findOwn(text: string): readonly Span[] {
  return [...findShapedSecrets(text), ...findAssignedSecrets(text), ...findHighEntropy(text)];
}

function knownFinder(known: readonly string[]): Finder {
  return (text) =>
    known
      .filter((secret) => secret.length >= shortestKnown)
      .flatMap((secret) =>
        occurrences(text, secret).map((start) => ({ start, end: start + secret.length, kind: 'known' })),
      );
}

const shortestKnown = 6; // a shorter one would black out ordinary words

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** Replaces the spans; what touches a placeholder was redacted before and stays. */
function splice(text: string, spans: readonly Span[], replacement: (span: Span) => string): string {
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
