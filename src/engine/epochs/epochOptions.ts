import * as z from 'zod';

/**
 * What is made at the end of an epoch, from the second on; the slow update also at the end of a night, where the text
 * changed since the last one. Off where nobody says, so that a run which began before there
 * was such a stage goes on as it began; the presets `standard` and `paper` turn both on.
 */
export const SlowUpdate = z.strictObject({
  on: z
    .boolean()
    .default(false)
    .describe('Hold the skill of an epoch’s beginning against that of its end, and write guidance into its own block.'),
  samples: z
    .int()
    .min(1)
    .default(20)
    .describe('How many training tasks are compared; where only some are shown, more of them until so many are.'),
  pairs: z
    .enum(['mixed', 'changed', 'unchanged'])
    .default('mixed')
    .describe('Which of them the optimizer sees: all, those that got better or worse, or those that did not.'),
});

export const MetaSkill = z.strictObject({
  on: z
    .boolean()
    .default(false)
    .describe('Let the optimizer keep notes for itself over epochs and runs; they are never part of the skill.'),
});

/** The most training tasks on which the text of an earlier night is held against today's, whatever `samples` says. */
export const mostComparedOverNights = 20;

/** The most characters of those notes: every later question to the optimizer carries them. */
export const longestMetaSkill = 4_000;
