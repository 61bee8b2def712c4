import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { until } from '../until.js';
import {
  aSkill,
  chooseSimulated,
  evalsOf,
  pagesOf,
  put,
  taskFile,
  whetstoneOf,
  type OpenedPage,
} from './taskWindow.js';

const one = { evals: [{ id: 'one', prompt: 'Greet Ada', expectations: ['The answer contains “harbour”.'] }] };

describe('the commands on tasks', () => {
  before(chooseSimulated);
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('draft tasks that count for nothing until each is confirmed', async () => {
    const skillPath = aSkill('drafting', {});
    const draft = () => vscode.commands.executeCommand('whetstone.draftTasks', skillPath);
    await draft();
    const before = evalsOf(skillPath).map(({ id }) => id);
    assert.equal(before.length, 10, 'nobody is asked how many while there is none');
    await answering({ inputs: ['none', '3'] }, draft).then(({ refused }) =>
      assert.deepEqual(refused, ['A number from 1 to 99.']),
    );
    const ids = evalsOf(skillPath)
      .map(({ id }) => id)
      .filter((id) => !before.includes(id));
    assert.equal(ids.length, 3);
    assert.deepEqual(
      ids.map((id) => whetstoneOf(skillPath)[id]?.draft),
      [true, true, true],
    );
    const [first = ''] = ids;
    await vscode.commands.executeCommand('whetstone.confirmTask', { skillPath, taskId: first });
    assert.deepEqual(
      ids.map((id) => whetstoneOf(skillPath)[id]?.draft ?? false),
      [false, true, true],
    );
    await vscode.commands.executeCommand('whetstone.disableTask', { skillPath, taskId: first });
    assert.equal(whetstoneOf(skillPath)[first]?.enabled, false);
    await vscode.commands.executeCommand('whetstone.enableTask', { skillPath, taskId: first });
    assert.notEqual(whetstoneOf(skillPath)[first]?.enabled, false);
    await vscode.commands.executeCommand('whetstone.confirmDrafts', { skillPath });
    assert.deepEqual(
      ids.map((id) => whetstoneOf(skillPath)[id]?.draft ?? false),
      [false, false, false],
    );
  });

  it('show drafts one after the other: confirmed, deleted, skipped, and what is left stays a draft', async () => {
    const drafts = ['first', 'second', 'third', 'fourth'].map((id) => ({
      id,
      prompt: `Please do the ${id}.`,
      expectations: [`It does the ${id}.`],
    }));
    const flags = Object.fromEntries(drafts.map(({ id }) => [id, { draft: true }]));
    const skillPath = aSkill('reviewing', {
      'evals/evals.json': { evals: drafts },
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks: flags },
    });
    const asked = await answering({ modals: ['Confirm', 'Delete', 'Skip', undefined] }, () =>
      vscode.commands.executeCommand('whetstone.reviewDrafts', skillPath),
    );
    // What an earlier command says once its work is done may come in between.
    const dialogs = asked.messages.filter((message) => message.startsWith('Draft '));
    assert.match(
      dialogs[0] ?? '',
      /Draft 1 of 4: first\nPlease do the first\.\n\nA good answer:\n– It does the first\./,
    );
    const titles = dialogs.map((message) => message.split('\n')[0]);
    assert.deepEqual(titles.slice(1), ['Draft 2 of 4: second', 'Draft 3 of 4: third', 'Draft 4 of 4: fourth']);
    const said = asked.messages.slice(asked.messages.indexOf(dialogs.at(-1) ?? '') + 1);
    assert.ok(said.includes('second is deleted.'), 'once the last dialog is answered');
    assert.deepEqual(
      evalsOf(skillPath).map(({ id }) => [id, whetstoneOf(skillPath)[id]?.draft ?? false]),
      [
        ['first', false],
        ['third', true],
        ['fourth', true],
      ],
    );
  });

  it('lead from a skill without tasks to its drafts, and ask for no model before', async () => {
    const skillPath = aSkill('bare', {});
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.optimize', skillPath));
    assert.match(errors[0] ?? '', /has no tasks yet\. Draft some, .* or write evals\/evals\.json by hand\./);
    const unconfirmed = aSkill('unconfirmed', {
      'evals/evals.json': { evals: [{ id: 'only', prompt: 'Do it.', expectations: ['It is done.'] }] },
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks: { only: { draft: true } } },
    });
    const later = await answering({}, () => vscode.commands.executeCommand('whetstone.optimize', unconfirmed));
    assert.match(later.errors[0] ?? '', /no confirmed task yet\. Drafts that wait for you: 1\./);
  });

  it('add a task from what is selected, ask for a name that is free, and show it', async () => {
    const skillPath = aSkill('adding', { 'evals/evals.json': one });
    const document = await vscode.workspace.openTextDocument({
      content: 'Subject: hello\nPlease welcome the new cook.\nBye',
    });
    const editor = await vscode.window.showTextDocument(document);
    await until(() => vscode.window.activeTextEditor?.document === document, 'it is in front of what others opened');
    editor.selection = new vscode.Selection(1, 0, 1, 28);
    const answers = { inputs: ['one', ' ', 'new-cook', '', 'It welcomes the cook.'], picks: ['In a chat', 'Training'] };
    const shown: OpenedPage[] = [];
    const asked = await answering(answers, async () => {
      shown.push(...(await pagesOf(() => vscode.commands.executeCommand('whetstone.addTask', skillPath))));
    });
    assert.deepEqual(asked.refused, [
      'That name is taken.',
      'Give it a name.',
      'A task that nothing can fail proves nothing.',
    ]);
    assert.deepEqual(evalsOf(skillPath).at(-1), {
      id: 'new-cook',
      prompt: 'Please welcome the new cook.',
      expectations: ['It welcomes the cook.'],
    });
    assert.equal(whetstoneOf(skillPath)['new-cook']?.split, 'training');
    const page = shown[0]?.text() ?? '';
    const written = readFileSync(taskFile(skillPath, 'whetstone.json').fsPath, 'utf8');
    assert.ok(/new-cook[^]*Confirmed · Training[^]*Please welcome the new cook\./.test(page), `${page}\n${written}`);
  });

  it('ask which skill a task is for that is selected in any other file', async () => {
    const skillPath = aSkill('asking', { 'evals/evals.json': one, 'notes.txt': 'Please welcome the pilot.' });
    const notes = vscode.Uri.file(path.join(path.dirname(skillPath), 'notes.txt'));
    await vscode.commands.executeCommand('whetstone.refresh'); // the skill is new, and one among those to choose from
    const editor = await vscode.window.showTextDocument(notes);
    editor.selection = new vscode.Selection(0, 7, 0, 24);
    // A menu of the editor hands the file over.
    await answering({ picks: ['asking', 'In a chat', 'Training'], inputs: ['pilot', 'It welcomes.'] }, () =>
      vscode.commands.executeCommand('whetstone.addTask', notes),
    );
    assert.deepEqual(
      evalsOf(skillPath).map(({ id, prompt }) => [id, prompt]),
      [
        ['one', 'Greet Ada'],
        ['pilot', 'welcome the pilot'],
      ],
    );
  });

  it('add a task that is typed, where nothing is selected', async () => {
    const skillPath = aSkill('typing', { 'evals/evals.json': one });
    await answering({ inputs: ['', 'Wave to the ferry', 'ferry', 'It waves.'], picks: ['In a chat', 'Held-out'] }, () =>
      vscode.commands.executeCommand('whetstone.addTask', skillPath),
    );
    assert.deepEqual(evalsOf(skillPath).at(-1), {
      id: 'ferry',
      prompt: 'Wave to the ferry',
      expectations: ['It waves.'],
    });
  });

  it('add the first task for an agent: its folder, how it comes to the skill, and what it must change', async () => {
    const skillPath = aSkill('working', {});
    const fixtures = path.join(path.dirname(skillPath), 'evals/fixtures');
    mkdirSync(fixtures, { recursive: true });
    writeFileSync(path.join(fixtures, 'taken'), 'a file, and no folder');
    const work = 'The agent must use the skill';
    const picks = ['By an agent in a folder', 'New empty folder…', 'Offered', work, 'Training'];
    const folder = ['my shop!', 'a/b', 'taken', 'shop'];
    const inputs = ['Raise the price of the lamp', ...folder, 'lamp', 'It says what it changed.', '../x', 'prices.csv'];
    const { refused, prompts, values, rows, messages } = await answering({ inputs, picks }, () =>
      vscode.commands.executeCommand('whetstone.newTask', skillPath),
    );
    const bad = 'That cannot be the name of a folder here. Take letters, digits and dashes.';
    assert.deepEqual(refused, [bad, bad, 'Name it relative to the folder that the agent works in.']);
    const again = prompts.findIndex((said) => said.startsWith('evals/fixtures/taken is there already.'));
    assert.equal(values[again], 'taken', 'what was typed is still there');
    assert.ok(rows.includes('Only what it leaves counts'), 'the person decides on the check');
    assert.deepEqual(readdirSync(path.join(path.dirname(skillPath), 'evals/fixtures/shop')), ['.gitkeep']);
    assert.deepEqual(whetstoneOf(skillPath)['lamp'], {
      ...whetstoneOf(skillPath)['lamp'],
      environment: 'agent',
      agent: { fixture: 'evals/fixtures/shop' },
      checks: [{ check: 'file_changed', path: 'prices.csv' }, { check: 'skill_used' }],
    });
    assert.deepEqual(messages, [
      'evals/fixtures/shop is empty: the agent starts from nothing. Put the files into it that it should find.',
    ]);
    const next = await answering({ inputs: ['Lower it'] }, () =>
      vscode.commands.executeCommand('whetstone.newTask', skillPath),
    );
    assert.deepEqual(next.rows, ['Like the last task', 'In a chat', 'By an agent in a folder']);
  });

  it('leave everything as it was when the person thinks better of it', async () => {
    const skillPath = aSkill('leaving', { 'evals/evals.json': one });
    const before = readFileSync(taskFile(skillPath, 'evals.json').fsPath, 'utf8');
    const document = await vscode.workspace.openTextDocument({ content: 'Welcome the cook.' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 17);
    for (const inputs of [[undefined], ['name', undefined]])
      await answering({ inputs, picks: ['In a chat'] }, () =>
        vscode.commands.executeCommand('whetstone.addTask', skillPath),
      );
    const inFolder = ['By an agent in a folder', 'New empty folder…', 'Offered'];
    for (const [picks, inputs] of [
      [inFolder.slice(0, 2), ['shop']],
      [inFolder, ['shop', undefined]],
    ] as const)
      await answering({ inputs, picks }, () => vscode.commands.executeCommand('whetstone.addTask', skillPath));
    assert.deepEqual(readdirSync(path.dirname(taskFile(skillPath, 'evals.json').fsPath)), ['evals.json']);
    await answering({ inputs: [undefined] }, () => vscode.commands.executeCommand('whetstone.draftTasks', skillPath));
    await answering({}, () => vscode.commands.executeCommand('whetstone.importTasks', skillPath));
    assert.equal(readFileSync(taskFile(skillPath, 'evals.json').fsPath, 'utf8'), before);
  });

  it('change nothing on disk while a task file has unsaved changes', async () => {
    const skillPath = aSkill('unsaved', { 'evals/evals.json': one });
    const uri = taskFile(skillPath, 'evals.json');
    const before = readFileSync(uri.fsPath, 'utf8');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 1), ' '));
    const asked = await answering({ inputs: ['3'] }, async () => {
      await vscode.commands.executeCommand('whetstone.disableTask', { skillPath, taskId: 'one' });
      await vscode.commands.executeCommand('whetstone.draftTasks', skillPath);
    });
    assert.equal(asked.errors.length, 2);
    for (const error of asked.errors) assert.match(error, /evals\.json has changes that are not saved\. Save it/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(readFileSync(uri.fsPath, 'utf8'), before);
  });

  it('try one task, a draft too, and show both answers side by side', async function () {
    this.timeout(60_000); // the first diff of a window takes its time on a busy machine
    const skillPath = aSkill('trying', {
      'evals/evals.json': one,
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks: { one: { draft: true } } },
    });
    const [page, ...more] = await pagesOf(async () => {
      await vscode.commands.executeCommand('whetstone.tryTask', { skillPath, taskId: 'one' });
      await vscode.commands.executeCommand('whetstone.tryTask', skillPath); // as the palette does: of one task nobody is asked
    });
    assert.equal(more.length, 0, 'one page for one comparison');
    assert.equal(page?.title(), 'one: without ↔ with the skill');
    const text = page?.text() ?? '';
    assert.match(text, /Simulated model: these attempts show how Whetstone works/);
    assert.match(text, /Greet Ada[^]*Without the skill: failed[^]*✗ [^]*harbour/);
    assert.match(text, /With the skill: passed[^]*✓ [^]*harbour[^]*Passed: Met: /);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.equal(
      vscode.workspace.textDocuments.some(({ isUntitled, isDirty }) => isUntitled && isDirty),
      false,
    );
  });

  it('ask which task is to be tried where the palette names none', async () => {
    const skillPath = aSkill('trying-picked', {
      'evals/evals.json': { evals: [...one.evals, { ...one.evals[0], id: 'two', prompt: 'Write a note to Bo' }] },
    });
    const asked = await answering({}, () => vscode.commands.executeCommand('whetstone.tryTask', skillPath));
    assert.deepEqual([asked.menus, asked.errors], [['Which task? | '], []]);
    assert.match(asked.rows.join('\n'), /one: Greet Ada[^]*two: Write a note to Bo/);
    const without = aSkill('trying-none', {});
    const { errors } = await answering({}, () => vscode.commands.executeCommand('whetstone.tryTask', without));
    assert.deepEqual(errors, ['This skill has no task that could be tried. Draft tasks for it first.']);
  });

  it('import tasks of another tool, and show what had no equal', async () => {
    const skillPath = aSkill('importing', {});
    const folder = path.dirname(skillPath);
    const line = { task_id: 'a', task: 'Write a note', judge: { checks: [{ op: 'contains', arg: 'note' }] }, level: 3 };
    put(folder, { 'bench.jsonl': `${JSON.stringify(line)}\n` });
    const files = [vscode.Uri.file(path.join(folder, 'bench.jsonl'))];
    const { refused } = await answering({ files, picks: ['Files', 'Custom'], inputs: ['half', '0:1:0'] }, () =>
      vscode.commands.executeCommand('whetstone.importTasks', skillPath),
    );
    assert.equal(refused.length, 1);
    assert.deepEqual(
      evalsOf(skillPath).map(({ id }) => id),
      ['a'],
    );
    const notes = await until(
      () => vscode.window.visibleTextEditors.find(({ document }) => document.getText().includes('level'))?.document,
      'the notes of the import',
    );
    assert.match(notes.getText(), /^# What had no equal[^\n]*\n\n- a: level: /);
  });

  it('import plain lines, say which line is wrong, and offer an example', async () => {
    const skillPath = aSkill('importing-plain', {});
    const folder = path.dirname(skillPath);
    put(folder, {
      'tasks.jsonl': '{"prompt": "Wave", "expectations": ["It is kind."]}\n{"prompt": "Nod"}\n',
      'empty.jsonl': '{"prompt": "Nod"}\n',
    });
    const work = (): Thenable<unknown> => vscode.commands.executeCommand('whetstone.importTasks', skillPath);
    const file = (name: string): vscode.Uri => vscode.Uri.file(path.join(folder, name));
    await answering({ files: [file('tasks.jsonl')], picks: ['Files', 'Automatic (recommended)'] }, work);
    assert.equal(evalsOf(skillPath).length, 1);
    const notes = await until(
      () => vscode.window.visibleTextEditors.find(({ document }) => document.getText().includes('Line 2'))?.document,
      'the notes of the import',
    );
    assert.match(
      notes.getText(),
      /Line 2 needs “prompt” and “expectations”, “task_id” and “task”, or “question” and “answers”\./,
    );
    const { errors, errorButtons } = await answering(
      { files: [file('empty.jsonl')], picks: ['Files', 'Automatic (recommended)'] },
      work,
    );
    assert.match(errors[0] ?? '', /empty\.jsonl cannot be imported\. Line 1 needs “prompt”/);
    assert.deepEqual(errorButtons, ['Show Example']);
  });

  it('import a separate held-out file along with the training file', async () => {
    const skillPath = aSkill('importing-two', {});
    const folder = path.dirname(skillPath);
    put(folder, { 'train.jsonl': benchLine('granite'), 'other.jsonl': benchLine('slate') });
    const files = ['train.jsonl', 'other.jsonl'].map((name) => vscode.Uri.file(path.join(folder, name)));
    await answering({ files, picks: ['Files', files[1]?.fsPath ?? ''] }, () =>
      vscode.commands.executeCommand('whetstone.importTasks', skillPath),
    );
    const splits = Object.entries(whetstoneOf(skillPath)).map(([id, { split }]) => [id, split]);
    assert.deepEqual(Object.fromEntries(splits), { granite: 'training', slate: 'heldOut' });
  });

  it('import a folder that comes split, and refuse more files than can be told apart', async () => {
    const skillPath = aSkill('importing-folder', {});
    const folder = path.dirname(skillPath);
    put(folder, { 'set/train/items.json': anItem('granite'), 'set/test/items.json': anItem('marble') });
    const work = (): Thenable<unknown> => vscode.commands.executeCommand('whetstone.importTasks', skillPath);
    const set = vscode.Uri.file(path.join(folder, 'set'));
    await answering({ files: [set], picks: ['Folder', 'Automatic (recommended)'] }, work);
    const splits = Object.entries(whetstoneOf(skillPath)).map(([id, { split }]) => [id, split]);
    assert.deepEqual(Object.fromEntries(splits), { granite: 'training', marble: 'sealed' });
    const { errors } = await answering({ files: [set, set, set], picks: ['Files'] }, work);
    assert.match(errors[0] ?? '', /3 files were chosen\. Choose one file of tasks/);
  });

  it('open the file of a task with the task selected', async () => {
    const skillPath = aSkill('editing', {
      'evals/evals.json': { evals: [...one.evals, { id: 'two', prompt: 'Wave', expectations: ['x'] }] },
    });
    await vscode.commands.executeCommand('whetstone.editTask', { skillPath, taskId: 'two' });
    const { activeTextEditor } = vscode.window;
    assert.match(activeTextEditor?.document.getText(activeTextEditor.selection) ?? '', /^\{[\s\S]*"two"[\s\S]*\}$/);
  });

  it('open the separate held-out file for a task that stands there', async () => {
    const skillPath = aSkill('editing-apart', {
      'evals/evals.json': one,
      'evals/apart.json': { evals: [{ id: 'far', prompt: 'Wave', expectations: ['x'] }] },
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks: {}, heldOutFile: 'apart.json' },
    });
    await vscode.commands.executeCommand('whetstone.editTask', { skillPath, taskId: 'far' });
    const { activeTextEditor } = vscode.window;
    assert.match(activeTextEditor?.document.uri.fsPath ?? '', /apart\.json$/);
    assert.match(activeTextEditor?.document.getText(activeTextEditor.selection) ?? '', /^\{[\s\S]*"far"[\s\S]*\}$/);
    await vscode.commands.executeCommand('whetstone.disableTask', { skillPath, taskId: 'far' });
    assert.equal(whetstoneOf(skillPath)['far']?.enabled, false);
  });
});

function benchLine(id: string): string {
  const judge = { checks: [{ op: 'contains', arg: id }] };
  return `${JSON.stringify({ task_id: id, task: `Write about ${id}`, judge })}\n`;
}

function anItem(id: string): object[] {
  return [{ id, question: `What is ${id}?`, answers: [id] }];
}
