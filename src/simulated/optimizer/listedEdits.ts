import * as z from 'zod';
import { parseJson } from '../../parseJson.js';

const ListedEdit = z.looseObject({
  op: z.string(),
  anchor: z.string().optional(),
  content: z.string().default(''),
  rationale: z.string().default(''),
  tasks: z.array(z.string()).default([]),
  support_count: z.number().default(1),
  index: z.number().optional(),
});

/** An edit that a prompt lists as JSON. */
export type ListedEdit = z.infer<typeof ListedEdit>;

/** Every edit in the JSON lists of a prompt, in order; what is no edit is passed over. */
export function listedEdits(texts: readonly string[]): readonly ListedEdit[] {
  return texts.flatMap((text) => {
    const list = z
      .union([z.array(z.unknown()), z.looseObject({ edits: z.array(z.unknown()) })])
      .safeParse(parseJson(text));
    const values = list.success ? (Array.isArray(list.data) ? list.data : list.data.edits) : [];
    return values.flatMap((value) => {
      const edit = ListedEdit.safeParse(value);
      return edit.success ? [edit.data] : [];
    });
  });
}
