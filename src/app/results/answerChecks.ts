import { criteriaOf, isRepeatable } from '../../checks/criteria.js';
import type { Answered, CheckServices } from '../../checks/check.js';
import type { RecordedCheck } from './recordedChecks.js';
import type { SkillOverview } from '../useCases.js';

/** What is known of one check on one stored answer; `unknown` where only a model or a program could tell, and none did. */
export interface AnswerCheck {
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
    recorded,
  }: { readonly taskId: string; readonly answer: string; readonly recorded: readonly RecordedCheck[] },
  signal: AbortSignal,
): Promise<AnswerChecks | undefined> {
  const task = [...tasks.training, ...tasks.heldOut].find(({ id }) => id === taskId);
  const found = task === undefined ? undefined : criteriaOf(task);
  if (found?.kind !== 'criteria') return undefined;
  const checks = await Promise.all(
    found.criteria.map(async ({ name, criterion, evaluation }, at): Promise<AnswerCheck> => {
      const then = recorded[at]?.check === name ? recorded[at] : undefined;
      const about = { name, criterion, outcome: outcomeOf(then) };
      const told = (otherwise: string): AnswerCheck => ({ ...about, reason: then?.reason ?? otherwise });
      if (evaluation.by === 'judge') return told('The judge model graded this.');
      if (!isRepeatable({ name, evaluation })) return told('This was checked during the run.');
      const outcome = await evaluation.evaluate(answered(answer), noServices, signal);
      if (outcome.kind === 'invalid') return { ...about, reason: outcome.reason };
      return { ...about, outcome: outcome.pass ? 'pass' : 'fail', reason: outcome.reason };
    }),
  );
  return { prompt: task?.prompt ?? '', answer, checks };
}

/** The order is that of the task's checks; a task that changed since is not told from another. */
function outcomeOf(recorded: RecordedCheck | undefined): AnswerCheck['outcome'] {
  if (recorded === undefined) return 'unknown';
  return recorded.pass ? 'pass' : 'fail';
}

function answered(answer: string): Answered {
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
  files: { read: refuse, list: refuse },
  folder: '',
};
