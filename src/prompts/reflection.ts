import * as z from 'zod';
import contrastText from './contrast.md';
import { ReplyEdits } from './editReply.js';
import type { PromptTemplate } from './renderPrompt.js';
import failuresText from './reflectFailures.md';
import successesText from './reflectSuccesses.md';
import learnedBlockText from './learnedBlock.md';
import littleRoomText from './littleRoom.md';
import measuresText from './measures.md';
import memoryFileText from './memoryFile.md';

const common = ['budget', 'skill', 'attempts', 'guardrail', 'preferences', 'history'] as const;

/** Asks for edits that would prevent what failed. */
export const reflectFailuresPrompt: PromptTemplate<(typeof common)[number] | 'criteria'> = {
  name: 'reflectFailures',
  text: failuresText,
  placeholders: [...common, 'criteria'],
};

/** Asks for edits that make dependable what succeeded. */
export const reflectSuccessesPrompt: PromptTemplate<(typeof common)[number]> = {
  name: 'reflectSuccesses',
  text: successesText,
  placeholders: [...common],
};

/** Asks what separates good from bad attempts at the same tasks. */
export const contrastPrompt: PromptTemplate<(typeof common)[number] | 'criteria'> = {
  name: 'contrast',
  text: contrastText,
  placeholders: [...common, 'criteria'],
};

/** A pattern that an analyst saw. */
export const Failure = z.object({
  failure_type: z.string().default('failure'),
  count: z.number().finite().default(1),
  description: z.string().default(''),
});

/** What analysts saw in the failures; a reply without it is one all the same. */
export const failureSummary = z.array(Failure).catch([]).default([]);

/** Edits are read one by one afterwards: one malformed edit does not cost the others. */
export const reflectionReply = z.object({
  failure_summary: failureSummary,
  edits: ReplyEdits,
});

const editSchema = {
  type: 'object',
  properties: {
    op: { type: 'string', enum: ['append', 'insert_after', 'replace', 'delete'] },
    anchor: { type: 'string' },
    content: { type: 'string' },
    rationale: { type: 'string' },
    tasks: { type: 'array', items: { type: 'string' } },
  },
  required: ['op', 'anchor', 'content', 'rationale', 'tasks'],
  additionalProperties: false,
};

export const failureSummarySchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { failure_type: { type: 'string' }, count: { type: 'number' }, description: { type: 'string' } },
    required: ['failure_type', 'count', 'description'],
    additionalProperties: false,
  },
};

/** The JSON schema that the server holds the reply to. */
export const reflectionReplySchema = {
  name: 'reflection',
  schema: {
    type: 'object',
    properties: {
      failure_summary: failureSummarySchema,
      edits: { type: 'array', items: editSchema },
    },
    required: ['failure_summary', 'edits'],
    additionalProperties: false,
  },
} as const;

/** The same for a merge, whose edits carry how many attempts speak for them. */
export const mergeReplySchema = {
  name: 'merge',
  schema: {
    type: 'object',
    properties: {
      reasoning: { type: 'string' },
      edits: {
        type: 'array',
        items: {
          ...editSchema,
          properties: { ...editSchema.properties, support_count: { type: 'number' } },
          required: [...editSchema.required, 'support_count'],
        },
      },
    },
    required: ['reasoning', 'edits'],
    additionalProperties: false,
  },
} as const;

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
