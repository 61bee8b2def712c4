import type { WorkLeft } from '../../src/ports/agentWork.js';

/** What an agent left that did nothing at all; the test states what matters. */
export function someWork(rest: Partial<WorkLeft> = {}): WorkLeft {
  return { events: [], diff: '', changed: [], judged: [], touched: [], refusedHosts: [], ended: 'done', ...rest };
}
