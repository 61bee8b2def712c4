import type { DroppedEdit, EditWorth, Proposal, ProposedDocument, ProposedEdit } from '../ports/proposal.js';
import { sameTextKey } from '../tasks/split/nearDuplicates.js';
import type { TrainingTask } from '../tasks/task.js';
import type { ApplyReportRow } from '../skill/edits/edit.js';
import { sha256 } from '../hash.js';
import { codeMarks } from '../skill/edits/codeMarks.js';
import { hunksOfEdits } from '../skill/edits/hunksOfEdits.js';
import type { AttributionResult } from './certify/attribute.js';
import { reasonKept } from './certify/keptReasons.js';
import type { DocumentParts, EditToPropose } from './package/changedDocuments.js';
import { sourceOf, type PatchEdit } from './patch.js';
import type { RunContext } from './runContext.js';
import type { VerdictEvidence } from './certify/verdictOf.js';

interface ProposalParts {
  readonly subject: Pick<Proposal, 'skillKey' | 'skillName' | 'models'>;
  readonly documents: readonly DocumentParts[];
  readonly leftOut: readonly ApplyReportRow[];
  readonly judged: VerdictEvidence;
  readonly sealed: Proposal['sealed'];
  /** Every task that the run learned from. */
  readonly training: readonly TrainingTask[];
  readonly candidates?: Proposal['candidates'];
  /** What was tried and did not stay, of every document. */
  readonly attributed?: readonly AttributionResult[];
}

/** Puts a proposal together. Holds no time and no run id: the same run gives the same bytes everywhere. */
export function makeProposal(context: RunContext, parts: ProposalParts): Proposal {
  const { rule, metric } = context.options.gate;
  return named({
    skillKey: parts.subject.skillKey,
    skillName: parts.subject.skillName,
    documents: parts.documents.map((document) => proposedDocument(context, document)),
    leftOut: parts.leftOut,
    verdict: parts.judged.verdict,
    comparisons: parts.judged.comparisons,
    sealed: parts.sealed,
    models: parts.subject.models,
    settings: { rule, metric, seed: context.options.train.seed },
    // In one order: a certification that was cut off comes back from disk with another.
    answers: Object.fromEntries(Object.entries(parts.judged.answers).sort(([a], [b]) => (a < b ? -1 : 1))),
    trainedOn: [...new Set(parts.training.map(sameTextKey))].sort(),
    ...(parts.candidates === undefined ? {} : { candidates: parts.candidates }),
    ...droppedIn(parts.attributed ?? []),
  });
}

function proposedDocument(
  context: RunContext,
  { kind, path, base, candidate, edits }: ProposalParts['documents'][number],
): ProposedDocument {
  const texts = {
    baseHash: base.hash,
    baseText: base.text,
    candidateHash: candidate.hash,
    candidateText: candidate.text,
    // A memory file is changed inside its learned block alone, whatever the skill may do.
    scope: kind === 'memory' ? ('learned' as const) : context.options.edits.scope,
  };
  return { kind, path, ...texts, edits: withHunks(texts, edits) };
}

/** The edits with what each changes between the two texts. */
export function withHunks(
  texts: Pick<ProposedDocument, 'baseText' | 'candidateText' | 'scope'>,
  edits: readonly EditToPropose[],
): readonly ProposedEdit[] {
  const bare = edits.map(({ edit }) => edit);
  const [hunks, marks] = [hunksOfEdits(texts, bare), codeMarks(texts, bare)];
  return edits.map((edit, index) => ({ ...edit, hunks: hunks[index] ?? [], ...marks[index] }));
}

/** The edits of a document as the person sees them, numbered after a letter that tells the documents apart. */
export function proposedEdits(attributed: AttributionResult, letter: 'E' | 'M' = 'E'): readonly EditToPropose[] {
  const { kept, dropped } = attributed;
  const nameOf = (edit: PatchEdit): string => `${letter}${kept.edits.indexOf(edit) + 1}`;
  return kept.edits.map((each) => {
    const group = (others: readonly PatchEdit[]) => others.filter((other) => kept.edits.includes(other)).map(nameOf);
    return {
      id: nameOf(each),
      edit: { ...each.edit, rationale: reasonKept(each, dropped) },
      worth: worthOf(each, attributed, group),
      ...sourceOf(each),
      lessonsFrom: each.tasks,
      support: each.support,
    };
  });
}

/** What was tried with them and dropped. */
export function droppedEdits(attributed: AttributionResult): readonly DroppedEdit[] {
  return attributed.dropped.map((each) => ({ edit: each.edit, worth: worthOf(each, attributed, () => []) }));
}

function droppedIn(attributed: readonly AttributionResult[]): Pick<Proposal, 'dropped'> {
  const dropped = attributed.flatMap(droppedEdits);
  return dropped.length === 0 ? {} : { dropped };
}

function worthOf(
  each: PatchEdit,
  { worths }: AttributionResult,
  names: (group: readonly PatchEdit[]) => readonly string[],
): EditWorth {
  const worth = worths.get(each);
  if (worth === undefined) return { kind: 'not-measured-singly' };
  return { kind: 'measured', effect: worth.effect, interval: worth.interval, group: names(worth.group) };
}

/** The same proposal after its certification went on: nothing of it but the evidence is new. */
export function withEvidence(before: Proposal, judged: VerdictEvidence, sealed: Proposal['sealed']): Proposal {
  const { id: _id, ...rest } = before;
  const { verdict, comparisons, answers } = judged;
  return named({ ...rest, verdict, comparisons, sealed, answers });
}

/** Named by its content. A single edit is the whole bundle: what that is worth on held-out tasks, the edit is worth. */
export function named(parts: Omit<Proposal, 'id'>): Proposal {
  const [only, ...others] = parts.documents.flatMap(({ edits }) => edits);
  const figures = 'figures' in parts.verdict ? parts.verdict.figures : undefined;
  const alone = only !== undefined && others.length === 0 && figures?.interval !== undefined;
  const content = alone
    ? { ...parts, documents: worthAll(parts.documents, figures.difference, figures.interval) }
    : parts;
  return { id: sha256(JSON.stringify(content, withoutHunks)).slice(0, 16), ...content };
}

/** Hunks and marks follow from the texts and the edits: a proposal is named by what it says, not by how it was learned. */
function withoutHunks(key: string, value: unknown): unknown {
  return key === 'hunks' || key === 'changesCode' || key === 'trainedOn' ? undefined : value;
}

function worthAll(
  documents: Proposal['documents'],
  effect: number,
  interval: readonly [number, number],
): Proposal['documents'] {
  const worth: EditWorth = { kind: 'measured', effect, interval, group: [] };
  return documents.map((document) => ({ ...document, edits: document.edits.map((edit) => ({ ...edit, worth })) }));
}
