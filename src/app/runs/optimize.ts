import { messageOf } from '../../errors.js';
import { consolidate, consolidateAction } from '../../engine/consolidate/consolidate.js';
import { optimizeSkill, type RunResult } from '../../engine/optimizeSkill.js';
import { removeDecisions } from '../../storage/proposals/decisions.js';
import { proposalFile, writeProposal } from '../../storage/proposals/proposals.js';
import { rejectedEditsOf } from '../../storage/proposals/rejectedEdits.js';
import { endRun, toEnd, type RunToEnd } from './endRun.js';
import { archiveTraining } from '../nights/nightArchive.js';
import { consolidateSubjectOf, isConsolidation } from '../nights/nightSubject.js';
import { RejectedEditSchema } from './runInputs.js';
import { withSkillRun, type RunStart, type SkillRun } from './skillRun.js';
import type { OptimizeResult } from '../useCases.js';

/** Trains a skill and stages what came of it. The skill's file is not touched. */
export function optimize(start: RunStart, signal: AbortSignal): Promise<OptimizeResult> {
  return withSkillRun(start, signal, async (run) => {
    const ending = toEnd(start, run);
    try {
      const result = await resultOf(start, run);
      await rejectedEditsOf(start.skill.store, RejectedEditSchema).add(result.rejected, run.signal);
      const finished = await finish(start, { ...run, ending }, result);
      if (!isConsolidation(start.purpose)) return finished;
      await archiveTraining(start.skill.store, start.tasks.result.split.training, run.signal);
      return { ...finished, action: consolidateAction(result, start.options) };
    } catch (error) {
      const outcome = run.signal.aborted ? 'cancelled' : 'failed';
      const reason = outcome === 'cancelled' ? 'Cancelled. Nothing was changed.' : messageOf(error);
      await endRun(ending, { outcome, reason }, undefined);
      throw error;
    }
  });
}

async function resultOf(start: RunStart, run: SkillRun): Promise<RunResult> {
  if (!isConsolidation(start.purpose)) return optimizeSkill(run.context, subjectOf(start, run), run.signal);
  return consolidate(run.context, await consolidateSubjectOf(start, run.names), run.signal);
}

function subjectOf({ skill, tasks }: RunStart, run: SkillRun): Parameters<typeof optimizeSkill>[1] {
  return {
    skillKey: skill.places.skillKey,
    skillName: skill.name,
    skillPath: skill.places.documentPath,
    skill: skill.text,
    memory: undefined,
    tasks: tasks.result.split,
    models: run.names,
  };
}

async function finish(
  { skill: { store } }: RunStart,
  { journal: { runId }, settled, ending }: SkillRun & { readonly ending: RunToEnd },
  result: RunResult,
): Promise<OptimizeResult> {
  if (result.kind === 'nothing') {
    const { nothing } = result;
    const outcome = nothing.cause === 'cap' ? 'cap' : nothing.cause === 'backend-failed' ? 'failed' : 'nothing';
    const summary = await endRun(ending, { outcome, reason: nothing.reason }, undefined);
    return { runId, summary, proposal: undefined, proposalFile: undefined, noProposal: nothing };
  }
  const { proposal } = result;
  await settled();
  await removeDecisions(store);
  await writeProposal(store, proposal);
  const summary = await endRun(ending, { outcome: 'proposed', reason: proposal.verdict.reason }, proposal);
  return { runId, summary, proposal, proposalFile: proposalFile(store), noProposal: undefined };
}
