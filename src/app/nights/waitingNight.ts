import { RunSummarySchema } from '../../engine/journal/runSummary.js';
import { AnswersAwaited, UserError } from '../../errors.js';
import { lookAtPrompts, removePrompts } from '../../storage/handoff/waitingPrompts.js';
import { listRuns } from '../../storage/runs/summaries.js';
import { notTaken, promptsWait } from '../handoff/runHandoff.js';
import type { OpenSkill } from '../openSkill.js';
import type { OptimizeResult } from '../runs/optimize.js';
import { earlierOf } from '../runs/runInputs.js';
import { readBegunRun, type BegunRun } from '../runs/runJournal.js';
import type { RunStart } from '../runs/runStart.js';

/**
 * Makes a night's run, or goes on with that of an earlier night which waited for answers by hand, once all of them are
 * there. While some are missing nothing is begun: each night would only ask the same anew. Where the skill or its tasks have
 * changed since, that run is given up for a new one.
 */
export async function runOrGoOn(
  start: RunStart,
  run: (start: RunStart) => Promise<OptimizeResult>,
): Promise<OptimizeResult> {
  const { skill } = start;
  const waiting = await waitingNight(skill);
  if (waiting === undefined) return run(start);
  try {
    return await run(await goingOn(start, waiting));
  } catch (error) {
    if (!(error instanceof UserError && error.code === 'run-not-resumable')) throw error;
    await removePrompts(skill.store, waiting.runId);
    return run(start);
  }
}

/** With the options that it began with, under the caps of tonight. */
async function goingOn(start: RunStart, resume: BegunRun): Promise<RunStart> {
  const { options } = resume.started;
  const caps = { ...options.caps, ...start.options.caps };
  return { ...start, options: { ...options, caps }, earlier: await earlierOf(start.skill, resume), resume };
}

/** The newest run of a night that waited, and has all its answers now. Throws while it has not. */
async function waitingNight(skill: OpenSkill): Promise<BegunRun | undefined> {
  const runs = await listRuns(skill.store, RunSummarySchema);
  const last = runs
    .flatMap((run) => (run.kind === 'verified' ? [run.summary] : []))
    .filter(({ purpose, skillKey }) => purpose === 'night' && skillKey === skill.places.skillKey)
    .sort((a, b) => b.startedAt - a.startedAt)[0];
  if (last?.outcome !== 'waiting') return undefined;
  const prompts = await lookAtPrompts(skill.store, last.runId);
  if (prompts !== undefined && prompts.waiting > 0) {
    const wait = promptsWait(skill.name, prompts.waiting, prompts.folder);
    const what = [wait, ...notTaken(prompts.refused)].join(' ');
    const cure = 'Answer as INDEX.md there says: the next night goes on with it.';
    throw new AnswersAwaited(what, cure, { ...prompts, runId: last.runId });
  }
  return readBegunRun(skill.store, last.runId);
}
