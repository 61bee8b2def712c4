import * as z from 'zod';
import text from './editBudget.md';
import type { PromptTemplate } from '../renderPrompt.js';

/** Asks how many of the proposed edits a step should take, and nothing else. */
export const editBudgetPrompt: PromptTemplate<'most' | 'attempted' | 'failed' | 'skill' | 'edits' | 'history'> = {
  name: 'editBudget',
  text,
  placeholders: ['most', 'attempted', 'failed', 'skill', 'edits', 'history'],
};

/** A whole number that is not below 0; anything else is no answer, and never counts as none. */
export const editBudgetReply = z.object({
  reasoning: z.string().default(''),
  edit_count: z.union([
    z.int().min(0),
    z
      .string()
      .regex(/^\s*\d{1,6}\s*$/u)
      .transform(Number),
  ]),
});

/** The JSON schema that the server holds the reply to. */
export const editBudgetReplySchema = {
  name: 'edit_budget',
  schema: {
    type: 'object',
    properties: { reasoning: { type: 'string' }, edit_count: { type: 'integer' } },
    required: ['reasoning', 'edit_count'],
    additionalProperties: false,
  },
} as const;
