import { handoffProvider } from '../../models/handoff/handoffModel.js';
import { presetOf } from '../../models/openai/presets.js';
import type { Proposal } from '../../ports/proposal.js';
import type { ModelSpecs } from './chooseModels.js';
import { simulatedFrom } from './modelSpec.js';
import { nameOf, namesSimulated } from './runModels.js';

/**
 * How a person would name the models that a run wrote down; undefined where one of them cannot be told from its name
 * alone: a server that was given by its address, a model of the window.
 */
export function specsOfNames({
  target,
  optimizer,
  judge,
}: Omit<Proposal['models'], 'simulated'>): ModelSpecs | undefined {
  const specs = { target: specOfName(target), optimizer: specOfName(optimizer), judge: specOfName(judge) };
  return Object.values(specs).includes(undefined) ? undefined : specs;
}

export function specOfName(name: string): string | undefined {
  if (name === nameOf(simulatedFrom('simulated'))) return 'simulated';
  const [provider = ''] = name.split('/');
  if (provider === handoffProvider) return name;
  return presetOf(provider) === undefined || namesSimulated(name) ? undefined : name;
}
