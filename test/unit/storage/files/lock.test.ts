import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  describeHolder,
  holderAtWork,
  type LockRequest,
  runPace,
  tryLock,
  waitForLock,
  withLock,
} from '../../../../src/storage/files/lock.js';
import { makeGeneration, readLock } from '../../../../src/storage/files/lockFile.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { noProbe } from '../../../../src/storage/files/durableWrite.js';
import { type ProcessIdentity, thisProcess } from '../../../../src/storage/files/runningProcess.js';
import { aMachine, neverAborted, scrapMachines } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { startChild } from '../children/childProcess.js';

const full = process.env['WHETSTONE_FULL'] === '1';

describe('a lock', () => {
  after(scrapMachines);

  it('is held by one at a time, and free again when it is released', async () => {
    const request = await aRequest();
    const first = await tryLock(request, neverAborted);
    assert.equal(first.kind, 'held');
    const second = await tryLock(request, neverAborted);
    assert.equal(second.kind, 'busy');
    await first.lock.release();
    const third = await tryLock(request, neverAborted);
    assert.equal(third.kind, 'held');
    await third.lock.release();
  });

  it('says who holds it and for what', async () => {
    const request = await aRequest();
    const held = await tryLock({ ...request, what: 'a nightly run' }, neverAborted);
    assert.equal(held.kind, 'held');
    const busy = await tryLock(request, neverAborted);
    assert.equal(busy.kind, 'busy');
    assert.match(describeHolder(busy.holder), new RegExp(`^process ${process.pid} on .* \\(a nightly run\\)$`));
    await held.lock.release();
  });

  it('leaves one small file however often it was taken', async () => {
    const request = await aRequest();
    for (let round = 0; round < 5; round += 1) await withLock(request, 0, neverAborted, () => Promise.resolve());
    assert.deepEqual(await readdir(request.folder), ['skill.5']);
  });

  it('is released when the work under it fails', async () => {
    const request = await aRequest();
    await assert.rejects(
      withLock(request, 0, neverAborted, () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal((await readLock(request)).kind, 'free');
  });

  it('can be released twice without harm to the next holder', async () => {
    const request = await aRequest();
    const first = await waitForLock(request, 0, neverAborted);
    await first.release();
    const second = await waitForLock(request, 0, neverAborted);
    await first.release();
    assert.equal(await second.isHeld(), true);
    await second.release();
  });

  it('stops waiting when asked to', async () => {
    const request = { ...(await aRequest()), clock: nodeClock };
    const held = await waitForLock(request, 0, neverAborted);
    await assert.rejects(waitForLock(request, 60_000, AbortSignal.timeout(30)), { name: 'TimeoutError' });
    await assert.rejects(waitForLock(request, 0, neverAborted), { code: 'busy' });
    await held.release();
  });

  it('is given to exactly one of many who want it at once', async () => {
    const request = await aRequest();
    for (let round = 0; round < 5; round += 1) {
      const attempts = await Promise.all(Array.from({ length: 12 }, () => tryLock(request, neverAborted)));
      const winners = attempts.filter((attempt) => attempt.kind === 'held');
      assert.equal(winners.length, 1);
      for (const winner of winners) await winner.lock.release();
    }
  });

  const silent: readonly {
    name: string;
    holder: Partial<ProcessIdentity>;
    silentMs: number;
    taken: boolean;
  }[] = [
    { name: 'a dead process, at once', holder: { pid: 2 ** 22 + 1 }, silentMs: 0, taken: true },
    { name: 'a dead process, after its time', holder: { pid: 2 ** 22 + 1 }, silentMs: 61_000, taken: true },
    {
      name: 'a dead process whose clock was set back',
      holder: { pid: 2 ** 22 + 1 },
      silentMs: -3_600_000,
      taken: true,
    },
    { name: 'a pid that another process has now', holder: { started: '1' }, silentMs: 61_000, taken: true },
    {
      name: 'a pid that another process has now, at once',
      holder: { started: '1' },
      silentMs: 0,
      taken: true,
    },
    { name: 'an earlier start of this machine', holder: { boot: 'earlier' }, silentMs: 61_000, taken: true },
    { name: 'a living process that was silent for hours', holder: {}, silentMs: 8 * 3_600_000, taken: false },
    { name: 'another machine, before its time', holder: { host: 'other' }, silentMs: 30_000, taken: false },
    { name: 'another machine, after its time', holder: { host: 'other' }, silentMs: 61_000, taken: true },
    {
      name: 'a process that cannot be told from another',
      holder: { started: undefined },
      silentMs: 61_000,
      taken: true,
    },
  ];
  for (const { name, holder, silentMs, taken } of silent) {
    it(`is ${taken ? 'taken over from' : 'left to'} ${name}`, async () => {
      const request = await aRequest();
      const boot = holder.boot === 'earlier' ? request.self.boot.replace(/:.*@/, ':0@') : request.self.boot;
      await leave(request, { ...request.self, ...holder, boot }, request.clock.now() - silentMs);
      const attempt = await turning(request.clock, tryLock(request, neverAborted));
      assert.equal(attempt.kind, taken ? 'held' : 'busy');
      if (attempt.kind === 'held') await attempt.lock.release();
    });
  }

  const unsure: readonly { name: string; holder: Partial<ProcessIdentity>; self?: Partial<ProcessIdentity> }[] = [
    { name: 'another machine of the same name', holder: { boot: 'kernel:0000@pid:[4026531836]' } },
    { name: 'another container of this machine', holder: { boot: 'kernel:1111@pid:[4026530000]' } },
    {
      name: 'a process of a system that does not name its starts',
      holder: { boot: 'derived:177' },
      self: { boot: 'derived:177' },
    },
    { name: 'a machine of another name', holder: { host: 'other' } },
  ];
  for (const { name, holder, self } of unsure) {
    it(`is left for its stale time to ${name}, whose process is not here`, async () => {
      const here = { ...(await aRequest()), self: { ...oneMachine, ...self } };
      await leave(here, { ...oneMachine, ...holder, pid: 2 ** 22 + 1 }, here.clock.now() - 59_000);
      assert.equal((await tryLock(here, neverAborted)).kind, 'busy');
      here.clock.set(here.clock.now() + 2_000);
      const attempt = await turning(here.clock, tryLock(here, neverAborted));
      assert.equal(attempt.kind, 'held');
      await attempt.lock.release();
    });
  }

  it('is one lock for two machines of one name on one folder: the one that works keeps it', async () => {
    const here = { ...(await aRequest()), self: oneMachine };
    const there = { ...here, self: { ...oneMachine, boot: 'kernel:0000@pid:[4026531836]', pid: 2 ** 22 + 1 } };
    const held = await waitForLock(there, 0, neverAborted);
    for (let minute = 0; minute < 5; minute += 1) {
      for (let beat = 0; beat < 6; beat += 1) {
        await until(() => here.clock.sleeping === 1);
        await here.clock.advance(runPace.beatMs);
      }
      assert.equal((await tryLock(here, neverAborted)).kind, 'busy');
      assert.equal((await holderAtWork(here))?.pid, there.self.pid);
    }
    assert.equal(held.lost.aborted, false);
    await held.release();
    const next = await tryLock(here, neverAborted);
    assert.equal(next.kind, 'held');
    await next.lock.release();
  });

  it('that an earlier version left, without the time its holder started, is read', async () => {
    const request = await aRequest();
    const { host, boot } = request.self;
    const held = { format: 'whetstone-lock', version: 1, state: 'held', host, boot, what: 'a run', token: 't' };
    await mkdir(request.folder, { recursive: true });
    const file = path.join(request.folder, 'skill.1');
    await writeFile(file, JSON.stringify({ ...held, pid: process.pid, since: request.clock.now() }));
    assert.equal((await tryLock(request, neverAborted)).kind, 'busy');
    await writeFile(file, JSON.stringify({ ...held, pid: 2 ** 22 + 1, since: request.clock.now() }));
    const attempt = await tryLock(request, neverAborted);
    assert.equal(attempt.kind, 'held');
    await attempt.lock.release();
  });

  it('is left to a holder of another machine that shows life while it is watched', async () => {
    const request = await aRequest();
    const other = { ...request, self: { ...request.self, host: 'other' } };
    const held = await waitForLock(other, 0, neverAborted);
    request.clock.set(request.clock.now() + 120_000);
    const attempt = tryLock(request, neverAborted);
    await until(() => request.clock.sleeping === 2);
    await request.clock.advance(20_000);
    assert.equal((await turning(request.clock, attempt)).kind, 'busy');
    assert.equal(held.lost.aborted, false);
    await held.release();
  });

  it('tells its former holder that it is lost', async () => {
    const request = await aRequest();
    const slow = { ...request, self: { ...request.self, started: 'long ago' }, clock: new ManualClock() };
    const former = await waitForLock(slow, 0, neverAborted);
    request.clock.set(request.clock.now() + 120_000);
    const next = await tryLock(request, neverAborted);
    assert.equal(next.kind, 'held');
    assert.equal(await former.isHeld(), false);
    assert.equal(former.lost.aborted, true);
    await former.release();
    assert.equal(await next.lock.isHeld(), true);
    await next.lock.release();
  });

  it('is taken over after its time when its file was cut off while it was written', async () => {
    const request = await aRequest();
    await mkdir(request.folder, { recursive: true });
    await writeFile(path.join(request.folder, 'skill.3'), '{"format":"whet');
    request.clock.set(Date.now() + 30_000);
    assert.equal((await tryLock(request, neverAborted)).kind, 'busy');
    request.clock.set(Date.now() + 90_000);
    const attempt = await turning(request.clock, tryLock(request, neverAborted));
    assert.equal(attempt.kind, 'held');
    await attempt.lock.release();
  });

  it('shows life while it is held', async () => {
    const request = await aRequest();
    const lock = await waitForLock(request, 0, neverAborted);
    const before = await readLock(request);
    await until(() => request.clock.sleeping === 1);
    await request.clock.advance(runPace.beatMs);
    await until(async () => {
      const now = await readLock(request);
      return now.kind === 'held' && before.kind === 'held' && now.beatAt - before.beatAt === runPace.beatMs;
    });
    await lock.release();
  });
});

describe('a lock between real processes', () => {
  after(scrapMachines);

  it('lets no two of them in at once', async () => {
    const { home } = await aMachine();
    const file = path.join(home, 'number');
    await writeFile(file, '0');
    const [processes, rounds] = full ? [6, 50] : [2, 15];
    const order = { folder: path.join(home, 'locks'), key: 'skill', file, rounds };
    const children = await Promise.all(Array.from({ length: processes }, () => startChild('count', order)));
    for (const child of children) assert.deepEqual(await child.gone, { code: 0, signal: null });
    assert.equal(await readFile(file, 'utf8'), String(processes * rounds));
  });

  it('is taken over from a killed one at once', async () => {
    const { home } = await aMachine();
    const order = { folder: path.join(home, 'locks'), key: 'skill' };
    const child = await startChild('hold', order);
    assert.equal(await child.said, 'held');
    const clock = new ManualClock(Date.now());
    const request = { ...(await aRequest()), ...order, clock };
    assert.equal((await tryLock(request, neverAborted)).kind, 'busy');
    child.process.kill('SIGKILL');
    await child.gone;
    const attempt = await tryLock(request, neverAborted);
    assert.equal(attempt.kind, 'held');
    await attempt.lock.release();
  });
});

/** A process on a start of a machine that is not this one: its kernel is asked nothing. */
const oneMachine: ProcessIdentity = {
  host: 'laptop',
  boot: 'kernel:1111@pid:[4026531836]',
  pid: process.pid,
  started: '1',
};

async function aRequest(): Promise<LockRequest & { readonly clock: ManualClock }> {
  const { home } = await aMachine();
  return {
    folder: path.join(home, 'locks'),
    key: 'skill',
    what: 'a test',
    pace: runPace,
    self: await thisProcess(),
    clock: new ManualClock(Date.now()),
    probe: noProbe,
  };
}

/** Leaves a lock behind as if `self` had taken it at `since` and fallen silent. */
async function leave(request: LockRequest, self: ProcessIdentity, since: number): Promise<void> {
  await mkdir(request.folder, { recursive: true });
  const left = await makeGeneration(request, 1, { ...self, what: 'a run', since, token: 't' });
  await left?.close();
}

/** Turns the clock as long as `pending` waits for it. */
async function turning<T>(clock: ManualClock, pending: Promise<T>): Promise<T> {
  const state = { done: false };
  const finished = pending.finally(() => (state.done = true));
  await until(async () => {
    if (!state.done && clock.sleeping > 0) await clock.advance(runPace.beatMs);
    return state.done;
  });
  return finished;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
