import * as z from 'zod';

/** In tokens. Who states none leaves it to the model's address, else to what is usual for the role. */
const limit = z.int().min(16).optional();
const budget = z.int().min(1).optional();

/** How long the answers of each role may be, and how much longer where a second try is made. */
export const Answers = z.strictObject({
  target: limit.describe('The longest answer to a task, in tokens: 4,096 where nobody says.'),
  optimizer: limit.describe('The longest reply of the optimizer: 16,384 where nobody says.'),
  judge: limit.describe('The longest grading: 512, and 160 for each criterion, where nobody says.'),
  rewrite: limit.describe('The longest rewrite of a skill, in tokens: 64,000 where nobody says.'),
  more: z
    .int()
    .min(1)
    .default(4)
    .describe(
      'How many times that a second try may take, where thinking left no answer or a reply was cut; 1: no more.',
    ),
});

/** How long each role may think, beside what its answer takes. */
export const Thinking = z.strictObject({
  target: budget.describe('Tokens that the target may think for, beside its answer.'),
  optimizer: budget.describe('Tokens that the optimizer may think for, beside its reply.'),
  judge: budget.describe('Tokens that the judge may think for, beside its grading.'),
});

const seconds = z
  .number()
  .positive()
  .optional()
  .describe(
    'Seconds that one answer of this role may take in all, and until it begins. Where nobody says: 900, of which 240 until it begins and 90 between two parts of it.',
  );

/** What one attempt of an agent program may take; a task may say less. */
export const Agent = z.strictObject({
  maxTokens: z
    .int()
    .min(1_000)
    .default(500_000)
    .describe('The most tokens of one attempt, read and written, over all its turns. Set aside before it starts.'),
  maxTurns: z.int().min(1).default(30).describe('The most calls to its model in one attempt.'),
  minutes: z.number().positive().default(10).describe('The most minutes of one attempt.'),
});

/** How long each role is waited for. Who states none leaves it to what is usual. */
export const Timeouts = z.strictObject({ target: seconds, optimizer: seconds, judge: seconds });
