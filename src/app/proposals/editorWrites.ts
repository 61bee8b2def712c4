import { UserError } from '../../errors.js';
import { documentTarget, refuseBesideLearned } from '../../storage/adoption/documentTarget.js';
import type { SkillPlace } from '../openSkill.js';
import type { PendingProposal } from './pending.js';

/** A change that an editor is about to make in a document of a proposal. */
export interface EditorWrite {
  /** Which document of the proposal it is. */
  readonly documentPath: string;
  /** The file whose buffer would be changed. */
  readonly file: string;
  readonly pending: Pick<PendingProposal, 'proposal' | 'own' | 'refusal'>;
  /** Undefined where what an accept brought is taken back. */
  readonly change: AcceptedChange | undefined;
}

interface AcceptedChange {
  readonly before: string;
  readonly after: string;
  /** The proposal is in front of the person, as what it is. */
  readonly shown: boolean;
}

/** Refuses what adopting would refuse as well, before a buffer is touched: the editor saves by itself, past the transaction. */
export async function refuseEditorWrite({ places }: SkillPlace, write: EditorWrite): Promise<void> {
  const { documentPath, file, pending, change } = write;
  const document = pending.proposal.documents.find(({ path }) => path === documentPath);
  if (document === undefined) throw new TypeError('The change is in no document of the proposal.');
  if ((await documentTarget(places, { kind: document.kind, documentPath })) !== file) throw otherFile(file);
  if (change === undefined) return;
  if (pending.refusal !== undefined) throw pending.refusal;
  if (!pending.own && !change.shown) throw notShown();
  if (document.kind === 'memory') refuseBesideLearned(documentPath, change.before, change.after);
}

function otherFile(file: string): UserError {
  return new UserError(
    'proposal-not-adoptable',
    `${file} is not the file that this proposal may change.`,
    'Open the proposal again from the list of skills.',
  );
}

function notShown(): UserError {
  return new UserError(
    'made-elsewhere',
    'The proposal was made elsewhere and not measured here.',
    'It is shown now: look at it, then accept what you want of it.',
  );
}
