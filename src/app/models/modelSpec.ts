import { UserError } from '../../errors.js';
import { agentKinds } from '../../models/agents/agentKinds.js';
import { asksForContext } from '../../models/local/ollamaChat.js';
import { azureLogins, type AzureLogin, type Endpoint } from '../../models/openai/endpoint.js';
import { presetAddress, presetOf, presets, type Preset } from '../../models/openai/presets.js';
import type { SimulatedOptions } from '../../simulated/options.js';
import { createSimulatedModel } from '../../simulated/simulatedModel.js';
import { nearestName } from '../../tasks/nearestName.js';
import type { LanguageModel } from '../../ports/languageModel.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a spec names, without its key. */
export interface NamedModel {
  readonly endpoint: Omit<Endpoint, 'apiKey'>;
  /** Environment variables that may hold the key. */
  readonly keyVariables: readonly string[];
  /** True where the server refuses everybody without a key. */
  readonly needsKey: boolean;
  readonly label: string;
}

/**
 * Reads how a person names a model: a preset and a model (`ollama/llama3.2`), or an address and a model
 * (`https://host/v1#model`); both with the options of that server behind a question mark
 * (`openai/gpt-5-mini?reasoning_effort=low`). An address of Azure, or one with an `api-version`, is asked as Azure is.
 */
export function readModelSpec(spec: string, environment: Environment): NamedModel {
  return /^https?:\/\//.test(spec) ? addressed(spec, environment) : ofPreset(spec, environment);
}

/** The address whose server takes a key for this spec; undefined where it takes none, or where nobody says where it is. */
export function keyAddressOf(spec: string, environment: Environment): string | undefined {
  if (/^https?:\/\//.test(spec)) return spec.split('#')[0];
  const preset = presetOf(spec.split('/')[0] ?? '');
  return preset === undefined || preset.keyVariables.length === 0 ? undefined : presetAddress(preset, environment);
}

function ofPreset(spec: string, environment: Environment): NamedModel {
  const [provider = '', ...rest] = spec.split('/');
  const preset = presetOf(provider);
  const { model, extraBody } = modelAndOptions(rest.join('/'));
  if (preset === undefined || model === '') throw namesNoModel(spec);
  const baseUrl = presetAddress(preset, environment);
  if (baseUrl === undefined) throw needsAddress(preset);
  refuseOddContext(spec, { provider: preset.id, baseUrl, extraBody });
  if (preset.id === 'azure') return azureModel(baseUrl, { model, extraBody }, undefined, environment);
  return {
    endpoint: { provider: preset.id, baseUrl, model, extraBody },
    keyVariables: preset.keyVariables,
    needsKey: preset.keyVariables.length > 0 && !preset.local,
    label: preset.label,
  };
}

function addressed(spec: string, environment: Environment): NamedModel {
  const at = spec.indexOf('#');
  const address = at < 0 ? spec : spec.slice(0, at);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const named = at < 0 ? modelInPath(url) : modelAndOptions(spec.slice(at + 1));
  if (named.model === '') throw namesNoModelBehind(spec);
  if (url !== undefined && isAzure(url)) return onAzure(url, named, environment);
  const endpoint = { provider: 'custom', baseUrl: address, ...named };
  refuseOddContext(spec, endpoint);
  return {
    endpoint,
    keyVariables: ['WHETSTONE_API_KEY'],
    needsKey: false,
    label: url?.host ?? address,
  };
}

/** Ollama takes any number and fails each call with it. */
function refuseOddContext(spec: string, endpoint: Pick<Endpoint, 'provider' | 'baseUrl' | 'extraBody'>): void {
  if (!asksForContext(endpoint)) return;
  const context = endpoint.extraBody?.['num_ctx'];
  if (Number.isInteger(context) && Number(context) >= leastContext && Number(context) <= mostContext) return;
  throw new UserError(
    'usage',
    `“${spec}”: num_ctx is how many tokens the context has, a whole number from ${leastContext} to ${mostContext}.`,
    'Write a number such as ?num_ctx=16384, or leave it out.',
  );
}

const leastContext = 512;
const mostContext = 16_777_216; // beyond any model

function isAzure(url: URL): boolean {
  const host = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/;
  return url.searchParams.has('api-version') || host.test(url.hostname);
}

function onAzure(url: URL, named: Pick<Endpoint, 'model' | 'extraBody'>, environment: Environment): NamedModel {
  const [path = ''] = url.pathname.split('/openai/deployments/');
  const baseUrl = `${url.origin}${path}`.replace(/\/+$/, '');
  return azureModel(baseUrl, named, url.searchParams, environment);
}

/** `login=azure_cli` and the like stand among the options of the model or of the address, or in the environment. */
function azureModel(
  baseUrl: string,
  { model, extraBody }: Pick<Endpoint, 'model' | 'extraBody'>,
  query: URLSearchParams | undefined,
  environment: Environment,
): NamedModel {
  const { login: said, ...rest } = extraBody ?? {};
  const asked = typeof said === 'string' ? said : query?.get('login');
  const login = loginOf(asked ?? environment['AZURE_OPENAI_AUTH_MODE']);
  const apiVersion = query?.get('api-version') ?? azureVersion(environment);
  const options = extraBody === undefined ? undefined : rest;
  return {
    endpoint: { provider: 'azure', baseUrl, model, extraBody: options, apiVersion, login },
    keyVariables: ['AZURE_OPENAI_API_KEY', ...(query === undefined ? [] : ['WHETSTONE_API_KEY'])],
    needsKey: true,
    label: 'Azure OpenAI',
  };
}

function loginOf(text: string | undefined): AzureLogin | undefined {
  const found = azureLogins.find((each) => each === text);
  if (found !== undefined || text === undefined || text === '' || text === 'api_key') return found;
  const cure = `Write login=${azureLogins.join(', login=')}, or leave it out for an API key.`;
  throw new UserError('model-not-chosen', `Azure has no login “${text}”.`, cure);
}

/** Azure’s own page gives the address of a deployment, with the deployment in it. */
function modelInPath(url: URL | undefined): { readonly model: string; readonly extraBody: undefined } {
  const found = /\/deployments\/([^/]+)/.exec(url?.pathname ?? '');
  return { model: decoded(found?.[1] ?? ''), extraBody: undefined };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A percent sign that stands for itself.
  }
}

