import { ModelError } from '../../errors.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { rolesElsewhere } from '../madeElsewhere.js';
import type { World } from '../world.js';
import type { RoleModels } from './runModels.js';

/** How long to wait before each further try, where nobody waits: a machine that just woke has no network for a moment. */
const unattendedWaits = [3_000, 10_000, 20_000];

interface Surroundings {
  readonly world: Pick<World, 'clock' | 'attempts'>;
  readonly attended: boolean;
}

const roles = ['target', 'optimizer', 'judge'] as const;

/**
 * Throws where the server of one of the models cannot be reached, before anything of a run is begun. Asks no model and
 * costs nothing. A person is told at the first try; where nobody is there, it is tried for half a minute. Gives the models
 * that their servers know. Roles of one model are one question, but where others make the calls: its key is on this
 * machine for the optimizer, and on those that have workers for each other role.
 */
export async function refuseUnreachable(
  models: RoleModels,
  { world, attended }: Surroundings,
  signal: AbortSignal,
): Promise<ReadonlySet<LanguageModel>> {
  const isElsewhere = rolesElsewhere(models, world.attempts).length > 0;
  const named = roles.map((role) => ({ name: isElsewhere ? role : nameAt(models[role]), model: models[role] }));
  const distinct = new Map(named.map(({ name, model }) => [name, model]));
  const known = new Set<string>();
  await Promise.all(
    [...distinct].map(async ([name, { reach }]) => {
      if ((await reachIn(attended ? [] : unattendedWaits, reach)) === true) known.add(name);
    }),
  );
  return new Set(named.filter(({ name }) => known.has(name)).map(({ model }) => model));

  async function reachIn(
    [wait, ...more]: readonly number[],
    reach: LanguageModel['reach'],
  ): Promise<boolean | undefined> {
    try {
      return await reach?.(signal);
    } catch (error) {
      if (wait === undefined || !(error instanceof ModelError)) throw error;
      await world.clock.sleep(wait, signal);
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
