import * as z from 'zod';
import {
  analystPrompt,
  failureSummary,
  failureSummarySchema,
  listSchema,
  objectSchema,
  textSchema,
  withSupport,
} from './analysts.js';
import contrastText from './contrast.md';
import { ReplyEdits } from '../replies/editReply.js';
import { asEditReply } from '../replies/nearEdits.js';
import type { PromptTemplate } from '../renderPrompt.js';
import failuresText from './reflectFailures.md';
import successesText from './reflectSuccesses.md';
import learnedBlockText from './learnedBlock.md';
import littleRoomText from './littleRoom.md';
import measuresText from './measures.md';
import memoryFileText from './memoryFile.md';

/** Asks for edits that would prevent what failed. */
export const reflectFailuresPrompt = analystPrompt('reflectFailures', failuresText, 'budget', 'criteria');

/** Asks for edits that make dependable what succeeded. */
export const reflectSuccessesPrompt = analystPrompt('reflectSuccesses', successesText, 'budget');

/** Asks what separates good from bad attempts at the same tasks. */
export const contrastPrompt = analystPrompt('contrast', contrastText, 'budget', 'criteria');

/** Edits are read one by one afterwards: one malformed edit does not cost the others. */
export const reflectionReply = z.preprocess(
  asEditReply,
  z.object({ failure_summary: failureSummary, edits: ReplyEdits }),
);

export const editSchema = objectSchema({
  op: { type: 'string', enum: ['append', 'insert_after', 'replace', 'delete'] },
  anchor: textSchema,
  content: textSchema,
  rationale: textSchema,
  tasks: listSchema(textSchema),
});

/** The JSON schema that the server holds the reply to. */
export const reflectionReplySchema = {
  name: 'reflection',
  schema: objectSchema({ failure_summary: failureSummarySchema, edits: listSchema(editSchema) }),
};

/** The same for a merge. */
export const mergeReplySchema = {
  name: 'merge',
  schema: objectSchema({ reasoning: textSchema, edits: listSchema(withSupport(editSchema)) }),
};

/** The same for edits that are asked for once more. */
export const placesReplySchema = { ...mergeReplySchema, name: 'places' };

/** Added for the optimizer where the document it edits is the memory file: what such a file is for, and where it may write. */
export const memoryFilePrompt: PromptTemplate<'name' | 'companion'> = {
  name: 'memoryFile',
  text: memoryFileText,
  placeholders: ['name', 'companion'],
};

/** Added where edits may land in the learned block of a skill alone. */
export const learnedBlockPrompt: PromptTemplate<never> = {
  name: 'learnedBlock',
  text: learnedBlockText,
  placeholders: [],
};

/** Added where the document can hardly grow: how much it may, and what to do instead of adding. */
export const littleRoomPrompt: PromptTemplate<'lines' | 'tokens'> = {
  name: 'littleRoom',
  text: littleRoomText,
  placeholders: ['lines', 'tokens'],
};

/** Added where more than the score counts: what, and what to do about it. */
export const measuresPrompt: PromptTemplate<'measures'> = {
  name: 'measures',
  text: measuresText,
  placeholders: ['measures'],
};
