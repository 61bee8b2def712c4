import { optionBounds } from '../../engine/optionBounds.js';
import { UserError } from '../../errors.js';
import type { World } from '../world.js';
import type { OptionRequest } from '../runs/runOptionsFor.js';

const variable = 'WHETSTONE_WORKERS';

/**
 * The request with the number of workers that the person's environment states: how many calls go on at the same time on
 * this machine, whatever the workspace says. What the person says for this run is stronger.
 */
export function withWorkers<Request extends OptionRequest>(
  { environment }: Pick<World, 'environment'>,
  request: Request,
): Request {
  const said = environment[variable]?.trim() ?? '';
  if (said === '') return request;
  const most = optionBounds['concurrency'] ?? Infinity;
  const concurrency = Number(said);
  if (!/^\d+$/.test(said) || concurrency < 1 || concurrency > most)
    throw new UserError(
      'options-malformed',
      `${variable} is “${said}”, and it takes a whole number from 1 to ${most}.`,
      'Correct it, or remove it to have what concurrency says.',
    );
  return { ...request, settings: [{ concurrency }, ...request.settings] };
}
