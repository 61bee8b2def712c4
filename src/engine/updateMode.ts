import type * as z from 'zod';
import { readEdits } from '../prompts/replies/editReply.js';
import { mergePrompt, mergeReply } from '../prompts/edits/mergeEdits.js';
import {
  contrastPrompt,
  mergeReplySchema,
  reflectFailuresPrompt,
  reflectionReply,
  reflectionReplySchema,
  reflectSuccessesPrompt,
} from '../prompts/reflection/reflection.js';
import type { PromptTemplate } from '../prompts/renderPrompt.js';
import {
  mergeRewritesPrompt,
  mergeRewritesReplySchema,
  readRewrite,
  rewriteContrastPrompt,
  rewriteFailuresPrompt,
  rewritesReply,
  rewritesReplySchema,
  rewriteSuccessesPrompt,
} from '../prompts/rewrite/rewrites.js';
import {
  mergeSuggestionsPrompt,
  mergeSuggestionsReplySchema,
  readSuggestion,
  suggestContrastPrompt,
  suggestFailuresPrompt,
  suggestionOf,
  suggestionsReply,
  suggestionsReplySchema,
  suggestSuccessesPrompt,
} from '../prompts/rewrite/suggestions.js';
import { skillAwareReply, skillAwareReplySchema, type FailureCause } from '../prompts/reflection/skillAware.js';
import type { Edit } from '../skill/edits/edit.js';
import type { AnalystSource, ProposedChange } from './patch.js';
import type { RunOptions } from './runOptions.js';

type ReplySchema = { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
type FailureSummary = readonly (z.infer<typeof reflectionReply>['failure_summary'][number] & {
  readonly cause?: FailureCause | undefined;
})[];

/** Something proposed as a reply states it. */
export type ReadItem = ProposedChange & { readonly tasks: readonly string[]; readonly support: number | undefined };

/** What analysts propose in one update mode: how it is asked for, and how their replies are read. */
export interface UpdateMode {
  readonly reflect: {
    readonly prompts: Readonly<Record<AnalystSource, PromptTemplate<string>>>;
    readonly reply: z.ZodType<{
      readonly failure_summary: FailureSummary;
      readonly proposed: readonly unknown[];
      /** Reminders for lapses, where they are asked for. */
      readonly notes?: readonly unknown[];
    }>;
    readonly replySchema: ReplySchema;
  };
  readonly merge: {
    readonly prompt: PromptTemplate<'priority' | 'skill' | 'patches'>;
    readonly reply: z.ZodType<{ readonly reasoning: string; readonly proposed: readonly unknown[] }>;
    readonly replySchema: ReplySchema;
    /** The name of a list in the prompt. */
    readonly list: string;
  };
  readonly read: (values: readonly unknown[]) => {
    readonly items: readonly ReadItem[];
    readonly malformed: readonly string[];
  };
  /** An edit of an environment as what is proposed in this mode; undefined where whole texts are. */
  readonly fromEdit: ((edit: Edit) => ProposedChange) | undefined;
  /** What is proposed as a whole document: one a reply, with the room of one, and never ranked. */
  readonly whole: boolean;
}

const patch: UpdateMode = {
  reflect: {
    prompts: { failure: reflectFailuresPrompt, success: reflectSuccessesPrompt, contrast: contrastPrompt },
    reply: reflectionReply.transform(({ failure_summary, edits }) => ({ failure_summary, proposed: edits })),
    replySchema: reflectionReplySchema,
  },
  merge: {
    prompt: mergePrompt,
    reply: mergeReply.transform(({ reasoning, edits }) => ({ reasoning, proposed: edits })),
    replySchema: mergeReplySchema,
    list: 'edits',
  },
  read: (values) => {
    const { edits, malformed } = readEdits(values);
    return { items: edits, malformed };
  },
  fromEdit: (edit) => ({ edit }),
  whole: false,
};

/** How an analyst of failures replies that tells lapses from defects. */
export const skillAware: Omit<UpdateMode['reflect'], 'prompts'> = {
  reply: skillAwareReply.transform(({ failure_summary, edits, appendix_notes }) => ({
    failure_summary,
    proposed: edits,
    notes: appendix_notes,
  })),
  replySchema: skillAwareReplySchema,
};

const suggestions: UpdateMode = {
  reflect: {
    prompts: { failure: suggestFailuresPrompt, success: suggestSuccessesPrompt, contrast: suggestContrastPrompt },
    reply: suggestionsReply.transform((reply) => ({ ...reply, proposed: reply.revise_suggestions })),
    replySchema: suggestionsReplySchema,
  },
  merge: {
    prompt: mergeSuggestionsPrompt,
    reply: suggestionsReply.transform((reply) => ({ reasoning: reply.reasoning, proposed: reply.revise_suggestions })),
    replySchema: mergeSuggestionsReplySchema,
    list: 'suggestions',
  },
  read: (values) => sorted(values.map(readSuggestion)),
  fromEdit: (edit) => ({ suggestion: suggestionOf(edit) }),
  whole: false,
};

const rewrites: UpdateMode = {
  reflect: {
    prompts: { failure: rewriteFailuresPrompt, success: rewriteSuccessesPrompt, contrast: rewriteContrastPrompt },
    reply: rewritesReply.transform((reply) => ({ ...reply, proposed: reply.skill_candidates })),
    replySchema: rewritesReplySchema,
  },
  merge: {
    prompt: mergeRewritesPrompt,
    reply: rewritesReply.transform((reply) => ({ reasoning: reply.reasoning, proposed: reply.skill_candidates })),
    replySchema: mergeRewritesReplySchema,
    list: 'rewrites',
  },
  read: (values) => sorted(values.map(readRewrite)),
  fromEdit: undefined,
  whole: true,
};

/** The mode of a run. A learned block holds rules and no prose: its rules are edited one by one in every mode. */
export function updateMode({ edits }: Pick<RunOptions, 'edits'>): UpdateMode {
  if (edits.scope === 'learned') return patch;
  return { patch, rewrite_from_suggestions: suggestions, full_rewrite_minibatch: rewrites }[edits.mode];
}

function sorted(read: readonly (ReadItem | string)[]): ReturnType<UpdateMode['read']> {
  return {
    items: read.filter((each) => typeof each !== 'string'),
    malformed: read.filter((each) => typeof each === 'string'),
  };
}
