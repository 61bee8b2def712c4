import { UserError } from '../../errors.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { documentFile } from './documentTarget.js';
import { readBackup } from '../files/contentStore.js';
import { listReceipts, type Receipt, ownReceipts, type ReceiptDocument } from './receipts.js';
import type { SkillStore } from '../state/store.js';
import { changeDocuments, type Change, type LiveDocument } from './transaction.js';
import { sha256 } from '../../hash.js';

/** Which text of a receipt: the one it replaced, or the one it left. */
interface VersionChoice {
  readonly seq: number;
  readonly side: 'before' | 'after';
}

/**
 * The bytes of a version, to be shown before it is restored: of the file that is named, or else of the skill, or of the
 * first that it changed where it is none of them.
 */
export async function readVersion(
  store: SkillStore,
  choice: VersionChoice,
  file?: string,
): Promise<Uint8Array | undefined> {
  const { documents } = await findReceipt(store, choice.seq);
  const usual = documents.find(({ kind }) => kind === 'skill') ?? documents[0];
  if (file === undefined) return usual === undefined ? undefined : readBackup(store, usual[choice.side]);
  const held = await documentAt(store, await heldThen(store, choice), file);
  return held === undefined ? undefined : readBackup(store, held.hash);
}

/**
 * Puts a version back, whatever the files hold now; what they hold is kept as a backup first, and the change is itself
 * recorded and can be undone. A version made elsewhere is never restored.
 */
export async function restoreVersion(store: SkillStore, choice: VersionChoice, signal: AbortSignal): Promise<Receipt> {
  const receipt = await findReceipt(store, choice.seq);
  const names = await heldThen(store, choice);
  return changeDocuments(
    store,
    { names, missing: 'made' },
    async (live) => {
      const documents = await Promise.all(
        live.map(async (current) => {
          const held = names.find(({ documentPath }) => documentPath === current.documentPath);
          return { ...current, after: await backupOf(store, held?.hash ?? '') };
        }),
      );
      if (documents.every((each) => sha256(each.live) === sha256(each.after)))
        throw new UserError(
          'nothing-to-undo',
          `The skill holds version ${choice.seq} already.`,
          'Nothing was changed.',
        );
      const verdict = choice.side === 'after' ? receipt.verdict : 'unmeasured';
      return { note: { action: 'restore', verdict, edits: [], undoes: [] }, documents };
    },
    signal,
  );
}

/** A document and what it held. */
interface HeldDocument extends Pick<ReceiptDocument, 'kind' | 'documentPath'> {
  readonly hash: string;
}

/**
 * What the skill and the files beside it held at a version, also those that it left alone itself: what the change before
 * it left, or what the change after it found. The memory file belongs to others too: only where the version changed it.
 */
async function heldThen(store: SkillStore, { seq, side }: VersionChoice): Promise<readonly HeldDocument[]> {
  const { documents } = await findReceipt(store, seq);
  const held = new Map<string, HeldDocument>(documents.map((each) => [keyOf(each), { ...each, hash: each[side] }]));
  const receipts = (await ownReceipts(store)).toSorted((a, b) => a.seq - b.seq);
  const written = (older: boolean): readonly HeldDocument[] =>
    receipts
      .filter((receipt) => (older ? receipt.seq < seq : receipt.seq > seq))
      .flatMap((receipt) => receipt.documents)
      .filter(({ kind }) => kind !== 'memory')
      .map((each) => ({ ...each, hash: older ? each.after : each.before }));
  for (const each of [...written(true).toReversed(), ...written(false)])
    if (!held.has(keyOf(each))) held.set(keyOf(each), each);
  return [...held.values()].map(({ kind, documentPath, hash }) => ({ kind, documentPath, hash }));
}

/** The skill is the same where its folder was moved. */
function keyOf({ kind, documentPath }: Pick<ReceiptDocument, 'kind' | 'documentPath'>): string {
  return kind === 'skill' ? kind : documentPath;
}

async function documentAt<Document extends Pick<ReceiptDocument, 'kind' | 'documentPath'>>(
  { places }: SkillStore,
  documents: readonly Document[],
  file: string,
): Promise<Document | undefined> {
  for (const document of documents) {
    const found = await documentFile(places, document).catch(() => undefined); // one that no proposal may change now
    if (found === file) return document;
  }
  return undefined;
}

async function findReceipt(store: SkillStore, seq: number): Promise<Receipt> {
  const readings = await listReceipts(store);
  const found = readings.find((reading) => reading.kind === 'verified' && reading.receipt.seq === seq);
  if (found?.kind === 'verified') return found.receipt;
  const foreign = readings.some((reading) => reading.kind === 'made-elsewhere' && reading.receipt.seq === seq);
  throw foreign
    ? new UserError('made-elsewhere', `Version ${seq} was not adopted here.`, 'Choose a version that was adopted here.')
    : new UserError(
        'nothing-to-undo',
        `There is no version ${seq} of this skill.`,
        'Look at the history for the numbers.',
      );
}

/** What one undo takes back: the last receipt that names edits, or one without together with those it continues. */
interface Adoption {
  /** Newest first. */
  readonly seqs: readonly number[];
  readonly proposalId: string | undefined;
  readonly documents: readonly ReceiptDocument[];
}

