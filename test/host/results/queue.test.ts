import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { isQueueSet, QueueOfWindow, queueWishes } from '../../../src/editor/queue/queueOfWindow.js';
import { QueueWatch } from '../../../src/editor/queue/queueWatch.js';
import { Overviews } from '../../../src/editor/skills/overviews.js';
import { RunsTree } from '../../../src/editor/tree/runsTree.js';
import type { QueueState } from '../../../src/ports/queueState.js';
import { bridgeProtocol } from '../../../src/queue/bridge/bridgeMessages.js';
import { windowQueue } from '../../../src/queue/bridge/windowQueue.js';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { onlyOn } from '../../builders/leaveOut.js';

const skillPath = '/folder/skills/dates/SKILL.md';
const skill = { realPath: skillPath, paths: [skillPath], name: 'dates', workspaceFolder: '/work' };
const catalog = { skills: () => Promise.resolve([skill]), onDidChange: new vscode.EventEmitter<void>().event };

const model = 'openai/gpt-5-mini';
const state: QueueState = {
  workers: [
    {
      name: 'harbour',
      startedAt: 0,
      concurrency: 4,
      lanes: [{ role: 'target', environment: 'chat', model, active: 3, answered: 120, failed: 1 }],
      refused: { replayed: 2 },
    },
  ],
  lanes: [
    {
      role: 'target',
      environment: 'chat',
      model,
      workers: 1,
      waiting: 5,
      active: 3,
      failed: 1,
      answeredLastMinute: 40,
    },
    { role: 'judge', environment: 'chat', model, workers: 0, waiting: 2, active: 0, failed: 0, answeredLastMinute: 0 },
  ],
  failures: [{ at: 0, job: 'j1', worker: 'harbour', model, why: 'its worker is gone' }],
};

/** Speaks as the command line does about a queue. */
const standIn = `#!/usr/bin/env node
let looks = 0;
console.log(JSON.stringify({ kind: 'ready', protocol: ${bridgeProtocol}, version: '1.0.0', shown: 'redis://localhost:1' }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, kind } = JSON.parse(line);
  if (kind === 'look') console.log(JSON.stringify({ kind: 'queue', id, state: ${JSON.stringify(state)} }));
});
`;

describe('the queue in the view of the runs', () => {
  const shown: vscode.Disposable[] = [];
  let folder: string;

  before(function () {
    onlyOn(this, 'posix', 'the stand-in is a shell script');
  });
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'whetstone-queue-'));
    const program = path.join(folder, 'whetstone');
    writeFileSync(program, standIn);
    chmodSync(program, 0o755);
  });
  afterEach(async () => {
    for (const each of shown.splice(0)) each.dispose();
    await set(undefined);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is a row with who works, what waits, and what failed where and why, as long as one is set', async () => {
    const tree = open();
    assert.deepEqual(await rows(tree), [], 'nothing is shown of a queue that nobody named');
    await set({ address: 'redis://localhost:1', commandLine: path.join(folder, 'whetstone') });
    await until(async () => (await rows(tree))[0]?.includes('worker'), 'the row of the queue');
    assert.deepEqual(await rows(tree), ['Queue: 1 worker · 7 waiting · 3 under way · 1 failed · 40 a minute']);
    const [queue] = await tree.getChildren();
    const beneath = (await tree.getChildren(queue)).map((branch) => branch.row());
    assert.deepEqual(
      beneath.map(({ label, description = '' }) => `${label}: ${description.replace(/ · \d+:\d.*$/u, '')}`),
      [
        'harbour: 3 under way · 120 answered · 1 failed',
        `${model} · target: 1 worker · 5 waiting · 3 under way · 1 failed · 40 a minute`,
        `${model} · judge: no worker · 2 waiting · 0 under way · 0 a minute`,
        'harbour: refused 2 as “replayed”',
        'harbour: its worker is gone',
      ],
    );
    for (const { says } of beneath) assert.match(says, /^[A-Z].*[^.]\.?$/u);
    await set({ address: 'off' });
    await until(async () => (await rows(tree)).length === 0, 'the row to go');
  });

  it('says what to install where the command line is missing', async () => {
    const tree = open();
    await set({ address: 'redis://localhost:1', commandLine: path.join(folder, 'nowhere') });
    await until(async () => (await rows(tree))[0] === 'Queue: not reached', 'the trouble');
    const [queue] = await tree.getChildren();
    assert.match(queue?.row().tooltip?.() ?? '', /is not installed\.\n\nInstall it: npm install -g whetstone@1\.2\.3/);
    assert.equal(queue?.row().command?.command, 'whetstone.showQueue');
  });

  it('says so where the queue does not answer any more, in the place of what was seen last', async () => {
    const program = path.join(folder, 'once');
    writeFileSync(program, standIn.replace("if (kind === 'look')", "if (kind === 'look' && (looks += 1) === 1)"));
    chmodSync(program, 0o755);
    const tree = open();
    await set({ address: 'redis://localhost:1', commandLine: program });
    await until(async () => (await rows(tree))[0]?.includes('worker'), 'the row of the queue');
    await until(async () => (await rows(tree))[0] === 'Queue: not reached', 'the trouble');
    const [queue] = await tree.getChildren();
    assert.match(queue?.row().tooltip?.() ?? '', /localhost:1 does not answer any more\.\n\nSee that Redis runs there/);
  });

  it('is left without a word where what it is made of could not be loaded, which whoever asked was told', async () => {
    const unheard: unknown[] = [];
    const hear = (error: unknown): void => void unheard.push(error);
    process.on('unhandledRejection', hear);
    const queue = new QueueOfWindow({}, () => Promise.reject(new Error('no such bundle')));
    await assert.rejects(queue.open(), /no such bundle/);
    queue.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('unhandledRejection', hear);
    assert.deepEqual(unheard, []);
  });

  it('is never set by a workspace', async () => {
    const configuration = vscode.workspace.getConfiguration();
    const given = { address: 'redis://localhost:1' };
    await assert.rejects(Promise.resolve(configuration.update('whetstone.queue', given, false)));
    assert.equal(isQueueSet({}), false);
    assert.equal(isQueueSet({ WHETSTONE_QUEUE: 'redis://localhost:1' }), true);
  });

  it('is told to be missing, with the setting, by the command', async () => {
    const { messages } = await answering({}, () => vscode.commands.executeCommand('whetstone.showQueue'));
    assert.match(messages.join('\n'), /No queue is set: all calls are made from this window\./);
  });

  function open(): RunsTree {
    const overviews = new Overviews(() => Promise.reject(new Error('nothing is stored yet')));
    const tree = new RunsTree(catalog, overviews);
    const { env: environment, platform } = process;
    const here = { environment, platform, home: homedir(), workspace: () => [], version: '1.2.3' };
    const queue = new QueueOfWindow({}, (isSet) =>
      Promise.resolve(windowQueue({ ...here, wishes: queueWishes, isSet })),
    );
    const seen = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const view = { visible: true, onDidChangeVisibility: seen.event };
    shown.push(new QueueWatch({ queue, tree, view }), tree, overviews, seen);
    return tree;
  }
});

async function rows(tree: RunsTree): Promise<readonly string[]> {
  return (await tree.getChildren()).map((branch) => `${branch.row().label}: ${branch.row().description}`);
}

async function set(value: object | undefined): Promise<void> {
  await vscode.workspace.getConfiguration().update('whetstone.queue', value, vscode.ConfigurationTarget.Global);
}
