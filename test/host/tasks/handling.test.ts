import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { until } from '../until.js';
import { aSkill, chooseSimulated, evalsOf, pagesOf, taskFile, whetstoneOf } from './taskWindow.js';

const evals = [
  { id: 'first', prompt: 'Greet **Ada**', expectations: ['The answer contains “harbour”.'] },
  { id: 'second', prompt: 'Plan a walk in the hills', expectations: ['It plans.'] },
];

/** What a person does with one task: from its page, from its row of buttons, from the tree. */
describe('one task', () => {
  before(chooseSimulated);
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('opens as a page that can be read, with its buttons, and follows what becomes of it', async () => {
    const skillPath = aDraftedSkill('reading');
    const [page] = await pagesOf(() => run('showTask', skillPath, 'first'));
    assert.ok(page);
    assert.equal(page.title(), 'first');
    assert.match(page.text(), /Draft, counts once you confirm it/);
    assert.match(page.html(), /Greet <strong>Ada<\/strong>/);
    assert.match(page.text(), /A good answer[^]*The answer contains “harbour”\./);
    assert.deepEqual(commandsIn(page.html()), ['confirmTask', 'tryTask', 'moveTask', 'deleteTask', 'editTask']);
    await run('confirmTask', skillPath, 'first');
    await until(() => page.text().includes('Confirmed · Training'), 'the page follows');
    assert.deepEqual(commandsIn(page.html()), ['tryTask', 'moveTask', 'disableTask', 'deleteTask', 'editTask']);
    const opened = await pagesOf(() => run('showTask', skillPath, 'second'));
    assert.deepEqual([opened.length, page.title()], [0, 'second']);
  });

  it('shows what was answered last', async function () {
    const skillPath = aDraftedSkill('answered');
    await run('tryTask', skillPath, 'first');
    const [page] = await pagesOf(() => run('showTask', skillPath, 'first'));
    assert.match(
      page?.text() ?? '',
      /Last answers, today[^]*Without the skill: failed[^]*With the skill: passed[^]*harbour/,
    );
  });

  it('has its row of buttons in evals.json, with those that can act and why the others are missing', async () => {
    const skillPath = aDraftedSkill('lenses');
    const uri = taskFile(skillPath, 'evals.json');
    await vscode.window.showTextDocument(uri);
    const rows = await lensRows(uri, (all) => all.length === 2);
    assert.deepEqual(rows[0]?.titles, [
      'Confirm',
      'Compare With and Without Skill',
      'Move to…',
      'Delete',
      'Draft, counts once you confirm it',
    ]);
    assert.equal(rows[0]?.line, lineOf(skillPath, '"id": "first"') - 1);
    await run('confirmTask', skillPath, 'first');
    const confirmed = await lensRows(uri, (all) => all[0]?.titles.includes('Disable') === true);
    assert.deepEqual(confirmed[0]?.titles, [
      'Compare With and Without Skill',
      'Move to…',
      'Disable',
      'Delete',
      'Confirmed · Training',
    ]);
    await run('disableTask', skillPath, 'first');
    const disabled = await lensRows(uri, (all) => all[0]?.titles.includes('Enable') === true);
    assert.deepEqual(disabled[0]?.titles.slice(0, 2), ['Enable', 'Compare With and Without Skill']);
  });

  it('moves to another side; where a run has used it, it stays, says why and can be disabled', async function () {
    const skillPath = aDraftedSkill('moving');
    await run('confirmTask', skillPath, 'first');
    const moved = await answering({ picks: ['Sealed'] }, () => run('moveTask', skillPath, 'first'));
    assert.deepEqual(moved.messages, ['Moved to Sealed: first.']);
    await answering({ picks: ['Held-out'] }, () => run('moveTask', skillPath, 'first'));
    await run('tryTask', skillPath, 'first');
    const refused = await answering({ picks: ['$(circle-slash) Sealed'], warnings: ['Disable'] }, () =>
      run('moveTask', skillPath, 'first'),
    );
    assert.deepEqual(refused.warnings, ['first stays where it is. A run has already used it.']);
    assert.equal(whetstoneOf(skillPath)['first']?.enabled, false);
  });

  it('is deleted, and brought back to the byte', async () => {
    const skillPath = aDraftedSkill('deleting');
    const left = await answering({}, () => run('deleteTask', skillPath, 'first'));
    assert.deepEqual(left.messages, ['first is deleted.']);
    assert.deepEqual(
      evalsOf(skillPath).map(({ id }) => id),
      ['second'],
    );
    assert.equal(whetstoneOf(skillPath)['first'], undefined);
    const other = aDraftedSkill('restoring');
    const before = textsOf(other);
    await answering({ buttons: ['Undo'] }, async () => {
      await run('deleteTask', other, 'first');
      await until(() => textsOf(other).join() === before.join(), 'it is back');
    });
  });

  it('changes nothing on disk while its file has unsaved changes', async () => {
    const skillPath = aDraftedSkill('dirty');
    const uri = taskFile(skillPath, 'evals.json');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 1), ' '));
    const before = readFileSync(uri.fsPath, 'utf8');
    const asked = await answering({ picks: ['Sealed'], buttons: ['Undo'] }, async () => {
      await run('deleteTask', skillPath, 'first');
      await run('moveTask', skillPath, 'first');
    });
    assert.equal(asked.errors.length, 2);
    for (const error of asked.errors) assert.match(error, /has changes that are not saved\./);
    assert.deepEqual(asked.errorButtons, ['Save', 'Save']);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(readFileSync(uri.fsPath, 'utf8'), before);
  });
});

