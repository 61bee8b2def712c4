import * as z from 'zod';
import { defineCheck } from '../check.js';

export const rubric = defineCheck({
  name: 'rubric',
  about: 'The judge model grades the answer by this rubric from 0 to 1.',
  arguments: z.strictObject({
    rubric: z.string().trim().min(1),
    passFrom: z.number().gt(0).max(1).default(0.8),
  }),
  prepare: ({ rubric: question, passFrom }) => ({
    criterion: question,
    evaluation: { by: 'judge', question, passFrom },
  }),
});
