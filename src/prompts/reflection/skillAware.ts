import * as z from 'zod';
import { Failure, failureSchema, listSchema, objectSchema, textSchema } from './analysts.js';
import consolidateText from './consolidateNotes.md';
import { ReplyEdits } from '../replies/editReply.js';
import { asEditReply } from '../replies/nearEdits.js';
import { editSchema } from './reflection.js';
import type { PromptTemplate } from '../renderPrompt.js';
import skillAwareText from './skillAware.md';

/** Added to a question about failures: which are defects of the skill, and which are lapses in following it. */
export const skillAwarePrompt: PromptTemplate<'budget'> = {
  name: 'skillAware',
  text: skillAwareText,
  placeholders: ['budget'],
};

/** Asks for fewer reminders that say the same. */
export const consolidateNotesPrompt: PromptTemplate<'most' | 'skill' | 'notes'> = {
  name: 'consolidateNotes',
  text: consolidateText,
  placeholders: ['most', 'skill', 'notes'],
};

const causes = ['skill_defect', 'execution_lapse'] as const;

/** What an analyst says caused a failure. */
export type FailureCause = (typeof causes)[number];

const cause = z
  .string()
  .transform((said) => causes.find((known) => known === said.trim().toLowerCase()))
  .optional()
  .catch(undefined);

/** Reminders are read one by one afterwards, like edits. */
const notes = z.array(z.unknown()).catch([]).default([]);

export const skillAwareReply = z.preprocess(
  asEditReply,
  z.object({
    failure_summary: z.array(Failure.extend({ cause })).catch([]).default([]),
    edits: ReplyEdits,
    appendix_notes: notes,
  }),
);

const Note = z.object({ note: z.string(), tasks: z.array(z.coerce.string()).nullish() });

/** A reminder of a reply, with or without the tasks that taught it; undefined where it is none. */
export function readNote(value: unknown): { readonly note: string; readonly tasks: readonly string[] } | undefined {
  const { data } = Note.safeParse(typeof value === 'string' ? { note: value } : value);
  return data && { note: data.note, tasks: data.tasks ?? [] };
}

export const consolidateNotesReply = z.object({
  reasoning: z.string().default(''),
  appendix_notes: z.array(z.string()),
});

/** The JSON schemas that the server holds the replies to. */
export const skillAwareReplySchema = {
  name: 'skill_aware_reflection',
  schema: objectSchema({
    failure_summary: listSchema(objectSchema({ ...failureSchema.properties, cause: { type: 'string', enum: causes } })),
    edits: listSchema(editSchema),
    appendix_notes: listSchema(objectSchema({ note: textSchema, tasks: listSchema(textSchema) })),
  }),
};

export const consolidateNotesReplySchema = {
  name: 'appendix',
  schema: objectSchema({ reasoning: textSchema, appendix_notes: listSchema(textSchema) }),
};
