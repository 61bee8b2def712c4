import { criteriaOf, isRepeatable } from '../../checks/criteria.js';
import type { AnsweredAttempt, CheckServices } from '../../checks/check.js';
import type { SkillOverview } from './overview.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import type { TextStore } from '../../ports/stores.js';
import { readEvents } from '../runs/runJournal.js';
import type { OpenSkill } from '../openSkill.js';
import { keptReasons } from './keptReasons.js';

/** What is known of one check on one stored answer; `unknown` where only a model or a program could tell, and none did. */
interface AnswerCheck {
  readonly name: string;
  readonly criterion: string;
  readonly outcome: 'pass' | 'fail' | 'unknown';
  readonly reason: string;
}

export interface AnswerChecks {
  /** What was asked. */
  readonly prompt: string;
  readonly answer: string;
  readonly checks: readonly AnswerCheck[];
}

/**
 * Judges a stored answer by the rules among a task's checks; what a judge or a program decided is taken from what the
 * run wrote down. Asks no model, runs no program.
 */
export async function answerChecksOf(
  tasks: NonNullable<SkillOverview['tasks']>,
  {
    taskId,
    answer,
    journaled,
  }: { readonly taskId: string; readonly answer: string; readonly journaled: readonly JournalCheck[] },
  signal: AbortSignal,
): Promise<AnswerChecks | undefined> {
  const task = [...tasks.training, ...tasks.heldOut].find(({ id }) => id === taskId);
  const found = task === undefined ? undefined : criteriaOf(task);
  if (found?.kind !== 'criteria') return undefined;
  const checks = await Promise.all(
    found.criteria.map(async ({ name, criterion, evaluation, ...more }, at): Promise<AnswerCheck> => {
      const then = journaled[at]?.check === name ? journaled[at] : undefined;
      const about = { name, criterion, outcome: outcomeOf(then) };
      const told = (otherwise: string): AnswerCheck => ({ ...about, reason: then?.reason ?? otherwise });
      if (evaluation.by === 'judge') return told('The judge model graded this.');
      if (!isRepeatable({ name, evaluation, ...more })) return told('This was checked during the run.');
      const outcome = await evaluation.evaluate(plainAnswer(answer), noServices, signal);
      if (outcome.kind !== 'scored') return { ...about, reason: outcome.reason };
      return { ...about, outcome: outcome.pass ? 'pass' : 'fail', reason: outcome.reason };
    }),
  );
  return { prompt: task?.prompt ?? '', answer, checks };
}

/** The order is that of the task's checks; a task that changed since is not told from another. */
function outcomeOf(journaled: JournalCheck | undefined): AnswerCheck['outcome'] {
  if (journaled === undefined) return 'unknown';
  return journaled.pass ? 'pass' : 'fail';
}

/** An answer without the attempt that gave it. */
export function plainAnswer(answer: string): AnsweredAttempt {
  return {
    kind: 'answered',
    answer,
    toolsCalled: [],
    transcript: [],
    usage: { inputTokens: 0, outputTokens: 0, exact: true },
    cached: true,
    failure: undefined,
    scores: undefined,
    extras: {},
  };
}

const refuse = (): Promise<never> => Promise.reject(new Error('A stored answer is looked at without the world.'));

/** A rule that wants a program, a file or consent is left out above; one that asks all the same is told no. */
const noServices: CheckServices = {
  programs: { run: refuse },
  consent: { allows: () => Promise.resolve(false) },
  contents: { of: refuse },
  folder: '',
};

/** How one check came out in a run, in the order of the task's checks. */
export interface JournalCheck {
  readonly check: string;
  readonly pass: boolean;
  /** What was said of it, where that is kept and was not cleared away. */
  readonly reason: string | undefined;
}

const mostRuns = 5; // an answer that is shown comes from the last runs

/** What a run wrote down about an answer: the only place that knows how a judge or a program decided. */
export async function checksInJournals(
  { store }: OpenSkill,
  runs: readonly RunSummary[],
  { taskId, answerHash, texts }: { readonly taskId: string; readonly answerHash: string; readonly texts: TextStore },
): Promise<readonly JournalCheck[]> {
  for (const { runId } of runs.slice(0, mostRuns)) {
    for (const event of await readEvents(store, runId)) {
      if (event.kind !== 'attempt' || event.taskId !== taskId || event.answerHash !== answerHash) continue;
      const reasons = await keptReasons(texts, event.reasonsHash);
      return event.checks.map((check, at) => ({ ...check, reason: reasons[at] }));
    }
  }
  return [];
}
