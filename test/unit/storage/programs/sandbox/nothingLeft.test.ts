import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { sweepFolders } from '../../../../../src/storage/programs/ownedFolder.js';
import {
  helperMark,
  leaveNothingRunning,
  watchScript,
} from '../../../../../src/storage/programs/sandbox/nothingLeft.js';
import { aSandbox, aScript, needsSandbox, sandboxHelper } from '../../../../builders/aSandbox.js';
import { few, inFull } from '../../../../builders/few.js';
import { neverAborted } from '../../../../builders/storage.js';
import { onlyOn } from '../../../../builders/leaveOut.js';

describe('the helper of the sandbox leaves nothing', function () {
  let child: string;
  before(async function () {
    await needsSandbox(this);
    child = await anOwnersProgram();
  });
  after(async () => {
    if (child !== undefined) await rm(path.dirname(child), { recursive: true });
  });

  for (const moment of few([700, 0, 60, 200, 400])) {
    it(`where it is killed ${moment} ms after it was started`, async () => {
      const others = await helpersOf(process.pid); // an idle one stays for a while
      const running = aSandbox().run(aScript('sleep 4321 & sleep 4321'), neverAborted);
      const helper = await newHelperOf(process.pid, others);
      const mark = await markOf(helper);
      await wait(moment);
      process.kill(helper, 'SIGKILL');
      const began = performance.now();
      assert.equal((await running).kind, 'not-started');
      await soon(async () => (await carrying(mark)).length === 0);
      assert.ok(performance.now() - began < 2_000, `${performance.now() - began} ms`);
      await soon(async () => (await foldersOf(mark)).length === 0);
    });
  }

  it('where it is killed with the one who started it: the next who opens one removes their folder', async () => {
    const owner = anOwner(child, 'sleep 4321');
    const helper = await newHelperOf(owner.pid ?? 0);
    const mark = await markOf(helper);
    await soon(async () => (await carrying(mark)).length > 4); // its program has started
    for (const pid of [owner.pid ?? 0, helper]) process.kill(pid, 'SIGKILL');
    const began = performance.now();
    await soon(async () => (await carrying(mark)).length === 0);
    assert.ok(performance.now() - began < 2_000, `${performance.now() - began} ms`);
    assert.equal((await foldersOf(mark)).length, 1);
    await sweepFolders('/tmp', 'whetstone-sandbox-');
    assert.deepEqual(await foldersOf(mark), []);
  });

  // An end of the one who started it is in the short numbers, above.
  inFull('where the one who started it is told to hang up', async () => {
    const owner = anOwner(child, 'sleep 4321');
    const mark = await markOf(await newHelperOf(owner.pid ?? 0));
    await soon(async () => (await carrying(mark)).length > 4);
    owner.kill('SIGHUP');
    await soon(async () => (await carrying(mark)).length === 0 && (await foldersOf(mark)).length === 0);
  });
});

describe('what ends everything that carries a mark', () => {
  const noMarks = ['', ' ', 'a', '0'.repeat(31), '0'.repeat(33), 'A'.repeat(32), `${'0'.repeat(31)}\n`, '='.repeat(32)];

  it('is never started for what is no mark', () => {
    for (const mark of noMarks) assert.throws(() => leaveNothingRunning(mark), /holds no mark/, JSON.stringify(mark));
  });

  it('looks at the mark before anything else', function () {
    onlyOn(this, 'posix', 'Windows has no shell and no sandbox');
    // Its first two lines alone: the rest would end processes if they let something through.
    const [first = '', second = '', third = ''] = watchScript.split('\n');
    assert.match(third, /^trap /);
    const ends = (mark: string): number | null =>
      spawnSync('/bin/sh', ['-c', `${first}\n${second}\nexit 0`, 'sh', mark]).status;
    for (const mark of noMarks) assert.equal(ends(mark), 64, JSON.stringify(mark));
    assert.equal(ends('0123456789abcdef'.repeat(2)), 0);
  });

  it('is not started by a helper that somebody starts by hand', () => {
    // Without a channel. Its mark is a real one, so that nothing else could be found by it.
    const env = { [helperMark]: `${'f'.repeat(31)}0` };
    const ended = spawnSync(process.execPath, [sandboxHelper], { env, timeout: 20_000 });
    assert.equal(ended.status, 64, String(ended.stderr));
    assert.match(String(ended.stderr), /Whetstone starts it, nobody else/);
  });
});

/** In a folder of its own. */
async function anOwnersProgram(): Promise<string> {
  const child = path.join(await mkdtemp('/var/tmp/whetstone-test-'), 'child.mjs');
  const entry = path.resolve('test/hardening/attack/sandboxChild.ts');
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  await build({ entryPoints: [entry], outfile: child, bundle: true, platform: 'node', format: 'esm', banner });
  return child;
}

function anOwner(child: string, script: string): ChildProcess {
  return spawn(process.execPath, [child, sandboxHelper, script], {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], TMPDIR: '/tmp' },
  });
}

async function soon(holds: () => Promise<boolean>): Promise<void> {
  for (const until = performance.now() + 15_000; performance.now() < until; await wait(40)) if (await holds()) return;
  throw new Error('It did not come to that.');
}

async function helpersOf(owner: number): Promise<readonly number[]> {
  const all = await carrying(`${helperMark}=`);
  const parents = await Promise.all(all.map(parentOf));
  return all.filter((_, index) => parents[index] === owner);
}

async function newHelperOf(owner: number, others: readonly number[] = []): Promise<number> {
  let found: number | undefined;
  await soon(async () => (found = (await helpersOf(owner)).find((pid) => !others.includes(pid))) !== undefined);
  return found ?? 0;
}

async function parentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

async function markOf(pid: number): Promise<string> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
  return new RegExp(`${helperMark}=([0-9a-f]{32})`, 'u').exec(environment)?.[1] ?? 'none';
}

/** Every process with these words in its environment. */
async function carrying(words: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1);
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')));
  return pids.filter((_, index) => texts[index]?.includes(words));
}

async function foldersOf(mark: string): Promise<readonly string[]> {
  const names = (await readdir('/tmp')).filter((name) => name.startsWith('whetstone-sandbox-'));
  const owners = names.map((name) => path.join('/tmp', name, 'owner.json'));
  const texts = await Promise.all(owners.map((file) => readFile(file, 'utf8').catch(() => '')));
  return owners.filter((_, index) => texts[index]?.includes(mark));
}
