import type { CheckResult } from '../../checks/judgement.js';
import { metricScore } from '../../gate/statistics/scores.js';
import type { GateMetric } from '../../gate/verdict/verdict.js';
import type { WorkEvent } from '../../ports/agentWork.js';
import type { TranscriptTurn } from '../../ports/environment.js';
import type { ModelUsage } from '../../ports/languageModel.js';
import type { Task } from '../../tasks/task.js';

/** One attempt that was scored, with what it takes to learn from it. */
export interface ScoredAttempt {
  readonly kind: 'scored';
  readonly number: number;
  readonly hard: number;
  /** What an environment gave for it, where that was a share: told, and not counted. */
  readonly givenHard?: number | undefined;
  readonly soft: number;
  readonly checks: readonly CheckResult[];
  readonly answer: string;
  readonly answerHash: string;
  readonly reasonsHash?: string | undefined;
  readonly conversationHash?: string | undefined;
  readonly extrasHash?: string | undefined;
  readonly workHash?: string | undefined;
  /** How many turns the agent took. */
  readonly turns?: number | undefined;
  readonly toolsCalled: readonly string[];
  readonly transcript: readonly TranscriptTurn[];
  /** Set where something other than a check failed the attempt: cut at its limit, or the program's own reason. */
  readonly failure: string | undefined;
  /** Set where thinking used up all its room and no answer came. */
  readonly thoughtOnly?: true;
  /** Set where the model said the same over and over until it was stopped. */
  readonly endless?: true;
  readonly extras: Readonly<Record<string, unknown>>;
  /** What an agent did, and what it changed in its folder, where one worked on the task. */
  readonly events?: readonly WorkEvent[] | undefined;
  readonly diff?: string | undefined;
  /** Whether it used the skill, where it was offered and the agent decided. */
  readonly usedSkill?: boolean | undefined;
  readonly tokens: number;
  /** Of what the model wrote, without what it read. */
  readonly outputTokens?: number;
  /** How long the model took, as far as that was measured; a stored answer says how long it took when it was made. */
  readonly answerMs?: number | undefined;
  /** Of the attempt itself, without its grading; waiting for a free place is part of it. */
  readonly latencyMs: number;
  readonly cached: boolean;
}

/** What an attempt used, as its figures. */
export function figuresOf({
  inputTokens,
  outputTokens,
  ms,
}: ModelUsage): Pick<ScoredAttempt, 'tokens' | 'outputTokens' | 'answerMs'> {
  return { tokens: inputTokens + outputTokens, outputTokens, answerMs: ms };
}

/** An attempt that a failure outside the skill prevented (network, login, quota). It is never a score. */
export interface InvalidAttempt {
  readonly kind: 'invalid';
  readonly number: number;
  readonly reason: string;
  readonly latencyMs: number;
}

export type Attempt = ScoredAttempt | InvalidAttempt;

/** All attempts at one task under one skill. */
export interface Rollout<T extends Task> {
  readonly task: T;
  readonly attempts: readonly Attempt[];
}

/** How scores are read: which metric, and the share of the soft score in the mixed one. */
export interface Metric {
  readonly metric: GateMetric;
  readonly mixedWeight: number;
}

/** The scores of the two sides of a pair; undefined where a side tells nothing. */
export interface PairScores {
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/**
 * The scores of one pair. Where thinking used up its room on both sides, or the model repeated itself without end on both,
 * the model was measured and not the skill: the pair is left out. On one side alone it is that side's failure, or thinking
 * longer would hide what fails.
 */
export function pairScores(before: Attempt | undefined, after: Attempt | undefined, metric: Metric): PairScores {
  const isBoth = (is: (attempt: Attempt | undefined) => boolean): boolean => is(before) && is(after);
  if (isBoth(isThoughtOnly) || isBoth(isEndless)) return { before: undefined, after: undefined };
  return { before: scoreIfValid(before, metric), after: scoreIfValid(after, metric) };
}

/** Thinking used up the room for an answer. */
export function isThoughtOnly(attempt: Attempt | undefined): boolean {
  return attempt?.kind === 'scored' && attempt.thoughtOnly === true;
}

function isEndless(attempt: Attempt | undefined): boolean {
  return attempt?.kind === 'scored' && attempt.endless === true;
}

/** Empty where none was endless: a model that came to no end is no fault that a skill can mend, and looks like one. */
export function endlessSentence(rollouts: readonly { readonly attempts: readonly Attempt[] }[]): string {
  const attempts = rollouts.flatMap((rollout) => rollout.attempts);
  const endless = attempts.filter(isEndless).length;
  if (endless === 0) return '';
  if (endless === 1) return 'In 1 attempt at a held-out task the model said the same over and over, and was stopped.';
  return `In ${endless} of ${attempts.length} attempts at the held-out tasks the model said the same over and over, and was stopped.`;
}

function scoreIfValid(attempt: Attempt | undefined, { metric, mixedWeight }: Metric): number | undefined {
  return attempt?.kind === 'scored' ? metricScore(attempt, metric, mixedWeight) : undefined;
}

const nearlyNothing = 1e-9;

/** The attempt's score under the metric, 0..1. */
export function scoreOf(attempt: ScoredAttempt, { metric, mixedWeight }: Metric): number {
  return metricScore(attempt, metric, mixedWeight) ?? 0;
}

export function scoredAttempts(rollout: Rollout<Task>): readonly ScoredAttempt[] {
  return rollout.attempts.filter((attempt) => attempt.kind === 'scored');
}

/** Mean over the valid attempts, or undefined where none was valid. */
export function meanScore(rollout: Rollout<Task>, metric: Metric): number | undefined {
  const scores = scoredAttempts(rollout).map((attempt) => scoreOf(attempt, metric));
  return scores.length === 0 ? undefined : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

/** What the gate metric calls a failure: anything short of full marks in any attempt. */
export function hasFailed(rollout: Rollout<Task>, metric: Metric): boolean {
  return scoredAttempts(rollout).some((attempt) => scoreOf(attempt, metric) < 1 - nearlyNothing);
}

/** The distance between the best and the worst attempt: where luck decides, there is something to learn. */
export function spreadOf(rollout: Rollout<Task>, metric: Metric): number {
  const scores = scoredAttempts(rollout).map((attempt) => scoreOf(attempt, metric));
  return scores.length === 0 ? 0 : Math.max(...scores) - Math.min(...scores);
}

export function bestAttempt(rollout: Rollout<Task>, metric: Metric): ScoredAttempt | undefined {
  return byScore(rollout, metric).at(-1);
}

export function worstAttempt(rollout: Rollout<Task>, metric: Metric): ScoredAttempt | undefined {
  return byScore(rollout, metric)[0];
}

/** Mean of the tasks' means; tasks without a valid attempt are left out. */
export function meanOf(rollouts: readonly Rollout<Task>[], metric: Metric): number | undefined {
  const means = rollouts.map((rollout) => meanScore(rollout, metric)).filter((mean) => mean !== undefined);
  return means.length === 0 ? undefined : means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

function byScore(rollout: Rollout<Task>, metric: Metric): readonly ScoredAttempt[] {
  return [...scoredAttempts(rollout)].sort((a, b) => scoreOf(a, metric) - scoreOf(b, metric));
}
