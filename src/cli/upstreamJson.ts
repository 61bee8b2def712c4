import { upstreamHash } from '../engine/journal/upstreamWords.js';
import type { OptimizeResult } from '../app/runs/optimize.js';
import type { Proposal } from '../ports/proposal.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * What SkillOpt-Sleep's report says of a run, under its names, whether or not something is proposed. Scores are over
 * held-out tasks; where nothing is proposed, `candidate_score` is of the candidate that was tried last, over those of them
 * that it was tried on.
 */
export function upstreamJson(result: OptimizeResult): Json {
  const { proposal, callError } = result;
  return {
    ...(proposal === undefined ? triedScores(result) : proposedScores(proposal)),
    rejected_edits: proposal === undefined ? triedEdits(result) : leftEdits(proposal),
    call_error: callError ?? null,
  };
}

function proposedScores({ verdict, documents }: Proposal): Json {
  const figures = 'figures' in verdict ? verdict.figures : undefined;
  const skill = documents.find(({ kind }) => kind === 'skill');
  return {
    baseline_score: figures?.before ?? null,
    candidate_score: figures?.after ?? null,
    skill_hash: skill === undefined ? null : upstreamHash(skill.candidateHash),
  };
}

function triedScores({ summary, noProposal }: OptimizeResult): Json {
  const tried = summary.steps.findLast(({ candidateScore }) => candidateScore !== undefined);
  return {
    baseline_score: noProposal?.baseline?.score ?? null,
    candidate_score: tried?.candidateScore ?? null,
    skill_hash: null,
  };
}

function triedEdits({ noProposal }: OptimizeResult): readonly Json[] {
  return (noProposal?.tried ?? []).map(({ edit, why }) => ({ ...edit, why }));
}

/** What did not find its place or was not allowed, and what was tried and dropped. */
function leftEdits({ leftOut, dropped = [] }: Proposal): readonly Json[] {
  return [
    ...leftOut.map(({ edit, outcome }) => ({ ...edit, why: 'detail' in outcome ? outcome.detail : '' })),
    ...dropped.map(({ edit }) => ({ ...edit, why: 'It was tried with the others and dropped.' })),
  ];
}
