import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodeClock } from '../../src/storage/files/nodeAdapters.js';
import { createUseCases } from '../../src/app/useCases.js';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import { builtProgram } from './children/builtProgram.js';
import { fakeCrontab } from './children/fakeCrontab.js';
import { firstTasks } from './nightWorkspace.js';
import { inFull, isFull } from '../builders/few.js';

const mine = '# my own lines\n5 4 * * 1 /usr/bin/true # weekly\n';

describe('nights that the operating system starts', () => {
  let place: Place;

  before(async function () {
    place = await aPlace();
  });
  after(() => rmSync(place.root, { recursive: true, force: true }));

  it('are shown first: the exact text, the files, and nothing is changed', () => {
    const { code, output } = place.run('schedule', '--model', 'simulated', '--at', '04:10');
    assert.equal(code, 0, output);
    assert.match(output, /^10 4 \* \* \* \/bin\/sh -c '/m);
    assert.match(output, /\(0600, holds keys, not shown\)/);
    assert.match(output, /Nothing is installed/);
    assert.equal(readFileSync(place.table, 'utf8'), mine);
    assert.equal(existsSync(path.join(place.state, 'os-schedule')), false);
  });

  it('are refused with the reason where the doctor finds one in the bare environment, and nothing stays', function () {
    const { code, output } = place.run('schedule', '--install', '--model', 'openai/gpt-5-mini');
    assert.equal(code, 2, output);
    assert.match(output, /no API key for OpenAI.* So a night would not run while VS Code is closed\./);
    assert.equal(readFileSync(place.table, 'utf8'), mine);
    assert.deepEqual(place.secrets(), []);
  });

  // One reason to refuse them is in the short numbers, above.
  inFull('are refused on a model that only a window can ask', () => {
    const { code, output } = place.run('schedule', '--install', '--model', 'vscode/copilot/gpt-4.1');
    assert.equal(code, 2, output);
    assert.match(output, /“vscode\/copilot\/gpt-4\.1” is a model of VS Code: only an open window can ask it\./);
    assert.equal(readFileSync(place.table, 'utf8'), mine);
  });

  inFull('are refused where no model is named', () => {
    const { code, output } = place.run('schedule', '--install');
    assert.equal(code, 2);
    assert.match(output, /No model is named/);
  });

  it('are installed beside the lines that are there, each of which keeps its bytes', function () {
    const { code, output } = place.run(
      'schedule',
      '--install',
      '--model',
      'simulated',
      '--at',
      '04:10',
      '--preset',
      'quick',
    );
    assert.equal(code, 0, output);
    const table = readFileSync(place.table, 'utf8');
    assert.ok(table.startsWith(mine));
    assert.match(table, /^10 4 \* \* \* \/bin\/sh -c /m);
    for (const file of place.secrets()) assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(place.secrets().length, 1);
  });

  it('run from the exact line, in a bare environment, after the program that installed them is gone', function () {
    rmSync(place.program, { recursive: true });
    const { status } = spawnSync('/bin/sh', ['-c', commandIn(readFileSync(place.table, 'utf8'))], {
      cwd: '/',
      env: { HOME: place.root, LOGNAME: 'somebody', SHELL: '/bin/sh', PATH: '/usr/bin:/bin' },
    });
    const log = place.log();
    assert.equal(status, 0, log);
    assert.match(log, /incident-summary +proposed/);
  });

  it('are shown in the extension with who started them', async () => {
    const [night] = await place.lastNights();
    assert.equal(night?.startedBy, 'operating-system');
    assert.equal(night.skills[0]?.outcome, 'proposed');
  });

  // In the short numbers: windows and the system in the same minute.
  inFull('run once for a scheduled time, however often the system starts them', function () {
    spawnSync('/bin/sh', ['-c', commandIn(readFileSync(place.table, 'utf8'))], { cwd: '/', env: {} });
    assert.match(place.log(), /dealt with already/);
  });

  inFull('are taken away without a trace in the crontab', async function () {
    await place.restoreProgram();
    assert.equal(place.run('schedule', '--remove').code, 0);
    assert.equal(readFileSync(place.table, 'utf8'), mine);
    assert.deepEqual(place.secrets(), []);
    assert.match(place.run('schedule', '--remove').output, /No schedule was installed/);
  });

  // Waits for the next minute of a real cron: part of the full numbers, where a cron can be started.
  const full = process.env['WHETSTONE_FULL'] === '1' && process.getuid?.() === 0 && hasCron();
  (full ? it : () => undefined)('really fire: cron starts the installed line', async function () {
    this.timeout(240_000);
    const real = await aPlace({ realCron: true });
    const daemon = spawn(cronProgram(), ['-f'], { stdio: 'ignore' });
    try {
      const soon = new Date(Date.now() + 75_000);
      const at = `${two(soon.getHours())}:${two(soon.getMinutes())}`;
      const installed = real.run('schedule', '--install', '--model', 'simulated', '--at', at, '--preset', 'quick');
      assert.equal(installed.code, 0, installed.output);
      for (let waited = 0; waited < 150 && !real.log().includes('proposed'); waited++) await pause(1_000);
      assert.match(real.log(), /incident-summary +proposed/);
      assert.equal((await real.lastNights())[0]?.startedBy, 'operating-system');
    } finally {
      real.run('schedule', '--remove');
      daemon.kill();
      rmSync(real.root, { recursive: true, force: true });
    }
  });
});

interface Place {
  readonly root: string;
  readonly state: string;
  readonly table: string;
  readonly program: string;
  run(...words: readonly string[]): { readonly code: number | null; readonly output: string };
  secrets(): readonly string[];
  log(): string;
  lastNights(): Promise<readonly NightResult[]>;
  restoreProgram(): Promise<void>;
}

async function aPlace({ realCron = false } = {}): Promise<Place> {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-os-')));
  const folder = path.join(root, 'work space');
  const state = path.join(root, 'state');
  cpSync(path.resolve('media/demo/.claude'), path.join(folder, '.claude'), { recursive: true });
  mkdirSync(path.join(folder, '.git'));
  const tasks = path.join(folder, '.claude/skills/incident-summary/evals/evals.json');
  if (!isFull) writeFileSync(tasks, firstTasks(readFileSync(tasks, 'utf8'), 10));
  const bin = fakeCrontab(root);
  const table = path.join(bin, 'table');
  writeFileSync(table, mine);
  const program = path.join(root, 'extension-1.0.0');
  const restoreProgram = async (): Promise<void> =>
    cpSync(path.dirname((await builtProgram()).cli), program, { recursive: true });
  await restoreProgram();
  const found = (ending: string): readonly string[] =>
    spawnSync('/bin/sh', ['-c', `ls '${state}'/os-schedule/*.${ending} 2>/dev/null`], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((file) => file !== '');
  return {
    root,
    state,
    table,
    program,
    restoreProgram,
    run: (...words) => {
      const paths = realCron ? [process.env['PATH']] : [bin, process.env['PATH']];
      const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(program, 'cli.js'), ...words], {
        cwd: folder,
        env: { PATH: paths.join(':'), HOME: root, WHETSTONE_HOME: state },
        encoding: 'utf8',
      });
      return { code: status, output: `${stdout}${stderr}` };
    },
    secrets: () => found('env'),
    log: () =>
      found('log')
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n'),
    lastNights: () =>
      createUseCases({
        environment: { WHETSTONE_HOME: state },
        platform: process.platform,
        home: root,
        clock: nodeClock,
        models: () => Promise.reject(new Error('no model is asked')),
        trusted: () => true,
        consent: { allows: () => Promise.resolve(false) },
        caps: () => ({ day: {}, month: {} }),
        tell: () => undefined,
      }).lastNights([folder]),
  };
}

/** What cron hands to its shell: everything after the five fields, with its own escapes taken back. */
function commandIn(table: string): string {
  const line = table.split('\n').find((each) => each.includes('/bin/sh -c') && !each.startsWith('#')) ?? '';
  return line
    .split(' ')
    .slice(5)
    .join(' ')
    .replaceAll(String.raw`\%`, '%');
}

function cronProgram(): string {
  return ['/usr/sbin/cron', '/usr/sbin/crond'].find((file) => existsSync(file)) ?? '';
}

/** Installs cron where this machine lets a test do that. */
function hasCron(): boolean {
  if (cronProgram() === '' && existsSync('/etc/debian_version')) {
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'cron'], { stdio: 'ignore' });
  }
  return cronProgram() !== '';
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
