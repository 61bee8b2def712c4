import { FailedCall } from '../../models/wrappers/failedCall.js';
import type { Refusal } from '../job.js';

/**
 * A call that a worker says it did not make. What every further job of the run would meet ends the run, before whoever
 * refuses at once has taken all of them; what somebody did to one job is asked again.
 */
export function refusedCall(why: Refusal, worker: string): FailedCall {
  const message = `The worker ${worker} gave a job back, refused as ${why}.`;
  const unsent = { charged: false, sent: false, worker } as const;
  switch (why) {
    case 'malformed':
    case 'role':
    case 'model':
    case 'environment':
      return new FailedCall('endpoint', message, { ...unsent, cure: sameVersion });
    case 'expired':
      return new FailedCall('endpoint', message, { ...unsent, cure: clocks });
    case 'program':
    case 'archive':
      return new FailedCall('unavailable', message, { ...unsent, cure: sameVersion, lasting: true });
    case 'unsigned':
    case 'altered':
    case 'misplaced':
    case 'replayed':
      return new FailedCall('unavailable', message, { ...unsent });
  }
}

const sameVersion = 'Install the same version of Whetstone on the coordinator and on all workers; then resume the run.';
const clocks = 'Its clock is ahead: set the clocks of the coordinator and of all workers; then resume the run.';
