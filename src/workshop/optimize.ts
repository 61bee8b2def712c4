import { messageOf } from '../errors.js';
import { optimizeSkill, type RunResult } from '../engine/optimizeSkill.js';
import type { RunOutcome } from '../engine/runEvents.js';
import { removeDecisions } from '../storage/decisions.js';
import { proposalFile, writeProposal } from '../storage/proposals.js';
import { rejectedEditsOf } from '../storage/rejectedEdits.js';
import type { OpenSkill } from './openSkill.js';
import { RejectedEditSchema } from './runInputs.js';
import { withSkillRun, type RunStart, type SkillRun } from './skillRun.js';
import type { OptimizeResult } from './workshop.js';

/** Trains a skill and stages what came of it. The skill's file is not touched. */
export function optimize(start: RunStart, signal: AbortSignal): Promise<OptimizeResult> {
  return withSkillRun(start, signal, async (run) => {
    try {
      const result = await optimizeSkill(run.context, subjectOf(start, run), run.signal);
      await rejectedEditsOf(start.skill.store, RejectedEditSchema).add(result.rejected, run.signal);
      return await finish(start.skill, run, result);
    } catch (error) {
      const outcome: RunOutcome = run.signal.aborted ? 'cancelled' : 'failed';
      await run.journal.end({
        kind: 'run-ended',
        outcome,
        reason: outcome === 'cancelled' ? 'Cancelled. Nothing was changed.' : messageOf(error),
      });
      throw error;
    }
  });
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

async function finish(skill: OpenSkill, run: SkillRun, result: RunResult): Promise<OptimizeResult> {
  const { runId } = run.journal;
  if (result.kind === 'nothing') {
    const { nothing } = result;
    const outcome = nothing.cause === 'cap' ? 'cap' : nothing.cause === 'backend-failed' ? 'failed' : 'nothing';
    const summary = await run.journal.end({ kind: 'run-ended', outcome, reason: nothing.reason });
    return { runId, summary, proposal: undefined, proposalFile: undefined, nothing };
  }
  await removeDecisions(skill.store);
  await writeProposal(skill.store, result.proposal);
  const summary = await run.journal.end({
    kind: 'run-ended',
    outcome: 'proposed',
    reason: result.proposal.verdict.reason,
  });
  return { runId, summary, proposal: result.proposal, proposalFile: proposalFile(skill.store), nothing: undefined };
}
