import { type Fetch, listModels } from './openai/openaiClient.js';
import { presetAddress, presets, type Preset } from './openai/presets.js';

/** A backend that a person could choose, and why it is offered. */
export type ModelOffer =
  /** A server that answers on this machine. */
  | { readonly kind: 'running'; readonly preset: Preset; readonly baseUrl: string; readonly models: readonly string[] }
  /** A key in the environment; the variable's name, never its value. */
  | { readonly kind: 'key'; readonly preset: Preset; readonly variable: string; readonly baseUrl: string | undefined }
  | { readonly kind: 'simulated' }
  | { readonly kind: 'preset'; readonly preset: Preset };

export interface DiscoverParts {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: Fetch;
}

/** What is there, likeliest first: running servers, keys, the simulated model, then everything that could be set up. */
export async function discoverModels(parts: DiscoverParts, signal: AbortSignal): Promise<readonly ModelOffer[]> {
  const running = (await Promise.all(localPresets.map((preset) => probe(preset, parts, signal)))).flat();
  const keys = presets.flatMap((preset) => keyIn(preset, parts.environment));
  const found = new Set([...running, ...keys].map(({ preset }) => preset.id));
  const rest = presets.filter(({ id }) => !found.has(id)).map((preset) => ({ kind: 'preset' as const, preset }));
  return [...running, ...keys, { kind: 'simulated' }, ...rest];
}

/** Long enough for a server on this machine, short enough for a person who waits. */
const patienceMs = 700;

/** Both have ports of their own; what answers on 8000 or 8080 may be anything. */
const localPresets = presets.filter(({ id }) => id === 'ollama' || id === 'lmstudio');

async function probe(
  preset: Preset,
  parts: DiscoverParts,
  signal: AbortSignal,
): Promise<readonly (ModelOffer & { readonly kind: 'running' })[]> {
  const baseUrl = presetAddress(preset, parts.environment) ?? '';
  const heard = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  try {
    const models = await listModels({ provider: preset.id, baseUrl, model: '', apiKey: undefined }, parts.fetch, heard);
    return [{ kind: 'running', preset, baseUrl, models }];
  } catch {
    signal.throwIfAborted();
    return []; // nothing answers there, which is the usual case
  }
}

function keyIn(
  preset: Preset,
  environment: DiscoverParts['environment'],
): readonly (ModelOffer & { readonly kind: 'key' })[] {
  const variable = preset.keyVariables.find((name) => (environment[name] ?? '') !== '');
  if (variable === undefined) return [];
  return [{ kind: 'key', preset, variable, baseUrl: presetAddress(preset, environment) }];
}
