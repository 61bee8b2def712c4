import * as z from 'zod';
import { defineCheck, MalformedCheckError, scored } from '../check.js';
import { boundedTest, findAll, regexTimeLimitMs } from '../regex/boundedTest.js';
import { translateRegex, type TranslatedRegex } from '../regex/translateRegex.js';

export const regex = defineCheck({
  name: 'regex',
  about: 'The expression, in the syntax that Python and JavaScript share, is found in the answer.',
  arguments: z.strictObject({
    pattern: z.string().min(1).max(2000),
    flags: z
      .string()
      .regex(/^[imsua]*$/, 'knows the flags i, m, s, u and a')
      .default(''),
    criterion: z.string().trim().min(1).optional().describe('What the expression stands for, in plain words.'),
  }),
  prepare: ({ pattern, flags, criterion }) => {
    const translation = translateRegex(pattern, flags);
    if (translation.kind === 'refused') throw new MalformedCheckError(`${translation.reason}.`, ['pattern']);
    return {
      criterion: criterion ?? 'The answer follows a fixed pattern that this task requires.',
      secrets: [pattern],
      canFail: !translation.regex.mayBeEmpty || !matchesAnything(translation.regex),
      evaluation: {
        by: 'rule',
        evaluate: ({ answer }) => {
          const test = boundedTest(translation.regex, answer);
          if (test.kind === 'timed-out') {
            const reason = `The expression of this task's “regex” check took longer than ${regexTimeLimitMs} ms on the answer.`;
            return { kind: 'invalid', reason };
          }
          return scored(test.found, test.found ? 'The pattern is there.' : 'The pattern is not there.');
        },
      },
    };
  },
});

const unlikeEachOther = ['', 'x', 'No.\n', '\u0000', '漢字 42'];

function matchesAnything(expression: TranslatedRegex): boolean {
  return findAll(expression, unlikeEachOther) === true;
}
