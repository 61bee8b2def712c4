import type { Discovered } from '../../app/models/discovered.js';
import type { Connection } from '../../app/models/checkConnection.js';

/** What the model commands ask of the second bundle. */
export interface ModelSource {
  discover(signal: AbortSignal): Promise<readonly Discovered[]>;
  /** The models that a provider's server names, asked with the key that is there; none where it does not say. */
  list(provider: string, signal: AbortSignal): Promise<readonly string[]>;
  check(signal: AbortSignal): Promise<Connection>;
}

/** Keys live in VS Code's secret storage only, one for each host that it was entered for. */
export interface KeyStore {
  has(host: string): Promise<boolean>;
  store(host: string, key: string): Promise<void>;
  forget(host: string): Promise<void>;
}
