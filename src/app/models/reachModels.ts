import { ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { RoleModels } from './runModels.js';

/** How long to wait before each further try, where nobody waits: a machine that just woke has no network for a moment. */
const unattendedWaits = [3_000, 10_000, 20_000];

/**
 * Throws where the server of one of the models cannot be reached, before anything of a run is begun. Asks no model and
 * costs nothing. A person is told at the first try; where nobody is there, it is tried for half a minute.
 */
export async function refuseUnreachable(
  models: RoleModels,
  { clock, attended }: { readonly clock: Clock; readonly attended: boolean },
  signal: AbortSignal,
): Promise<void> {
  const servers = new Map(Object.values(models).map((model) => [model.identity.endpoint, model]));
  await Promise.all(
    [...servers.values()].map(async ({ reach }) => {
      for (const wait of attended ? [] : unattendedWaits) {
        if (await isReached({ reach }, signal)) return;
        await clock.sleep(wait, signal);
      }
      await reach?.(signal);
    }),
  );
}

/** Whether somebody is there; a model without a server of its own is. */
export async function isReached({ reach }: Pick<LanguageModel, 'reach'>, signal: AbortSignal): Promise<boolean> {
  try {
    await reach?.(signal);
    return true;
  } catch (error) {
    if (error instanceof ModelError) return false;
    throw error;
  }
}
