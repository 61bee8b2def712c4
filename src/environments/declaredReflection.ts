import type { AttemptResult, AttemptsToReflect, StepToReflect, TranscriptTurn } from '../ports/environment.js';
import type { EnvironmentDeclaration } from '../tasks/readers/whetstoneFile.js';
import { askEnvironment } from './askEnvironment.js';
import type { StartSources } from './program.js';

/**
 * What a declared program or module has to say on a step: it is asked for `edits` with the training attempts that it made,
 * in the words in which it gave them. Throws where it says nothing.
 */
export async function declaredReflection(
  declared: EnvironmentDeclaration,
  { attempts, step: at }: { readonly attempts: readonly AttemptsToReflect[]; readonly step: StepToReflect },
  sources: StartSources,
  signal: AbortSignal,
): Promise<unknown> {
  const { step, skill, memory = null, document, scope, budget, seed } = at;
  const more = { step, skill, memory, document, scope, budget, attempts: attempts.map(attemptLine) };
  const asked = await askEnvironment(declared, { ask: 'edits', seed, more }, sources, signal);
  if (asked.kind === 'failed') throw new Error(asked.reason);
  return asked.answer;
}

function attemptLine({ task, result }: AttemptsToReflect): Readonly<Record<string, unknown>> {
  return { id: task.id, task, ...resultLine(result) };
}

function resultLine(result: AttemptResult): Readonly<Record<string, unknown>> {
  if (result.kind === 'invalid') return { error: result.reason };
  const { answer, scores, failure, transcript, extras } = result;
  return {
    predicted_answer: answer,
    hard: scores?.hard ?? null,
    soft: scores?.soft ?? null,
    fail_reason: failure ?? scores?.reason ?? null,
    conversation: transcript.map(entryOf),
    extras,
  };
}

function entryOf(turn: TranscriptTurn): Readonly<Record<string, unknown>> {
  switch (turn.kind) {
    case 'message':
      return { role: turn.role, content: turn.text };
    case 'tool':
      return { type: 'tool_call', cmd: turn.arguments, obs: turn.result };
    case 'step':
      return { action: turn.action, env_feedback: turn.feedback, reasoning: turn.reasoning ?? null };
  }
}
