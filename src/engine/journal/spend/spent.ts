import type { RunEvent } from '../runEvents.js';
import type { RoleSpend } from '../runSummary.js';
import { withCancelled } from './withCancelled.js';

/** What was used after one more call. */
export function spent(before: RoleSpend, event: Extract<RunEvent, { kind: 'call' }>): RoleSpend {
  if (event.cached) return { ...before, cachedCalls: before.cachedCalls + 1 };
  return {
    calls: before.calls + (event.calls ?? 1),
    cachedCalls: before.cachedCalls,
    failedCalls: before.failedCalls + (hasFailed(event) ? 1 : 0),
    ...withCancelled((before.cancelledCalls ?? 0) + (event.error === 'aborted' ? 1 : 0)),
    tokens: before.tokens + event.tokens,
    usd: before.usd === undefined || event.usd === undefined ? undefined : before.usd + event.usd,
    exact: before.exact && event.exact,
  };
}

/** Neither where nothing left this machine, nor where a person stopped the run while it was asked. */
function hasFailed({ error, calls }: Extract<RunEvent, { kind: 'call' }>): boolean {
  return error !== undefined && error !== 'aborted' && calls !== 0;
}
