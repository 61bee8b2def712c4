import type { Task } from '../tasks/task.js';
import { askedCriterion } from './askedCriterion.js';
import { askJudge, type Grade, type JudgeServices } from './askJudge.js';
import type { AnsweredAttempt, CheckOutcome, CheckServices } from './check.js';
import { criteriaOf, isRepeatable, type Criterion } from './criteria.js';
import type { CheckResult, Judgement } from './judgement.js';

/** What judging asks of the world. */
export type JudgingServices = CheckServices & JudgeServices;

/**
 * Judges one answer. A malformed check, a dead judge or an expression that takes too long is invalid, never a zero;
 * what the skill itself caused is a fail. Throws only what ends the whole run.
 */
export async function evaluateAnswer(
  task: Task,
  attempt: AnsweredAttempt,
  services: JudgingServices,
  signal: AbortSignal,
): Promise<Judgement> {
  signal.throwIfAborted();
  if (attempt.scores !== undefined) return judgedByEnvironment(attempt.scores);
  const found = criteriaOf(task);
  if (found.kind === 'malformed') return { kind: 'invalid', reason: found.reason };
  const { criteria } = found;
  if (attempt.failure !== undefined) return failed(criteria, attempt.failure);

  const ruled = await outcomesOfRules(criteria, { attempt, services }, signal);
  if (ruled.kind === 'invalid') return ruled;
  const graded = await outcomesOfJudge(criteria, { task, attempt, services }, signal);
  if (graded.kind === 'invalid') return graded;
  return judged(criteria, new Map([...ruled.outcomes, ...graded.outcomes]));
}

type ScoredOutcome = Extract<CheckOutcome, { kind: 'scored' }> & Pick<CheckResult, 'asked'>;
type ToldOutcome = ScoredOutcome | Extract<CheckOutcome, { kind: 'not-asked' }>;
type Outcomes = ReadonlyMap<Criterion, ToldOutcome>;
type RulesEvaluation =
  | { readonly kind: 'evaluated'; readonly outcomes: Outcomes }
  | Extract<Judgement, { kind: 'invalid' }>;

async function outcomesOfRules(
  criteria: readonly Criterion[],
  { attempt, services }: { readonly attempt: AnsweredAttempt; readonly services: CheckServices },
  signal: AbortSignal,
): Promise<RulesEvaluation> {
  const outcomes = new Map<Criterion, ToldOutcome>();
  for (const criterion of criteria) {
    if (criterion.evaluation.by !== 'rule') continue;
    const outcome = await criterion.evaluation.evaluate(attempt, services, signal);
    if (outcome.kind === 'invalid') return outcome;
    outcomes.set(criterion, outcome);
  }
  return { kind: 'evaluated', outcomes };
}

/** One call for everything that the judge is asked; none where it is asked nothing. */
async function outcomesOfJudge(
  criteria: readonly Criterion[],
  subject: { readonly task: Task; readonly attempt: AnsweredAttempt; readonly services: JudgeServices },
  signal: AbortSignal,
): Promise<RulesEvaluation> {
  const asked = criteria.flatMap((criterion) =>
    criterion.evaluation.by === 'judge' ? [{ criterion, ...criterion.evaluation }] : [],
  );
  if (asked.length === 0) return { kind: 'evaluated', outcomes: new Map() };
  const { task, services } = subject;
  const questions = asked.map(({ question }) => question);
  const reply = await askJudge({ ...subject, criteria: questions }, services, signal);
  if (reply.kind === 'invalid') return reply;
  const outcomes = new Map<Criterion, ScoredOutcome>();
  for (const [index, { criterion, ...evaluation }] of asked.entries()) {
    const grade = reply.grades[index];
    if (grade === undefined) continue;
    const about = askedCriterion(task, evaluation, services.prompts);
    outcomes.set(criterion, { ...outcomeOf(grade, evaluation.passFrom), asked: about });
  }
  return { kind: 'evaluated', outcomes };
}

