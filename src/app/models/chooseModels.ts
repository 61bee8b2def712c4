import { UserError } from '../../errors.js';
import { refuseExposedKey } from '../../keyBinding.js';
import { createLearnedCapabilities } from '../../models/openai/capabilities.js';
import { azureToken, mayGetToken, signedIn, type LoginParts } from '../../models/azure/azureLogin.js';
import { ownServerFetch } from '../../models/local/ownServerFetch.js';
import { ServerQueues } from '../../models/local/ownServerPatience.js';
import { isSelfServed } from '../../models/local/servedModel.js';
import { publicUrl, type AzureLogin, type Endpoint } from '../../models/openai/endpoint.js';
import { createOpenAIModel } from '../../models/openai/openaiModel.js';
import type { EditorChats } from '../../ports/editorChat.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { agentModel, agentSecrets, namesAgent, type OpenAgents } from './agentModels.js';
import { editorModel, namesEditorModel } from './editorModels.js';
import { handoffModel, namesHandoff } from '../handoff/handoffSpec.js';
import { readModelSpec, simulatedFrom } from './modelSpec.js';
import type { RoleModels } from './runModels.js';

/**
 * Which model plays which role, as text: `simulated` (with `?lapse=0.1&seed=2`), a preset and a model such as
 * `ollama/llama3.2`, an address and a model such as `https://host/v1#model` (see {@link readModelSpec}), a model of
 * the editor such as `vscode/copilot/gpt-4.1`, an agent program such as `claude-code/sonnet`, or `handoff`, which
 * somebody answers by hand.
 */
export interface ModelSpecs {
  readonly target: string | undefined;
  readonly optimizer: string | undefined;
  readonly judge: string | undefined;
}

export interface ModelSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How servers of others are asked; those of the person's own are asked around it. */
  readonly fetch: typeof globalThis.fetch;
  /** The key for an address, where the person stored one that may be sent there; asked before the environment. */
  readonly storedKey?: ((baseUrl: string) => Promise<string | undefined>) | undefined;
  /** A token of the window's Microsoft account; undefined where there is no window. */
  readonly azureAccount?: LoginParts['account'];
  /** The folders of the window's workspace; undefined where there is no window. */
  readonly workspace?: (() => readonly string[]) | undefined;
  /** The agent programs of this machine; undefined where a face has none. */
  readonly agents?: OpenAgents;
  /** How many calls of this process are at each server; of these models alone where it is missing. */
  readonly queues?: ServerQueues | undefined;
  /** The models that the window offers; undefined where there is none. */
  readonly editorChats?: EditorChats | undefined;
}

/** The adapters for the three roles; optimizer and judge default to the target's model. */
export async function chooseModels(
  specs: ModelSpecs,
  surroundings: ModelSurroundings,
  signal: AbortSignal = new AbortController().signal,
): Promise<RoleModels> {
  if (specs.target === undefined || specs.target === '') {
    throw new UserError(
      'model-not-chosen',
      'No model is chosen.',
      'Run “Whetstone: Choose Model”, or give --model on the command line (“simulated” needs no key and costs nothing).',
    );
  }
  const learned = createLearnedCapabilities();
  const { queues = new ServerQueues() } = surroundings;
  const known = new Map<string, LanguageModel>();
  const modelFor = async (spec: string): Promise<LanguageModel> => {
    const model = known.get(spec) ?? (await adapterFor(spec, { ...surroundings, queues }, learned, signal));
    known.set(spec, model);
    return model;
  };
  const target = await modelFor(specs.target);
  return {
    target,
    optimizer: await modelFor(specs.optimizer ?? specs.target),
    judge: await modelFor(specs.judge ?? specs.target),
  };
}

