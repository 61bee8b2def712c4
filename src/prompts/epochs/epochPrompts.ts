import * as z from 'zod';
import metaSkillText from './metaSkill.md';
import metaSkillNotesText from './metaSkillNotes.md';
import type { PromptTemplate } from '../renderPrompt.js';
import slowUpdateText from './slowUpdate.md';

/** Asks for guidance after an epoch: what its first skill did better than its last, and the other way round. */
const slowUpdate: PromptTemplate<'skill' | 'guidance' | 'pairs' | 'guardrail' | 'preferences'> = {
  name: 'slowUpdate',
  text: slowUpdateText,
  placeholders: ['skill', 'guidance', 'pairs', 'guardrail', 'preferences'],
};

/** Asks for the optimizer's notes to itself, from the same comparison. */
const metaSkill: PromptTemplate<'skill' | 'notes' | 'pairs' | 'history' | 'characters'> = {
  name: 'metaSkill',
  text: metaSkillText,
  placeholders: ['skill', 'notes', 'pairs', 'history', 'characters'],
};

/** Stands before every question about edits once there are notes. */
const metaSkillNotes: PromptTemplate<'notes'> = {
  name: 'metaSkillNotes',
  text: metaSkillNotesText,
  placeholders: ['notes'],
};

/** What the optimizer is told and asked between epochs. */
export const epochPrompts = { slowUpdate, metaSkill, metaSkillNotes };

export const slowUpdateReply = z.object({
  reasoning: z.string().default(''),
  slow_update_content: z.string(),
});

export const metaSkillReply = z.object({
  reasoning: z.string().default(''),
  meta_skill_content: z.string(),
});

/** The JSON schemas that the server holds the replies to. */
export const slowUpdateReplySchema = { name: 'slow_update', schema: schemaOf('slow_update_content') } as const;
export const metaSkillReplySchema = { name: 'meta_skill', schema: schemaOf('meta_skill_content') } as const;

function schemaOf(content: string): Readonly<Record<string, unknown>> {
  return {
    type: 'object',
    properties: { reasoning: { type: 'string' }, [content]: { type: 'string' } },
    required: ['reasoning', content],
    additionalProperties: false,
  };
}
