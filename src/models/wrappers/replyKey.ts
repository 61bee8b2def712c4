import { canonicalJson, sha256 } from '../../hash.js';
import type { ModelIdentity, ModelRequest } from '../../ports/languageModel.js';

/** What decides an answer beside identity and request: sampling options that only the adapter knows. */
export type KeySalt = Readonly<Record<string, unknown>>;

/**
 * The name of an answer: two requests share it only if nothing that could change the answer differs, the attempt number
 * included. Order of properties does not matter, order of messages does.
 */
export function replyKey(identity: ModelIdentity, request: ModelRequest, salt: KeySalt = {}): string {
  // The messages say the one, `dependsOn` the other.
  const { formless: _said, work: _done, ...asked } = request;
  return sha256(canonicalJson({ version: 1, identity, request: asked, salt }));
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
