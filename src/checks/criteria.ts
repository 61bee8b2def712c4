import type { Task } from '../tasks/task.js';
import type { Evaluation } from './check.js';
import { prepareCheck } from './registry.js';

/** One thing an answer is judged by: a check, or an expectation in plain words. */
export interface Criterion {
  readonly name: string;
  readonly criterion: string;
  readonly hidden: boolean;
  readonly evaluation: Evaluation;
  /** Set where it looks beyond the answer: what it saw is gone afterwards. */
  readonly beyondAnswer?: true;
}

/** Checks that always look beyond the answer. */
const looksBeyond = new Set(['command', 'tool_called', 'tool_not_called']);

/** Whether the criterion can be tried again later on the answer alone. */
export function isRepeatable({
  name,
  evaluation,
  beyondAnswer,
}: Pick<Criterion, 'name' | 'evaluation' | 'beyondAnswer'>): boolean {
  return evaluation.by === 'rule' && beyondAnswer !== true && !looksBeyond.has(name);
}

export type Criteria =
  | { readonly kind: 'criteria'; readonly criteria: readonly Criterion[] }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Everything a task's answers are judged by. A task that has neither checks nor expectations is judged by its
 * expected output; one that has nothing at all cannot be judged.
 */
export function criteriaOf(task: Task): Criteria {
  const criteria: Criterion[] = [];
  for (const spec of task.checks) {
    const preparation = prepareCheck(spec, task);
    if (preparation.kind === 'unknown')
      return { kind: 'malformed', reason: `There is no check named “${spec.check}”.` };
    if (preparation.kind === 'malformed')
      return {
        kind: 'malformed',
        reason: `“${spec.check}”: ${preparation.faults.map(({ reason }) => reason).join(' ')}`,
      };
    const { criterion, evaluation, beyondAnswer = false } = preparation.check;
    const about = { name: spec.check, hidden: spec.hidden, criterion, evaluation };
    criteria.push({ ...about, ...(beyondAnswer ? { beyondAnswer } : {}) });
  }
  criteria.push(...task.expectations.map((text) => judged('expectation', text)));
  if (criteria.length === 0 && task.expectedOutput !== undefined) {
    criteria.push(judged('expected_output', `The answer delivers what was expected: ${task.expectedOutput}`));
  }
  if (criteria.length === 0)
    return { kind: 'malformed', reason: `There is nothing to judge the task “${task.id}” by.` };
  return { kind: 'criteria', criteria };
}

/** A check whose criterion does not say what it demands: the optimizer can only guess. */
export interface UndescribedCheck {
  readonly taskId: string;
  readonly check: string;
}

/** Of the tasks' checks those that nobody can learn from as they are. Hidden ones are kept secret on purpose. */
export function undescribedChecks(tasks: readonly Task[]): readonly UndescribedCheck[] {
  return tasks.flatMap((task) =>
    task.checks.flatMap((spec) => {
      const preparation = spec.hidden ? undefined : prepareCheck(spec, task);
      const isDescribed = preparation?.kind !== 'prepared' || preparation.check.isDescribed !== false;
      return isDescribed ? [] : [{ taskId: task.id, check: spec.check }];
    }),
  );
}

/** What a skill must never contain because of this task: expressions, reference answers, the expected output. */
export function gamingSecretsOf(task: Task): readonly string[] {
  const secrets = task.checks.flatMap((spec) => {
    const preparation = prepareCheck(spec, task);
    return preparation.kind === 'prepared' ? (preparation.check.secrets ?? []) : [];
  });
  return [
    ...new Set([...secrets, ...task.references, ...(task.expectedOutput === undefined ? [] : [task.expectedOutput])]),
  ];
}

// An expectation holds or does not: what the judge says in `pass` decides, and nothing in between counts.
function judged(name: string, question: string): Criterion {
  return { name, criterion: question, hidden: false, evaluation: { by: 'judge', question, passFrom: undefined } };
}
