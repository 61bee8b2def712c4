import type { Edit } from '../skill/edits/edit.js';

export type PatchSource = 'failure' | 'success' | 'contrast' | 'merged';

/** A proposed edit with where it came from. */
export interface PatchEdit {
  readonly edit: Edit;
  readonly source: PatchSource;
  /** Training tasks that taught it. */
  readonly tasks: readonly string[];
  /** How many attempts speak for it. */
  readonly support: number;
}

/** A pattern that an analyst saw in the failures. */
export interface FailurePattern {
  readonly type: string;
  readonly count: number;
  readonly description: string;
}

/** What one analyst proposed, or several after a merge. */
export interface Patch {
  readonly source: PatchSource;
  /** How many attempts it was drawn from. */
  readonly size: number;
  readonly edits: readonly PatchEdit[];
  readonly failures: readonly FailurePattern[];
}

/** The same change proposed twice has one key, whatever the words of its rationale. */
export function keyOf(edit: Edit): string {
  const anchor = 'anchor' in edit ? normalised(edit.anchor) : '';
  const content = 'content' in edit ? normalised(edit.content) : '';
  return JSON.stringify([edit.op, anchor, content]);
}

function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
