import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aWhetstoneFile, taskFilesIn } from '../../builders/aSkillFolder.js';
import { snapshotOf } from '../../builders/commandLine.js';
import { evals, lines, listed, put, taskShells } from '../../builders/taskShell.js';

const { aSkill, dispose } = taskShells();

describe('whetstone tasks list and split', () => {
  after(dispose);

  it('shows every task with its side and what judges it, whether it counts or not', async () => {
    const { shell, folder } = aSkill({
      'evals/evals.json': {
        evals: [...evals, { id: 'lost', prompt: 'Read it aloud', files: ['gone.txt'], expectations: ['x'] }],
      },
      'evals/whetstone.json': aWhetstoneFile({
        t0: { draft: true },
        t1: { enabled: false },
        t2: {
          checks: [
            { check: 'contains', text: 'hi' },
            { check: 'contains', text: 'lift' },
          ],
          split: 'heldOut',
        },
      }),
    });
    const list = await listed(shell, folder);
    const sides = Object.fromEntries(list.tasks.map(({ id, side }) => [id, side]));
    assert.deepEqual(sides, { t0: 'draft', t1: 'disabled', t2: 'held-out', t3: 'training', lost: 'error' });
    assert.deepEqual(
      list.problems.map(({ code, task }) => `${code} ${task}`),
      ['fixture-unusable lost', 'too-few-tasks null'],
    );
    const text = await shell.run('tasks', 'list', folder);
    assert.match(text.out, /^task +side +judged by +prompt\n/);
    assert.match(text.out, /\nt2 +held-out +2 × contains, expectation +Say hi to a stranger/);
    assert.match(text.out, /\nlost +error +expectation +The fixture “gone\.txt” of the task “lost” is missing/);
    assert.match(text.out, /\nerror: .*evals\.json:\d+:\d+: The fixture “gone\.txt”/);
    assert.match(
      text.out,
      /\nwarning: .*evals\.json:1:1: An improvement can be shown with 5 held-out tasks; there are 1\. Drafts that wait for you: 1\. Confirm those that are good, and add 4 more tasks/,
    );
  });

  it('tells of every kind of problem, on its line', async () => {
    const { shell, folder } = aSkill({
      'evals/evals.json': {
        evals: [
          { id: 'same', prompt: 'Greet Ada who sails', expectations: ['It greets.'] },
          { id: 'same', prompt: 'Welcome the cook', expectations: ['It greets.'] },
          { id: 'regex', prompt: 'Say hi to a stranger' },
          { id: 'unknown', prompt: 'Address the board' },
          { id: 'soft', prompt: 'Wave to the ferry' },
          { id: 'shape', prompt: 'Toast the couple' },
          {
            id: 'twin-a',
            prompt: 'Write the long welcome speech for the harbour master of Port Ellen',
            expectations: ['x'],
          },
          {
            id: 'twin-b',
            prompt: 'Write the long welcome speech for the harbour master of Port Ellen!',
            expectations: ['x'],
          },
        ],
      },
      'evals/whetstone.json': aWhetstoneFile({
        regex: { checks: [{ check: 'regex', pattern: '(((' }] },
        unknown: { checks: [{ check: 'contanis', text: 'x' }] },
        soft: { checks: [{ check: 'min_chars', limit: 0 }] },
        shape: { checks: [{ check: 'max_chars', limit: 100 }] },
        'twin-a': { split: 'training' },
        'twin-b': { split: 'heldOut' },
      }),
    });
    const { problems } = await listed(shell, folder);
    const found = new Set(problems.map(({ code, task }) => `${code} ${task}`));
    for (const wanted of [
      'duplicate-id same',
      'malformed-check regex',
      'unknown-check unknown',
      'shape-only shape',
      'leak twin-b',
      'too-few-tasks null',
    ])
      assert.ok(found.has(wanted), `${wanted} is not among ${[...found].join(', ')}`);
    assert.ok(found.has('never-fails soft') || found.has('malformed-check soft'));
    assert.ok(problems.every(({ line }) => line >= 1));
  });

  it('says how the sides are filled', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
    const split = await shell.run('tasks', 'split', folder, '--json');
    const sides: { training: string[]; heldOut: string[]; sealed: string[] } = JSON.parse(split.out);
    assert.deepEqual([sides.training.length, sides.heldOut.length, sides.sealed.length], [2, 2, 0]);
    assert.match(
      (await shell.run('tasks', 'split', folder)).out,
      /^training +2 +t\d, t\d\nheld-out +2 +t\d, t\d\nsealed +0/,
    );
  });

  it('looks and changes nothing', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
    const before = snapshotOf(shell.folder);
    await shell.run('tasks', 'list', folder);
    await shell.run('tasks', 'split', folder);
    assert.deepEqual(snapshotOf(shell.folder), before);
  });
});

