import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aWorkspace, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import { neverAborted } from '../builders/storage.js';

/** Tasks go from side to side only as far as what a run has seen of them allows. */
describe('moving tasks from side to side', () => {
  const open: TestWorkspace[] = [];
  const shells: CommandLine[] = [];
  after(() => {
    for (const each of [...open, ...shells]) each.dispose();
  });

  it('is refused for what a run has learned from or used, and free for the rest', async () => {
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 3, heldOut: 6, sealed: 1 }, ['alpha']) });
    open.push(workspace);
    await workspace.optimize();
    const useCases = workspace.useCases();
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const move = (task: string, side: 'training' | 'heldOut' | 'sealed'): Promise<readonly string[]> =>
      useCases.moveTask({ ...request, task, side }, neverAborted);
    await assert.rejects(move('training-0', 'heldOut'), /stays where it is\. A run has already learned from it\./);
    await assert.rejects(move('heldOut-0', 'sealed'), /stays where it is\. A run has already used it\./);
    await assert.rejects(move('heldOut-0', 'heldOut'), /is on that side already/);
    assert.deepEqual(await move('heldOut-0', 'training'), ['heldOut-0']);
    assert.deepEqual(await move('sealed-0', 'heldOut'), ['sealed-0']);
    const { tasks } = await workspace.overview();
    assert.deepEqual(tasks?.heldOut.map(({ id }) => id).sort(), [
      ...[1, 2, 3, 4, 5].map((index) => `heldOut-${index}`),
      'sealed-0',
    ]);
    assert.equal(
      tasks?.problems.some(({ code }) => code === 'leak'),
      false,
    );
    // Before a run learns from it there, it may go back.
    assert.deepEqual(await move('heldOut-0', 'heldOut'), ['heldOut-0']);
    assert.match(splitOf(workspace.folder), /"version": 2/);
    assert.match(splitOf(workspace.folder), /"moved":true,"id":"sealed-0"/);
  });

  it('never refills the error budget', async () => {
    const workspace = aWorkspace({ tasks: writtenTasks({ training: 3, heldOut: 6, sealed: 2 }, ['alpha']) });
    open.push(workspace);
    await workspace.optimize();
    const useCases = workspace.useCases();
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const run = { ...request, preset: 'quick', settings: [], purpose: 'optimize', trusted: true } as const;
    const measure = async (after: string): Promise<unknown> =>
      useCases.measure({ ...run, before: workspace.skillText(), after }, () => undefined, neverAborted);
    for (const task of ['sealed-0', 'sealed-1'])
      await useCases.moveTask({ ...request, task, side: 'heldOut' }, neverAborted);
    for (const words of ['one', 'two', 'three']) await measure(`${workspace.skillText()}\nSay ${words}.\n`);
    assert.match(JSON.stringify(await measure(`${workspace.skillText()}\nSay four.\n`)), /error budget/);
  });

  it('looks at a planned run without marking any task as used', async () => {
    const workspace = aWorkspace();
    open.push(workspace);
    await workspace.preflight();
    assert.equal(existsSync(path.join(workspace.folder, '.whetstone', 'split.json')), false);
  });

  it('shows, moves, disables and deletes tasks on the command line', async () => {
    const { shell, folder } = aSkill();
    shells.push(shell);
    const shown = await shell.run('tasks', 'show', folder, 'a');
    assert.equal(shown.code, 0, shown.err);
    assert.match(shown.out, /^a: Confirmed · (Training|Held-out)\n\nAsks:\n {2}Read the log/);
    assert.match(shown.out, /A good answer:\n {2}- It names the cause\./);
    const moved = await shell.run('tasks', 'move', folder, 'a', '--to', 'sealed');
    assert.equal(moved.out, 'Moved: a, b.\n');
    assert.match((await shell.run('tasks', 'split', folder)).out, /^sealed +2 +[ab], [ab]$/m);
    await shell.run('evaluate', folder, '--task', 'a');
    const used = await shell.run('tasks', 'move', folder, 'a', '--to', 'training');
    assert.equal(used.code, 0, used.err);
    const refused = await shell.run('tasks', 'move', folder, 'c', 'a', '--to', 'sealed');
    assert.equal(refused.code, 2);
    assert.match(
      refused.err,
      /“a” cannot go to sealed: A run has already used it\. Leave it out with “tasks disable”\./,
    );
    assert.doesNotMatch((await shell.run('tasks', 'split', folder)).out, /^sealed .*c/m);
    const nowhere = await shell.run('tasks', 'move', folder, 'a', '--to', 'left');
    assert.match(nowhere.err, /no side “left”\. The sides are: training, held-out, sealed\./);
    const deleted = await shell.run('tasks', 'delete', folder, 'c');
    assert.match(deleted.out, /^Done: c\. Taken out:\n\{\s*"id": ?"c",\s*"prompt": ?"Plan a walk in the hills",/);
    assert.match((await shell.run('tasks', 'show', folder, 'c')).err, /There is no task “c”/);
  });

  it('adds a task on the side that is named, in the words of other tools too', async () => {
    const { shell, folder } = aSkill();
    shells.push(shell);
    const words = ['--id', 'd', '--prompt', 'Explain how bread rises', '--expect', 'It does.', '--side', 'test'];
    assert.equal((await shell.run('tasks', 'add', folder, ...words)).code, 0);
    assert.match((await shell.run('tasks', 'split', folder)).out, /^sealed +1 +d$/m);
  });
});

function splitOf(folder: string): string {
  return readFileSync(path.join(folder, '.whetstone', 'split.json'), 'utf8');
}

function aSkill(): { readonly shell: CommandLine; readonly folder: string } {
  const shell = aCommandLine();
  const folder = path.join(shell.folder, 'skills', 'log');
  mkdirSync(path.join(folder, 'evals'), { recursive: true });
  writeFileSync(
    path.join(folder, 'SKILL.md'),
    '---\nname: log\ndescription: Reads logs.\n---\n\n# Log\n\nRead logs.\n',
  );
  const evals = [
    { id: 'a', prompt: 'Read the log and name the cause', expectations: ['It names the cause.'] },
    { id: 'b', prompt: 'Please read the log and name the cause', expectations: ['It names it.'] },
    { id: 'c', prompt: 'Plan a walk in the hills', expectations: ['It plans.'] },
  ];
  writeFileSync(path.join(folder, 'evals', 'evals.json'), `${JSON.stringify({ evals }, undefined, 2)}\n`);
  return { shell, folder };
}
