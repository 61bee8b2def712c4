import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import type { WorkEntry } from '../../../src/ports/agentWork.js';
import type { PortableProgram } from '../../../src/ports/workerPrograms.js';
import { envelopesOf } from '../../../src/queue/envelope.js';
import { jobId, laneName, programLane, type Lane } from '../../../src/queue/job.js';
import { lookAt } from '../../../src/queue/openQueue.js';
import { programToSend } from '../../../src/queue/programJob.js';
import { keyOf, prefix } from '../../../src/queue/redis.js';
import { treeOf } from '../../../src/storage/programs/workplace/workTree.js';
import { aRedis, needRedis, type TestRedis } from '../../builders/aRedis.js';
import { isFull } from '../../builders/few.js';
import { aRequest, ScriptedModel } from '../../fakes/ScriptedModel.js';
import { aWorker, namedQueue, secret } from './aQueue.js';
import { aProgramFolder, bareWorkerPrograms, portable, type ProgramFolder } from './somePrograms.js';

const envelopes = envelopesOf(secret);
let expiresAt = 0; // set when the tests begin: with the full numbers that is long after this file was loaded
const task = { input: '', timeLimitMs: 5_000, outputLimitBytes: 1_000 };

interface Forged {
  readonly body: object;
  readonly why: string;
}

/** Somebody who was given the secret, and asks for more than a worker was started for. */
describe('a program that is forged on a queue', () => {
  let redis: TestRedis;
  let folder: ProgramFolder;
  let connection: Redis;

  before(async function () {
    needRedis(this);
    expiresAt = Date.now() + 600_000;
    redis = await aRedis();
    folder = aProgramFolder({ 'check.sh': 'exit 0\n', 'notes.txt': 'Moored.' });
    connection = new Redis(redis.url, { maxRetriesPerRequest: null });
  });
  after(async () => {
    connection?.disconnect();
    folder?.dispose();
    await redis?.dispose();
  });

  it('never runs: what is not in the list, or changed by a byte, or a hostile folder, is refused and counted', async () => {
    const { program, hash } = await portable(folder.request());
    const programs = bareWorkerPrograms([hash]);
    const lane = programLane([hash]);
    const worker = await aWorker(redis.url, new ScriptedModel(), { environments: 'chat,program', programs });
    const queue = new Queue(laneName(lane), { connection, prefix });
    try {
      const forged = [...(await changedPrograms(program)), ...(await hostileFolders(program)), ...misplaced(lane)];
      let number = 0;
      for (const { body } of forged) await queue.add('call', sealedJob((number += 1), lane, body), jobOf(number));
      const refused = await refusedBy(redis.url, forged.length);
      const reasons = [...new Set(forged.map(({ why }) => why))];
      const expected = reasons.map((why) => [why, forged.filter((each) => each.why === why).length] as const);
      assert.deepEqual(refused, Object.fromEntries(expected));
      assert.equal(programs.ran.length, 0, 'nothing ran');

      const body = await programToSend(program, task, { redis: connection, envelopes, expiresAt });
      await queue.add('call', sealedJob((number += 1), lane, body), jobOf(number));
      for (let looks = 0; looks < 100 && programs.ran.length === 0; looks += 1) await wait(50);
      assert.equal(programs.ran.length, 1, 'and what is in the list did');
      process.stdout.write(`      ${forged.length} kinds of forged programs and folders: none ran\n`);
    } finally {
      await queue.close();
      await worker.stop();
    }
  });

  async function changedPrograms(program: PortableProgram): Promise<readonly Forged[]> {
    const entries = program.folder?.entries ?? [];
    const withEntries = (change: (entry: WorkEntry & { kind: 'file' }) => WorkEntry): PortableProgram => ({
      ...program,
      folder: treeOf(entries.map((entry) => (entry.kind === 'file' ? change(entry) : entry))),
    });
    const start = (command: string, words: readonly string[]): PortableProgram => ({
      ...program,
      start: { kind: 'command', command, arguments: words },
    });
    const changed: readonly PortableProgram[] = [
      start('/bin/bash', ['check.sh']),
      start('/bin/sh', ['check.sh', '-x']),
      start('/bin/sh', ['-c', 'id']),
      { ...program, start: { kind: 'module', file: 'check.sh' } },
      { ...program, hosts: ['example.com'] },
      { ...program, folder: undefined },
      { ...program, folder: treeOf(entries.slice(1)) },
      { ...program, folder: treeOf([...entries, { kind: 'link', path: 'more', to: 'notes.txt' }]) },
      withEntries((entry) => (entry.path === 'notes.txt' ? { ...entry, bytes: flipped(entry.bytes) } : entry)),
      withEntries((entry) => (entry.path === 'check.sh' ? { ...entry, bytes: flipped(entry.bytes) } : entry)),
      withEntries((entry) => (entry.path === 'check.sh' ? { ...entry, executable: true } : entry)),
      withEntries((entry) => (entry.path === 'notes.txt' ? { ...entry, path: 'note.txt' } : entry)),
    ];
    return Promise.all(
      changed.map(async (each) => ({
        body: await programToSend(each, task, { redis: connection, envelopes, expiresAt }),
        why: 'program',
      })),
    );
  }

  /** The program of the list, with folders that nobody could make by packing one. */
  async function hostileFolders(program: PortableProgram): Promise<readonly Forged[]> {
    const folders: readonly unknown[] = [
      [file('../out')],
      [file('a/../../out')],
      [file('/etc/cron.d/out')],
      [file('a//b')],
      [file('./a')],
      [file('')],
      [file('.git/hooks/pre-commit')],
      [file('a\0b')],
      [link('out', '/etc')],
      [link('out', '../..')],
      [link('a', 'b'), link('b', '..')],
      [link('a', '.'), file('a/b')],
      [file('a'), file('a')],
      [file('a'), file('a/b')],
      Array.from({ length: 20_001 }, (_, index) => file(`f${index}`)),
      [{ kind: 'device', path: 'a' }],
      'no entries',
    ];
    const packed = folders.map((entries) => Buffer.from(JSON.stringify({ entries })));
    // Larger than any folder may be, and longer than any envelope of one.
    const huge = isFull ? [Buffer.alloc(34 * 1024 * 1024, 0x20)] : [];
    const { program: sent } = await programToSend(program, task, { redis: connection, envelopes, expiresAt });
    return Promise.all(
      [...packed, Buffer.from('{'), ...huge].map(async (bytes) => {
        const address = envelopes.addressOf(bytes);
        const label = { kind: 'blob', id: address, runId: '', expiresAt } as const;
        await connection.set(keyOf.blob(address), envelopes.seal(label, bytes));
        return { body: { program: { ...sent, folder: address }, task }, why: 'archive' };
      }),
    );
  }
});

