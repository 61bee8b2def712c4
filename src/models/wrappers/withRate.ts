import type { LanguageModel } from '../../ports/languageModel.js';
import type { RateLimiter } from './rateLimiter.js';

/** Lets calls through the backend's gate. Waiting costs nothing and holds no reservation. */
export function withRate(model: LanguageModel, gate: RateLimiter): LanguageModel {
  return {
    identity: model.identity,
    complete: (request, signal) => gate.run(() => model.complete(request, signal), signal),
  };
}
