import { countTokens } from '../../skill/document/countTokens.js';
import type { TrainingTask } from '../../tasks/task.js';
import { filesIn, type Candidate } from '../candidate.js';
import { meanScore, scoredAttempts, type Metric, type Rollout } from '../stages/attempts.js';
import type { MeasuredCandidate } from './front.js';

/** What a candidate came to in these attempts. An answer that was read from the store counts as it was when it was made. */
export function measured(
  candidate: Candidate,
  rollouts: readonly Rollout<TrainingTask>[],
  metric: Metric,
): MeasuredCandidate {
  const scores = rollouts.flatMap((rollout) => {
    const score = meanScore(rollout, metric);
    return score === undefined ? [] : [[rollout.task.id, score] as const];
  });
  const answers = rollouts.flatMap(scoredAttempts);
  return {
    candidate,
    scores: new Map(scores),
    costs: {
      'skill-tokens': tokensOf(candidate),
      'answer-tokens': meanIfKnown(answers.map(({ outputTokens }) => outputTokens)),
      'answer-time': meanIfKnown(answers.map(({ answerMs }) => answerMs)),
    },
  };
}

/** The tokens of all documents of a candidate. */
export function tokensOf(candidate: Candidate): number {
  return Object.values(filesIn(candidate)).reduce((sum, text) => sum + countTokens(text), countTokens(candidate.text));
}

/** Undefined as soon as one of them was not measured: half of the answers would tell of other tasks. */
function meanIfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0 || known.length < values.length) return undefined;
  return known.reduce((sum, value) => sum + value, 0) / known.length;
}
