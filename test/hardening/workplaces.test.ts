import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import type { Workplace, Workplaces } from '../../src/ports/workplace.js';
import { drawCanaries } from '../../src/storage/programs/workplace/canaries.js';
import { sweepFolders } from '../../src/storage/programs/ownedFolder.js';
import { aSandbox, needsSandbox, sandboxHelper } from '../builders/aSandbox.js';
import { aWorkTree } from '../builders/aWorkTree.js';
import { inFull, isFull } from '../builders/few.js';
import { someWorkplaces } from '../builders/someWorkplaces.js';
import { neverAborted } from '../builders/storage.js';
import { hostileWork, type HostileWork, type WorkBait } from './attack/hostileWork.js';
import { figure, isWhole } from './figures.js';

/** A few in `npm test`. */
const inShort = ['asks git for the answers', 'leads the folder of the check elsewhere', 'asks the planted host'];

const kills = 20;

describe('hostile work of agents', () => {
  let place: Person;
  let workplaces: Workplaces;
  before(async function () {
    await needsSandbox(this);
    place = await aPerson();
    const { home, workspace, state } = place;
    const sandbox = aSandbox({ home, closed: [workspace, state], sealed: [state], masks: true });
    workplaces = someWorkplaces({
      sandbox: () => sandbox,
      sandboxState: (signal) => sandbox.state(signal),
      workspace: () => [workspace],
    });
  });
  after(() => place?.dispose());

  it('gets nothing out, leaves nothing outside, deceives no judge and touches no canary unnoticed', async () => {
    const secret = place.secret();
    const beside = await workplaces.open(
      { ...plan(), fixture: aWorkTree({ secret }), canaries: drawCanaries() },
      neverAborted,
    );
    const other = path.dirname(beside.folders.work);
    const baits = { ...place, other, host: 'x.invalid' };
    const names = hostileWork(baits).map(({ name }) => name);
    assert.deepEqual([names.length, new Set(names).size], [60, 60]);
    const before = place.look();
    const broken: string[] = [];
    const chosen = isFull || isWhole ? names : inShort;
    for (const name of chosen) broken.push(...(await whatBroke(name, baits)));
    assert.equal(readFileSync(path.join(beside.folders.work, 'secret'), 'utf8'), secret);
    await beside.close();
    if (place.look() !== before) broken.push('What is outside changed.');
    figure({
      what: 'hostile work of agents',
      tried: chosen.length,
      result: `${broken.length} got a secret, left a byte, deceived a judge or touched a canary unnoticed`,
    });
    assert.deepEqual(broken, []);
  });

  inFull(
    'leaves nothing behind where we are killed in the middle of it, and changes nothing of the person’s',
    async () => {
      const child = await placeChild();
      const before = place.look();
      const broken: string[] = [];
      for (let point = 0; point < kills; point += 1) broken.push(...(await killedAt(child, (point * 2_000) / kills)));
      if (place.look() !== before) broken.push('What is the person’s changed.');
      figure({
        what: 'killed in the middle of an agent’s work',
        tried: kills,
        result: `${broken.length} left something`,
      });
      assert.deepEqual(broken, []);
    },
  );

  async function killedAt(child: string, ms: number): Promise<readonly string[]> {
    const script = `(setsid bash -c 'exec -a ${place.mark} sleep 300' >/dev/null 2>&1 &); exec -a ${place.mark} sleep 0.4`;
    const owner = spawn(process.execPath, [child, sandboxHelper, script, place.workspace], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'] },
    });
    await once(owner.stdout, 'data');
    await wait(ms);
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    await ended;
    const helperLeft = (): boolean => ownedBy(owner.pid).some((name) => name.includes('-sandbox-'));
    const gone = await soon(() => place.processes().length === 0 && !helperLeft());
    await sweepFolders('/tmp', 'whetstone-place-'); // as the next one does who opens a place
    return [
      ...(gone ? [] : [`Killed after ${ms} ms it left ${place.processes().join()}`]),
      ...ownedBy(owner.pid).map((folder) => `Killed after ${ms} ms it left ${folder}`),
    ];
  }

  async function whatBroke(name: string, baits: WorkBait): Promise<readonly string[]> {
    const canaries = drawCanaries();
    const hostile = hostileWork({ ...baits, host: canaries.host }).find((each) => each.name === name);
    assert.ok(hostile);
    const opened = await workplaces.open({ ...plan(), canaries }, neverAborted);
    try {
      return await lookedAt(opened, hostile, place.secrets);
    } finally {
      await opened.close();
      assert.equal(existsSync(path.dirname(opened.folders.work)), false, `${name} left its folder`);
    }
  }

  async function lookedAt(
    opened: Workplace,
    { name, script, touches = [] }: HostileWork,
    secrets: readonly string[],
  ): Promise<readonly string[]> {
    const lines: string[] = [];
    const run = {
      program: { path: '/bin/bash', command: '/bin/bash', before: [] },
      start: () => ({ arguments: ['-c', script], environment: {}, input: '' }),
      onLine: (line: string) => void lines.push(line),
      outputLimitBytes: 8_000_000,
      reach: {},
    };
    const end = await opened.run(run, AbortSignal.timeout(60_000));
    const left = await opened.left(lines, neverAborted);
    const token = randomBytes(8).toString('hex');
    const check = `#!/bin/sh\ngit status --short | head -3\ngit log --oneline | head -3\necho judged ${token}; exit 7\n`;
    const judge = {
      command: './tests/check.sh',
      arguments: [],
      timeLimitMs: 30_000,
      brings: aWorkTree({ 'tests/check.sh*': check }),
    };
    const judged = await opened.judge(judge, neverAborted);
    const told = JSON.stringify([lines, left.diff, left.changed, judged]);
    const noticed = new Set<string>(left.touched.map(({ canary }) => canary));
    const isSound =
      judged.kind === 'exited' &&
      judged.code === 7 &&
      judged.output.includes(token) &&
      !judged.output.includes('spoilt');
    return [
      ...(end.kind === 'exited' ? [] : [`${name} did not run: ${JSON.stringify(end)}`]),
      ...secrets.filter((secret) => told.includes(secret)).map(() => `${name} got a secret: ${told.slice(0, 900)}`),
      ...(isSound ? [] : [`${name} deceived the judge: ${JSON.stringify(judged)}`]),
      ...touches.filter((canary) => !noticed.has(canary)).map((canary) => `${name} touched ${canary} unnoticed`),
      ...[...noticed]
        .filter((canary) => touches.every((each) => each !== canary))
        .map((canary) => `${name} was said to touch ${canary}`),
      ...(left.tooMuch === (name === 'leaves too much')
        ? []
        : [`${name} left ${left.tooMuch ? 'too much' : 'nothing'}`]),
      ...place.markedFiles().map((file) => `${name} left ${file}`),
      ...place.processes().map((line) => `${name} left the process ${line}`),
    ];
  }
});

