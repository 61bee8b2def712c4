import { createHash } from 'node:crypto';
import type { ModelIdentity, ModelRequest } from '../../ports/languageModel.js';

/** What decides an answer beside identity and request: sampling options that only the adapter knows. */
export type KeySalt = Readonly<Record<string, unknown>>;

/**
 * The name of an answer: two requests share it only if nothing that could change the answer differs, the attempt number
 * included. Order of properties does not matter, order of messages does.
 */
export function replyKey(identity: ModelIdentity, request: ModelRequest, salt: KeySalt = {}): string {
  return createHash('sha256')
    .update(canonical({ version: 1, identity, request, salt }))
    .digest('hex');
}

export type KeyOf = (request: ModelRequest) => string;

/** {@link replyKey} for one model, worked out once for each request that passes its wrappers. */
export function replyKeys(identity: ModelIdentity, salt?: KeySalt): KeyOf {
  const known = new WeakMap<ModelRequest, string>();
  return (request) => {
    const key = known.get(request) ?? replyKey(identity, request, salt);
    known.set(request, key);
    return key;
  };
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(',')}]`;
  if (!(value instanceof Object)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).filter(([, item]: [string, unknown]) => item !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`).join(',')}}`;
}
