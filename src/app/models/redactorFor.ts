import { createRedactor, type Redactor } from '../../redaction/redactor.js';
import type { UserStore } from '../../storage/state/store.js';
import type { World } from '../world.js';

/** The redactor of this user: the same placeholders in every run and process, and the keys in use taken out by value. */
export async function redactorFor(world: Pick<World, 'secrets'>, store: Pick<UserStore, 'key'>): Promise<Redactor> {
  return createRedactor({ key: store.key.mac('redaction'), known: (await world.secrets?.()) ?? [] });
}
