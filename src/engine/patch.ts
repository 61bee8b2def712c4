import type { FailureCause } from '../prompts/reflection/skillAware.js';
import type { Rewrite } from '../prompts/rewrite/rewrites.js';
import type { Suggestion } from '../prompts/rewrite/suggestions.js';
import { fileOf, type Edit } from '../skill/edits/edit.js';

/** What analysts look at; what several patches were merged into; an environment, which proposed it itself. */
export type PatchSource = AnalystSource | 'merged' | 'environment';
export type AnalystSource = 'failure' | 'success' | 'contrast';

/** Whose words something is. */
interface Source {
  readonly source: PatchSource;
  /** Its name, where the source is one. */
  readonly environment?: string;
}

/** Where something that was proposed came from. */
interface Origin extends Source {
  /** Training tasks that taught it. */
  readonly tasks: readonly string[];
  /** How many attempts speak for it. */
  readonly support: number;
  /** The level of the merges at which it was made, from 1; missing where an analyst's own was taken over. */
  readonly mergeLevel?: number;
}

/** A proposed edit with where it came from. */
export interface PatchEdit extends Origin {
  readonly edit: Edit;
  /** One of the edits that a rewrite was made into. */
  readonly ofRewrite?: true;
}

/** What analysts propose by the update mode of the run: edits, ways to revise the skill, or whole new texts of it. */
export type ProposedChange =
  | { readonly edit: Edit }
  | { readonly suggestion: Suggestion }
  | { readonly rewrite: Rewrite };
export type PatchItem = ProposedChange & Origin;

/** A pattern that an analyst saw in the failures. */
export interface FailurePattern {
  readonly type: string;
  readonly count: number;
  readonly description: string;
  /** Whether the skill is wrong or was not followed, where analysts are asked that. */
  readonly cause?: FailureCause;
}

/** What the agent is to heed although the skill says it already. */
export interface Reminder {
  readonly note: string;
  /** Training tasks whose attempts did not follow the rule. */
  readonly tasks: readonly string[];
}

/** What one analyst or environment proposed, or several after a merge. */
export interface Patch extends Source {
  /** How many attempts it was drawn from. */
  readonly size: number;
  /** Which of the batches of the step it was drawn from, from 0, where there are several. */
  readonly batch?: number;
  readonly edits: readonly PatchItem[];
  readonly failures: readonly FailurePattern[];
  /** For lapses, where analysts tell them from defects. */
  readonly reminders?: readonly Reminder[];
}

/** Whose words an item is; of one that nobody said as it stands, that it was merged. */
export function sourceOf(item: Source | undefined): Source {
  if (item === undefined) return { source: 'merged' };
  const { source, environment } = item;
  return environment === undefined ? { source } : { source, environment };
}

/** What a list of edits was drawn from, as a merge is told. The name of an environment is somebody else's words. */
export function drawnFrom({ edits, size }: Patch): string {
  const isAll = (source: PatchSource): boolean => edits.every((each) => each.source === source);
  if (isAll('environment')) return `From the environment itself, on ${size} attempts`;
  return `From ${size} ${isAll('success') ? 'successful' : 'failed'} attempts`;
}

/** The same change proposed twice has one key, whatever the words of its rationale. */
export function keyOf(edit: Edit): string {
  const anchor = 'anchor' in edit ? normalised(edit.anchor) : '';
  const content = 'content' in edit ? normalised(edit.content) : '';
  const file = fileOf(edit);
  return JSON.stringify([edit.op, anchor, content, ...(file === undefined ? [] : [file])]);
}

/** What was proposed, as prompts and artifacts list it: in the words that a reply has for it. */
export function rowOf(item: ProposedChange): Readonly<Record<string, unknown>> {
  if ('edit' in item) return { ...item.edit };
  if ('suggestion' in item) return item.suggestion;
  const { title, text, changes } = item.rewrite;
  return { title, new_skill: text, change_summary: changes };
}

/** The same for whatever was proposed. */
export function keyOfItem(item: ProposedChange): string {
  if ('edit' in item) return keyOf(item.edit);
  return JSON.stringify('suggestion' in item ? ['', normalised(item.suggestion.instruction)] : ['', item.rewrite.text]);
}

function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
