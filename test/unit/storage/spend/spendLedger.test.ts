import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { openLedger } from '../../../../src/storage/spend/spendLedger.js';
import { openUserStore } from '../../../../src/storage/state/store.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { MemoryLedger } from '../../../fakes/MemoryLedger.js';
import { startChild } from '../children/childProcess.js';
import { aClaim, caps, grantedOf, spendLedgerContract } from '../contracts/spendLedgerContract.js';

const full = process.env['WHETSTONE_FULL'] === '1';

spendLedgerContract('the ledger file', async (clock) => {
  const { home } = await aMachine();
  const ledger = openLedger(await openUserStore(home, clock));
  return { ledger, close: () => ledger.close() };
});

spendLedgerContract('MemoryLedger', (clock) =>
  Promise.resolve({ ledger: new MemoryLedger(clock), close: () => Promise.resolve() }),
);

describe('the ledger file', () => {
  after(scrapMachines);

  it('is shared by everybody who opens it', async () => {
    const { home, clock } = await aHome();
    const [first, second] = [
      openLedger(await openUserStore(home, clock)),
      openLedger(await openUserStore(home, clock)),
    ];
    const reservation = await first.reserve(aClaim({ worst: { tokens: 10, usd: 1 } }), neverAborted);
    assert.equal((await second.spentToday()).tokens, 10);
    await reservation.settle({ tokens: 4, usd: 0.5, exact: true });
    assert.deepEqual(await second.spentToday(), { calls: 1, tokens: 4, usd: 0.5, exact: true });
    await first.close();
    await second.close();
  });

  it('counts the minutes that runs are at work, not their pauses, and holds a day to its cap', async () => {
    const { home, clock } = await aHome();
    const [first, second] = [
      openLedger(await openUserStore(home, clock)),
      openLedger(await openUserStore(home, clock)),
    ];
    const minutes = (count: number): void => clock.set(clock.now() + count * 60_000);
    const call = async (ledger: typeof first, runId: string, took: number): Promise<void> => {
      const held = { run: {}, day: { minutes: 10 }, month: {} };
      const reservation = await ledger.reserve(aClaim({ runId, caps: held }), neverAborted);
      minutes(took);
      await reservation.settle({ tokens: 1, usd: undefined, exact: true });
    };
    await call(first, 'one', 4);
    minutes(60); // nobody works: the run is paused
    await call(first, 'one', 4);
    await call(second, 'two', 3); // the ninth minute lets a call begin, which may end
    await assert.rejects(call(first, 'one', 1), {
      kind: 'cap',
      message: 'The 10 minutes that this day is capped at are used up.',
    });
    await assert.rejects(call(second, 'two', 1), { kind: 'cap' });
    clock.set(clock.now() + 24 * 3_600_000);
    await call(second, 'two', 1);
    await Promise.all([first.close(), second.close()]);
  });

  it('counts what a dead process reserved as spent', async () => {
    const { home } = await aMachine();
    const child = await startChild('spend', { folder: home, tries: 3, cap: 100 });
    assert.equal(await child.said, 3);
    await child.gone;
    const ledger = openLedger(await openUserStore(home, nodeClock));
    assert.deepEqual(await ledger.spentToday(), { calls: 3, tokens: 3, usd: undefined, exact: false });
    await ledger.close();
  });

  it('grants several real processes together exactly its cap', async () => {
    const { home } = await aMachine();
    const [processes, tries, cap] = full ? [6, 400, 1000] : [2, 60, 70];
    const order = { folder: home, tries, cap };
    const children = await Promise.all(Array.from({ length: processes }, () => startChild('spend', order)));
    const granted = await Promise.all(children.map((child) => child.said));
    assert.equal(
      granted.reduce((sum: number, each) => sum + Number(each), 0),
      cap,
    );
    const ledger = openLedger(await openUserStore(home, nodeClock));
    assert.equal((await ledger.spentThisMonth()).tokens, cap);
    await ledger.close();
  });

  const leftovers: readonly { name: string; text: string }[] = [
    { name: 'half a line', text: '{"kind":"reserve","id":"x","tokens":99' },
    { name: 'a line that is no JSON', text: 'x\n' },
    { name: 'zeros', text: '\0\0\0\0' },
    { name: 'a line of another kind', text: '{"kind":"other"}\n' },
  ];
  for (const { name, text } of leftovers) {
    it(`is not disturbed by ${name} that a crash left`, async () => {
      const { home, clock, file } = await aHome();
      const before = openLedger(await openUserStore(home, clock));
      await before.reserve(aClaim({ worst: { tokens: 10, usd: 0 } }), neverAborted);
      await before.close();
      await appendFile(file, text);
      const after = openLedger(await openUserStore(home, clock));
      await after.reserve(aClaim({ worst: { tokens: 10, usd: 0 } }), neverAborted);
      assert.equal((await after.spentToday()).tokens, 20);
      await after.close();
    });
  }

  it('settles by its ticket what was reserved before the end of the month, whoever opens it', async () => {
    const { home } = await aMachine();
    const clock = new ManualClock(new Date(2026, 0, 31, 23, 59).getTime());
    const earlier = openLedger(await openUserStore(home, clock));
    const { ticket } = await earlier.reserve(aClaim({ worst: { tokens: 100, usd: 0.5 } }), neverAborted);
    await earlier.close();
    clock.set(new Date(2026, 1, 1, 4).getTime());
    const later = openLedger(await openUserStore(home, clock));
    await later.reopen(ticket).settle({ tokens: 30, usd: 0.1, exact: true });
    assert.deepEqual(await later.spentInRun('r'), { calls: 1, tokens: 30, usd: 0.1, exact: true });
    assert.equal((await later.spentThisMonth()).calls, 0);
    await later.close();
  });

  it('counts a call that began before the end of the month there, and holds the run to one cap', async () => {
    const { home } = await aMachine();
    const clock = new ManualClock(new Date(2026, 0, 31, 23, 59).getTime());
    const ledger = openLedger(await openUserStore(home, clock));
    const claim = aClaim({ worst: { tokens: 10, usd: 0 }, caps: caps({ run: { tokens: 30 } }) });
    const late = await ledger.reserve(claim, neverAborted);
    await ledger.reserve(claim, neverAborted);
    clock.set(new Date(2026, 1, 1, 0, 1).getTime());
    assert.equal(await grantedOf(ledger, claim, 3), 1);
    await late.settle({ tokens: 5, usd: 0, exact: true });
    assert.equal((await ledger.spentThisMonth()).tokens, 10);
    assert.equal((await ledger.spentInRun('r')).tokens, 25);
    assert.deepEqual(await readdir(path.join(home, 'spend')), ['2026-01.jsonl', '2026-02.jsonl']);
    await ledger.close();
  });

  it('starts with its format, and one of a newer version is refused politely', async () => {
    const { home, clock, file } = await aHome();
    const ledger = openLedger(await openUserStore(home, clock));
    await ledger.spentInRun('r');
    await ledger.close();
    const text = await readFile(file, 'utf8');
    assert.ok(text.startsWith('{"format"'));
    assert.deepEqual(JSON.parse(text), { format: 'whetstone-spend', version: 1 });
    await writeFile(file, text.replace('"version":1', '"version":2'));
    const later = openLedger(await openUserStore(home, clock));
    await assert.rejects(later.reserve(aClaim(), neverAborted), { code: 'store-newer' });
  });

  it('takes a reservation as fast after a thousand of them as at the beginning', async () => {
    const { home, clock } = await aHome();
    const ledger = openLedger(await openUserStore(home, clock));
    const times: number[] = [];
    for (let block = 0; block < 5; block++) {
      const start = performance.now();
      for (let done = 0; done < 250; done += 10) {
        await Promise.all(Array.from({ length: 10 }, () => ledger.reserve(aClaim(), neverAborted)));
      }
      times.push(performance.now() - start);
    }
    // The quicker of two each: what else the machine does is not the ledger's.
    const [before, after] = [Math.min(...times.slice(0, 2)), Math.min(...times.slice(-2))];
    assert.ok(after < 4 * before, `${Math.round(before)} ms, then ${Math.round(after)} ms for 250`);
    await ledger.close();
  });
});

async function aHome(): Promise<{ readonly home: string; readonly clock: ManualClock; readonly file: string }> {
  const { home } = await aMachine();
  const clock = new ManualClock(new Date(2026, 0, 15, 12).getTime());
  return { home, clock, file: path.join(home, 'spend', '2026-01.jsonl') };
}
