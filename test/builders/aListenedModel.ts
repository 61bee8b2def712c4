import type { LanguageModel } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';

/** The simulated model, and what its optimizer was asked to reflect on. */
export function aListenedModel(): { readonly model: LanguageModel; readonly prompts: string[] } {
  const model = createSimulatedModel();
  const prompts: string[] = [];
  return {
    prompts,
    model: {
      identity: model.identity,
      complete: (request, signal) => {
        if (request.replySchema?.name === 'reflection') prompts.push(request.messages[0]?.content ?? '');
        return model.complete(request, signal);
      },
    },
  };
}
