import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { faultyChecks, faultyEvals } from '../../builders/faultyTasks.js';
import { until } from '../until.js';
import { aSkill, codesIn, problemsIn, put, taskFile } from './taskWindow.js';

const harbour = 'Write the long welcome speech for the harbour master of Port Ellen, who retires in May';
const lighthouse = 'Draft a farewell card for the keepers of the lighthouse on Skerryvore, signed by all';

const evals = [
  ...faultyEvals,
  { id: 'trained', prompt: harbour, expectations: ['x'] },
  { id: 'leaked', prompt: `${harbour}!`, expectations: ['x'] },
  { id: 'apart', prompt: lighthouse, expectations: ['x'] },
  { id: 'torn', prompt: `${lighthouse}!`, expectations: ['x'] },
];
const tasks = {
  ...faultyChecks,
  trained: { split: 'training', origin: 'call-1' },
  leaked: { split: 'heldOut' },
  apart: { split: 'heldOut' },
  torn: { origin: 'call-1' },
};

describe('the Problems panel', () => {
  it('shows what a schema cannot say, each on its line, and forgets what was mended', async () => {
    const skillPath = aSkill('problems', {
      'evals/evals.json': { evals },
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks },
    });
    const [evalsUri, whetstoneUri] = [taskFile(skillPath, 'evals.json'), taskFile(skillPath, 'whetstone.json')];
    const document = await vscode.workspace.openTextDocument(evalsUri);
    await vscode.window.showTextDocument(document);
    await until(() => codesIn(evalsUri).has('duplicate-id'), 'the first problem');

    const wanted = [
      'duplicate-id',
      'malformed-check',
      'unknown-check',
      'never-fails',
      'shape-only',
      'fixture-unusable',
    ];
    const found = codesIn(evalsUri, whetstoneUri);
    for (const code of [...wanted, 'too-few-tasks', 'set-aside', 'leak'])
      assert.ok(found.has(code), `${code} is not shown: ${[...found].join(', ')}`);
    const line =
      document
        .getText()
        .split('\n')
        .findIndex((text) => text.includes('speech.txt')) + 1;
    assert.ok(problemsIn(evalsUri).includes(`fixture-unusable ${line}`), problemsIn(evalsUri).join(', '));

    put(path.dirname(skillPath), { 'evals/files/speech.txt': 'Dear all' });
    await until(() => !codesIn(evalsUri).has('fixture-unusable'), 'the fixture is there, and its problem gone');

    put(path.dirname(skillPath), {
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: {
          ...tasks,
          regex: { checks: [{ check: 'regex', pattern: '(a)' }] },
          unknown: { checks: [{ check: 'contains', text: 'x' }] },
        },
      },
    });
    await until(
      () => !codesIn(whetstoneUri).has('malformed-check') && !codesIn(whetstoneUri).has('unknown-check'),
      'the checks are mended',
    );
    assert.ok(codesIn(whetstoneUri).has('shape-only'), 'what was not mended stays');
  });

  it('lists what a person mistyped once, with what was meant, and the editor still offers what may stand there', async () => {
    const agent = { fixture: 'evals/fixtures/shop', program: 'claud', mode: 'forcd' };
    const skillPath = aSkill('mistyped', {
      'evals/evals.json': { evals: [{ id: 'one', prompt: 'Change the price' }] },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: { one: { environment: 'agent', agent, checks: [{ check: 'file_chaged', path: 'x' }] } },
      },
      'evals/fixtures/shop/prices.md': 'Lamp 19.00',
    });
    const uri = taskFile(skillPath, 'whetstone.json');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    await until(() => codesIn(uri).has('unknown-check'), 'the problems');
    const at = document.positionAt(document.getText().indexOf('forcd') + 1);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      at,
    );
    const offered = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    for (const value of ['"offered"', '"forced"']) assert.ok(offered.includes(value), offered.join(', '));
    // What the editor itself finds came with the completion, of any source.
    const said = vscode.languages.getDiagnostics(uri).map(({ message }) => message);
    assert.equal(said.length, 3, said.join('\n'));
    assert.deepEqual(
      new Set(said.map((message) => /Did you mean “(.*?)”/u.exec(message)?.[1])),
      new Set(['claude-code', 'file_changed', 'forced']),
    );
    assert.deepEqual([...codesIn(taskFile(skillPath, 'evals.json'))], ['too-few-tasks']);
  });

  it('shows where a file stops making sense, and clears it once it does', async () => {
    const skillPath = aSkill('malformed', { 'evals/evals.json': '{\n  "evals": [\n    { "id": 1, }\n  ]\n}\n' });
    const uri = taskFile(skillPath, 'evals.json');
    await vscode.window.showTextDocument(uri);
    await until(() => problemsIn(uri).includes('malformed 3'), 'the place where it breaks');
    const good = { evals: [{ id: 1, prompt: 'Greet', expectations: ['It greets.'] }] };
    writeFileSync(uri.fsPath, JSON.stringify(good));
    await until(() => !codesIn(uri).has('malformed'), 'the file is whole again');
    assert.deepEqual([...codesIn(uri)], ['too-few-tasks']);
  });

  it('offers to keep the checks of a task that was edited by hand', async () => {
    const skillPath = aSkill('edited', {
      'evals/evals.json': { evals: [{ id: 'one', prompt: 'Greet Bo', expectations: ['It greets.'] }] },
      'evals/whetstone.json': {
        format: 'whetstone.tasks',
        version: 1,
        tasks: { one: { contentHash: '0'.repeat(32), checks: [{ check: 'contains', text: 'Bo' }] } },
      },
    });
    const uri = taskFile(skillPath, 'whetstone.json');
    await vscode.window.showTextDocument(uri);
    const problem = await until(
      () => vscode.languages.getDiagnostics(uri).find(({ code }) => code === 'task-changed'),
      'the task is called changed',
    );
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      problem.range,
    );
    const fix = actions.find(({ title }) => title.includes('still fit'));
    assert.ok(fix?.command, actions.map(({ title }) => title).join(', '));
    await vscode.commands.executeCommand(fix.command.command, ...(fix.command.arguments ?? []));
    await until(() => !codesIn(uri).has('task-changed'), 'the checks are kept');
  });

  it('offers to describe a check that the optimizer is not told about, with the cursor in its field', async () => {
    const check = { check: 'regex', pattern: String.raw`(\w+) \1` };
    const skillPath = aSkill('undescribed', {
      'evals/evals.json': { evals: [{ id: 'one', prompt: 'Say it twice' }] },
      'evals/whetstone.json': { format: 'whetstone.tasks', version: 1, tasks: { one: { checks: [check] } } },
    });
    const uri = taskFile(skillPath, 'whetstone.json');
    await vscode.window.showTextDocument(uri);
    const problem = await until(
      () => vscode.languages.getDiagnostics(uri).find(({ code }) => code === 'not-described'),
      'the check is named',
    );
    const actions = await vscode.commands.executeCommand<readonly vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      problem.range,
    );
    const fix = actions.find(({ title }) => title.includes('Describe'));
    assert.ok(fix?.command, actions.map(({ title }) => title).join(', '));
    await vscode.commands.executeCommand(fix.command.command, ...(fix.command.arguments ?? []));
    const { activeTextEditor: editor } = vscode.window;
    assert.ok(editor);
    await editor.edit((edit) => edit.insert(editor.selection.active, 'A word comes twice.'));
    assert.match(editor.document.getText(), /"criterion": "A word comes twice\.",\s+"check": "regex"/);
    await editor.document.save();
    await until(() => !codesIn(uri).has('not-described'), 'the check is described');
  });
});
