import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../../../src/errors.js';
import { SpendFile } from '../../../../src/storage/spend/spendFile.js';
import { openLedger } from '../../../../src/storage/spend/spendLedger.js';
import { openUserStore } from '../../../../src/storage/state/store.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { aClaim } from '../contracts/spendLedgerContract.js';

/** Linux alone has a file that is always full, and one that takes every word and can never be synced. */
if (process.platform === 'linux')
  describe('a ledger that cannot be written', () => {
    after(scrapMachines);

    it('grants nothing on a full disk, and says what to do', async () => {
      const { home } = await aMachine();
      await mkdir(path.join(home, 'spend'), { recursive: true });
      await symlink('/dev/full', path.join(home, 'spend', '2026-01.jsonl'));
      const ledger = openLedger(await openUserStore(home, new ManualClock(new Date(2026, 0, 15).getTime())));
      await assert.rejects(ledger.reserve(aClaim(), neverAborted), (error: unknown) => {
        assert.ok(error instanceof UserError);
        assert.equal(error.code, 'store-unusable');
        assert.match(
          error.message,
          /could not be written \(There is no room left on the disk\), and what cannot be counted is not spent\.$/,
        );
        assert.match(error.cure, /Make room/);
        return true;
      });
    });

    it('tells of a sync that failed whoever writes next', async () => {
      const file = await SpendFile.open('/dev/null');
      const settled = { kind: 'settle', id: 'x', tokens: 1, exact: true } as const;
      const writing = async (): Promise<never> => {
        for (;;) {
          await file.append(settled);
          await wait(1); // the sync goes on beside it
        }
      };
      await assert.rejects(writing, { code: 'store-unusable', message: /\(EINVAL: / });
      await file.close();
    });
  });
