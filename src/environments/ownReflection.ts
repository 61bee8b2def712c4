import * as z from 'zod';
import { deepestNesting, nestingIn } from '../tasks/json/nesting.js';
import { readEdits, type ReadEdit } from '../prompts/replies/editReply.js';

/** What an environment says on a step; whatever else it gives beside it nobody reads. Something else alone is no answer. */
export const Reflection: z.ZodType<GivenReflection> = z
  .looseObject({ remarks: z.string().nullish(), edits: z.array(z.unknown()).nullish() })
  .refine(
    (given) => 'remarks' in given || 'edits' in given || Object.keys(given).length === 0,
    'no remarks and no edits',
  );

interface GivenReflection {
  readonly remarks?: string | null | undefined;
  readonly edits?: readonly unknown[] | null | undefined;
}

const mostEntries = 100; // a step takes a few edits
const mostCharacters = 4_000_000; // as much as a program may write

/** What an environment said, as plain JSON that can be stored: the same bytes are read now and when the run goes on. */
export interface SaidReflection {
  readonly remarks: string;
  /** As they came; at most the first hundred. */
  readonly edits: readonly unknown[];
  /** So many more came. */
  readonly more: number;
}

/** Reads what an environment gave back: a text, `{remarks, edits}`, or nothing. A sentence where it is none of them. */
export function readReflection(value: unknown): SaidReflection | string {
  if (value === undefined || value === null) return { remarks: '', edits: [], more: 0 };
  const read = Reflection.safeParse(typeof value === 'string' ? { remarks: value } : value);
  if (!read.success) return `It gave neither a text nor remarks and edits: ${z.prettifyError(read.error)}`;
  const all = read.data.edits ?? [];
  const said = { remarks: read.data.remarks ?? '', edits: all.slice(0, mostEntries) };
  const json = JSON.stringify(said);
  if (json.length > mostCharacters) return 'It said more than 4 MB.';
  if (nestingIn(json) > deepestNesting) return 'What it said is nested too deeply.';
  return { ...Stored.parse(JSON.parse(json)), more: all.length - said.edits.length };
}

const Stored = z.object({ remarks: z.string(), edits: z.array(z.unknown()) });

/** Of all edits that one environment proposes in a step, as JSON: what an optimizer is shown of them is known before. */
export const mostOwnBytes = 20_000;

/** The edits among what was said, each as a reply of the optimizer would be read, and what is none with the reason. */
export function readOwnEdits({ edits: values, more }: SaidReflection): {
  readonly edits: readonly ReadEdit[];
  readonly lost: readonly string[];
} {
  const { edits, malformed } = readEdits(values);
  let length = 0;
  const kept = edits.map(withoutControls).filter(({ edit }) => (length += bytesOf(edit)) <= mostOwnBytes);
  const tooLong = edits.length - kept.length;
  return {
    edits: kept,
    lost: [
      ...malformed,
      ...(more > 0 ? [`${more} entries behind the first ${mostEntries}`] : []),
      ...(tooLong > 0 ? [`${tooLong} beyond the ${mostOwnBytes / 1000} KB that all of them may take`] : []),
    ],
  };
}

/** A reason is shown in terminals and views, and steers none of them. */
function withoutControls({ edit, ...read }: ReadEdit): ReadEdit {
  const rationale = edit.rationale.replaceAll(/(?![\n\t])\p{Cc}/gu, '');
  return { ...read, edit: { ...edit, rationale } };
}

function bytesOf(edit: ReadEdit['edit']): number {
  return new TextEncoder().encode(JSON.stringify(edit)).length;
}
