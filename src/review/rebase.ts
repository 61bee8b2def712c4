import { sha256 } from '../hash.js';
import type { ProposedDocument, ProposedEdit } from '../ports/proposal.js';
import { readEol, withEol } from '../skill/document/lines.js';
import { parseSkill, printSkill } from '../skill/document/skillDocument.js';
import { applyEdits } from '../skill/edits/applyEdits.js';
import type { EditOutcome } from '../skill/edits/edit.js';
import { codeMarks } from '../skill/edits/codeMarks.js';
import { anySize, hunksOfEdits } from '../skill/edits/hunksOfEdits.js';
import { carryOver } from './carryOver.js';
import { lineOrigins } from './lineOrigins.js';

/** An edit that found no place in the file as it is now. */
export interface LostEdit {
  readonly id: string;
  /** A sentence. */
  readonly reason: string;
}

/** A document of a proposal on a file that is no longer the one it was made from. */
export interface RebaseResult {
  /** Made of the file as it is, with the edits that still have their place. What they were worth elsewhere is left out. */
  readonly document: ProposedDocument;
  readonly lost: readonly LostEdit[];
  /** Edits whose change the file already has, by id. */
  readonly present: readonly string[];
}

/**
 * Applies the edits to the file as it is, each by its anchor, as they were applied to the text they were made for. Those
 * that find no place there are left out and listed. What the proposal changes beside its edits is carried over where
 * nobody touched it. The result was measured by nobody.
 */
export function rebase(document: ProposedDocument, now: string): RebaseResult {
  const edits = document.edits.map(({ edit }) => edit);
  // They were lawful for the run that proposed them.
  const applied = applyEdits(parseSkill(now), edits, { scope: document.scope, code: 'allowed', sizeBudget: anySize });
  const rows = document.edits.map((proposed, index) => ({ proposed, outcome: applied.report[index]?.outcome }));
  const left = rows.filter(({ outcome }) => outcome?.kind !== 'applied');
  const isPresent = presenceIn(document, now);
  const present = left.filter(({ proposed, outcome }) => isRepeated(outcome) || isPresent(proposed));
  const kept = rows.filter((row) => !left.includes(row)).map(({ proposed }) => proposed);
  return {
    document: onto(document, { now, kept, candidate: withUnexplained(document, printSkill(applied.document)) }),
    lost: left
      .filter((row) => !present.includes(row))
      .map(({ proposed, outcome }) => ({ id: proposed.id, reason: reasonOf(outcome) })),
    present: present.map(({ proposed }) => proposed.id),
  };
}

function onto(
  document: ProposedDocument,
  {
    now,
    kept,
    candidate,
  }: { readonly now: string; readonly kept: readonly ProposedEdit[]; readonly candidate: string },
): ProposedDocument {
  const texts = { ...document, baseText: now, candidateText: candidate };
  const bare = kept.map(({ edit }) => edit);
  const [hunks, marks] = [hunksOfEdits(texts, bare), codeMarks(texts, bare)];
  return {
    ...texts,
    baseHash: sha256(now),
    candidateHash: sha256(candidate),
    edits: kept.map(({ changesCode: _before, ...edit }, index) => ({
      ...edit,
      worth: { kind: 'not-measured-singly' },
      hunks: hunks[index] ?? [],
      ...marks[index],
    })),
  };
}

/** The new candidate with what the old one held beside its edits. */
function withUnexplained({ baseText, candidateText, scope, edits }: ProposedDocument, text: string): string {
  const { eol } = readEol(text);
  const made = applyEdits(
    parseSkill(withEol(baseText, eol)),
    edits.map(({ edit }) => edit),
    { scope, code: 'allowed', sizeBudget: anySize },
  );
  return carryOver(printSkill(made.document), withEol(candidateText, eol), text).text;
}

/** Tells whether the file has every line that an edit adds, and none that it takes out. */
function presenceIn({ baseText, candidateText }: ProposedDocument, now: string): (edit: ProposedEdit) => boolean {
  const { eol } = readEol(now);
  const [base, candidate] = [baseText, candidateText].map((text) => new Set(lineOrigins(withEol(text, eol), now)));
  return ({ hunks }) =>
    hunks.length > 0 &&
    hunks.every(({ before, after }) => {
      for (let line = before.start; line < before.end; line += 1) if (base?.has(line) === true) return false;
      for (let line = after.start; line < after.end; line += 1) if (candidate?.has(line) !== true) return false;
      return true;
    });
}

function isRepeated(outcome: EditOutcome | undefined): boolean {
  return outcome?.kind === 'refused' && (outcome.reason === 'duplicate' || outcome.reason === 'no-change');
}

function reasonOf(outcome: EditOutcome | undefined): string {
  return outcome === undefined || outcome.kind === 'applied' ? '' : outcome.detail;
}