function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
}

function file(name: string): object {
  return { kind: 'file', path: name, bytes: '', executable: false };
}

function link(name: string, to: string): object {
  return { kind: 'link', path: name, to };
}

function misplaced(lane: Lane): readonly Forged[] {
  const program = { start: { kind: 'command', command: 'id', arguments: [] }, hosts: [] };
  return [
    { body: { request: aRequest({ role: 'judge' }) }, why: 'environment' },
    { body: { request: aRequest() }, why: 'role' },
    { body: { program, task, lane: programLane(['0'.repeat(64)]) }, why: 'misplaced' },
    { body: { program, task, lane: { ...lane, role: 'target' } }, why: 'misplaced' },
    { body: { program: { ...program, folder: 7 }, task }, why: 'malformed' },
    { body: { program: { ...program, environment: { LD_PRELOAD: 'x' } }, task }, why: 'malformed' },
    { body: { program, task, request: aRequest() }, why: 'malformed' },
  ];
}

function idOf(number: number): string {
  return jobId('forged', 'k'.repeat(64), number);
}

function jobOf(number: number) {
  return { jobId: idOf(number), attempts: 1 };
}

function sealedJob(number: number, lane: Lane, body: object): { readonly sealed: string } {
  const content = JSON.stringify({ version: 1, nonce: 'n'.repeat(32), lane, ...body });
  return { sealed: envelopes.seal({ kind: 'job', id: idOf(number), runId: 'forged', expiresAt }, content) };
}

/** What the workers have refused, by the reason, once there is as much as expected or nothing changes any more. */
async function refusedBy(url: string, expected: number): Promise<Readonly<Record<string, number>>> {
  for (let looks = 0; ; looks += 1) {
    await wait(100);
    const { workers } = await lookAt(namedQueue(url));
    const refused = workers[0]?.refused ?? {};
    const count = Object.values(refused).reduce((sum, each) => sum + each, 0);
    if (count >= expected || looks > 150) return refused;
  }
}
