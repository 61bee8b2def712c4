import { readFile, stat } from 'node:fs/promises';
import { UserError } from '../../errors.js';
import type { ProposedDocument } from '../../ports/proposal.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { documentFile, type DocumentName } from '../../storage/adoption/documentTarget.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import type { Places } from '../../storage/state/places.js';
import type { OpenSkill } from '../openSkill.js';

/** Where the documents of a proposal or receipt lie, by their paths in it; without those that no proposal may change. */
export async function documentFiles(
  places: Places,
  documents: readonly DocumentName[],
): Promise<Readonly<Record<string, string>>> {
  const found = documents.map(async (document) => [document.documentPath, await lawfulFile(places, document)] as const);
  const rows = await Promise.all(found);
  return Object.fromEntries(rows.flatMap(([name, file]) => (file === undefined ? [] : [[name, file] as const])));
}

async function lawfulFile(places: Places, document: DocumentName): Promise<string | undefined> {
  try {
    return await documentFile(places, document);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The text that a document of a proposal has on disk now; undefined where the file is gone, or no file: a pipe has no end. */
export async function textNow(
  skill: OpenSkill,
  { kind, path: documentPath }: Pick<ProposedDocument, 'kind' | 'path'>,
): Promise<string | undefined> {
  if (kind === 'skill') return skill.text;
  const file = await documentFile(skill.places, { kind, documentPath });
  if ((await unlessMissing(stat(file)))?.isFile() !== true) return undefined;
  const bytes = await unlessMissing(readFile(file));
  return bytes === undefined ? undefined : decodeSkill(bytes, documentPath);
}
