import assert from 'node:assert/strict';
import { ModelError, type ModelErrorKind } from '../../../../src/errors.js';
import { takeUpBatch } from '../../../../src/models/batch/takeUpBatch.js';
import type { BatchServer, BatchState, KeptBatch } from '../../../../src/ports/batches.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { MemoryReplyStore } from '../../../fakes/MemoryReplyStore.js';

const { signal } = new AbortController();
const clock = new ManualClock();

describe('a batch of an earlier run, where nobody waits for it', () => {
  const cases: readonly (readonly [what: string, look: BatchState | ModelErrorKind, isTaken: boolean])[] = [
    ['goes on while it runs', { status: 'running', files: [], why: undefined }, false],
    ['goes on where the server says nothing', 'unavailable', false],
    ['is taken in where it has ended', { status: 'completed', files: [], why: undefined }, true],
    ['is given up where the server does not know it any more', 'endpoint', true],
  ];
  for (const [what, look, isTaken] of cases)
    it(what, async () => {
      const removed: string[] = [];
      const server: BatchServer = {
        line: () => '',
        upload: () => assert.fail('nothing is sent'),
        create: () => assert.fail('nothing is begun'),
        find: () => assert.fail('its id is known'),
        look: async () => {
          if (typeof look === 'string') throw new ModelError(look, 'No such batch.');
          return look;
        },
        read: () => assert.fail('there are no files'),
        cancel: () => assert.fail('its time is not over'),
        remove: () => Promise.resolve(),
      };
      const parts = {
        server,
        identity: { provider: 'custom', endpoint: 'http://localhost/v1', model: 'large', simulated: false },
        kept: {
          all: () => Promise.resolve([]),
          put: () => Promise.resolve(),
          remove: (name: string) => Promise.resolve(void removed.push(name)),
        },
        replies: new MemoryReplyStore(),
        ledger: new MemoryLedger(clock),
        price: undefined,
        clock,
        record: () => undefined,
        tell: () => undefined,
      };
      assert.equal(await takeUpBatch(parts, kept, { waits: false }, signal), isTaken);
      assert.deepEqual(removed, isTaken ? ['night-1'] : []);
    });
});

const kept: KeptBatch = {
  name: 'night-1',
  endpoint: 'http://localhost/v1',
  model: 'large',
  runId: 'run-1',
  begunAt: clock.now(),
  until: clock.now() + 60 * 60_000,
  batch: 'batch_1',
  calls: [],
};