async function adapterFor(
  spec: string,
  surroundings: ModelSurroundings,
  learned: ReturnType<typeof createLearnedCapabilities>,
  signal: AbortSignal,
): Promise<LanguageModel> {
  if (spec === 'simulated' || spec.startsWith('simulated?')) return simulatedFrom(spec);
  if (namesHandoff(spec)) return handoffModel(spec);
  if (namesEditorModel(spec)) return editorModel(spec, surroundings.editorChats);
  if (namesAgent(spec)) return agentModel(spec, surroundings.agents, signal);
  const endpoint = await endpointFor(spec, surroundings);
  return createOpenAIModel(endpoint, { fetch: fetchFor(endpoint, surroundings), learned, queues: surroundings.queues });
}

/** The endpoint that a spec names, with its key. Throws where something is missing, with the cure. */
export async function endpointFor(spec: string, surroundings: ModelSurroundings): Promise<Endpoint> {
  const { endpoint, keyVariables, needsKey, label } = readModelSpec(spec, surroundings.environment);
  const { login } = endpoint;
  if (login !== undefined) return { ...endpoint, apiKey: await tokenFor(endpoint.baseUrl, login, surroundings) };
  const apiKey = await keyFor(endpoint.baseUrl, keyVariables, surroundings);
  if (apiKey === undefined && needsKey) {
    const cure = `Run “Whetstone: Set API Key”, or set ${keyVariables[0] ?? ''}.`;
    throw new UserError('model-key-missing', `There is no API key for ${label}.`, cure);
  }
  return { ...endpoint, apiKey };
}

/**
 * A server of the person's own is asked without the limits of the global fetch. What goes to one that the person is logged
 * in to is signed; a token that is about to run out is renewed.
 */
export function fetchFor(endpoint: Endpoint, surroundings: ModelSurroundings): ModelSurroundings['fetch'] {
  if (isSelfServed(endpoint)) return ownServerFetch;
  const { login } = endpoint;
  const { fetch } = surroundings;
  return login === undefined ? fetch : signedIn(fetch, () => azureToken(login, loginParts(surroundings)));
}

async function tokenFor(baseUrl: string, login: AzureLogin, surroundings: ModelSurroundings): Promise<string> {
  if (mayGetToken(baseUrl, surroundings.environment)) return azureToken(login, loginParts(surroundings));
  throw new UserError(
    'model-key-exposed',
    `A login of Azure is not sent to ${publicUrl(baseUrl)}: it would open every resource of the account.`,
    'Use an address of Azure, name this one in AZURE_OPENAI_ENDPOINT, or use an API key.',
  );
}

function loginParts({ environment, fetch, azureAccount, workspace }: ModelSurroundings): LoginParts {
  return { environment, fetch, account: azureAccount, workspace: workspace?.() };
}

async function keyFor(
  baseUrl: string,
  variables: readonly string[],
  surroundings: ModelSurroundings,
): Promise<string | undefined> {
  const stored = await surroundings.storedKey?.(baseUrl);
  if (stored !== undefined) return stored;
  const variable = variables.find((name) => (surroundings.environment[name] ?? '') !== '');
  if (variable === undefined) return undefined;
  refuseExposedKey(baseUrl, `Where the server needs no key, unset ${variable}.`);
  return surroundings.environment[variable];
}

/** The keys of the chosen models, by value: taken out of every text, whatever their shape. */
export async function knownSecrets(specs: ModelSpecs, surroundings: ModelSurroundings): Promise<readonly string[]> {
  const wanted = [specs.target, specs.optimizer, specs.judge].flatMap((spec) => spec ?? []);
  const real = [...new Set(wanted)].filter(
    (spec) => spec !== '' && !spec.startsWith('simulated') && !namesEditorModel(spec) && !namesHandoff(spec),
  );
  const secretsOf = async (spec: string): Promise<readonly string[]> => {
    if (namesAgent(spec)) return agentSecrets(spec, surroundings.agents);
    const { apiKey } = await endpointFor(spec, surroundings);
    return apiKey === undefined ? [] : [apiKey];
  };
  return (await Promise.all(real.map((spec) => secretsOf(spec).catch(() => [])))).flat();
}
