import type { Verdict } from '../../gate/verdict/verdict.js';
import type { Proposal, ProposedDocument } from '../../ports/proposal.js';
import { type EditorNote, noteAdoption, saveInEditor } from '../../storage/adoption/editorChange.js';
import type { OpenSkill } from '../openSkill.js';
import { textNow } from './documentFiles.js';
import type { PendingProposal } from './pending.js';
import { type AdoptedVersion, versionOf } from './versions.js';

/** What accepting in an editor writes, or taking that back: the edits and the proposal that they came from. */
interface EditorChange {
  /** Empty where an accept was undone, or brought again. */
  readonly edits: readonly string[];
  /** The proposal that it came from: deciding the last edit may have put it away before the file was saved. */
  readonly pending: Pick<PendingProposal, 'proposal' | 'own'>;
}

/** What an editor saved in one file. */
export interface EditorSave extends EditorChange {
  /** Which document of the proposal it is. */
  readonly documentPath: string;
  readonly before: string;
  readonly after: string;
}

/** What an editor is about to save in several files at once. */
export interface EditorSaves extends EditorChange {
  readonly documents: readonly {
    readonly documentPath: string;
    /** What its file must hold; whatever it holds where nobody knows. */
    readonly before: string | undefined;
    /** What it is to hold then, to the byte unless saving changes it once more. */
    readonly after: string;
  }[];
}

/** The receipt for edits that the person accepted in an editor and that are saved by now. */
export async function noteEditorAdoption(
  skill: OpenSkill,
  change: EditorSave,
  signal: AbortSignal,
): Promise<AdoptedVersion> {
  const { pending, documentPath, before, after } = change;
  const { kind } = documentOf(pending.proposal, documentPath);
  const receipt = await noteAdoption(
    skill.store,
    {
      note: await noteOf(skill, { ...change, texts: { [documentPath]: after } }),
      document: { kind, documentPath },
      before: Buffer.from(before),
      after: Buffer.from(after),
    },
    signal,
  );
  return versionOf(skill, receipt);
}

/** Has the editor save several files, all or none, with one receipt; undefined where that changed nothing. */
export async function saveEditorFiles(
  skill: OpenSkill,
  change: EditorSaves,
  save: () => Promise<void>,
  signal: AbortSignal,
): Promise<AdoptedVersion | undefined> {
  const texts = Object.fromEntries(change.documents.map(({ documentPath, after }) => [documentPath, after]));
  const documents = change.documents.map(({ documentPath, before, after }) => ({
    kind: documentOf(change.pending.proposal, documentPath).kind,
    documentPath,
    before: before === undefined ? undefined : Buffer.from(before),
    after: Buffer.from(after),
  }));
  const note = await noteOf(skill, { ...change, texts });
  const receipt = await saveInEditor(skill.store, { note, documents }, save, signal);
  return receipt === undefined ? undefined : versionOf(skill, receipt);
}

/** By the document's path: what its file holds then. */
type SavedTexts = Readonly<Record<string, string>>;

/** True where every document of the proposal then holds what the verdict is about; one of two is only part of it. */
export async function isWhole(
  skill: OpenSkill,
  { pending, texts }: Pick<EditorChange, 'pending'> & { readonly texts: SavedTexts },
): Promise<boolean> {
  const parts = pending.proposal.documents.map(async (document) => {
    return (texts[document.path] ?? (await textNow(skill, document))) === document.candidateText;
  });
  return (await Promise.all(parts)).every(Boolean);
}

async function noteOf(skill: OpenSkill, change: EditorChange & { readonly texts: SavedTexts }): Promise<EditorNote> {
  const { proposal } = change.pending;
  const verdict: Verdict['kind'] = (await isWhole(skill, change)) ? proposal.verdict.kind : 'unmeasured';
  return { proposalId: proposal.id, verdict, edits: change.edits };
}

function documentOf({ documents }: Proposal, documentPath: string): ProposedDocument {
  const document = documents.find(({ path }) => path === documentPath);
  if (document === undefined) throw new TypeError('The change is in no document of the proposal.');
  return document;
}
