import { UserError } from '../errors.js';
import { createCapabilityMemory } from '../models/openai/capabilities.js';
import type { Endpoint } from '../models/openai/endpoint.js';
import { createOpenAIModel } from '../models/openai/openaiModel.js';
import { presetOf, presets, type Preset } from '../models/openai/presets.js';
import { simulatedFrom } from './simulatedFrom.js';
import type { LanguageModel } from '../ports/languageModel.js';
import type { RoleModels } from './runModels.js';

/**
 * Which model plays which role, as text: `simulated` (with `?lapse=0.1&seed=2`), a preset and a model such as
 * `ollama/llama3.2`, or an address and a model such as `https://host/v1#model`.
 */
export interface ModelSpecs {
  readonly target: string | undefined;
  readonly optimizer: string | undefined;
  readonly judge: string | undefined;
}

export interface ModelSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** The key for an address, where the person stored one; asked before the environment. */
  readonly storedKey?: ((baseUrl: string) => Promise<string | undefined>) | undefined;
}

/** The adapters for the three roles; optimizer and judge default to the target's model. */
export async function chooseModels(specs: ModelSpecs, surroundings: ModelSurroundings): Promise<RoleModels> {
  if (specs.target === undefined || specs.target === '') {
    throw new UserError(
      'model-not-chosen',
      'No model is chosen.',
      'Run “Whetstone: Choose Model”, or give --model on the command line (“simulated” needs no key and costs nothing).',
    );
  }
  const memory = createCapabilityMemory();
  const known = new Map<string, LanguageModel>();
  const modelFor = async (spec: string): Promise<LanguageModel> => {
    const model = known.get(spec) ?? (await adapterFor(spec, surroundings, memory));
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
  memory: ReturnType<typeof createCapabilityMemory>,
): Promise<LanguageModel> {
  if (spec === 'simulated' || spec.startsWith('simulated?')) return simulatedFrom(spec);
  const endpoint = await endpointFor(spec, surroundings);
  return createOpenAIModel(endpoint, { fetch: surroundings.fetch, memory });
}

/** The endpoint that a spec names, with its key. Throws where something is missing, with the cure. */
export async function endpointFor(spec: string, surroundings: ModelSurroundings): Promise<Endpoint> {
  if (/^https?:\/\//.test(spec)) return customEndpoint(spec, surroundings);
  const [provider = '', ...rest] = spec.split('/');
  const preset = presetOf(provider);
  const model = rest.join('/');
  if (preset === undefined || model === '') throw namesNoModel(spec);
  const baseUrl = baseUrlOf(preset, surroundings);
  const apiKey = await keyFor(baseUrl, preset.keyVariables, surroundings);
  const [variable] = preset.keyVariables;
  if (apiKey === undefined && variable !== undefined && !preset.local) {
    const cure = `Run “Whetstone: Set API Key”, or set ${variable}.`;
    throw new UserError('model-key-missing', `There is no API key for ${preset.label}.`, cure);
  }
  return { provider: preset.id, baseUrl, model, apiKey };
}

function baseUrlOf(preset: Preset, { environment }: ModelSurroundings): string {
  const stated = environment[`${preset.id.toUpperCase().replaceAll('-', '_')}_ENDPOINT`];
  const baseUrl = preset.baseUrl ?? stated;
  if (baseUrl !== undefined) return baseUrl;
  throw new UserError('model-not-chosen', `${preset.label} needs an address.`, 'Give it as https://host/v1#model.');
}

function namesNoModel(spec: string): UserError {
  const names = ['simulated', ...presets.map(({ id }) => `${id}/<model>`), 'https://host/v1#model'].join(', ');
  return new UserError('model-not-chosen', `“${spec}” names no model.`, `Write one of: ${names}.`);
}

async function customEndpoint(spec: string, surroundings: ModelSurroundings): Promise<Endpoint> {
  const at = spec.indexOf('#');
  if (at < 0 || at === spec.length - 1)
    throw new UserError(
      'model-not-chosen',
      `“${spec}” names no model.`,
      'Write the model after a #, such as https://host/v1#model.',
    );
  const baseUrl = spec.slice(0, at);
  return {
    provider: 'custom',
    baseUrl,
    model: spec.slice(at + 1),
    apiKey: await keyFor(baseUrl, ['WHETSTONE_API_KEY'], surroundings),
  };
}

async function keyFor(
  baseUrl: string,
  variables: readonly string[],
  surroundings: ModelSurroundings,
): Promise<string | undefined> {
  const stored = await surroundings.storedKey?.(baseUrl);
  if (stored !== undefined) return stored;
  return variables.map((name) => surroundings.environment[name]).find((value) => value !== undefined && value !== '');
}
