import type { Proposal } from '../../ports/proposal.js';
import { canonicalJson } from '../../hash.js';
import { allow, isAllowed, type ConsentRequest } from '../../storage/state/consents.js';
import type { UserStore } from '../../storage/state/store.js';
import { placeOf } from './nightSchedule.js';

/** Whether the person agreed that nights send these folders' tasks to these models. The simulated one sends nothing. */
export async function hasModelConsent(
  store: UserStore,
  folders: readonly string[],
  models: Proposal['models'],
): Promise<boolean> {
  return staysHere(models) || isAllowed(store, consentFor(folders, models));
}

export async function giveModelConsent(
  store: UserStore,
  folders: readonly string[],
  models: Proposal['models'],
  signal: AbortSignal,
): Promise<void> {
  if (!staysHere(models)) await allow(store, consentFor(folders, models), signal);
}

/** Another model or another folder is another question. */
function consentFor(folders: readonly string[], { target, optimizer, judge }: Proposal['models']): ConsentRequest {
  return { what: 'model', content: canonicalJson({ place: placeOf(folders), target, optimizer, judge }) };
}

function staysHere({ target, optimizer, judge }: Proposal['models']): boolean {
  return [target, optimizer, judge].every((name) => name.endsWith('(simulated)'));
}
