import * as z from 'zod';
import { tokensOf } from '../../tasks/split/similarity.js';
import { defineCheck, MalformedCheckError } from '../check.js';
import { placesOf, standsAnywhere } from '../placesOf.js';

export const exact = defineCheck({
  name: 'exact',
  about:
    "The answer is one of these, up to case, spacing and closing punctuation. Without any: one of the task's references.",
  arguments: z.strictObject({
    answer: z.string().min(1).optional(),
    answers: z.array(z.string().min(1)).min(1).optional(),
    match: z
      .enum(['whole', 'within', 'substring'])
      .default('whole')
      .describe(
        'whole: the answer is nothing else; within: it may stand in a longer one, as whole words; substring: anywhere in it, inside a word too.',
      ),
  }),
  prepare: ({ answer, answers, match }, task) => {
    const own = [...(answer === undefined ? [] : [answer]), ...(answers ?? [])];
    const wanted = own.length > 0 ? own : task.references;
    if (wanted.length === 0)
      throw new MalformedCheckError('it needs “answer” or “answers”, or the task “references”.', []);
    return {
      criterion:
        match === 'whole'
          ? 'The answer is exactly the expected one, with nothing around it.'
          : 'The answer states the expected result.',
      secrets: wanted,
      evaluation: {
        by: 'rule',
        evaluate: ({ answer: given }) => {
          const pass = wanted.some((one) => matches[match](given, one));
          const soft = pass ? 1 : Math.max(...wanted.map((one) => tokenF1(given, one)));
          const reason = pass ? 'It is the expected answer.' : 'It is not the expected answer.';
          return { kind: 'scored', pass, soft, reason };
        },
      },
    };
  },
});

const matches: Readonly<Record<'whole' | 'within' | 'substring', (given: string, wanted: string) => boolean>> = {
  whole: (given, wanted) => normal(given) === normal(wanted),
  within: standsIn,
  substring: (given, wanted) => spaced(wanted) !== '' && standsAnywhere(spaced(given), spaced(wanted)),
};

/** Up to case and spacing alone, as the paper's QA environment compares. */
function spaced(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/gu, ' ').trim();
}

const around = ' "\'`*_“”„«»‘’';
const closing = `${around}.!。`;

/** Trimmed by hand: an expression that looks for an end starts anew at each mark of a long row of them. */
function normal(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ');
  let [start, end] = [0, plain.length];
  while (start < end && around.includes(plain.charAt(start))) start += 1;
  while (end > start && closing.includes(plain.charAt(end - 1))) end -= 1;
  return plain.slice(start, end);
}

/** As whole words and whole numbers: 4 does not stand in 42, nor 5 in -5 or 5.2. */
function standsIn(answer: string, wanted: string): boolean {
  const [text, part] = [normal(answer), normal(wanted)];
  if (part === '') return false;
  for (const at of placesOf(text, part)) {
    if (isWhole(text.slice(Math.max(0, at - 2), at), part, text.slice(at + part.length, at + part.length + 2)))
      return true;
  }
  return false;
}

function isWhole(before: string, part: string, after: string): boolean {
  const spaceless = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  if (/^\p{N}/u.test(part) && /(?:\p{N}|\p{N}[.,]|[-−])$/u.test(before)) return false;
  if (/\p{N}$/u.test(part) && /^(?:\p{N}|[.,]\p{N})/u.test(after)) return false;
  const glued = (neighbour: string, own: string): boolean =>
    /^[\p{L}\p{N}]$/u.test(neighbour) &&
    /^[\p{L}\p{N}]$/u.test(own) &&
    !spaceless.test(neighbour) &&
    !spaceless.test(own);
  return !glued(before.slice(-1), part.slice(0, 1)) && !glued(after.slice(0, 1), part.slice(-1));
}

function tokenF1(answer: string, wanted: string): number {
  const given = tokensOf(answer);
  const expected = tokensOf(wanted);
  const left = new Map<string, number>();
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of given) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    shared += 1;
    left.set(token, count - 1);
  }
  return shared === 0 ? 0 : (2 * shared) / (given.length + expected.length);
}
