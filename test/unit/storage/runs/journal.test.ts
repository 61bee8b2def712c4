import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as fc from 'fast-check';
import { journalFile, type JournalWriter, openJournal } from '../../../../src/storage/runs/journal.js';
import { waitForLock, type HeldLock } from '../../../../src/storage/files/lock.js';
import { readJournal } from '../../../../src/storage/runs/readJournal.js';
import { runFolder } from '../../../../src/storage/runs/runFolder.js';
import { runLock } from '../../../../src/storage/state/skillLocks.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { aMachine, aStore, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';

const runId = '20260115-120000-abcdef';
const full = process.env['WHETSTONE_FULL'] === '1';

describe('a journal', () => {
  after(scrapMachines);

  it('gives back its events in order, with their time', async () => {
    const { store, lock } = await ready();
    await written(store, lock, [{ kind: 'a' }, { kind: 'b', nested: { z: 1, a: [1, undefined] } }]);
    const reading = await read(store);
    assert.equal(reading.kind, 'verified');
    assert.deepEqual(
      reading.lines.map(({ seq, at, event }) => ({ seq, at, event })),
      [
        { seq: 1, at: store.clock.now(), event: { kind: 'a' } },
        { seq: 2, at: store.clock.now(), event: { kind: 'b', nested: { z: 1, a: [1, null] } } },
      ],
    );
    await lock.release();
  });

  it('starts with its format, version and run', async () => {
    const { store, lock } = await ready();
    await written(store, lock, []);
    const [first = ''] = (await readFile(journalFile(store, runId), 'utf8')).split('\n');
    assert.deepEqual(JSON.parse(first).event, { format: 'whetstone-journal', runId, version: 2 });
    await lock.release();
  });

  it('has a newer version where it may name the workers of a queue, and is read all the same', async () => {
    const { store, lock } = await ready();
    const { writer } = await openJournal(store, runId, lock, 'workers');
    writer.append({ kind: 'call', worker: 'harbour' });
    await writer.close();
    const [first = ''] = (await readFile(journalFile(store, runId), 'utf8')).split('\n');
    assert.equal(JSON.parse(first).event.version, 3);
    assert.equal((await read(store)).kind, 'verified');
    await lock.release();
  });

  it('goes on where it stopped', async () => {
    const { store, lock } = await ready();
    await written(store, lock, ['a', 'b']);
    const { events, writer } = await openJournal(store, runId, lock);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['a', 'b'],
    );
    writer.append('c');
    await writer.close();
    assert.deepEqual(await eventsIn(store), ['a', 'b', 'c']);
    await lock.release();
  });

  it('cut at any byte keeps a beginning of its events and goes on from there', async () => {
    const { store, lock } = await ready();
    const all = ['a', 'b', 'ü漢', { kind: 'd' }];
    await written(store, lock, all);
    const file = journalFile(store, runId);
    const whole = await readFile(file);
    const cut = async (length: number): Promise<void> => {
      await writeFile(file, whole.subarray(0, length));
      const reading = await read(store);
      assert.equal(reading.kind, 'verified');
      const kept = reading.lines.map(({ event }) => event);
      assert.deepEqual(kept, all.slice(0, kept.length));
      await written(store, lock, ['on']);
      assert.deepEqual(await eventsIn(store), [...kept, 'on']);
    };
    await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), cut), { numRuns: full ? 300 : 12 });
    await lock.release();
  });

  it('drops a last line of zeros, which a cut in the power can leave', async () => {
    const { store, lock } = await ready();
    await written(store, lock, ['a', 'b']);
    const file = journalFile(store, runId);
    await writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(64), Buffer.from('\n')]));
    const reading = await read(store);
    assert.equal(reading.kind === 'verified' && reading.torn, true);
    await lock.release();
  });

  const forgeries: readonly { name: string; forge: (lines: readonly string[]) => readonly string[] }[] = [
    { name: 'an event is changed', forge: (lines) => lines.map((line) => line.replace('"b"', '"x"')) },
    { name: 'a line is left out', forge: ([a = '', , ...rest]) => [a, ...rest] },
    { name: 'two lines change places', forge: ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest] },
    { name: 'a line is repeated', forge: ([a = '', b = '', ...rest]) => [a, b, b, ...rest] },
    { name: 'a line is added', forge: (lines) => [...lines, '{"seq":4,"at":1,"event":"x","mac":"00"}'] },
    { name: 'a line in the middle is no JSON', forge: ([a = '', , ...rest]) => [a, 'x', ...rest] },
    { name: 'a time is changed', forge: (lines) => lines.map((line) => line.replace(/"at":\d+/, '"at":1')) },
  ];
  for (const { name, forge } of forgeries) {
    it(`is made elsewhere when ${name}`, async () => {
      const { store, lock } = await ready();
      await written(store, lock, ['a', 'b', 'c']);
      const file = journalFile(store, runId);
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      await writeFile(file, `${forge(lines).join('\n')}\n`);
      assert.equal((await read(store)).kind, 'made-elsewhere');
      await assert.rejects(openJournal(store, runId, lock), { code: 'made-elsewhere' });
      await lock.release();
    });
  }

  it('does not verify as the journal of another run', async () => {
    const { store, lock } = await ready();
    await written(store, lock, ['a']);
    const other = '20260115-120000-000000';
    assert.equal((await readJournal(store.key, other, journalFile(store, runId))).kind, 'made-elsewhere');
    await lock.release();
  });

  it('of a newer version is refused politely', async () => {
    const { store, lock } = await ready();
    await written(store, lock, ['a']);
    const file = journalFile(store, runId);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"version":2', '"version":4'));
    await assert.rejects(read(store), { code: 'store-newer' });
    await lock.release();
  });

  it('is not written any more once the lock is lost', async () => {
    const machine = await aMachine();
    const store = await aStore(machine, { clock: new ManualClock(Date.now()) });
    const gone = { ...runLock(store, 'a run'), self: { ...store.self, started: 'before' } };
    const lock = await waitForLock(gone, 0, neverAborted);
    const { writer } = await openJournal(store, runId, lock);
    writer.append('mine');
    await writer.flush();
    const later = { ...store, clock: new ManualClock(Date.now() + 120_000) };
    const next = await waitForLock(runLock(later, 'the next run'), 0, neverAborted);
    writer.append('too late');
    await assert.rejects(writer.flush(), { code: 'busy' });
    await assert.rejects(writer.close(), { code: 'busy' });
    assert.deepEqual(await eventsIn(store), ['mine']);
    await next.release();
    await lock.release();
  });

  it('waits for the disk once for all that is flushed meanwhile', async () => {
    let writes = 0;
    const store = await aStore(await aMachine(), { probe: (point) => (writes += point === 'journal' ? 1 : 0) });
    const lock = await waitForLock(runLock(store, 'a run'), 0, neverAborted);
    const { writer } = await openJournal(store, runId, lock);
    writes = 0;
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        writer.append(index);
        return writer.flush();
      }),
    );
    assert.ok(writes <= 2, `${writes} writes`);
    await writer.close();
    assert.equal((await eventsIn(store)).length, 200);
    await lock.release();
  });

  it('has nothing on disk to lose after a flush', async () => {
    const { store, lock } = await ready();
    const { writer } = await openJournal(store, runId, lock);
    writer.append('a');
    await writer.flush();
    assert.deepEqual(await eventsIn(store), ['a']);
    await writer.close();
    await lock.release();
  });

  it('is empty again after it was cut to nothing', async () => {
    const { store, lock } = await ready();
    await written(store, lock, ['a']);
    await truncate(journalFile(store, runId), 0);
    await written(store, lock, ['b']);
    assert.deepEqual(await eventsIn(store), ['b']);
    await lock.release();
  });

  for (const name of ['..', '../../x', '20260115-120000-abcdef/../x', '']) {
    it(`is not looked for under a run id like “${name}”`, async () => {
      const { places } = await aStore(await aMachine());
      assert.throws(() => runFolder(places, name), { code: 'usage' });
    });
  }
});

async function ready(): Promise<{ readonly store: SkillStore; readonly lock: HeldLock }> {
  const store = await aStore(await aMachine());
  return { store, lock: await waitForLock(runLock(store, 'a run'), 0, neverAborted) };
}

async function written(store: SkillStore, lock: HeldLock, events: readonly unknown[]): Promise<void> {
  const { writer }: { writer: JournalWriter } = await openJournal(store, runId, lock);
  for (const event of events) writer.append(event);
  await writer.close();
}

async function read(store: SkillStore) {
  return readJournal(store.key, runId, path.resolve(journalFile(store, runId)));
}

async function eventsIn(store: SkillStore): Promise<readonly unknown[]> {
  const reading = await read(store);
  assert.equal(reading.kind, 'verified');
  return reading.lines.map(({ event }) => event);
}
