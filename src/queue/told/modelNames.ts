import type { ModelIdentity } from '../../ports/languageModel.js';

/** A model as tables and messages name it. */
export function modelName({ provider, model }: Pick<ModelIdentity, 'provider' | 'model'>): string {
  return `${provider}/${model}`;
}

/** Host and port of a server of the person's own: the same name is another model at another address. */
export function ownServer({ provider, endpoint }: Pick<ModelIdentity, 'provider' | 'endpoint'>): string | undefined {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  return provider === 'custom' || isHere ? url.host : undefined;
}

/** As it is typed behind `--model`. */
export function typedModel(identity: ModelIdentity): string {
  const { provider, endpoint, model, simulated, options } = identity;
  if (simulated && ownServer(identity) === undefined) return provider;
  if (options?.startsWith('version=') === true) return model === 'default' ? provider : `${provider}/${model}`;
  const name = `${model}${options === undefined ? '' : `?${options}`}`;
  const whole = provider === 'custom' ? `${endpoint}#${name}` : `${provider}/${name}`;
  return /^[\w./:@#=-]+$/.test(whole) ? whole : `'${whole.replaceAll("'", `'\\''`)}'`;
}
