import { RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import { UserError } from '../../errors.js';
import { holderAtWork } from '../../storage/files/lock.js';
import { runLock } from '../../storage/state/skillLocks.js';
import { listRuns, type RunListing } from '../../storage/runs/summaries.js';
import { readBegunRun, type BegunRun } from './runJournal.js';
import { isConsolidation } from './runOptionsFor.js';
import type { OpenSkill } from '../openSkill.js';
import type { SkillStore } from '../../storage/state/store.js';

/** Runs of this skill without a stored summary, newest first. */
export interface RunsWithoutSummary {
  /** Cut off before their end: they can go on. */
  readonly unfinished: readonly RunSummary[];
  /** Cut off between the last line of their journal and the summary: they have ended, and the journal says how. */
  readonly ended: readonly RunSummary[];
}

/** What became of runs whose process ended before they stored a summary. None while one is at work. */
export async function runsWithoutSummary(
  skill: OpenSkill,
  listed: readonly RunListing<RunSummary>[],
): Promise<RunsWithoutSummary> {
  const cutOff = listed.filter((run) => run.kind === 'unfinished');
  if (cutOff.length === 0 || (await isAtWork(skill))) return { unfinished: [], ended: [] };
  const summaries = (await begun(skill, cutOff)).map((run) => run.summary);
  return {
    unfinished: summaries.filter(isOpen),
    ended: summaries.filter((summary) => !isOpen(summary)),
  };
}

/** All runs that stored no summary, whatever they were for, by their ids. */
export async function runsCutOff(store: SkillStore): Promise<ReadonlySet<string>> {
  const listed = await listRuns(store, RunSummarySchema);
  return new Set(listed.filter(({ kind }) => kind === 'unfinished').map(({ runId }) => runId));
}

/**
 * The run to go on with: the one named, else the newest that did not come to its end. Refuses one that was made
 * elsewhere, is about another skill, or has ended with a result. One that was given up goes on where it is named.
 */
export async function runToResume(skill: OpenSkill, runId: string | undefined): Promise<BegunRun> {
  if (runId === undefined) return newest(skill);
  const run = await readBegunRun(skill.store, runId);
  if (run === undefined || !isOurs(skill, run))
    throw notResumable(`The run ${runId} cannot go on: it is not a run of ${skill.name} that was begun here.`);
  if (!canGoOnIfNamed(run.summary)) throw notResumable(`The run ${runId} has ended: ${run.summary.reason}`);
  return run;
}

async function newest(skill: OpenSkill): Promise<BegunRun> {
  const listed = await listRuns(skill.store, RunSummarySchema);
  const open = listed.filter((run) => run.kind === 'unfinished' || (run.kind === 'verified' && isOpen(run.summary)));
  const first = (await begun(skill, open)).find((run) => isOpen(run.summary));
  if (first === undefined) throw notResumable(`There is no run of ${skill.name} that can go on.`);
  return first;
}

async function begun(skill: OpenSkill, runs: readonly { readonly runId: string }[]): Promise<readonly BegunRun[]> {
  const read = await Promise.all(runs.map(({ runId }) => readBegunRun(skill.store, runId)));
  return read.filter((run) => run !== undefined).filter((run) => isOurs(skill, run));
}

function isOurs(skill: OpenSkill, { started }: BegunRun): boolean {
  return trains(started) && started.skillKey === skill.places.skillKey;
}

/** An evaluation is made again in a moment; only what trains is worth going on with. */
function trains({ purpose }: Pick<RunSummary, 'purpose'>): boolean {
  return purpose === 'optimize' || isConsolidation(purpose);
}

/** Whether a run that left a summary can go on: it failed, was cancelled, or waits for answers. */
export function canGoOn(run: RunSummary): boolean {
  return trains(run) && isOpen(run);
}

/** One that was given up goes on only at the person's word; what was answered is kept. */
export function canGoOnIfNamed(run: RunSummary): boolean {
  return canGoOn(run) || (trains(run) && run.outcome === 'given-up');
}

/** Cut off, cancelled, failed or waiting for answers: what it asked is paid for and stored. */
function isOpen({ outcome }: RunSummary): boolean {
  return outcome === 'running' || outcome === 'cancelled' || outcome === 'failed' || outcome === 'waiting';
}

async function isAtWork({ store }: OpenSkill): Promise<boolean> {
  return (await holderAtWork(runLock(store, ''))) !== undefined;
}

function notResumable(what: string): UserError {
  return new UserError('run-not-resumable', what, 'Start a new run; replies that are still stored cost nothing again.');
}
