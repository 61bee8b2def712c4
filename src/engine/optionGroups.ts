// The options of a run by what they are about: each with its default and the words that the schema file shows for it.
import * as z from 'zod';
import { usualGrowth } from '../skill/edits/sizeBudget.js';
import { usualMinimum } from './optionLayers.js';

export const count = (fallback: number) => z.int().min(1).default(fallback);
const cap = z.number().positive().optional();

export const Train = z.strictObject({
  epochs: count(4).describe('How often the training tasks are gone through.'),
  batchSize: count(40).describe('How many training tasks a step looks at.'),
  accumulation: count(1).describe('How many batches are learned from under the same skill before it is changed once.'),
  attempts: count(1).describe('How often each training task is attempted in a step; several show what luck does.'),
  seed: z.int().default(42).describe('Decides batches, minibatches and the simulated model.'),
});

export const Reflect = z.strictObject({
  minibatchSize: count(8).describe('How many attempts one analyst call looks at.'),
  analysts: count(16).describe('How many analyst calls run side by side.'),
  failureOnly: z.boolean().default(false).describe('Learn from failures alone.'),
  contrastTasks: z.int().min(0).default(6).describe('How many tasks whose attempts disagree are contrasted.'),
  skillAware: z
    .boolean()
    .default(false)
    .describe('Tell lapses from defects: what the skill says and was not followed becomes a reminder in an appendix.'),
  reminders: count(20).describe(
    'The most reminders there; where there would be more, the optimizer makes fewer of them.',
  ),
  trajectoryTokens: z
    .int()
    .min(0)
    .default(8_000)
    .describe('The most tokens of turns, tool calls and observations that one analyst call is shown; 0: none.'),
});

export const Merge = z.strictObject({
  batchSize: z.int().min(2).default(8).describe('How many patches one merge call takes; at least 2.'),
});

export const Edits = z.strictObject({
  budget: count(4).describe('The most edits of each step, not of the whole run: the textual learning rate.'),
  minimum: count(usualMinimum).describe('Where the schedule ends; the budget, where that is smaller.'),
  schedule: z
    .enum(['constant', 'linear', 'cosine'])
    .default('cosine')
    .describe('How the budget falls from step to step, down to the minimum; constant: not at all.'),
  control: z
    .enum(['fixed', 'autonomous'])
    .default('fixed')
    .describe('Whether a step takes as many edits as the schedule says, or as the optimizer says, up to the budget.'),
  scope: z.enum(['body', 'learned']).default('body').describe('Where edits may land.'),
  mode: z
    .enum(['patch', 'rewrite_from_suggestions', 'full_rewrite_minibatch'])
    .default('patch')
    .describe('Whether a step proposes edits, or rewrites the skill, which is made into edits.'),
  code: z
    .boolean()
    .default(false)
    .describe('Let edits change code in fences; they are marked, and adopted by hand alone.'),
  growth: z
    .int()
    .min(0)
    .default(usualGrowth)
    .describe('Lines by which a skill may grow that is as long as the Agent Skills advice says, or longer.'),
});

export const Gate = z.strictObject({
  rule: z
    .enum(['confident', 'strict', 'off'])
    .default('confident')
    .describe(
      'What proves a skill better: an exact test on fresh attempts, the higher mean as in the paper, or nothing. A workspace may only make it stricter.',
    ),
  metric: z
    .enum(['hard', 'soft', 'mixed'])
    .default('hard')
    .describe('What counts of an attempt: whether every check holds, the share that holds, or a mixture.'),
  mixedWeight: z.number().min(0).max(1).default(0.5).describe('The share of the soft score in the mixed metric.'),
  noRegression: z
    .boolean()
    .default(false)
    .describe('Veto an acceptance when a held-out task got worse beyond its noise.'),
  attribution: z
    .boolean()
    .default(true)
    .describe('Measure what each edit is worth before certifying; with the gate off only where this is set.'),
  attributionCalls: z
    .union([z.int().min(1), z.literal('unbounded')], { error: 'it takes a whole number above 0, or “unbounded”' })
    .optional()
    .describe('The most calls for that; by default 80, or a quarter of the calls planned where that is more.'),
  sealed: z
    .boolean()
    .optional()
    .describe('Score the sealed tasks before and after; by default unless the gate is off.'),
});

export const Stop = z.strictObject({
  patience: count(2).describe('Steps without a better skill after which a run ends.'),
});

export const Caps = z.strictObject({
  calls: cap.describe('The most model calls of a run.'),
  tokens: cap.describe('The most tokens of a run, sent and received.'),
  usd: cap.describe('The most that a run may cost, in US dollars.'),
  minutes: cap.describe('The most minutes that a run is at work.'),
});

/** How a night asks the models. */
export const Nightly = z.strictObject({
  batch: z
    .boolean()
    .default(false)
    .describe(
      'Send stages of 20 calls or more as batches, at half the price, where the server takes them; answers may take hours.',
    ),
  batchWait: z
    .number()
    .positive()
    .default(4)
    .describe(
      'Hours that a batch is waited for; then it is cancelled, and what it has not answered is asked at the usual price.',
    ),
});

export const Judge = z.strictObject({ repeats: count(1).describe('How often a judge is asked; the median counts.') });

export const Consolidate = z.strictObject({
  skill: z.boolean().default(true).describe('Evolve the skill in a consolidation or a night.'),
  memory: z.boolean().default(false).describe('Also evolve the memory file there, inside its learned block.'),
  variants: z.int().min(0).default(0).describe('Synthetic variants of each training task.'),
  recall: z.int().min(0).default(0).describe('How many similar past tasks are recalled.'),
});
