import * as z from 'zod';
import text from './judge.md';
import { asGrades } from './replies/nearGrades.js';
import type { PromptTemplate } from './renderPrompt.js';

/** Asks a model to grade one answer; several criteria are one call. */
export const judgePrompt: PromptTemplate<'task' | 'context' | 'expected' | 'tools' | 'answer' | 'criteria'> = {
  name: 'judge',
  text,
  placeholders: ['task', 'context', 'expected', 'tools', 'answer', 'criteria'],
};

/** A score beyond 0..1 does not parse: 3 may be 3 of 10, and no full mark. */
const Grade = z.object({
  index: z.int().nonnegative(),
  pass: z.boolean(),
  score: z.number().min(0).max(1),
  reason: z.string(),
});

const Grading = z.object({ results: z.array(Grade) });

export const judgeReply = z.preprocess(asGrades, Grading);

/** The grades of a reply that can be read, whatever else stands among them, and how many there are where none has a number. */
export const someGrades = z
  .preprocess(asGrades, z.object({ results: z.array(z.unknown()), inOrder: z.boolean().default(false) }))
  .transform(({ results, inOrder }) => ({
    results: results.flatMap((result) => Grade.safeParse(result).data ?? []),
    unnumbered: inOrder ? results.length : undefined,
  }));

export type JudgeReply = z.infer<typeof Grading>;

/** The JSON schema that the server holds the reply to. */
export function judgeReplySchema(): { readonly name: string; readonly schema: Readonly<Record<string, unknown>> } {
  return { name: 'judgement', schema: z.toJSONSchema(Grading) };
}
