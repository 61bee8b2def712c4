import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { OpenSkill } from './openSkill.js';

/** Files beside the skill that its text points to: in `chat` the model reads the skill alone. */
export async function unseenFiles({ text, folder }: OpenSkill): Promise<readonly string[]> {
  const named = new Set(
    [...text.matchAll(/(?:^|[\s("'`[<])((?:scripts|references|assets)\/[\w./-]*\w)/gm)].map((match) => match[1] ?? ''),
  );
  const found = await Promise.all(
    [...named].map(async (name) =>
      (await stat(path.join(folder, name)).catch(() => undefined))?.isFile() === true ? name : undefined,
    ),
  );
  return found.filter((name) => name !== undefined).sort();
}
