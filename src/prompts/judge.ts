import * as z from 'zod';
import text from './judge.md';
import { asGrades } from './nearGrades.js';
import type { PromptTemplate } from './renderPrompt.js';

/** Asks a model to grade one answer; several criteria are one call. */
export const judgePrompt: PromptTemplate<'task' | 'context' | 'expected' | 'tools' | 'answer' | 'criteria'> = {
  name: 'judge',
  text,
  placeholders: ['task', 'context', 'expected', 'tools', 'answer', 'criteria'],
};

/** Scores beyond 0..1 are clamped by the caller; what is not a finite number does not parse. */
const Grading = z.object({
  results: z.array(
    z.object({
      index: z.int().nonnegative(),
      pass: z.boolean(),
      score: z.number(),
      reason: z.string(),
    }),
  ),
});

export const judgeReply = z.preprocess(asGrades, Grading);

export type JudgeReply = z.infer<typeof Grading>;

/** The JSON schema that the server holds the reply to. */
export function judgeReplySchema(): { readonly name: string; readonly schema: Readonly<Record<string, unknown>> } {
  return { name: 'judgement', schema: z.toJSONSchema(Grading) };
}
