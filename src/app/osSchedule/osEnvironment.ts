import * as z from 'zod';
import type { PriceOverrides } from '../../models/prices.js';
import { presetOf } from '../../models/openai/presets.js';
import { parseJson } from '../../parseJson.js';
import type { NightProgram } from './osProgram.js';
import type { OsScheduleRequest } from './osNightly.js';
import type { World } from '../world.js';

/** What a night needs of the person's environment; a scheduler hands over almost nothing. */
const needed: readonly string[] = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'LOCALAPPDATA',
  'LANG',
  'LC_ALL',
  'XDG_STATE_HOME',
  'WHETSTONE_HOME',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_USE_ENV_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'OLLAMA_HOST',
];

/** Keys that the person stored in an editor, by host: the command line cannot ask the editor for them. */
export const keysVariable = 'WHETSTONE_KEYS';

/** The variables of the environment file: what programs need, and the keys of the chosen models alone. */
export function nightEnvironment(
  world: World,
  request: Pick<OsScheduleRequest, 'models' | 'keys'>,
  program: NightProgram,
): Readonly<Record<string, string>> {
  const { environment, home } = world;
  const names = [...needed, ...Object.values(request.models).flatMap((spec) => variablesOf(spec ?? ''))];
  const known = names.flatMap((name) => {
    const value = environment[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const prices = pricesText(world.prices?.() ?? {});
  const keys = Object.keys(request.keys).length === 0 ? {} : { [keysVariable]: JSON.stringify(request.keys) };
  return { HOME: home, ...Object.fromEntries(known), ...prices, ...keys, ...program.environment };
}

/** What the person says that models cost, as the command line reads it. */
function pricesText(prices: PriceOverrides): Readonly<Record<string, string>> {
  const stated = Object.entries(prices).map(([model, { input, output }]) => `${model}=${input}/${output}`);
  return stated.length === 0 ? {} : { WHETSTONE_PRICES: stated.join(',') };
}

function variablesOf(spec: string): readonly string[] {
  if (/^https?:\/\//.test(spec)) return ['WHETSTONE_API_KEY', 'AZURE_OPENAI_API_KEY', ...azureVersions];
  const provider = spec.split('/')[0] ?? '';
  const preset = presetOf(provider);
  if (preset === undefined) return [];
  return [...preset.keyVariables, ...(preset.endpointVariables ?? []), ...(preset.id === 'azure' ? azureVersions : [])];
}

const azureVersions = ['AZURE_OPENAI_API_VERSION', 'OPENAI_API_VERSION'];

const KeysByHost = z.record(z.string(), z.string());

/** The stored key for an address, out of the environment file. */
export function keyFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  baseUrl: string,
): string | undefined {
  const text = environment[keysVariable];
  if (text === undefined || !URL.canParse(baseUrl)) return undefined;
  // Where it is not ours, or damaged, the call will say that a key is missing.
  return KeysByHost.safeParse(parseJson(text)).data?.[new URL(baseUrl).host];
}
