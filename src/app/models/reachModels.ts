import { ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { RoleModels } from './runModels.js';

/** How long to wait before each further try, where nobody waits: a machine that just woke has no network for a moment. */
const unattendedWaits = [3_000, 10_000, 20_000];

/**
 * Throws where the server of one of the models cannot be reached, before anything of a run is begun. Asks no model and
 * costs nothing. A person is told at the first try; where nobody is there, it is tried for half a minute. Gives the models
 * that their servers know.
 */
export async function refuseUnreachable(
  models: RoleModels,
  { clock, attended }: { readonly clock: Clock; readonly attended: boolean },
  signal: AbortSignal,
): Promise<ReadonlySet<LanguageModel>> {
  const distinct = new Map(Object.values(models).map((model) => [nameAt(model), model]));
  const known = new Set<string>();
  await Promise.all(
    [...distinct].map(async ([name, { reach }]) => {
      if ((await reachIn(attended ? [] : unattendedWaits, reach)) === true) known.add(name);
    }),
  );
  return new Set(Object.values(models).filter((model) => known.has(nameAt(model))));

  async function reachIn(
    [wait, ...more]: readonly number[],
    reach: LanguageModel['reach'],
  ): Promise<boolean | undefined> {
    try {
      return await reach?.(signal);
    } catch (error) {
      if (wait === undefined || !(error instanceof ModelError)) throw error;
      await clock.sleep(wait, signal);
      return reachIn(more, reach);
    }
  }
}

function nameAt({ identity }: LanguageModel): string {
  return `${identity.endpoint} ${identity.model}`;
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
