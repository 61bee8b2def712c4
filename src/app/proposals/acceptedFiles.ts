import type { Verdict } from '../../gate/verdict/verdict.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { fromFolder, type PackageFiles } from '../../skill/package/packageFile.js';
import { ownReceipts } from '../../storage/adoption/receipts.js';
import { readBackup } from '../../storage/files/contentStore.js';
import type { OpenSkill } from '../openSkill.js';
import { textNow } from './documentFiles.js';

/** Files of a package on the two sides of a measurement, by their names. */
export interface FilesToMeasure {
  readonly before: PackageFiles;
  readonly after: PackageFiles;
}

/** Such files with the proposal that they hold edits of. */
export interface AcceptedFiles extends FilesToMeasure {
  readonly proposalId: string;
  /** Of its last adoption; one that was taken back since leaves a part. */
  readonly verdict: Verdict['kind'];
}

/**
 * The files beside SKILL.md that the proposal which was adopted last changed, in part or whole: as they were before the first
 * of its edits, and as they are. Undefined where it changed none, or all of them are as they were.
 */
export async function acceptedFiles(skill: OpenSkill): Promise<AcceptedFiles | undefined> {
  const receipts = await ownReceipts(skill.store);
  const undone = new Set(receipts.flatMap(({ undoes }) => undoes));
  const standing = receipts.filter(({ action, seq }) => action === 'adopt' && !undone.has(seq));
  const proposalId = standing[0]?.proposalId;
  if (proposalId === undefined) return undefined;
  const files = standing
    .filter((receipt) => receipt.proposalId === proposalId)
    .flatMap(({ documents }) => documents.filter(({ kind }) => kind === 'file'));
  // Newest first: of several changes of one file, the oldest is what stays.
  const hashes = new Map(files.map(({ documentPath, before }) => [documentPath, before]));
  const changed = await changesSince(skill, hashes);
  if (changed === undefined) return undefined;
  const last = receipts.find((receipt) => receipt.proposalId === proposalId);
  return { ...changed, proposalId, verdict: last?.action === 'adopt' ? last.verdict : 'unmeasured' };
}

/** By path: the hash of what a file held then. Undefined where none is another by now. */
async function changesSince(
  skill: OpenSkill,
  hashes: ReadonlyMap<string, string>,
): Promise<FilesToMeasure | undefined> {
  const [before, after] = [new Map<string, string>(), new Map<string, string>()];
  for (const [path, hash] of hashes) {
    const bytes = await readBackup(skill.store, hash);
    const now = await textNow(skill, { kind: 'file', path });
    const then = bytes === undefined ? now : decodeSkill(Buffer.from(bytes), path);
    if (now === undefined || then === undefined || now === then) continue;
    before.set(path.slice(fromFolder.length), then);
    after.set(path.slice(fromFolder.length), now);
  }
  return before.size === 0 ? undefined : { before: Object.fromEntries(before), after: Object.fromEntries(after) };
}
