import { parseJson } from '../../parseJson.js';
import { promptBlocks } from '../reading/promptBlocks.js';
import * as z from 'zod';

/** Every entry of that form in the JSON lists of a prompt, in order; what is none is passed over. */
export function listed<Entry>(prompt: string, schema: z.ZodType<Entry>): Entry[] {
  return promptBlocks(prompt).blocks.flatMap(({ text }) => {
    const list = z
      .union([z.array(z.unknown()), z.looseObject({ edits: z.array(z.unknown()) })])
      .safeParse(parseJson(text));
    const values = list.success ? (Array.isArray(list.data) ? list.data : list.data.edits) : [];
    return values.flatMap((value) => {
      const entry = schema.safeParse(value);
      return entry.success ? [entry.data] : [];
    });
  });
}
