import type { CheckSpec } from '../task.js';
import { fieldsOf, textsOf } from './plainTask.js';

/** What a yardstick of another tool becomes here; none where there is no equal. */
export type Counterpart = readonly CheckSpec[] | undefined;

/** The checks that say the same as an assertion of promptfoo; every value is a text or a list of texts by then. */
export function checksOfAssertion(type: string, value: unknown, threshold: unknown): Counterpart {
  const make = Object.hasOwn(counterparts, type) ? counterparts[type] : undefined;
  const checks = make?.(textsOf(value), value, threshold);
  return checks === undefined || checks.length === 0 ? undefined : checks;
}

type Make = (texts: readonly string[], value: unknown, threshold: unknown) => Counterpart;

const each =
  (make: (text: string) => CheckSpec): Make =>
  (texts) =>
    texts.map(make);

const counterparts: Readonly<Record<string, Make>> = {
  contains: each((text) => containing(text, true)),
  icontains: each((text) => containing(text, false)),
  'contains-all': each((text) => containing(text, true)),
  'icontains-all': each((text) => containing(text, false)),
  'not-contains': each((text) => notContaining(text, true)),
  'not-icontains': each((text) => notContaining(text, false)),
  'not-contains-any': each((text) => notContaining(text, true)),
  'not-icontains-any': each((text) => notContaining(text, false)),
  'contains-any': (texts) => (texts.length === 0 ? undefined : [oneOf(texts, '')]),
  'icontains-any': (texts) => (texts.length === 0 ? undefined : [oneOf(texts, 'i')]),
  'starts-with': each((text) =>
    spec('regex', { pattern: `^${escaped(text)}`, criterion: `The answer starts with “${text}”.` }),
  ),
  regex: each((text) => matching(text)),
  'not-regex': each((text) => notMatching(text)),
  equals: (texts) => (texts.length === 0 ? undefined : [spec('exact', { answers: texts })]),
  'is-json': (_texts, value) => [spec('json_schema', { schema: fieldsOf(value) === undefined ? true : value })],
  'not-is-refusal': () => [spec('no_refusal', {})],
  'llm-rubric': (texts, _value, threshold) => texts.map((text) => judged(text, threshold)),
  'model-graded-closedqa': (texts, _value, threshold) => texts.map((text) => judged(text, threshold)),
  'g-eval': (texts, _value, threshold) => texts.map((text) => judged(text, threshold)),
};

export function spec(check: string, options: Readonly<Record<string, unknown>>): CheckSpec {
  return { check, hidden: false, arguments: options };
}

export function containing(text: string, caseSensitive: boolean): CheckSpec {
  return spec('contains', caseSensitive ? { text, caseSensitive } : { text });
}

export function notContaining(text: string, caseSensitive: boolean): CheckSpec {
  return spec('not_contains', caseSensitive ? { text, caseSensitive } : { text });
}

/** `(?i)` at the front, as Go and Python write it, is the flag i. */
export function matching(source: string): CheckSpec {
  const { pattern, flags } = flagsApart(source);
  return spec('regex', flags === '' ? { pattern } : { pattern, flags });
}

export function notMatching(source: string): CheckSpec {
  const { pattern, flags } = flagsApart(source);
  // With the flag m “^” is the start of any line, and of the answer only its last lines would be looked at.
  const start = flags.includes('m') ? String.raw`\A` : '^';
  const never = `${start}(?![\\s\\S]*(?:${pattern}))`;
  return spec('regex', { pattern: never, ...(flags === '' ? {} : { flags }) });
}

function flagsApart(source: string): { readonly pattern: string; readonly flags: string } {
  const match = /^\(\?([ims]+)\)/u.exec(source);
  return { pattern: source.slice(match?.[0].length ?? 0), flags: match?.[1] ?? '' };
}

function oneOf(texts: readonly string[], flags: string): CheckSpec {
  const named = texts.map((text) => `“${text}”`).join(', ');
  return spec('regex', {
    pattern: texts.map(escaped).join('|'),
    ...(flags === '' ? {} : { flags }),
    criterion: `The answer contains one of ${named}.`,
  });
}

function judged(rubric: string, threshold: unknown): CheckSpec {
  const fits = typeof threshold === 'number' && threshold > 0 && threshold <= 1;
  return spec('rubric', fits ? { rubric, passFrom: threshold } : { rubric });
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/gu, String.raw`\$&`);
}