function plan() {
  return {
    fixture: aWorkTree({ 'a.txt': 'first\n', 'tests/keep': '' }),
    skill: { name: 'dates', files: aWorkTree({ 'SKILL.md': '---\nname: dates\n---\nWrite dates.\n' }) },
    skillsFolder: '.agents/skills',
  };
}

async function placeChild(): Promise<string> {
  const outfile = path.join(path.dirname(sandboxHelper), 'placeChild.mjs');
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" };
  const entryPoints = [path.resolve('test/hardening/attack/placeChild.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', banner });
  return outfile;
}

async function soon(holds: () => boolean): Promise<boolean> {
  for (const until = performance.now() + 15_000; performance.now() < until; await wait(40)) if (holds()) return true;
  return holds();
}

function ownedBy(pid: number | undefined): readonly string[] {
  const names = readdirSync('/tmp').filter((name) => /^whetstone-(?:place|sandbox)-/u.test(name));
  return names.filter((name) => {
    try {
      return readFileSync(path.join('/tmp', name, 'owner.json'), 'utf8').includes(`"pid":${pid},`);
    } catch {
      return false;
    }
  });
}

/** The person whose machine it is. */
interface Person {
  readonly workspace: string;
  readonly home: string;
  readonly state: string;
  readonly mark: string;
  readonly secrets: string[];
  /** One more. */
  secret(): string;
  /** All that lies there, with contents, permissions and times. */
  look(): string;
  markedFiles(): readonly string[];
  processes(): readonly string[];
  dispose(): Promise<void>;
}

async function aPerson(): Promise<Person> {
  const base = await realpath(await mkdtemp('/var/tmp/whetstone-hostile-'));
  const at = (...names: string[]): string => path.join(base, ...names);
  const secrets: string[] = [];
  const secret = (): string => {
    secrets.push(`secret-${randomBytes(12).toString('hex')}`);
    return secrets.at(-1) ?? '';
  };
  const files = ['workspace/secret', 'workspace/evals/answers.json', 'home/secret', 'home/.ssh/id', 'state/secret'];
  for (const name of files) {
    await mkdir(path.dirname(at(name)), { recursive: true });
    await writeFile(at(name), secret());
  }
  const git = (...words: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: at('workspace') });
  git('init', '-q', '.');
  git('add', '-A');
  git('commit', '-q', '-m', 'x');
  const mark = `hostile-${randomBytes(6).toString('hex')}`;
  const places = [
    '/',
    '/etc',
    '/tmp',
    '/var/tmp',
    '/dev/shm',
    os.homedir(),
    base,
    ...['workspace', 'home', 'state'].map((name) => at(name)),
  ];
  return {
    workspace: at('workspace'),
    home: at('home'),
    state: at('state'),
    mark,
    secrets,
    secret,
    look: () => everythingIn(base),
    markedFiles: () => places.flatMap((folder) => readdirSync(folder).filter((name) => name.startsWith(mark))),
    processes: () => runningAs(mark),
    dispose: () => rm(base, { recursive: true, force: true }),
  };
}

function everythingIn(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const told = names.map((name) => {
    const found = lstatSync(path.join(folder, name));
    const text = found.isFile() ? readFileSync(path.join(folder, name), 'latin1') : '';
    return `${name} ${found.mode} ${found.mtimeMs} ${found.nlink} ${text}`;
  });
  return told.join('\n');
}

function runningAs(mark: string): readonly string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/u.test(name) && name !== String(process.pid));
  const lines = pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return ''; // It has ended.
    }
  });
  return lines.filter((line) => line.startsWith(mark));
}
