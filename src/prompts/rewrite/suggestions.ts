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
import type { Edit } from '../../skill/edits/edit.js';
import type { PromptTemplate } from '../renderPrompt.js';
import contrastText from './suggestContrast.md';
import failuresText from './suggestFailures.md';
import successesText from './suggestSuccesses.md';
import mergeText from './mergeSuggestions.md';

/** Asks how a skill should be revised so that what failed does not fail again. */
export const suggestFailuresPrompt = analystPrompt('suggestFailures', failuresText, 'budget', 'criteria');

/** Asks how a skill should be revised to make dependable what succeeded. */
export const suggestSuccessesPrompt = analystPrompt('suggestSuccesses', successesText, 'budget');

/** Asks how a skill should be revised by what separates good from bad attempts at the same tasks. */
export const suggestContrastPrompt = analystPrompt('suggestContrast', contrastText, 'budget', 'criteria');

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

/** An edit as a way to revise the skill: what it would do, in words. */
export function suggestionOf(edit: Edit): Suggestion {
  const { type, instruction } = revisionOf(edit);
  return { type, title: '', motivation: edit.rationale.trim(), instruction, priority_hint: '' };
}

function revisionOf(edit: Edit): Pick<Suggestion, 'type' | 'instruction'> {
  switch (edit.op) {
    case 'delete':
      return { type: 'remove_rule', instruction: `Remove this:\n${edit.anchor}` };
    case 'replace':
      return { type: 'clarify', instruction: `Replace this:\n${edit.anchor}\nBy this:\n${edit.content}` };
    case 'insert_after':
      return { type: 'add_rule', instruction: `Behind this:\n${edit.anchor}\nAdd this:\n${edit.content}` };
    case 'append':
    case 'slow_update':
    case 'appendix':
      return { type: 'add_rule', instruction: `Add this:\n${edit.content}` };
  }
}

/** Suggestions are read one by one afterwards: one malformed one does not cost the others. */
export const suggestionsReply = z.object({
  reasoning: z.string().catch('').default(''), // of a merge
  failure_summary: failureSummary,
  revise_suggestions: z.array(z.unknown()),
});

const suggestionSchema = objectSchema({
  type: { ...textSchema, enum: [...types] },
  title: textSchema,
  motivation: textSchema,
  instruction: textSchema,
  priority_hint: textSchema,
  tasks: listSchema(textSchema),
});

/** The JSON schema that the server holds an analyst's suggestions to. */
export const suggestionsReplySchema = {
  name: 'suggestions',
  schema: objectSchema({ failure_summary: failureSummarySchema, revise_suggestions: listSchema(suggestionSchema) }),
};

/** The same for a merge of them. */
export const mergeSuggestionsReplySchema = {
  name: 'merge_suggestions',
  schema: objectSchema({ reasoning: textSchema, revise_suggestions: listSchema(withSupport(suggestionSchema)) }),
};
