import { totalSpend, type RoleSpend } from '../../engine/journal/runSummary.js';
import { UserError } from '../../errors.js';
import type { TaskProblem } from '../../tasks/taskProblem.js';
import type { OpenSkill } from '../openSkill.js';
import { meanScore, readRecord, rounded, writeRecord, type SkillRecord } from './record.js';
import type { EvaluationResult } from '../runs/evaluate.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** What a check against the record found. */
export interface RecordCheck {
  readonly skillName: string;
  readonly kind: 'held' | 'fell' | 'updated';
  readonly recorded: number | undefined;
  readonly now: number;
  /** Over how many tasks both scores are: those of the record that still exist. */
  readonly tasks: number;
  readonly worse: readonly { readonly id: string; readonly recorded: number; readonly now: number }[];
  /** Tasks that the record does not know yet, and tasks of it that are gone. */
  readonly added: number;
  readonly gone: number;
  /** Tasks with an error in their files, so that they were not attempted: then a record is not held, whatever the others score. */
  readonly broken: number;
  readonly model: string;
  /** How many answers the score rests on, and how many of them were stored on this machine before. */
  readonly answers: number;
  readonly storedAnswers: number;
  /** What is wrong with the task files; what only the optimizer is not told is none of a check's concern. */
  readonly problems: readonly TaskProblem[];
  /** What it took; null where nobody knows the price. */
  readonly spend: Omit<RoleSpend, 'usd'> & { readonly usd: number | null };
}

/**
 * Compares an evaluation with the record; `allow` is by how much (0..1) the mean may lie below it, for models whose
 * answers vary. What has no valid result fails the check loudly instead of counting as 0.
 */
export function compareWithRecord(record: SkillRecord, result: EvaluationResult, allow: number): RecordCheck {
  if (record.model !== result.model) {
    throw new UserError(
      'record-other-model',
      `The record of ${result.skillName} was made with ${shownModel(record.model)}, not with ${shownModel(result.model)}.`,
      'Check with the model of the record, or record anew with “whetstone check --update”.',
    );
  }
  const now = scoresOf(result);
  const both = Object.keys(record.tasks).filter((id) => now[id] !== undefined);
  if (both.length === 0) {
    throw new UserError(
      'record-missing',
      `None of the tasks in the record of ${result.skillName} exists any more.`,
      'Record anew with “whetstone check --update”.',
    );
  }
  const pick = (scores: SkillRecord['tasks']): SkillRecord['tasks'] =>
    Object.fromEntries(both.map((id) => [id, scores[id] ?? 0]));
  const [recorded, current] = [meanScore(pick(record.tasks)), meanScore(pick(now))];
  return {
    skillName: result.skillName,
    kind: current < recorded - allow ? 'fell' : 'held',
    recorded,
    now: current,
    tasks: both.length,
    worse: both
      .map((id) => ({ id, recorded: record.tasks[id] ?? 0, now: now[id] ?? 0 }))
      .filter((task) => task.now < task.recorded),
    added: Object.keys(now).length - both.length,
    gone: Object.keys(record.tasks).length - both.length,
    model: result.model,
    ...measuredWith(result),
  };
}

function measuredWith({
  answers,
  summary,
  problems,
}: EvaluationResult): Pick<RecordCheck, 'answers' | 'storedAnswers' | 'problems' | 'spend' | 'broken'> {
  const { usd = null, ...spend } = totalSpend(summary);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return {
    broken: new Set(errors.map(({ taskId }) => taskId)).size,
    answers: answers.all,
    storedAnswers: answers.stored,
    problems: problems.filter(({ code }) => code !== 'not-described'),
    spend: { ...spend, usd },
  };
}

/** Refuses a check that has nothing to compare with, before anything is spent on it. */
export async function refuseWithoutRecord(skill: OpenSkill): Promise<void> {
  if ((await readRecord(skill)) !== undefined) return;
  throw new UserError(
    'record-missing',
    `${skill.name} has no evals/record.json to compare with.`,
    'Make one with “whetstone check --update” and commit it.',
  );
}

/** Checks a skill against its record, or makes the record from what it scores now. */
export async function checkSkill(
  skill: OpenSkill,
  result: EvaluationResult,
  { update, allow, at }: { readonly update: boolean; readonly allow: number; readonly at: number },
): Promise<RecordCheck> {
  const record = await readRecord(skill);
  if (!update && record !== undefined) return compareWithRecord(record, result, allow);
  const tasks = scoresOf(result);
  await writeRecord(skill, {
    format: 'whetstone-record',
    version: 1,
    skill: skill.name,
    skillHash: skill.hash,
    recordedAt: new Date(at).toISOString(),
    model: result.model,
    simulated: result.simulated,
    score: meanScore(tasks),
    tasks,
    adopted: record?.adopted ?? [],
  });
  const now = meanScore(tasks);
  const shared = { skillName: skill.name, now, tasks: Object.keys(tasks).length, model: result.model };
  const about = { ...shared, ...measuredWith(result) };
  return { ...about, kind: 'updated', recorded: record?.score, worse: [], added: 0, gone: 0 };
}

function scoresOf({ tasks, skillName }: EvaluationResult): SkillRecord['tasks'] {
  const counted = tasks.filter(({ split }) => split !== 'sealed');
  const invalid = counted.find(({ hard }) => hard === undefined);
  if (invalid !== undefined) {
    throw new UserError(
      'program-failed',
      `${skillName}: the task ${invalid.id} has no valid result: ${invalid.invalid ?? 'no reason is known'}`,
      'A missing result is not a score. Run the check again.',
    );
  }
  return Object.fromEntries(counted.map(({ id, hard }) => [id, rounded(hard ?? 0)]));
}
