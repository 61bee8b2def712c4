import { ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel } from '../../ports/languageModel.js';

/**
 * Starts no call once the run's minutes are used up. A call that is under way is paid for and may end; a stored reply
 * takes no time and is not asked for here.
 */
export function withTimeCap(
  model: LanguageModel,
  clock: Clock,
  { minutes, endsAt }: { readonly minutes: number; readonly endsAt: number },
): LanguageModel {
  return {
    identity: model.identity,
    async complete(request, signal) {
      if (clock.now() >= endsAt) {
        throw new ModelError('cap', `The run has used the ${minutes} minutes that it is capped at.`, {
          cure: 'Raise caps.minutes.',
        });
      }
      return model.complete(request, signal);
    },
  };
}
