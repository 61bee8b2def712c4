import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtProgram, builtWindow } from './children/builtProgram.js';
import { fakeCrontab } from './children/fakeCrontab.js';
import type { WindowOrder } from './children/window.js';
import { firstTasks } from './nightWorkspace.js';
import { inFull, isFull } from '../builders/few.js';
import { onlyOn } from '../builders/leaveOut.js';

/** A process of its own, with what it said. */
interface Running {
  readonly child: ChildProcess;
  readonly end: Promise<{ readonly code: number | null; readonly output: string }>;
}

describe('one night for all windows and processes', () => {
  let program: { readonly cli: string; readonly window: string };
  const roots: string[] = [];

  before(async function () {
    program = { ...(await builtProgram()), window: await builtWindow() };
  });
  after(() => roots.forEach((root) => rmSync(root, { recursive: true, force: true })));

  it('runs once, whoever looks at the clock in the same minute: two windows and the operating system', async function () {
    const place = aPlace();
    await turnOnBefore(place);
    const install = await run(cli(place, 'schedule', '--install', '--model', place.model, '--at', place.at)).end;
    assert.equal(install.code, 0, install.output);
    const id = /whetstone ([0-9a-f]{12}) /.exec(install.output)?.[1] ?? '';
    const all = [window(place), window(place), cli(place, 'night', '--scheduled', id)].map(run);
    const ends = await Promise.all(all.map(({ end }) => end));
    const outputs = ends.map(({ output }) => output);
    const ran = outputs.filter((output) => /"outcomes":\["proposed"\]|^incident-summary +proposed/m.test(output));
    assert.equal(ran.length, 1, outputs.join('\n---\n'));
    assert.equal(runsIn(place.folder), 1);
    const others = outputs.filter((output) => !ran.includes(output));
    for (const output of others) assert.match(output, /"decision":"(?:wait|skip)"|dealt with already|did not run/);
  });

  // In the short numbers: a lock between real processes, of which one is killed.
  inFull('is taken over from a killed process at once, for the kernel says that it is dead', async function () {
    onlyOn(this, 'linux', 'elsewhere the kernel does not name its starts');
    const place = aPlace('simulated?latency=300');
    const first = run(cli(place, 'night', '.', '--model', place.model));
    while (runsIn(place.folder) === 0) await pause(50);
    await pause(200);
    first.child.kill('SIGKILL');
    await first.end;

    const end = await run(cli(place, 'night', '.', '--model', 'simulated')).end;
    assert.equal(end.code, 0, end.output);
    assert.match(end.output, /incident-summary +proposed/);
    assert.doesNotMatch(end.output, /waiting until its lock has run out/);
    assert.equal(runsIn(place.folder), 2);
  });

  interface Place {
    readonly folder: string;
    readonly state: string;
    readonly at: string;
    readonly model: string;
    readonly bin: string;
  }

  function aPlace(model = 'simulated?latency=20'): Place {
    const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-processes-')));
    roots.push(root);
    const folder = path.join(root, 'workspace');
    cpSync(path.resolve('media/demo/.claude'), path.join(folder, '.claude'), { recursive: true });
    mkdirSync(path.join(folder, '.git'));
    const tasks = path.join(folder, '.claude/skills/incident-summary/evals/evals.json');
    if (!isFull) writeFileSync(tasks, firstTasks(readFileSync(tasks, 'utf8'), 10));
    const now = new Date();
    const at = `${two(now.getHours())}:${two(now.getMinutes())}`;
    return { folder, state: path.join(root, 'state'), at, model, bin: fakeCrontab(root) };
  }

  /** An hour ago somebody turned the schedule on: from then on it waits for its time. */
  async function turnOnBefore(place: Place): Promise<void> {
    const { output } = await run(window(place, 3_600_000)).end;
    assert.match(output, /"decision":"wait"/);
  }

  function window(place: Place, behindMs = 0): readonly string[] {
    const order: WindowOrder = {
      folder: place.folder,
      skills: [path.join(place.folder, '.claude/skills/incident-summary/SKILL.md')],
      state: place.state,
      at: place.at,
      model: place.model,
      behindMs,
    };
    return [place.folder, place.state, place.bin, program.window, JSON.stringify(order)];
  }

  function cli(place: Place, ...words: readonly string[]): readonly string[] {
    return [place.folder, place.state, place.bin, program.cli, ...words];
  }
});

function run([folder, state, bin, ...words]: readonly string[]): Running {
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, WHETSTONE_HOME: state },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (output += data.toString()));
  return { child, end: once(child, 'close').then(() => ({ code: child.exitCode, output })) };
}

function runsIn(folder: string): number {
  try {
    return readdirSync(path.join(folder, '.whetstone', 'runs')).length;
  } catch {
    return 0;
  }
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
