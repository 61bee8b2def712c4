import type { Task } from '../tasks/task.js';
import { askJudge, type Grade, type JudgeServices } from './askJudge.js';
import type { Answered, CheckOutcome, CheckServices } from './check.js';
import { criteriaOf, type Criterion } from './criteria.js';
import type { CheckResult, Judgement } from './judgement.js';

/** What judging asks of the world. */
export type JudgingServices = CheckServices & JudgeServices;

/**
 * Judges one answer. A malformed check, a dead judge or an expression that takes too long is invalid, never a zero;
 * what the skill itself caused is a fail. Throws only what ends the whole run.
 */
export async function evaluateAnswer(
  task: Task,
  attempt: Answered,
  services: JudgingServices,
  signal: AbortSignal,
): Promise<Judgement> {
  signal.throwIfAborted();
  if (attempt.scores !== undefined) return judgedByEnvironment(attempt.scores);
  const found = criteriaOf(task);
  if (found.kind === 'malformed') return { kind: 'invalid', reason: found.reason };
  const { criteria } = found;
  if (attempt.failure !== undefined) return failed(criteria, attempt.failure);

  const outcomes = new Map<Criterion, CheckOutcome>();
  for (const criterion of criteria) {
    if (criterion.evaluation.by !== 'rule') continue;
    outcomes.set(criterion, await criterion.evaluation.evaluate(attempt, services, signal));
  }
  const dead = [...outcomes.values()].find((outcome) => outcome.kind === 'invalid');
  if (dead !== undefined) return dead;
  const asked = criteria.filter((criterion) => criterion.evaluation.by === 'judge');
  if (asked.length > 0) {
    const questions = asked.map(({ evaluation }) => (evaluation.by === 'judge' ? evaluation.question : ''));
    const reply = await askJudge({ task, attempt, criteria: questions }, services, signal);
    if (reply.kind === 'invalid') return reply;
    asked.forEach((criterion, index) => outcomes.set(criterion, outcomeOf(criterion, reply.grades[index])));
  }
  return judged(criteria.map((criterion) => resultOf(criterion, outcomes.get(criterion))));
}

/** All hold, and the share that holds. */
function judged(checks: readonly CheckResult[]): Judgement {
  const soft = checks.reduce((sum, check) => sum + check.soft, 0) / checks.length;
  return { kind: 'judged', hard: checks.every((check) => check.pass) ? 1 : 0, soft, checks };
}

function failed(criteria: readonly Criterion[], reason: string): Judgement {
  const checks = criteria.map((criterion) => resultOf(criterion, { kind: 'scored', pass: false, soft: 0, reason }));
  return { kind: 'judged', hard: 0, soft: 0, checks };
}

/** A program's own scores count instead of checks. Whatever is short of full marks has not passed. */
function judgedByEnvironment({ hard, soft, reason }: NonNullable<Answered['scores']>): Judgement {
  if (!Number.isFinite(hard) || !Number.isFinite(soft)) {
    return { kind: 'invalid', reason: `The environment gave a score that is no number: hard ${hard}, soft ${soft}.` };
  }
  const pass = clamped(hard) === 1;
  const check: CheckResult = {
    name: 'environment',
    criterion: 'The environment accepts the result.',
    hidden: false,
    pass,
    soft: clamped(soft),
    reason: reason ?? (pass ? 'The environment accepted it.' : 'The environment did not accept it.'),
  };
  return { kind: 'judged', hard: pass ? 1 : 0, soft: check.soft, checks: [check] };
}

function outcomeOf({ evaluation }: Criterion, grade: Grade | undefined): CheckOutcome {
  if (grade === undefined) return { kind: 'invalid', reason: 'The judge left a criterion out.' };
  const passFrom = evaluation.by === 'judge' ? evaluation.passFrom : undefined;
  const pass = passFrom === undefined ? grade.pass : grade.score >= passFrom;
  return { kind: 'scored', pass, soft: softOf(pass, grade.score, passFrom), reason: grade.reason };
}

function softOf(pass: boolean, score: number, passFrom: number | undefined): number {
  if (passFrom !== undefined) return score;
  return pass ? 1 : 0;
}

function resultOf({ name, criterion, hidden }: Criterion, outcome: CheckOutcome | undefined): CheckResult {
  const { pass, soft, reason } =
    outcome?.kind === 'scored' ? outcome : { pass: false, soft: 0, reason: outcome?.reason ?? '' };
  return { name, criterion, hidden, pass, soft: clamped(soft), reason };
}

function clamped(score: number): number {
  return Math.min(1, Math.max(0, score));
}