/**
 * Takes the last adoption back, byte for byte, days later as well. Refuses with `skill-changed` where somebody edited a
 * file since: restoring a version is then the person's explicit choice. A file that is gone, or holds no skill by now,
 * holds no edit that could be lost: what it holds is kept as a backup, as always.
 */
export async function undoLast(store: SkillStore, signal: AbortSignal): Promise<Receipt> {
  const adoption = lastAdoption(await ownReceipts(store));
  if (adoption === undefined) throw nothingToUndo('No adoption of this skill is left to undo.');
  return changeDocuments(
    store,
    { names: adoption.documents, missing: 'made' },
    (live) => planUndo(store, adoption, live),
    signal,
  );
}

/**
 * The newest adoption or restoring that is not undone yet, whatever else was taken of the same proposal before it.
 * `receipts` are this user's own, newest first. One without edits is a step through several accepts in an editor: it
 * is taken back together with those, for alone it would bring edits that the person had undone.
 */
export function lastAdoption(receipts: readonly Receipt[]): Adoption | undefined {
  const undone = new Set(receipts.flatMap(({ undoes }) => undoes));
  const standing = receipts.filter(({ action, seq }) => action !== 'undo' && !undone.has(seq));
  const [newest, ...older] = standing;
  if (newest === undefined) return undefined;
  let adoption = adoptionOf(newest);
  if (newest.edits.length > 0) return adoption;
  for (const receipt of older) {
    const longer = joined(adoption, receipt);
    if (longer === undefined) break;
    adoption = longer;
  }
  return adoption;
}

function adoptionOf({ seq, proposalId, documents }: Receipt): Adoption {
  return { seqs: [seq], proposalId, documents };
}

/** Both as one, where the older receipt is of the same proposal and led exactly to where the newer ones began. */
function joined(adoption: Adoption, older: Receipt): Adoption | undefined {
  if (older.proposalId === undefined || older.proposalId !== adoption.proposalId) return undefined;
  const before = new Map(older.documents.map((document) => [document.documentPath, document]));
  const begunAt = adoption.documents.map((document) => before.get(document.documentPath)?.after ?? document.before);
  if (adoption.documents.some((document, index) => document.before !== begunAt[index])) return undefined;
  const continued = adoption.documents.map((document) => {
    return { ...document, before: before.get(document.documentPath)?.before ?? document.before };
  });
  const known = new Set(continued.map(({ documentPath }) => documentPath));
  const added = older.documents.filter(({ documentPath }) => !known.has(documentPath));
  return { ...adoption, seqs: [...adoption.seqs, older.seq], documents: [...continued, ...added] };
}

async function planUndo(store: SkillStore, adoption: Adoption, live: readonly LiveDocument[]): Promise<Change> {
  const pairs = live.map((current) => {
    const document = adoption.documents.find(({ documentPath }) => documentPath === current.documentPath);
    if (document === undefined) throw changedSince(current.target);
    return { current, document, hash: sha256(current.live) };
  });
  if (pairs.every(({ hash, document }) => hash === document.before)) {
    throw nothingToUndo('The skill already holds the text from before the adoption.');
  }
  for (const { current, document, hash } of pairs) {
    // Of several files one may be as it was already: an editor took it back by itself.
    if (hash === document.after || hash === document.before) continue;
    if (await isEdited(store, current, document)) throw changedSince(current.target);
  }
  const documents = await Promise.all(
    pairs.map(async ({ current, document }) => ({ ...current, after: await backupOf(store, document.before) })),
  );
  const { proposalId, seqs } = adoption;
  return { note: { action: 'undo', proposalId, verdict: 'unmeasured', edits: [], undoes: seqs }, documents };
}

/** True where the file still is what it was for: text, and for a skill with the front matter that it had. */
async function isEdited(store: SkillStore, { live, kind }: LiveDocument, { after }: ReceiptDocument): Promise<boolean> {
  const text = textOf(live);
  if (text === undefined) return false;
  const adopted = kind === 'skill' ? textOf(await backupOf(store, after)) : undefined;
  return adopted === undefined || !hasFrontMatter(adopted) || hasFrontMatter(text);
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decodeSkill(bytes, '');
  } catch (error) {
    if (error instanceof UserError) return undefined; // Nothing that could be trained, and no edit of it.
    throw error;
  }
}

function hasFrontMatter(text: string): boolean {
  return parseSkill(text).frontMatter !== undefined;
}

/** The bytes of a version, from this user's own backups. */
async function backupOf(store: SkillStore, hash: string): Promise<Uint8Array> {
  const bytes = await readBackup(store, hash);
  if (bytes !== undefined) return bytes;
  throw new UserError(
    'nothing-to-undo',
    'The backup of that version is missing or was changed.',
    'Restore the file from version control.',
  );
}

function nothingToUndo(what: string): UserError {
  return new UserError('nothing-to-undo', what, 'Look at the history to restore an earlier version.');
}

function changedSince(target: string): UserError {
  return new UserError(
    'skill-changed',
    `${target} was edited after the adoption, and undoing would lose that.`,
    'Undo your own edits first, or choose a version in the history and restore it.',
  );
}
