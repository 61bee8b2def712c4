import type { Proposal, ProposedEdit } from '../ports/proposal.js';
import type { ApplyReportRow } from '../skill/edit.js';
import { hashText } from '../skill/fingerprint.js';
import type { Candidate } from './candidate.js';
import type { RunContext } from './runContext.js';
import type { Judged } from './verdictOf.js';

interface ProposalParts {
  readonly subject: Pick<Proposal, 'skillKey' | 'skillName' | 'models'>;
  readonly documents: readonly {
    readonly kind: 'skill' | 'memory';
    readonly path: string;
    readonly base: Candidate;
    readonly candidate: Candidate;
    readonly edits: readonly ProposedEdit[];
  }[];
  readonly leftOut: readonly ApplyReportRow[];
  readonly judged: Judged;
  readonly sealed: Proposal['sealed'];
}

/** Puts a proposal together. Holds no time and no run id: the same run gives the same bytes everywhere. */
export function makeProposal(context: RunContext, parts: ProposalParts): Proposal {
  const { rule, metric } = context.options.gate;
  const content: Omit<Proposal, 'id'> = {
    skillKey: parts.subject.skillKey,
    skillName: parts.subject.skillName,
    documents: parts.documents.map(({ kind, path, base, candidate, edits }) => ({
      kind,
      path,
      baseHash: base.hash,
      baseText: base.text,
      candidateHash: candidate.hash,
      candidateText: candidate.text,
      // A memory file is changed inside its learned block alone, whatever the skill may do.
      scope: kind === 'memory' ? 'learned' : context.options.edits.scope,
      edits: withOwnWorth(edits, parts.judged),
    })),
    leftOut: parts.leftOut,
    verdict: parts.judged.verdict,
    comparisons: parts.judged.comparisons,
    sealed: parts.sealed,
    models: parts.subject.models,
    settings: { rule, metric, seed: context.options.train.seed },
    answers: parts.judged.answers,
  };
  return { id: hashText(JSON.stringify(content)).slice(0, 16), ...content };
}

/** A single edit is the whole bundle: what the bundle is worth on held-out tasks is what it is worth. */
function withOwnWorth(edits: readonly ProposedEdit[], { verdict }: Judged): readonly ProposedEdit[] {
  const [only] = edits;
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  if (only === undefined || edits.length > 1 || figures?.interval === undefined) return edits;
  return [{ ...only, worth: { kind: 'measured', effect: figures.difference, interval: figures.interval, group: [] } }];
}