function outcomeOf({ pass, score, reason }: Grade, passFrom: number | undefined): ScoredOutcome {
  if (passFrom === undefined) return { kind: 'scored', pass, soft: pass ? 1 : 0, reason };
  return { kind: 'scored', pass: score >= passFrom, soft: score, reason };
}

/** Hard when all hold that are asked, soft by the share that holds. Where none is asked there is no score. */
function judged(criteria: readonly Criterion[], outcomes: Outcomes): Judgement {
  const checks: CheckResult[] = [];
  for (const one of criteria) {
    const outcome = outcomes.get(one);
    if (outcome === undefined) return { kind: 'invalid', reason: `Nothing judged “${one.criterion}”.` };
    checks.push({ ...aboutOf(one), ...resultOf(outcome) });
  }
  const counted = checks.filter(({ notAsked }) => notAsked !== true);
  if (counted.length === 0)
    return { kind: 'invalid', reason: `Nothing is left to judge this attempt by. ${checks[0]?.reason ?? ''}` };
  const soft = counted.reduce((sum, check) => sum + check.soft, 0) / counted.length;
  return { kind: 'judged', hard: counted.every((check) => check.pass) ? 1 : 0, soft, checks };
}

function resultOf(outcome: ToldOutcome): Pick<CheckResult, 'pass' | 'soft' | 'reason' | 'asked' | 'notAsked'> {
  const { reason } = outcome;
  if (outcome.kind === 'not-asked') return { pass: true, soft: 1, reason, notAsked: true };
  const { pass, soft, asked } = outcome;
  return { pass, soft: clamped(soft), reason, ...(asked === undefined ? {} : { asked }) };
}

function failed(criteria: readonly Criterion[], reason: string): Judgement {
  const checks = criteria.map((one) => ({ ...aboutOf(one), pass: false, soft: 0, reason, notRun: true as const }));
  return { kind: 'judged', hard: 0, soft: 0, checks };
}

function aboutOf(one: Criterion): Pick<CheckResult, 'name' | 'criterion' | 'hidden' | 'toldOnce'> {
  const { name, criterion, hidden } = one;
  return { name, criterion, hidden, ...(isRepeatable(one) ? {} : { toldOnce: true }) };
}

/** A program's own scores count instead of checks. Whatever is short of full marks has not passed. */
function judgedByEnvironment({ hard, soft, reason }: NonNullable<AnsweredAttempt['scores']>): Judgement {
  const why = whyNoScore({ hard, soft });
  if (why !== undefined) return { kind: 'invalid', reason: why };
  const pass = clamped(hard) === 1;
  const check: CheckResult = {
    name: 'environment',
    criterion: 'The environment accepts the result.',
    hidden: false,
    pass,
    soft: clamped(soft),
    reason: reason ?? (pass ? 'The environment accepted it.' : 'The environment did not accept it.'),
    toldOnce: true,
  };
  const isShare = hard > 0 && hard < 1;
  return {
    kind: 'judged',
    hard: pass ? 1 : 0,
    ...(isShare ? { givenHard: hard } : {}),
    soft: check.soft,
    checks: [check],
  };
}

const rounding = 1e-9; // sums of shares end so far beyond 1

/** One that reports percent would pass everything: such a number is no score. */
function whyNoScore({ hard, soft }: { readonly hard: number; readonly soft: number }): string | undefined {
  if (!Number.isFinite(hard) || !Number.isFinite(soft))
    return `The environment gave a score that is no number: hard ${hard}, soft ${soft}.`;
  if (!isOutside(hard) && !isOutside(soft)) return undefined;
  const given = isOutside(hard) ? `hard ${hard}` : `soft ${soft}`;
  return `The environment gave a score outside 0 to 1: ${given}. A score is a share, such as 0.55 for 55 percent.`;
}

function isOutside(score: number): boolean {
  return score < -rounding || score > 1 + rounding;
}

function clamped(score: number): number {
  return Math.min(1, Math.max(0, score));
}
