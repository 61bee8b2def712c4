import * as z from 'zod';
import { failureSummary, failureSummarySchema } from '../reflection.js';
import type { PromptTemplate } from '../renderPrompt.js';
import contrastText from './suggestContrast.md';
import failuresText from './suggestFailures.md';
import successesText from './suggestSuccesses.md';
import mergeText from './mergeSuggestions.md';

const common = ['budget', 'skill', 'attempts', 'guardrail', 'preferences', 'history'] as const;

/** Asks how a skill should be revised so that what failed does not fail again. */
export const suggestFailuresPrompt: PromptTemplate<(typeof common)[number] | 'criteria'> = {
  name: 'suggestFailures',
  text: failuresText,
  placeholders: [...common, 'criteria'],
};

/** Asks how a skill should be revised to make dependable what succeeded. */
export const suggestSuccessesPrompt: PromptTemplate<(typeof common)[number]> = {
  name: 'suggestSuccesses',
  text: successesText,
  placeholders: [...common],
};

/** Asks how a skill should be revised by what separates good from bad attempts at the same tasks. */
export const suggestContrastPrompt: PromptTemplate<(typeof common)[number] | 'criteria'> = {
  name: 'suggestContrast',
  text: contrastText,
  placeholders: [...common, 'criteria'],
};

/** Asks for one list out of several analysts' suggestions. */
export const mergeSuggestionsPrompt: PromptTemplate<'priority' | 'skill' | 'patches'> = {
  name: 'mergeSuggestions',
  text: mergeText,
  placeholders: ['priority', 'skill', 'patches'],
};

const types = ['add_rule', 'remove_rule', 'merge_rules', 'reorganize', 'compress', 'clarify'] as const;

const said = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? '');

/** One way to revise a skill, as an analyst writes it; a word for its kind that we do not know says the least. */
const ReplySuggestion = z.object({
  type: z.enum(types).catch('clarify'),
  title: said,
  motivation: said,
  instruction: said,
  priority_hint: said,
  tasks: z.array(z.coerce.string()).nullish(),
  support_count: z.number().finite().nullish(),
});

/** What an analyst would have done to a skill. */
export type Suggestion = Pick<
  z.infer<typeof ReplySuggestion>,
  'type' | 'title' | 'motivation' | 'instruction' | 'priority_hint'
>;

export interface ReadSuggestion {
  readonly suggestion: Suggestion;
  readonly tasks: readonly string[];
  readonly support: number | undefined;
}

/** One entry of a list; a sentence where it is none. A title alone is an instruction too. */
export function readSuggestion(value: unknown): ReadSuggestion | string {
  const parsed = ReplySuggestion.safeParse(value);
  if (!parsed.success) return `not a suggestion: ${parsed.error.issues[0]?.message ?? 'unknown form'}`;
  const { tasks, support_count: support, ...suggestion } = parsed.data;
  const instruction = suggestion.instruction === '' ? suggestion.title : suggestion.instruction;
  if (instruction === '') return 'a suggestion that says nothing';
  return { suggestion: { ...suggestion, instruction }, tasks: tasks ?? [], support: support ?? undefined };
}

/** Suggestions are read one by one afterwards: one malformed one does not cost the others. */
export const suggestionsReply = z.object({
  failure_summary: failureSummary,
  revise_suggestions: z.array(z.unknown()),
});

const text = { type: 'string' };
const suggestionSchema = {
  type: 'object',
  properties: {
    type: { ...text, enum: [...types] },
    title: text,
    motivation: text,
    instruction: text,
    priority_hint: text,
    tasks: { type: 'array', items: text },
  },
  required: ['type', 'title', 'motivation', 'instruction', 'priority_hint', 'tasks'],
  additionalProperties: false,
};

/** The JSON schema that the server holds an analyst's suggestions to. */
export const suggestionsReplySchema = {
  name: 'suggestions',
  schema: {
    type: 'object',
    properties: {
      failure_summary: failureSummarySchema,
      revise_suggestions: { type: 'array', items: suggestionSchema },
    },
    required: ['failure_summary', 'revise_suggestions'],
    additionalProperties: false,
  },
} as const;

/** The same for a merge of them. */
export const mergeSuggestionsReplySchema = {
  name: 'merge_suggestions',
  schema: {
    type: 'object',
    properties: {
      reasoning: text,
      revise_suggestions: {
        type: 'array',
        items: {
          ...suggestionSchema,
          properties: { ...suggestionSchema.properties, support_count: { type: 'number' } },
          required: [...suggestionSchema.required, 'support_count'],
        },
      },
    },
    required: ['reasoning', 'revise_suggestions'],
    additionalProperties: false,
  },
} as const;
