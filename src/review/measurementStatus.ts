import { canonicalJson, sha256 } from '../hash.js';
import type { UnmeasuredCause, Verdict } from '../gate/verdict/verdict.js';
import type { ProposedDocument, ProposedEdit } from '../ports/proposal.js';
import { decisionSeen, type EditDecision } from './reviewDecision.js';
import type { ProposalTexts } from './proposalTexts.js';

/**
 * What a measurement of these texts is remembered by: the skill and the files that were measured with it, by their paths.
 * Of one text its own hash.
 */
export function textsHash(texts: Readonly<Record<string, string>>): string {
  const hashes = Object.entries(texts).map(([path, text]) => [path, sha256(text)] as const);
  const [only, ...others] = hashes;
  if (only !== undefined && others.length === 0) return only[1];
  return sha256(canonicalJson(Object.fromEntries(hashes)));
}

/** A verdict on texts that were measured by themselves, after the person had taken part of a proposal. */
export interface MeasuredText {
  readonly hash: string;
  readonly verdict: Verdict;
  /** True where the simulated model answered, which is said wherever the verdict is. */
  readonly simulated?: boolean | undefined;
}

/** Whether the text that a file holds was ever measured, as far as proposals went into it. */
export type MeasurementStatus =
  /** None of a proposal is in the file. */
  | { readonly kind: 'untouched' }
  /** The file is, to the letter, what the proposal's verdict is about. */
  | { readonly kind: 'whole' }
  /** Nobody has measured this text. `of` is 0 where nobody knows any more how many edits there were. */
  | {
      readonly kind: 'unmeasured';
      readonly cause: Extract<UnmeasuredCause, 'partly-accepted' | 'edited-by-hand'>;
      readonly taken: number;
      readonly of: number;
    }
  /** It was measured by itself since. */
  | { readonly kind: 'measured'; readonly verdict: Verdict; readonly simulated?: boolean | undefined };

interface StatusFacts {
  /** Hash of the text in the file. */
  readonly hash: string;
  readonly measured: MeasuredText | undefined;
  /** Hash of the text that the verdict is about. */
  readonly certified: string | undefined;
  /** Whether anything of a proposal is in the file; how many of its edits, as far as that is known. */
  readonly isTouched: boolean;
  readonly taken: number;
  readonly of: number;
}

/** The one rule: part of a measured proposal is a text that nobody measured, until it is measured by itself. */
function statusOf({ hash, measured, certified, isTouched, taken, of }: StatusFacts): MeasurementStatus {
  if (measured !== undefined && measured.hash === hash)
    return { kind: 'measured', verdict: measured.verdict, simulated: measured.simulated };
  if (hash === certified) return { kind: 'whole' };
  if (!isTouched) return { kind: 'untouched' };
  return { kind: 'unmeasured', cause: taken === of ? 'edited-by-hand' : 'partly-accepted', taken, of };
}

/** A text under review. */
export interface TextUnderReview {
  readonly texts: ProposalTexts;
  /** The proposal's own text: what its verdict is about. */
  readonly certified: string;
  readonly real: string;
  readonly edits: readonly ProposedEdit[];
  /** Edits that are still to be decided. */
  readonly open: ReadonlySet<string>;
  readonly measured: MeasuredText | undefined;
  /** Edits of the proposal's other documents, and how many of them were taken: the verdict is about all of them. */
  readonly others: { readonly taken: number; readonly of: number };
  /** What a measurement of the files as they are now would be remembered by. */
  readonly hash: string;
}

/** While a proposal is under review, from the text in the editor, saved or not. */
export function statusInReview(review: TextUnderReview): MeasurementStatus {
  const { texts, certified, real, edits, open, measured, others, hash } = review;
  const closed = edits.filter(({ id }) => !open.has(id));
  const taken = closed.filter((edit) => decisionSeen(edit, real).kind !== 'rejected').length;
  const isTouched = (real !== texts.base && taken > 0) || others.taken > 0;
  return statusOf({
    hash,
    measured,
    certified: real === certified && others.taken === others.of ? hash : undefined,
    isTouched,
    taken: taken + others.taken,
    of: edits.length + others.of,
  });
}

/** A change that Whetstone made to the skill's file, as far as it is asked about here. */
export interface WrittenVersion {
  readonly id: string;
  readonly action: 'adopt' | 'undo' | 'restore';
  readonly proposalId: string | undefined;
  readonly verdict: Verdict['kind'] | undefined;
  /** What measuring exactly this text gave, where that was done after it was written. */
  readonly measured: Verdict | undefined;
  readonly beforeHash: string;
  readonly afterHash: string;
  /** False where this user did not make it here: what others claim does not count. */
  readonly own: boolean;
}

/** What is kept of a file on disk and its proposal. */
export interface TextOnDisk {
  readonly hash: string;
  /** The document that waits to be decided, if one does. */
  readonly pending:
    | {
        readonly proposalId: string;
        readonly document: ProposedDocument | undefined;
        /** Edits of the files beside it, and how many of them were taken: the verdict is about all of them. */
        readonly files: { readonly taken: number; readonly of: number };
      }
    | undefined;
  /** What was decided on the edits of the proposal that waits, or else of the one adopted last; by edit id. */
  readonly decisions: Readonly<Record<string, EditDecision>>;
  /** Newest first. */
  readonly history: readonly WrittenVersion[];
  /** Where files beside it hold edits of the same proposal: a text that was measured without them was another one. */
  readonly beside?: FilesBeside | undefined;
}

/** What is known of a skill together with the files beside it, as they are. */
export interface FilesBeside {
  /** Of the adoption that was made last. */
  readonly verdict: Verdict['kind'];
  /** What measuring exactly this gave since. */
  readonly measured: Verdict | undefined;
}

