import { handoffProvider } from '../../models/handoff/handoffModel.js';
import { agentOfSpec } from '../../models/agents/agentKinds.js';
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
  const agent = specOfAgent(name);
  if (agent !== undefined) return agent;
  const [provider = ''] = name.split('/');
  if (provider === handoffProvider) return name;
  return presetOf(provider) === undefined || namesSimulated(name) ? undefined : name;
}

/** An agent program is asked in the version that is installed; whether that is the run's is looked at when it goes on. */
function specOfAgent(name: string): string | undefined {
  const [spec = ''] = name.split('?version=');
  const agent = agentOfSpec(spec);
  if (agent === undefined) return undefined;
  return agent.model === 'default' ? agent.kind.id : spec;
}
