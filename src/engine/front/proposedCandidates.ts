import type {
  CandidateEvidence,
  CandidateFile,
  CandidateMeasures,
  OtherCandidate,
  Proposal,
  ProposedCandidates,
  ProposedDocument,
} from '../../ports/proposal.js';
import { sha256 } from '../../hash.js';
import { lengthOf, type Candidate } from '../candidate.js';
import { wholeBundle } from '../certify/attribute.js';
import { unmeasured } from '../../wording/verdicts.js';
import type { FrontRow } from '../journal/frontEvents.js';
import { fileOf } from '../../skill/edits/edit.js';
import { fromFolder } from '../../skill/package/packageFile.js';
import { named, proposedEdits, withHunks } from '../makeProposal.js';
import { candidateFiles, candidateHashOf } from '../package/changedDocuments.js';
import { tokensOf } from './measured.js';
import { costsOf, type Choice } from './choiceOptions.js';
import type { TrainingFront } from './trainingFront.js';

const mostShown = 5; // a small table: who wants more of them sets another rule

/** What a run's front is proposed with. */
interface FrontEnd {
  readonly front: TrainingFront;
  readonly choice: Choice;
  readonly original: Candidate;
  /** The one that the rule named, and what attribution left of it. */
  readonly best: Candidate;
  readonly kept: Candidate;
}

/** The candidates for the table of a proposal: those with the highest scores, and between equals the shorter ones. */
export function proposedCandidates({ front, choice, original, best, kept }: FrontEnd): ProposedCandidates {
  // Times differ from run to run: where they do not count, a proposal is the same without them.
  const isTimed = costsOf(choice).includes('answer-time');
  const measuresOf = ({ score, tasks, skillTokens, answerTokens, answerMs }: FrontRow): CandidateMeasures => ({
    score,
    tasks,
    skillTokens,
    answerTokens,
    answerMs: isTimed ? answerMs : undefined,
  });
  const chosen = measuresOf(front.measuresOf(best));
  const isWhole = kept.hash === best.hash;
  const gone = best.edits.length - kept.edits.length;
  const asTried = isWhole
    ? chosen
    : {
        ...chosen,
        score: undefined,
        answerTokens: undefined,
        answerMs: undefined,
        asChosen: { ...chosen, dropped: gone },
      };
  const others = [...front.others()]
    .filter(({ hash }) => hash !== kept.hash)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || lengthOf(a.candidate) - lengthOf(b.candidate))
    .slice(0, mostShown);
  return {
    rule: choice.rule,
    original: measuresOf(front.measuresOf(original)),
    proposed: { id: 'C1', ...asTried, skillTokens: tokensOf(kept), outcome: front.outcome(best) },
    others: others.map(({ candidate, ...row }, index) => ({
      id: `C${index + 2}`,
      ...measuresOf(row),
      outcome: front.outcome(candidate),
      candidateHash: candidate.hash,
      candidateText: candidate.text,
      ...filesOf(candidateFiles(candidate)),
      edits: proposedEdits(wholeBundle(candidate)),
    })),
  };
}

/**
 * The same proposal with another of its candidates in the place of the one proposed, which becomes a row of the table with
 * all that was measured of it. One that was never certified is `unmeasured`. Undefined where there is none of that name.
 */
export function withCandidate(before: Proposal, id: string): Proposal | undefined {
  const { id: _name, candidates, dropped: gone, ...rest } = before;
  if (candidates?.proposed.id === id) return before;
  const document = before.documents.find(({ kind }) => kind === 'skill');
  const chosen = candidates?.others.find((other) => other.id === id);
  if (candidates === undefined || chosen === undefined || document === undefined) return undefined;
  const { candidateHash: _hash, candidateText: _text, files: _files, edits: _edits, dropped, ...row } = chosen;
  const { evidence = notCertified(), ...proposed } = row;
  const put: OtherCandidate = {
    ...candidates.proposed,
    ...textsIn(before, document),
    ...(gone === undefined ? {} : { dropped: gone }),
    ...evidenceOf(before),
  };
  const { insteadOf: _before, ...inFront } = candidates;
  const others = [...candidates.others.filter((other) => other !== chosen), put];
  return named({
    ...rest,
    ...evidence,
    documents: before.documents
      .filter(({ kind }) => kind !== 'file')
      .flatMap((each) => (each === document ? documentsOf(document, chosen) : [each])),
    candidates: { ...inFront, proposed, others: others.sort((a, b) => (a.id < b.id ? -1 : 1)) },
    ...(dropped === undefined ? {} : { dropped }),
  });
}

type CandidateTexts = Pick<OtherCandidate, 'candidateHash' | 'candidateText' | 'files' | 'edits'>;

/** What a proposal makes of the skill and its files, as a row of the table holds it. */
function textsIn({ documents }: Proposal, skill: ProposedDocument): CandidateTexts {
  const changed = documents.filter(({ kind }) => kind === 'file');
  const files = changed.map(({ path, baseText, candidateText }) => ({ path, baseText, candidateText }));
  return {
    candidateHash: candidateHashOf({ documents }, ''),
    candidateText: skill.candidateText,
    ...filesOf(files),
    edits: [skill, ...changed].flatMap(({ edits }) =>
      edits.map(({ hunks: _hunks, changesCode: _marks, ...edit }) => edit),
    ),
  };
}

/** The same as documents: SKILL.md made from the same text as before, and the files. */
function documentsOf(
  document: ProposedDocument,
  { candidateText, files = [], edits }: CandidateTexts,
): readonly ProposedDocument[] {
  const skill = { ...document, candidateHash: sha256(candidateText), candidateText };
  const ofFile = (name?: string) => edits.filter(({ edit }) => fileOf(edit) === name);
  return [
    { ...skill, edits: withHunks(skill, ofFile()) },
    ...files.map((file) => fileDocument(file, document.scope, ofFile(file.path.slice(fromFolder.length)))),
  ];
}

function fileDocument(
  file: CandidateFile,
  scope: ProposedDocument['scope'],
  edits: OtherCandidate['edits'],
): ProposedDocument {
  const hashes = { baseHash: sha256(file.baseText), candidateHash: sha256(file.candidateText) };
  return { kind: 'file', ...file, ...hashes, scope, edits: withHunks({ ...file, scope }, edits) };
}

function filesOf(files: readonly CandidateFile[]): Pick<OtherCandidate, 'files'> {
  return files.length === 0 ? {} : { files };
}

function notCertified(): CandidateEvidence {
  return { verdict: unmeasured('not-certified'), comparisons: [], sealed: undefined, answers: {} };
}

function evidenceOf({ verdict, comparisons, sealed, answers }: Proposal): Pick<OtherCandidate, 'evidence'> {
  const isCertified = !(verdict.kind === 'unmeasured' && verdict.cause === 'not-certified');
  return isCertified ? { evidence: { verdict, comparisons, sealed, answers } } : {};
}
