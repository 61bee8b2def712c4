import { isHandoff } from '../../../models/handoff/handoffModel.js';
import { givesUpAfter, givesUpOwnServer, type GiveUpLimits } from '../../../models/wrappers/breaker.js';
import type { LanguageModel } from '../../../ports/languageModel.js';
import type { RoleModels } from '../../models/runModels.js';

/** When a run ends because a server gives no answer. */
export interface GiveUp extends GiveUpLimits {
  /** Where servers of the person's own are asked beside others: the minutes of theirs; `minutes` is for the others. */
  readonly ownMinutes?: number | undefined;
}

/** A server that a person runs is waited for longer than others, and workers for as long as the queue does. */
export function giveUpOf(models: RoleModels): GiveUp {
  const asked = Object.values(models).filter(
    ({ identity, isElsewhere }) => !identity.simulated && !isHandoff(identity) && isElsewhere !== true,
  );
  const own = asked.filter(isOwnServer);
  if (own.length === 0) return givesUpAfter;
  return own.length === asked.length ? givesUpOwnServer : { ...givesUpAfter, ownMinutes: givesUpOwnServer.minutes };
}

/** Whether a server that people run themselves answers for it. */
export function isOwnServer({ served }: Pick<LanguageModel, 'served'>): boolean {
  return served !== undefined;
}