/** Of the file on disk, from what was decided and written; also after the proposal is decided and gone. */
export function statusOnDisk(text: TextOnDisk): MeasurementStatus {
  const left = lastStanding(text.history);
  if (text.pending !== undefined) return statusWhilePending(text.pending, left, text);
  if (text.beside !== undefined) return statusWithFiles(text.beside, left, text);
  return left === undefined ? { kind: 'untouched' } : statusAfter(left, text);
}

/** The same with edits in files beside it, which may be all that there are. */
function statusWithFiles(
  { verdict, measured }: FilesBeside,
  left: WrittenVersion | undefined,
  { hash, decisions }: TextOnDisk,
): MeasurementStatus {
  const isAsLeft = left === undefined || hash === left.afterHash;
  const rows = isAsLeft ? Object.entries(decisions) : [];
  return statusOf({
    hash,
    measured: measuredOf(hash, measured),
    certified: isAsLeft && verdict !== 'unmeasured' ? hash : undefined,
    isTouched: verdict === 'unmeasured',
    taken: takenOf(rows),
    of: rows.length,
  });
}

function statusWhilePending(
  { document, proposalId, files }: NonNullable<TextOnDisk['pending']>,
  left: WrittenVersion | undefined,
  { hash, decisions, history, beside }: TextOnDisk,
): MeasurementStatus {
  const edits = new Set(document?.edits.map(({ id }) => id));
  const taken = takenOf(Object.entries(decisions).filter(([id]) => edits.has(id)));
  const written = left?.proposalId === proposalId ? left : undefined;
  // Without a receipt of it the accepted text is still unsaved; with one the person has the old text again.
  const wasWritten = history.some((version) => version.own && version.proposalId === proposalId);
  const isBack = wasWritten && hash === document?.baseHash && files.taken === 0;
  const certified = files.taken === files.of ? document?.candidateHash : undefined;
  const evidence = evidenceWith(beside, { hash, ...evidenceOf(written, certified) }, certified);
  const all = { taken: taken + files.taken, of: edits.size + files.of };
  return statusOf({ hash, ...evidence, isTouched: all.taken > 0 && !isBack, ...all });
}

/** With nothing waiting: what the last adoption left, unless the person has the text from before it again. */
function statusAfter(left: WrittenVersion, { hash, decisions, history }: TextOnDisk): MeasurementStatus {
  const isAsLeft = hash === left.afterHash;
  const isBack = hash === firstOf(history, left).beforeHash;
  const rows = isAsLeft ? Object.entries(decisions) : [];
  return statusOf({
    hash,
    ...evidenceOf(left, undefined),
    // What the person made of a measured text is theirs; what they made of an unmeasured one is still not measured.
    isTouched: !isBack && left.verdict === 'unmeasured',
    taken: takenOf(rows),
    of: rows.length,
  });
}

/** The same with files beside it: what was measured without them was another text. */
function evidenceWith(
  beside: FilesBeside | undefined,
  { hash, ...alone }: Pick<StatusFacts, 'hash' | 'measured' | 'certified'>,
  certified: string | undefined,
): Pick<StatusFacts, 'measured' | 'certified'> {
  return beside === undefined ? alone : { measured: measuredOf(hash, beside.measured), certified };
}

function measuredOf(hash: string, verdict: Verdict | undefined): MeasuredText | undefined {
  return verdict === undefined ? undefined : { hash, verdict };
}

function takenOf(decisions: readonly (readonly [string, EditDecision])[]): number {
  return decisions.filter(([, { kind }]) => kind !== 'rejected').length;
}

/** What is known of the text that an adoption left: measured by itself, or as the whole of its proposal. */
function evidenceOf(
  version: WrittenVersion | undefined,
  candidateHash: string | undefined,
): Pick<StatusFacts, 'measured' | 'certified'> {
  if (version === undefined) return { measured: undefined, certified: candidateHash };
  const { measured, afterHash, verdict } = version;
  if (measured !== undefined) return { measured: { hash: afterHash, verdict: measured }, certified: candidateHash };
  return { measured: undefined, certified: verdict === 'unmeasured' ? candidateHash : afterHash };
}

/**
 * The adoption that left the skill in a text that nobody measured: the number of the version whose `before` is the text
 * that it would be measured against. Undefined where nothing of a proposal is in the file, or all that is was measured.
 */
export function unmeasuredSince(text: TextOnDisk): string | undefined {
  const left = lastStanding(text.history);
  if (left === undefined || statusOnDisk(text).kind !== 'unmeasured') return undefined;
  return firstOf(text.history, left).id;
}

/** The adoption that left what the file holds: the newest one, or after an undo the one of that proposal that it went back to. */
function lastStanding(history: readonly WrittenVersion[]): WrittenVersion | undefined {
  const [newest, ...older] = history.filter(({ own }) => own);
  if (newest?.action === 'adopt') return newest;
  if (newest?.action !== 'undo' || newest.proposalId === undefined) return undefined;
  const { proposalId, afterHash } = newest;
  return older.find((version) => {
    return version.action === 'adopt' && version.proposalId === proposalId && version.afterHash === afterHash;
  });
}

/** The first of the adoptions of one proposal, each of which went on where the one before it ended. */
function firstOf(history: readonly WrittenVersion[], newest: WrittenVersion): WrittenVersion {
  const own = history.filter((version) => version.own);
  let first = newest;
  for (const version of own.slice(own.indexOf(newest) + 1)) {
    const isBefore = version.proposalId === first.proposalId && version.afterHash === first.beforeHash;
    if (first.proposalId === undefined || version.action !== 'adopt' || !isBefore) break;
    first = version;
  }
  return first;
}
