import { ModelError, messageOf } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel, ModelRequest } from '../../ports/languageModel.js';
import { failed, ok, type Finding } from './finding.js';

export const tinyRequest: ModelRequest = {
  role: 'target',
  messages: [{ role: 'user', content: 'Reply with the one word: ready' }],
  maxOutputTokens: 1024, // a model that thinks needs room before its one word
  attempt: 0,
};

/** Whether the model answers at all, asked for one word. */
export function tinyCall(model: LanguageModel, clock: Clock, signal: AbortSignal): Promise<Finding> {
  return timedCall(model, tinyRequest, clock, signal);
}

function thoughtOnly({ maxOutputTokens }: ModelRequest): Finding {
  const what = `The model spent all ${maxOutputTokens} tokens of its answer on thinking.`;
  return failed('tiny call', what, 'Let it think less, such as with ?reasoning_effort=low behind its name.');
}

/** One call, how long it took, and what was wrong where it failed. */
export async function timedCall(
  model: LanguageModel,
  request: ModelRequest,
  clock: Clock,
  signal: AbortSignal,
): Promise<Finding> {
  const start = clock.now();
  try {
    const { usage, text, finish } = await model.complete(request, signal);
    if (finish === 'length' && text === '') return thoughtOnly(request);
    const counted = usage.exact
      ? `${usage.inputTokens + usage.outputTokens} tokens`
      : 'the server reports no usage, or one that cannot be right: sums are estimated';
    return ok('tiny call', `Answered in ${((clock.now() - start) / 1000).toFixed(1)} s (${counted}).`);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelError)) return failed('tiny call', messageOf(error), '');
    return { ...failed('tiny call', error.message, error.cure), kind: error.kind };
  }
}