describe('a new skill', () => {
  before(chooseSimulated);
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('has front matter, a body to fill in and first tasks, and is open', async () => {
    const asked = await answering(
      {
        inputs: [
          'Launch Notes',
          'launch-notes',
          ' ',
          'Writes release notes: from “commits”.',
          'Sum up these commits',
          'It names each commit.',
          'And these',
          '',
          '',
        ],
      },
      () => vscode.commands.executeCommand('whetstone.newSkill'),
    );
    assert.deepEqual(asked.errors, []);
    assert.equal(asked.refused.length, 2, asked.refused.join('\n'));
    const skillPath = await until(() => {
      const shown = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
      return /[\\/]launch-notes[\\/]SKILL\.md$/.test(shown) ? shown : undefined;
    }, 'the new skill is in front');
    assert.match(
      readFileSync(skillPath, 'utf8'),
      /^---\nname: launch-notes\ndescription: "Writes release notes: from “commits”\."\n---\n\n# Launch Notes\n/,
    );
    assert.deepEqual(
      evalsOf(skillPath).map(({ id, prompt }) => [id, prompt, whetstoneOf(skillPath)[id]?.draft ?? false]),
      [
        ['example-1', 'Sum up these commits', false],
        ['example-2', 'And these', true],
      ],
    );
    assert.match(asked.messages[0] ?? '', /launch-notes is ready with 2 tasks\./);
    const text = readFileSync(skillPath, 'utf8');
    const twice = await answering({ inputs: ['launch-notes', 'Other.', ''] }, () =>
      vscode.commands.executeCommand('whetstone.newSkill'),
    );
    assert.match(twice.errors[0] ?? '', /There is already something at .*launch-notes.*Choose another name/);
    assert.equal(readFileSync(skillPath, 'utf8'), text);
  });

  it('“New Skill” keeps what was written where the person presses Escape at a further example', async () => {
    const inputs = ['escape-notes', 'Writes notes.', 'Sum up these commits', 'It names each commit.', undefined];
    const asked = await answering({ inputs }, () => vscode.commands.executeCommand('whetstone.newSkill'));
    assert.deepEqual(asked.errors, []);
    assert.match(asked.messages[0] ?? '', /escape-notes is ready with 1 task\./);
  });

  it('“Optimize” with too few tasks leads to the drafts that wait', async () => {
    const one = { id: 'own', prompt: 'Greet Ada at work', expectations: ['It greets.'] };
    const skillPath = aSkill('few-and-drafts', {
      'evals/evals.json': { evals: [one, ...evals] },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: { first: { draft: true }, second: { draft: true } },
      },
    });
    const { errors, errorButtons } = await answering({}, () =>
      vscode.commands.executeCommand('whetstone.optimize', skillPath),
    );
    assert.match(errors[0] ?? '', /too few tasks to learn from: .* Drafts that wait for you: 2\./);
    assert.deepEqual(errorButtons, ['Review Drafts', 'Draft Tasks']);
  });
});

/** The two files that a task lies in, as they are. */
function textsOf(skillPath: string): readonly string[] {
  return (['evals.json', 'whetstone.json'] as const).map((name) =>
    readFileSync(taskFile(skillPath, name).fsPath, 'utf8'),
  );
}

function aDraftedSkill(name: string): string {
  return aSkill(name, {
    'evals/evals.json': { evals },
    'evals/whetstone.json': {
      format: 'whetstone.tasks',
      version: 1,
      tasks: { first: { draft: true, tags: ['x'] }, second: { draft: true } },
    },
  });
}

function run(command: string, skillPath: string, taskId: string): Thenable<unknown> {
  return vscode.commands.executeCommand(`whetstone.${command}`, { skillPath, taskId });
}

function commandsIn(html: string): readonly string[] {
  return [...html.matchAll(/href="command:whetstone\.(\w+)\?/g)].map(([, command = '']) => command);
}

interface LensRow {
  readonly line: number;
  readonly titles: readonly string[];
}

/** The rows of buttons in a document, once they are as wanted. */
async function lensRows(uri: vscode.Uri, wanted: (rows: readonly LensRow[]) => boolean): Promise<readonly LensRow[]> {
  const read = async (): Promise<readonly LensRow[]> => {
    const lenses = await vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
      100,
    );
    const lines = [...new Set(lenses.map(({ range }) => range.start.line))].sort((a, b) => a - b);
    return lines.map((line) => ({
      line,
      titles: lenses.filter(({ range }) => range.start.line === line).map(({ command }) => command?.title ?? ''),
    }));
  };
  let rows = await read();
  await until(async () => wanted((rows = await read())), 'the rows of buttons');
  return rows;
}

function lineOf(skillPath: string, text: string): number {
  const file = path.join(path.dirname(skillPath), 'evals', 'evals.json');
  return readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text));
}
