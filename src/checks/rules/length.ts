import * as z from 'zod';
import { charactersIn } from '../charactersIn.js';
import { defineCheck, scored } from '../check.js';

const limitArguments = z.strictObject({ limit: z.int().nonnegative() });

export const maxChars = defineCheck({
  name: 'max_chars',
  about: 'The answer has at most this many characters.',
  arguments: limitArguments,
  prepare: ({ limit }) => ({
    criterion: `The answer has at most ${limit} characters.`,
    shapeOnly: true,
    evaluation: {
      by: 'rule',
      evaluate: ({ answer }) => {
        const length = charactersIn(answer.trim());
        return scored(length <= limit, `It has ${length} characters.`);
      },
    },
  }),
});

export const minChars = defineCheck({
  name: 'min_chars',
  about: 'The answer has at least this many characters.',
  arguments: limitArguments,
  prepare: ({ limit }) => ({
    criterion: `The answer has at least ${limit} characters.`,
    shapeOnly: true,
    canFail: limit > 0,
    evaluation: {
      by: 'rule',
      evaluate: ({ answer }) => {
        const length = charactersIn(answer.trim());
        return scored(length >= limit, `It has ${length} characters.`);
      },
    },
  }),
});
