import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import type { TextStore } from '../../ports/stores.js';

const Reasons = z.array(z.string());

/** What was said about each check of an attempt, in their order; empty where nothing was kept or it was cleared away. */
export async function keptReasons(texts: Pick<TextStore, 'get'>, hash: string | undefined): Promise<readonly string[]> {
  const text = hash === undefined ? undefined : await texts.get(hash);
  const read = Reasons.safeParse(text === undefined ? [] : parseJson(text));
  return read.success ? read.data : [];
}
