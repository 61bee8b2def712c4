import type { RunResult } from '../optimizeSkill.js';
import type { RunOptions } from '../runOptions.js';

/** What a consolidation did, in the words of SkillOpt-Sleep, so that other tools can read it. */
export type ConsolidateAction = 'accept_new_best' | 'reject' | 'reject_unverified' | 'greedy_applied' | 'greedy_noop';

/**
 * Its word for our result. It knows two outcomes of a gate: what is undecided counts as rejected there, and so does
 * what could not be verified at all, which it lists as suggestions.
 */
export function consolidateAction(result: RunResult, { gate }: Pick<RunOptions, 'gate'>): ConsolidateAction {
  if (gate.rule === 'off') return result.kind === 'proposed' ? 'greedy_applied' : 'greedy_noop';
  if (result.kind === 'nothing') return 'reject';
  switch (result.proposal.verdict.kind) {
    case 'accepted':
      return 'accept_new_best';
    case 'unmeasured':
      return 'reject_unverified';
    case 'rejected':
    case 'inconclusive':
      return 'reject';
  }
}
