import * as z from 'zod';
import { ReplyEdits } from '../replies/editReply.js';
import { asEditReply } from '../replies/nearEdits.js';
import text from './merge.md';
import placeText from './placeEdits.md';
import rankText from './rank.md';
import type { PromptTemplate } from '../renderPrompt.js';

/** Asks for one list out of several analysts' edits. */
export const mergePrompt: PromptTemplate<'priority' | 'skill' | 'patches'> = {
  name: 'merge',
  text,
  placeholders: ['priority', 'skill', 'patches'],
};

export const mergeReply = z.preprocess(
  asEditReply,
  z.object({ reasoning: z.string().catch('').default(''), edits: ReplyEdits }),
);

/** Asks once more for edits of which none found its place. The reply has the form of a merge. */
export const placeEditsPrompt: PromptTemplate<'skill' | 'edits' | 'guardrail'> = {
  name: 'placeEdits',
  text: placeText,
  placeholders: ['skill', 'edits', 'guardrail'],
};

/** Asks which edits to keep where there are more than the budget allows. */
export const rankPrompt: PromptTemplate<'budget' | 'skill' | 'edits'> = {
  name: 'rank',
  text: rankText,
  placeholders: ['budget', 'skill', 'edits'],
};

export const rankReply = z.object({ reasoning: z.string().default(''), selected_indices: z.array(z.number()) });

/** The JSON schema that the server holds the ranking to. */
export const rankReplySchema = {
  name: 'ranking',
  schema: {
    type: 'object',
    properties: { reasoning: { type: 'string' }, selected_indices: { type: 'array', items: { type: 'integer' } } },
    required: ['reasoning', 'selected_indices'],
    additionalProperties: false,
  },
} as const;
