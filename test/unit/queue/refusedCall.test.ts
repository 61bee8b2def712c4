import assert from 'node:assert/strict';
import { isFatal } from '../../../src/errors.js';
import { usageOfFailure } from '../../../src/models/wrappers/failedCall.js';
import { refusals, type Refusal } from '../../../src/queue/job.js';
import { refusedCall } from '../../../src/queue/told/refusedCall.js';

/** What every other job of the run would meet as well, and what nothing but another worker mends. */
const endsRun: readonly Refusal[] = ['malformed', 'role', 'model', 'environment', 'expired'];
const lasts: readonly Refusal[] = ['program', 'archive'];

describe('a call that a worker says it did not make', () => {
  for (const why of refusals)
    it(`is booked as none, refused as ${why}`, () => {
      const error = refusedCall(why, 'harbour');
      assert.equal(usageOfFailure(error, { inputTokens: 9, outputTokens: 9, exact: true }), undefined);
      assert.deepEqual([isFatal(error.kind), error.lasting], [endsRun.includes(why), lasts.includes(why)]);
      assert.equal((error.cure ?? '') !== '', endsRun.includes(why) || lasts.includes(why));
    });
});