function modelAndOptions(text: string): Pick<NamedModel['endpoint'], 'model' | 'extraBody'> {
  const at = text.indexOf('?');
  if (at < 0) return { model: text, extraBody: undefined };
  const options = [...new URLSearchParams(text.slice(at + 1))].map(
    ([name, value]) => [name, readValue(value)] as const,
  );
  return { model: text.slice(0, at), extraBody: Object.fromEntries(options) };
}

/** `false`, `8000` and `{"type":"enabled"}` are what they look like; everything else is text. */
function readValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

function azureVersion(environment: Environment): string | undefined {
  return environment['AZURE_OPENAI_API_VERSION'] ?? environment['OPENAI_API_VERSION'];
}

function needsAddress({ label, endpointVariables = [] }: Preset): UserError {
  const variables = endpointVariables[0] === undefined ? '' : `, or set ${endpointVariables[0]}`;
  const cure = `Give it as https://host#model (for Azure with ?api-version=… before the #)${variables}.`;
  return new UserError('model-not-chosen', `${label} needs an address.`, cure);
}

function namesNoModel(spec: string): UserError {
  const [name = '', ...rest] = spec.split('/');
  const nearest = nearestOf(name.toLowerCase());
  const places = presets.map(({ id }) => `${id}/<model>`);
  const programs = agentKinds.map(({ id }) => `${id}[/<model>]`);
  const names = ['simulated', 'handoff', ...places, ...programs, 'https://host/v1#model'].join(', ');
  const cure =
    nearest === undefined
      ? `Write one of: ${names}.`
      : `Did you mean ${[nearest, ...rest].join('/')}? Write one of: ${names}.`;
  return new UserError('model-not-chosen', `“${spec}” names no model.`, cure);
}

/** How people call the programs, beside the names that we have for them. */
const commonNames = new Map([
  ['claude', 'claude-code'],
  ['copilot', 'copilot-cli'],
]);

function nearestOf(name: string): string | undefined {
  const known = ['simulated', 'handoff', ...presets.map(({ id }) => id), ...agentKinds.map(({ id }) => id)];
  return commonNames.get(name) ?? nearestName(name, known);
}

function namesNoModelBehind(spec: string): UserError {
  const cure = 'Write the model after a #, such as https://host/v1#model.';
  return new UserError('model-not-chosen', `“${spec}” names no model.`, cure);
}

type Setting = (value: number, before: SimulatedOptions) => SimulatedOptions;

const settings: Readonly<Record<string, Setting>> = {
  seed: (seed, before) => ({ ...before, seed }),
  lapse: (lapseRate, before) => ({ ...before, lapseRate }),
  latency: (latencyMs, before) => ({ ...before, latencyMs }),
  noise: (judgeNoise, before) => ({ ...before, judgeNoise }),
  useless: (useless, before) => ({ ...before, optimizer: { ...before.optimizer, useless } }),
  harmful: (harmful, before) => ({ ...before, optimizer: { ...before.optimizer, harmful } }),
  malformed: (malformed, before) => ({ ...before, optimizer: { ...before.optimizer, malformed } }),
  obedient: (obedient, before) => ({ ...before, obedient: obedient === 1 }),
};

/** The simulated model out of `simulated?lapse=0.1&seed=2`. */
export function simulatedFrom(spec: string): LanguageModel {
  const given = [...new URLSearchParams(spec.split('?')[1] ?? '')];
  const options = given.reduce<SimulatedOptions>((before, [name, value]) => {
    const setting = Object.hasOwn(settings, name) ? settings[name] : undefined;
    const number = Number(value);
    if (setting === undefined || value === '' || !Number.isFinite(number)) {
      throw new UserError(
        'model-not-chosen',
        `The simulated model has no option “${name}=${value}”.`,
        `Its options are: ${Object.keys(settings).join(', ')}.`,
      );
    }
    return setting(number, before);
  }, {});
  return createSimulatedModel(options);
}
