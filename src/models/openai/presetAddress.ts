import type { Preset } from './presets.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a preset's server is on this machine; undefined where only the person can say. */
export function presetAddress(preset: Preset, environment: Environment): string | undefined {
  if (preset.id === 'ollama') return ollamaAddress(preset, environment['OLLAMA_HOST']);
  if (preset.baseUrl !== undefined) return preset.baseUrl;
  return (preset.endpointVariables ?? []).map((name) => environment[name]).find((value) => (value ?? '') !== '');
}

/** Ollama is told by a variable where to listen. */
function ollamaAddress({ baseUrl }: Preset, host: string | undefined): string | undefined {
  if (host === undefined || host === '') return baseUrl;
  const address = /^https?:\/\//.test(host) ? host : `http://${host}`;
  if (!URL.canParse(address)) return baseUrl;
  const url = new URL(address);
  const name = url.hostname === '0.0.0.0' ? 'localhost' : url.hostname;
  return `${url.protocol}//${name}:${url.port === '' ? '11434' : url.port}/v1`;
}
