import { UserError } from '../../errors.js';
import type { HandoffPrompts } from '../../ports/handoff.js';
import type { LanguageModel, ModelIdentity } from '../../ports/languageModel.js';
import { guessInputTokens, guessTokens } from '../tokens.js';
import { FailedCall } from '../wrappers/failedCall.js';

/** How a person names it: `handoff`, or with whoever answers, `handoff/claude-chat`, which tells their answers apart. */
export const handoffProvider = 'handoff';

/** Whether somebody else answers for this model, in their own time. */
export function isHandoff({ provider, endpoint }: Pick<ModelIdentity, 'provider' | 'endpoint'>): boolean {
  return provider === handoffProvider && endpoint === handoffProvider;
}

/**
 * A model without an interface: what it is asked becomes a file, and any person or agent answers into another one. A call
 * that is not answered yet throws `waiting`, costs nothing and is made again when the run goes on. Without `prompts` it only
 * says who it is: they are those of one run.
 */
export function createHandoffModel(answeredBy: string, prompts?: HandoffPrompts): LanguageModel {
  const identity = { provider: handoffProvider, endpoint: handoffProvider, model: answeredBy, simulated: false };
  return {
    identity,
    reach: () => Promise.resolve(true),
    needsPerson: undefined,
    async complete(request, signal) {
      signal.throwIfAborted();
      if (prompts === undefined) throw onlyInRuns();
      if ((request.tools ?? []).length > 0) throw withoutTools();
      const answer = await prompts.ask({ request, answeredBy }, signal);
      if (answer.kind === 'waiting') throw awaited();
      const { text } = answer;
      const usage = { inputTokens: guessInputTokens(request), outputTokens: guessTokens(text), exact: false };
      return { text, finish: 'stop', toolCalls: [], usage, cached: false };
    },
  };
}

/** The same model, asked in one run. */
export function inRun(model: LanguageModel, prompts: HandoffPrompts): LanguageModel {
  return isHandoff(model.identity) ? createHandoffModel(model.identity.model, prompts) : model;
}

function awaited(): FailedCall {
  return new FailedCall('waiting', 'A prompt waits for its answer.', { charged: false, sent: false });
}

function onlyInRuns(): UserError {
  return new UserError(
    'model-not-chosen',
    'Prompts are handed over by runs alone, and this is none.',
    'Choose another model for this.',
  );
}

function withoutTools(): UserError {
  return new UserError(
    'environment-refused',
    'A task calls tools, and nobody who answers by hand can call them.',
    'Choose another target for the tasks with tools, or leave them out.',
  );
}