describe('whetstone tasks draft, add, confirm, enable, disable and remove', () => {
  after(dispose);

  it('drafts tasks that count for nothing until they are confirmed', async () => {
    const { shell, folder } = aSkill({});
    const drafted = await shell.run('tasks', 'draft', folder, '--count', '3', '--json');
    const { drafted: ids }: { drafted: string[] } = JSON.parse(drafted.out);
    assert.equal(ids.length, 3);
    const evaluated = await shell.run('evaluate', folder);
    assert.match(
      evaluated.err,
      /no confirmed task.*Confirm those that are good: “whetstone tasks confirm \S+ <id>\.\.\.”\./,
    );
    await shell.run('tasks', 'confirm', folder, ...ids.slice(0, 2));
    const list = await listed(shell, folder);
    assert.deepEqual(list.tasks.map(({ side }) => side).sort(), ['draft', 'training', 'training']);
  });

  it('says that drafts wait where the confirmed tasks are too few', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals: evals.slice(0, 1) } });
    await shell.run('tasks', 'draft', folder, '--count', '3');
    const { code, err } = await shell.run('optimize', folder);
    assert.equal(code, 2, err);
    assert.match(err, /too few tasks to learn from: 1 for training, 0 held out\. Drafts that wait for you: 3\./);
    assert.match(
      err,
      /Look at the drafts: “whetstone tasks list \S+”, and at one of them: “whetstone tasks show \S+ <id>”\. Confirm those that are good: “whetstone tasks confirm \S+ <id>\.\.\.”/,
    );
  });

  it('confirms every draft at once where that is said', async () => {
    const { shell, folder } = aSkill({});
    assert.match((await shell.run('tasks', 'confirm', folder)).err, /No tasks yet|no drafts to confirm/);
    await shell.run('tasks', 'draft', folder, '--count', '3');
    const none = await shell.run('tasks', 'confirm', folder);
    assert.equal(none.code, 2);
    assert.match(none.err, /No task was named\. Name some of: .*; or use --all\./);
    assert.equal((await shell.run('tasks', 'confirm', folder, '--all')).code, 0);
    assert.equal((await listed(shell, folder)).tasks.filter(({ side }) => side === 'draft').length, 0);
  });

  it('gives drafts that come later other ids', async () => {
    const { shell, folder } = aSkill({});
    const draft = async (): Promise<readonly string[]> =>
      JSON.parse((await shell.run('tasks', 'draft', folder, '--count', '4', '--json')).out).drafted;
    const ids = [...(await draft()), ...(await draft())];
    assert.equal(new Set(ids).size, 8);
    const list = await listed(shell, folder);
    assert.deepEqual(list.tasks.map(({ id }) => id).sort(), [...ids].sort());
  });

  it('adds a task, leaves it out, takes it in again and removes it', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
    const added = await shell.run(
      'tasks',
      'add',
      folder,
      '--id',
      'mine',
      '--prompt',
      'Greet me',
      '--expect',
      'It says my name.',
      'It is short.',
    );
    assert.equal(added.out, 'Added: mine.\n');
    const sideOf = async (): Promise<string | undefined> =>
      (await listed(shell, folder)).tasks.find(({ id }) => id === 'mine')?.side;
    assert.match((await sideOf()) ?? '', /training|held-out/);
    await shell.run('tasks', 'disable', folder, 'mine');
    assert.equal(await sideOf(), 'disabled');
    await shell.run('tasks', 'enable', folder, 'mine');
    assert.match((await sideOf()) ?? '', /training|held-out/);
    await shell.run('tasks', 'remove', folder, 'mine');
    assert.equal(await sideOf(), undefined);
    assert.deepEqual(JSON.parse(taskFilesIn(folder).evals).evals, evals);
  });

  it('says of a task that is added where it is set aside, and why', async () => {
    const { shell, folder } = aSkill({
      'evals/evals.json': { evals },
      'evals/whetstone.json': aWhetstoneFile({ t0: { split: 'training' } }),
    });
    const add = (id: string, prompt: string, ...more: readonly string[]) =>
      shell.run('tasks', 'add', folder, '--id', id, '--prompt', prompt, '--expect', 'It greets.', ...more);
    const again = await add('again', evals[0]?.prompt ?? '', '--side', 'held-out');
    assert.match(again.out, /^Added: again\. It is set aside and counts for nothing: it cannot prove anything: /);
    const told = JSON.parse((await add('thrice', evals[0]?.prompt ?? '', '--side', 'held-out', '--json')).out);
    assert.match(told.setAside, /^it cannot prove anything: /);
  });

  it('changes tasks of a separate held-out file as well, and gives no new task their ids', async () => {
    const { shell, folder } = aSkill({
      'evals/evals.json': { evals },
      'evals/apart.json': { evals: [{ id: 'far', prompt: 'Greet someone far away', expectations: ['It greets.'] }] },
      'evals/whetstone.json': aWhetstoneFile({}, { heldOutFile: 'apart.json' }),
    });
    const sideOf = async (wanted: string): Promise<string | undefined> =>
      (await listed(shell, folder)).tasks.find(({ id }) => id === wanted)?.side;
    assert.equal(await sideOf('far'), 'held-out');
    assert.equal((await shell.run('tasks', 'disable', folder, 'far')).code, 0);
    assert.equal(await sideOf('far'), 'disabled');
    put(shell.folder, { 'b.jsonl': lines([{ task_id: 'far', task: 'Write home', judge: { rubric: 'It greets.' } }]) });
    assert.match((await shell.run('tasks', 'import', folder, 'b.jsonl')).out, /far-2: id: “far” is taken/);
    assert.equal((await shell.run('tasks', 'remove', folder, 'far')).code, 0);
    assert.equal(await sideOf('far'), undefined);
    assert.deepEqual(JSON.parse(readFileSync(path.join(folder, 'evals/apart.json'), 'utf8')), { evals: [] });
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    [
      'an id that is not there, and changes none of the others',
      ['disable', 't0', 'nope'],
      /no task “nope”\. The tasks are: /,
    ],
    ['an id that is taken', ['add', '--id', 't0', '--prompt', 'x', '--expect', 'y'], /already a task “t0”/],
    [
      'a task that nothing can fail',
      ['add', '--id', 'n', '--prompt', 'x'],
      /nothing can fail proves nothing\..*--expect/,
    ],
    ['an empty prompt', ['add', '--id', 'n', '--prompt', ' ', '--expect', 'y'], /is empty/],
    ['a count that is none', ['draft', '--count', 'many'], /“many” is not a number/],
    ['a count of nothing', ['draft', '--count', '0'], /“0” is not a number/],
  ];
  for (const [name, [command = '', ...rest], says] of refused) {
    it(`refuses ${name}`, async () => {
      const { shell, folder } = aSkill({ 'evals/evals.json': { evals } });
      const before = snapshotOf(shell.folder);
      const done = await shell.run('tasks', command, folder, ...rest);
      assert.notEqual(done.code, 0);
      assert.match(done.err, says);
      assert.deepEqual(snapshotOf(shell.folder), before);
    });
  }
});
