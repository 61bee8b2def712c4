import type { CheckResult } from '../../src/checks/judgement.js';
import type { Attempt, Rollout, ScoredAttempt } from '../../src/engine/stages/attempts.js';
import type { TrainingTask } from '../../src/tasks/task.js';
import { aTrainingTask } from './aTask.js';

export type AttemptScores = { readonly hard: number; readonly soft: number } | 'invalid';

/** A scored attempt; the test states only what matters. */
export function aScoredAttempt(parts: Partial<ScoredAttempt> = {}): ScoredAttempt {
  return {
    kind: 'scored',
    number: 1,
    hard: 0,
    soft: 0,
    checks: [],
    answer: 'An answer.',
    answerHash: 'hash',
    toolsCalled: [],
    transcript: [],
    failure: undefined,
    extras: {},
    tokens: 15,
    latencyMs: 1,
    cached: false,
    ...parts,
  };
}

export function aCheckResult(parts: Partial<CheckResult> = {}): CheckResult {
  return {
    name: 'contains',
    criterion: 'The answer contains “x”.',
    hidden: false,
    pass: false,
    soft: 0,
    reason: '',
    ...parts,
  };
}

/** The attempts at a training task, by their scores or as they are. */
export function aRollout(
  parts: {
    readonly task?: TrainingTask;
    readonly scores?: readonly AttemptScores[];
    readonly attempts?: readonly Attempt[];
  } = {},
): Rollout<TrainingTask> {
  const scored = (parts.scores ?? []).map((score, index): Attempt =>
    score === 'invalid'
      ? { kind: 'invalid', number: index + 1, reason: 'The call failed.', latencyMs: 1 }
      : aScoredAttempt({ number: index + 1, ...score }),
  );
  return { task: parts.task ?? aTrainingTask(), attempts: parts.attempts ?? scored };
}
