import type { Endpoint } from '../openai/endpoint.js';
import { presets } from '../openai/presets.js';

/** Which of the servers that people run themselves it is: by its preset, and else by the port that is its own. */
export function localKind({ provider, baseUrl }: Pick<Endpoint, 'provider' | 'baseUrl'>): string | undefined {
  const local = presets.filter((preset) => preset.local);
  if (provider !== 'custom') return local.find(({ id }) => id === provider)?.id;
  const port = URL.canParse(baseUrl) ? new URL(baseUrl).port : '';
  return local.find((preset) => port !== '' && new URL(preset.baseUrl ?? 'http://none').port === port)?.id;
}
