import * as z from 'zod';
import { defineCheck, MalformedCheckError, scored } from '../check.js';
import { boundedTest, regexTimeLimitMs } from '../regex/boundedTest.js';
import { neverFails } from '../regex/counterexamples.js';
import { describePattern, type PatternWords } from '../regex/describePattern.js';
import { translateRegex, type TranslatedRegex } from '../regex/translateRegex.js';
import { judgedText, judging } from './judgedText.js';

export const regex = defineCheck({
  name: 'regex',
  about: 'The expression, in the syntax that Python and JavaScript share, is found in the answer.',
  arguments: z.strictObject({
    pattern: z.string().min(1).max(2000),
    flags: z
      .string()
      .regex(/^[imsua]*$/, 'knows the flags i, m, s, u and a')
      .default(''),
    on: judgedText,
    criterion: z
      .string()
      .trim()
      .min(1)
      .optional()
      .describe(
        'What the expression demands, in plain words. The optimizer is shown this and never the expression; simple ones are put into words by themselves.',
      ),
  }),
  prepare: ({ pattern, flags, on, criterion }, task) => {
    const translation = translateRegex(pattern, flags);
    if (translation.kind === 'refused') throw new MalformedCheckError(`${translation.reason}.`, ['pattern']);
    const { words, canFail } = readingOf(pattern, flags, translation.regex);
    const described = criterion === undefined || criterion === saysNothing ? words : own(criterion);
    return {
      ...(described === undefined
        ? { criterion: unsaid[on], isDescribed: !canFail }
        : {
            criterion:
              on === 'diff' ? described.words.replace(/^The answer\b/u, 'What is added to files') : described.words,
            stated: described.texts,
          }),
      secrets: [pattern],
      canFail,
      ...judging({ on, isForbidding: forbids(pattern, flags) }, task, (text) => {
        const test = boundedTest(translation.regex, text);
        if (test.kind === 'timed-out') {
          const reason = `The expression of this task's “regex” check took longer than ${regexTimeLimitMs} ms on the answer.`;
          return { kind: 'invalid', reason };
        }
        return scored(test.found, test.found ? 'The pattern is there.' : 'The pattern is not there.');
      }),
    };
  },
});

/** Whether more text could undo a match: it says what must not follow or come before, or where the whole text ends. */
function forbids(pattern: string, flags: string): boolean {
  return /\(\?<?!/u.test(pattern) || (!flags.includes('m') && /(?<!\\)\$|\\[zZ]/u.test(pattern));
}

const unsaid = {
  answer: 'The answer follows a fixed pattern that this task requires.',
  diff: 'What is added to files follows a fixed pattern that this task requires.',
};

/** A person's own words; what they quote makes no part of an expression lawful. */
function own(words: string): PatternWords {
  return { words, texts: [] };
}

/** What imports of earlier versions wrote in place of a description. */
const saysNothing = 'The answer avoids a pattern that this task forbids.';

interface PatternReading {
  readonly words: PatternWords | undefined;
  readonly canFail: boolean;
}

const mostKnown = 1_000; // patterns of the tasks that are being worked with
const known = new Map<string, PatternReading>();

/** A task is prepared for each of its answers: its pattern is put into words, and tried, once. */
function readingOf(pattern: string, flags: string, expression: TranslatedRegex): PatternReading {
  const key = `${flags}/${pattern}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size >= mostKnown) known.clear();
  const reading = { words: describePattern(pattern, flags), canFail: !neverFails(pattern, expression) };
  known.set(key, reading);
  return reading;
}
