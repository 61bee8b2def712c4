import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { unlessMissing } from '../files/fileErrors.js';
import { parseJson } from '../../parseJson.js';
import { receiptsFolder } from './receipts.js';
import type { UserStore } from '../state/store.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/); // it becomes part of a path
const named = z.object({ documents: z.array(z.object({ before: hash, after: hash })) });

/**
 * The hashes that the receipts of a skill, or of all skills, name. Undefined as soon as one receipt cannot be read:
 * then nobody can say which backups are needed, and none may go.
 */
export async function namedBackups(store: UserStore, skillId?: string): Promise<ReadonlySet<string> | undefined> {
  const folder = skillId === undefined ? receiptsFolder(store) : path.join(receiptsFolder(store), skillId);
  const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'));
  const hashes = new Set<string>();
  for (const entry of files) {
    const receipt = named.safeParse(parseJson(await readFile(path.join(entry.parentPath, entry.name), 'utf8')));
    if (!receipt.success) return undefined;
    for (const { before, after } of receipt.data.documents) hashes.add(before).add(after);
  }
  return hashes;
}
