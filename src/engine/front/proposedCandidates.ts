import type {
  CandidateEvidence,
  CandidateMeasures,
  OtherCandidate,
  Proposal,
  ProposedCandidates,
} from '../../ports/proposal.js';
import { countTokens } from '../../skill/document/countTokens.js';
import type { Candidate } from '../candidate.js';
import { wholeBundle } from '../certify/attribute.js';
import { unmeasured } from '../../wording/verdicts.js';
import type { FrontRow } from '../journal/frontEvents.js';
import { named, proposedEdits, withHunks } from '../makeProposal.js';
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
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.candidate.text.length - b.candidate.text.length)
    .slice(0, mostShown);
  return {
    rule: choice.rule,
    original: measuresOf(front.measuresOf(original)),
    proposed: { id: 'C1', ...asTried, skillTokens: countTokens(kept.text), outcome: front.outcome(best) },
    others: others.map(({ candidate, ...row }, index) => ({
      id: `C${index + 2}`,
      ...measuresOf(row),
      outcome: front.outcome(candidate),
      candidateHash: candidate.hash,
      candidateText: candidate.text,
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
  const { candidateHash, candidateText, edits, dropped, evidence = notCertified(), ...proposed } = chosen;
  const put: OtherCandidate = {
    ...candidates.proposed,
    candidateHash: document.candidateHash,
    candidateText: document.candidateText,
    edits: document.edits.map(({ hunks: _hunks, changesCode: _marks, ...edit }) => edit),
    ...(gone === undefined ? {} : { dropped: gone }),
    ...evidenceOf(before),
  };
  const { insteadOf: _before, ...inFront } = candidates;
  const others = [...candidates.others.filter((other) => other !== chosen), put];
  const texts = { ...document, candidateHash, candidateText };
  return named({
    ...rest,
    ...evidence,
    documents: before.documents.map((each) =>
      each === document ? { ...texts, edits: withHunks(texts, edits) } : each,
    ),
    candidates: { ...inFront, proposed, others: others.sort((a, b) => (a.id < b.id ? -1 : 1)) },
    ...(dropped === undefined ? {} : { dropped }),
  });
}

function notCertified(): CandidateEvidence {
  return { verdict: unmeasured('not-certified'), comparisons: [], sealed: undefined, answers: {} };
}

function evidenceOf({ verdict, comparisons, sealed, answers }: Proposal): Pick<OtherCandidate, 'evidence'> {
  const isCertified = !(verdict.kind === 'unmeasured' && verdict.cause === 'not-certified');
  return isCertified ? { evidence: { verdict, comparisons, sealed, answers } } : {};
}
