import * as z from 'zod';
import type { Edit } from '../../skill/edits/edit.js';
import { asEdit } from './nearEdits.js';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** An edit as a model writes it, in our words for it. */
const ReplyEdit = z.object({
  op: z.enum(['append', 'insert_after', 'replace', 'delete']),
  file: text,
  anchor: text,
  content: text,
  rationale: text,
  tasks: z.array(z.coerce.string()).nullish(),
  support_count: z.number().finite().nullish(),
});

/** A list of edits of which single ones may be malformed: one bad edit does not cost the others. */
export const ReplyEdits = z.array(z.unknown());

export interface ReadEdit {
  readonly edit: Edit;
  readonly tasks: readonly string[];
  readonly support: number | undefined;
}

/** Reads the edits of a reply; what is not an edit is counted as malformed, with the reason. */
export function readEdits(values: readonly unknown[]): {
  readonly edits: readonly ReadEdit[];
  readonly malformed: readonly string[];
} {
  const edits: ReadEdit[] = [];
  const malformed: string[] = [];
  for (const value of values) {
    const read = readEdit(value);
    if (typeof read === 'string') malformed.push(read);
    else edits.push(read);
  }
  return { edits, malformed };
}

function readEdit(value: unknown): ReadEdit | string {
  const parsed = ReplyEdit.safeParse(asEdit(value));
  if (!parsed.success) return `not an edit: ${parsed.error.issues[0]?.message ?? 'unknown form'}`;
  const edit = editOf(parsed.data);
  if (typeof edit === 'string') return edit;
  return { edit, tasks: parsed.data.tasks ?? [], support: parsed.data.support_count ?? undefined };
}

/** The file that an edit is for, as a package names it: none for SKILL.md, whose name may be left out. */
function fileNamed(given: string): { readonly file?: string } {
  const file = given.trim().replace(/^(?:\.\/)+/u, '');
  return file === '' || file.toLowerCase() === 'skill.md' ? {} : { file };
}

function editOf({ op, content, rationale, ...reply }: z.infer<typeof ReplyEdit>): Edit | string {
  const within = fileNamed(reply.file);
  const { anchor } = reply;
  const says = content.trim() !== '';
  if (op === 'append') {
    return says ? { op, ...within, content, rationale } : 'an edit that appends nothing';
  }
  if (anchor === '') return `an edit of the kind ${op} without an anchor`;
  if (op === 'delete') return { op, ...within, anchor, rationale };
  return says || op === 'replace' ? { op, ...within, anchor, content, rationale } : 'an edit that inserts nothing';
}
