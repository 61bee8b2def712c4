/** Where in a package an edit belongs. */
interface InPackage {
  /** The file by its path from the skill's folder, `references/tone.md`; SKILL.md where it is missing. */
  readonly file?: string;
}

/**
 * A bounded change to a document. `anchor` is text that must occur exactly once. `slow_update` says what the slow-update
 * block holds from now on, `appendix` the same of the block of reminders; a block is made where there is none, always in
 * SKILL.md.
 */
export type Edit =
  | (InPackage & { readonly op: 'append'; readonly content: string; readonly rationale: string })
  | (InPackage & {
      readonly op: 'insert_after';
      readonly anchor: string;
      readonly content: string;
      readonly rationale: string;
    })
  | (InPackage & {
      readonly op: 'replace';
      readonly anchor: string;
      readonly content: string;
      readonly rationale: string;
    })
  | (InPackage & { readonly op: 'delete'; readonly anchor: string; readonly rationale: string })
  | { readonly op: 'slow_update'; readonly content: string; readonly rationale: string }
  | { readonly op: 'appendix'; readonly content: string; readonly rationale: string };

/** Why an edit found no place: reported, never silently appended. */
export type UnmatchedReason = 'anchor-missing' | 'anchor-ambiguous' | 'file-missing';

/** Why an edit was not allowed. */
export type RefusedReason =
  | 'empty'
  | 'front-matter'
  | 'protected-region'
  | 'kept-region'
  | 'code-fence'
  | 'marker'
  | 'outside-scope'
  | 'not-list-item'
  | 'size-budget'
  | 'duplicate'
  | 'no-change'
  | 'gaming'
  | 'invisible-text'
  | 'secret'
  | 'syntax';

export type EditOutcome =
  | {
      readonly kind: 'applied';
      /** How its place was found, where its anchor is not written as the document has it. */
      readonly matched?: string;
    }
  | { readonly kind: 'unmatched'; readonly reason: UnmatchedReason; readonly detail: string }
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly detail: string };

/** The file that an edit changes; undefined for SKILL.md. */
export function fileOf(edit: Edit): string | undefined {
  return 'file' in edit ? edit.file : undefined;
}

/** One row for every proposed edit, in the order proposed. */
export interface ApplyReportRow {
  readonly index: number;
  readonly edit: Edit;
  readonly outcome: EditOutcome;
}

/** Whether edits may change what stands in a code fence that is there already. */
export type CodeEdits = 'refused' | 'allowed';

/** Where edits may land: anywhere in the body, or only inside the learned block. */
export type EditScope = 'body' | 'learned';

/** An edit that says what a block of its own holds. */
export type OwnBlockEdit = Extract<Edit, { op: 'slow_update' | 'appendix' }>;

/** An edit that names its place itself, or none. */
export type BodyEdit = Exclude<Edit, OwnBlockEdit>;
