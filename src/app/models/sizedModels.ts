import { billionsIn } from '../../prompts/smallModels.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { World } from '../world.js';
import type { RoleModels } from './runModels.js';

/**
 * The chosen models with the size that their servers say: a name of a person's own (`my-coder`) says nothing of it, and
 * whoever is small is asked otherwise. A size never changes, so each server is asked once; one that is not there is asked
 * again the next time.
 */
export function sizedModels(choose: World['models']): World['models'] {
  const known = new Map<string, number>();
  const sizeOf = async ({ identity, served }: LanguageModel, signal: AbortSignal): Promise<number | undefined> => {
    const key = `${identity.endpoint} ${identity.model}`;
    if (served === undefined || known.has(key)) return known.get(key);
    const size = billionsIn((await served(signal))?.size ?? '');
    if (size !== undefined) known.set(key, size);
    return size;
  };
  const withSize = async (model: LanguageModel, signal: AbortSignal): Promise<LanguageModel> => {
    const billions = await sizeOf(model, signal);
    return billions === undefined ? model : { ...model, billions };
  };
  return async (signal): Promise<RoleModels> => {
    const { target, optimizer, judge } = await choose(signal);
    const sized = new Map<LanguageModel, LanguageModel>();
    for (const model of new Set([target, optimizer, judge])) sized.set(model, await withSize(model, signal));
    const of = (model: LanguageModel): LanguageModel => sized.get(model) ?? model; // who plays two roles stays one
    return { target: of(target), optimizer: of(optimizer), judge: of(judge) };
  };
}
