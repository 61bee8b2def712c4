import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Verdict } from '../../gate/verdict/verdict.js';
import type { DocumentKind } from '../../ports/proposal.js';
import type { DurableWriteOptions } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { makeFolderInside } from '../files/insideFolder.js';
import { readBounded, type SealedFormat, type Sealing, unseal, writeSealed } from '../files/sealedFile.js';
import type { SkillStore, UserStore } from '../state/store.js';
import { parseJson } from '../../parseJson.js';
import { isScriptDocument } from '../../skill/package/packageFile.js';
import { rememberSkill } from '../state/knownSkills.js';

/** A document that a receipt is about; `before` and `after` are hashes of whole files, kept as backups. */
export interface ReceiptDocument {
  readonly kind: DocumentKind;
  /** As proposals name it: relative to the root, or absolute without one. */
  readonly documentPath: string;
  readonly before: string;
  readonly after: string;
}

/** Proof of one change that Whetstone made to a skill, and what it takes to undo it. */
export interface Receipt {
  /** Counts up from 1 for each skill. */
  readonly seq: number;
  readonly skillId: string;
  readonly skillKey: string;
  readonly at: number;
  readonly action: 'adopt' | 'undo' | 'restore';
  readonly proposalId?: string | undefined;
  /** What was known about the text when it was written: it stays labelled so. */
  readonly verdict: Verdict['kind'];
  readonly edits: readonly string[];
  /** The receipts that this one takes back. */
  readonly undoes: readonly number[];
  readonly documents: readonly ReceiptDocument[];
}

/** A receipt as found. Only a `verified` one is ever used to restore; the others are shown. */
export type ReceiptReading =
  | { readonly kind: 'verified'; readonly receipt: Receipt; readonly file: string }
  | { readonly kind: 'made-elsewhere'; readonly receipt: Receipt; readonly file: string }
  | { readonly kind: 'broken' | 'newer'; readonly file: string };

/** Shared with an open transaction, which holds the receipt before it is one. */
export const receiptSchema: z.ZodType<Receipt> = z.object({
  seq: z.number().int().positive(),
  skillId: z.string(),
  skillKey: z.string(),
  at: z.number(),
  action: z.enum(['adopt', 'undo', 'restore']),
  proposalId: z.string().optional(),
  verdict: z.enum(['accepted', 'rejected', 'inconclusive', 'unmeasured']),
  edits: z.array(z.string()),
  undoes: z.array(z.number().int()),
  documents: z.array(
    z.object({
      kind: z.enum(['skill', 'file', 'memory']),
      documentPath: z.string(),
      before: z.string(),
      after: z.string(),
    }),
  ),
});

const plain: SealedFormat<Receipt> = { format: 'whetstone-receipt', version: 1, schema: receiptSchema };
/** An earlier version knows no files of a package, and could not undo all of it. */
const packaged: SealedFormat<Receipt> = { ...plain, version: 2 };
/** An earlier version would not write a script back. */
const scripted: SealedFormat<Receipt> = { ...plain, version: 3 };

/**
 * All receipts of a skill, newest first. What lies in the workspace under the name of receipts was never put there by
 * us: it is listed as made elsewhere, whoever sealed it.
 */
export async function listReceipts(store: SkillStore): Promise<readonly ReceiptReading[]> {
  const own = await readFolder(store, folderOf(store, store.places.skillId));
  const brought = await readFolder(store, path.join(store.places.workspaceState, 'receipts'));
  return [...own, ...brought.map(asMadeElsewhere)];
}

function asMadeElsewhere(reading: ReceiptReading): ReceiptReading {
  return reading.kind === 'verified' ? { ...reading, kind: 'made-elsewhere' } : reading;
}

/** Those that this user made here, newest first. */
export async function ownReceipts(store: SkillStore): Promise<readonly Receipt[]> {
  const readings = await listReceipts(store);
  return readings.filter((reading) => reading.kind === 'verified').map(({ receipt }) => receipt);
}

/** The number of the next receipt. Broken and foreign files count too, so that none is ever overwritten. */
export async function nextSeq(store: SkillStore): Promise<number> {
  const names = (await unlessMissing(readdir(folderOf(store, store.places.skillId)))) ?? [];
  return 1 + Math.max(0, ...names.map((name) => seqOf(name) ?? 0));
}

/** Writing the same receipt again changes nothing: recovery may come after a receipt that was written. */
export async function writeReceipt(store: UserStore, receipt: Receipt, options: DurableWriteOptions): Promise<void> {
  const folder = folderOf(store, receipt.skillId);
  await makeFolderInside(store.folder, folder);
  const file = path.join(folder, `${String(receipt.seq).padStart(6, '0')}.json`);
  const format = changesScript(receipt) ? scripted : changesPackage(receipt) ? packaged : plain;
  await writeSealed({ ...sealing(store, receipt.skillId, receipt.seq), format }, file, receipt, options);
}

/** One folder a skill in it. */
export function receiptsFolder({ folder }: Pick<UserStore, 'folder'>): string {
  return path.join(folder, 'receipts');
}

async function readFolder(store: SkillStore, folder: string): Promise<readonly ReceiptReading[]> {
  const names = (await unlessMissing(readdir(folder))) ?? [];
  const files = names
    .filter((name) => seqOf(name) !== undefined)
    .sort()
    .toReversed();
  const readings = await Promise.all(files.map((name) => readOne(store, path.join(folder, name), seqOf(name) ?? 0)));
  return readings.filter((reading) => reading !== undefined);
}

async function readOne(store: SkillStore, file: string, seq: number): Promise<ReceiptReading | undefined> {
  const text = await readBounded(file);
  if (text === undefined) return undefined;
  const reading = unseal(sealing(store, store.places.skillId, seq), text);
  if (reading.kind === 'broken' || reading.kind === 'newer') return { kind: reading.kind, file };
  return { kind: reading.kind, receipt: reading.body, file };
}

function seqOf(name: string): number | undefined {
  const digits = /^(\d{6,})\.json$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function sealing(store: UserStore, skillId: string, seq: number): Sealing<Receipt> {
  return { key: store.key, format: scripted, about: `receipt ${seq} of ${skillId}` };
}

/** Whether it is about files beside the skill: what holds that is of a later version. */
export function changesPackage({
  documents,
}: {
  readonly documents: readonly Pick<ReceiptDocument, 'kind'>[];
}): boolean {
  return documents.some(({ kind }) => kind === 'file');
}

/** Whether one of those is a script. */
export function changesScript({ documents }: Pick<Receipt, 'documents'>): boolean {
  return documents.some(({ kind, documentPath }) => isScriptDocument({ kind, path: documentPath }));
}

function folderOf(store: UserStore, skillId: string): string {
  return path.join(receiptsFolder(store), skillId);
}

const backupHash = z.string().regex(/^[0-9a-f]{64}$/); // it becomes part of a path
const namesBackups = z.object({ documents: z.array(z.object({ before: backupHash, after: backupHash })) });

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
    const receipt = namesBackups.safeParse(parseJson(await readFile(path.join(entry.parentPath, entry.name), 'utf8')));
    if (!receipt.success) return undefined;
    for (const { before, after } of receipt.data.documents) hashes.add(before).add(after);
  }
  return hashes;
}

/** Notes what the skill holds now, so that it is recognised if it is moved before Whetstone sees it again. */
export async function rememberContent({ folder, places }: SkillStore, { documents }: Receipt): Promise<void> {
  const contentHash = documents.find(({ kind }) => kind === 'skill')?.after;
  if (contentHash !== undefined) await rememberSkill(folder, { ...places, contentHash }, places);
}
