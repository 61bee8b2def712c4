import * as z from 'zod';
import {
  analystPrompt,
  failureSummary,
  failureSummarySchema,
  listSchema,
  objectSchema,
  textSchema,
  withSupport,
} from '../reflection/analysts.js';
import type { PromptTemplate } from '../renderPrompt.js';
import mergeText from './mergeRewrites.md';
import contrastText from './rewriteContrast.md';
import failuresText from './rewriteFailures.md';
import skillText from './rewriteSkill.md';
import successesText from './rewriteSuccesses.md';

/** Asks for a whole skill under which what failed does not fail again. No budget: a rewrite is one, however much it changes. */
export const rewriteFailuresPrompt = analystPrompt('rewriteFailures', failuresText, 'criteria');

/** Asks for a whole skill that makes dependable what succeeded. */
export const rewriteSuccessesPrompt = analystPrompt('rewriteSuccesses', successesText);

/** Asks for a whole skill that asks for what separates good from bad attempts at the same tasks. */
export const rewriteContrastPrompt = analystPrompt('rewriteContrast', contrastText, 'criteria');

/** Asks for one skill out of several analysts' rewrites. */
export const mergeRewritesPrompt: PromptTemplate<'priority' | 'skill' | 'patches'> = {
  name: 'mergeRewrites',
  text: mergeText,
  placeholders: ['priority', 'skill', 'patches'],
};

/** Asks for the skill with the chosen suggestions worked into it. */
export const rewriteSkillPrompt: PromptTemplate<'skill' | 'suggestions' | 'guardrail' | 'preferences'> = {
  name: 'rewriteSkill',
  text: skillText,
  placeholders: ['skill', 'suggestions', 'guardrail', 'preferences'],
};

/** An entry of a change summary: what changed in a section, and why. Some models write a sentence alone. */
const Change = z.union([
  z.object({ section: z.string().catch('').default(''), change: z.string() }),
  z.string().transform((change) => ({ section: '', change })),
]);

/** Stands behind the text in the reply: one that ends inside the text has none, and is no rewrite. */
const changeSummary = z.array(z.unknown()).transform((entries) =>
  entries.flatMap((entry) => {
    const read = Change.safeParse(entry);
    return read.success && read.data.change.trim() !== '' ? [read.data] : [];
  }),
);

/** A whole skill, rewritten. */
export interface Rewrite {
  readonly title: string;
  readonly changes: readonly { readonly section: string; readonly change: string }[];
  readonly text: string;
}

export interface ReadRewrite {
  readonly rewrite: Rewrite;
  readonly tasks: readonly string[];
  readonly support: number | undefined;
}

const Candidate = z.object({
  title: z.string().catch('').default(''),
  new_skill: z.string(),
  change_summary: changeSummary,
  support_count: z.number().finite().nullish().catch(undefined),
});

/** One candidate of a reply; a sentence where it is none. */
export function readRewrite(value: unknown): ReadRewrite | string {
  const parsed = Candidate.safeParse(value);
  if (!parsed.success) return `not a rewrite: ${parsed.error.issues[0]?.message ?? 'unknown form'}`;
  const { title, new_skill: text, change_summary: changes, support_count: support } = parsed.data;
  if (text.trim() === '') return 'a rewrite that holds nothing';
  return { rewrite: { title, changes, text }, tasks: [], support: support ?? undefined };
}

export const rewritesReply = z.object({
  reasoning: z.string().catch('').default(''), // of a merge
  failure_summary: failureSummary,
  skill_candidates: z.array(z.unknown()),
});

/** The reply to the suggestions: one text and what changed in it. */
export const rewriteReply = z.object({
  reasoning: z.string().catch('').default(''),
  new_skill: z.string(),
  change_summary: changeSummary,
});

const changesSchema = listSchema(objectSchema({ section: textSchema, change: textSchema }));
const candidateSchema = objectSchema({ title: textSchema, new_skill: textSchema, change_summary: changesSchema });

/** The JSON schema that the server holds an analyst's rewrite to. */
export const rewritesReplySchema = {
  name: 'rewrites',
  schema: objectSchema({ failure_summary: failureSummarySchema, skill_candidates: listSchema(candidateSchema) }),
};

/** The same for a merge of them. */
export const mergeRewritesReplySchema = {
  name: 'merge_rewrites',
  schema: objectSchema({ reasoning: textSchema, skill_candidates: listSchema(withSupport(candidateSchema)) }),
};

/** The same for the rewrite that works suggestions in. */
export const rewriteReplySchema = {
  name: 'rewrite',
  schema: objectSchema({ reasoning: textSchema, new_skill: textSchema, change_summary: changesSchema }),
};
