import { messageOf } from '../../errors.js';
import type { AttemptResult } from '../../ports/environment.js';
import { fence } from '../../prompts/renderPrompt.js';
import type { TrainingTask } from '../../tasks/task.js';
import type { RunContext } from '../runContext.js';
import type { Attempt, Rollout } from './attempts.js';
import { shortened } from './shortened.js';

/** Long enough for a page of advice; the optimizer is asked about the attempts, not about the environment. */
const mostRemarkCharacters = 4_000;

/** What the environments say about training attempts, as fenced data; empty where none says anything. */
export async function environmentRemarks(
  context: Pick<RunContext, 'hooks' | 'record' | 'redact'>,
  rollouts: readonly Rollout<TrainingTask>[],
  signal: AbortSignal,
): Promise<string> {
  if (context.hooks === undefined) return '';
  const attempts = rollouts.flatMap(({ task, attempts: made }) =>
    made.map((attempt) => ({ task, result: resultOf(attempt) })),
  );
  try {
    const remarks = (await context.hooks.remarks(attempts, signal)).filter((text) => text.trim() !== '');
    if (remarks.length === 0) return '';
    const redact = context.redact ?? ((text: string) => text);
    const texts = remarks.map((text) => fence('environment', shortened(text, mostRemarkCharacters, redact)));
    return ['# What the environment says about these attempts', ...texts].join('\n\n');
  } catch (error) {
    signal.throwIfAborted();
    // A comment that could not be had is no reason to lose the lesson.
    context.record({ kind: 'note', text: `An environment had no word on the attempts: ${messageOf(error)}` });
    return '';
  }
}

function resultOf(attempt: Attempt): AttemptResult {
  if (attempt.kind === 'invalid') return { kind: 'invalid', reason: attempt.reason };
  const { answer, transcript, cached, failure, extras, hard, soft } = attempt;
  return {
    kind: 'answered',
    answer,
    toolsCalled: transcript.flatMap((turn) =>
      turn.kind === 'tool' ? [{ name: turn.name, arguments: turn.arguments }] : [],
    ),
    transcript,
    usage: { inputTokens: 0, outputTokens: attempt.tokens, exact: false },
    cached,
    failure,
    scores: { hard, soft, reason: failure },
    extras,
  };
}
