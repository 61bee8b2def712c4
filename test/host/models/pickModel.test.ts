import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as vscode from 'vscode';
import { modelRow } from '../../../src/editor/models/modelsTree.js';
import { answering } from '../answering.js';

describe('the choice of a model', () => {
  let server: Server;
  let address = '';
  before(async () => {
    server = createServer((request, response) => {
      if (request.url !== '/v1/models') return void response.writeHead(401).end('{"error":{"message":"no such key"}}');
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ data: [{ id: 'qwen3' }, { id: 'llama3.2' }] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = server.address();
    address = `http://127.0.0.1:${at instanceof Object ? at.port : 0}`;
  });
  after(async () => {
    server.close();
    for (const role of ['target', 'optimizer']) await setModel(role, undefined);
  });

  it('is asked for in plain words, in groups, and names Copilot where it is not there', async () => {
    const { menus, rows } = await answering({ picks: [] }, () => choose('target'));
    assert.deepEqual(menus, ['Which model runs your skill? | Runs your skill: the model you use the skill with.']);
    const groups = rows.filter((row) => row.startsWith('-- '));
    assert.deepEqual(groups, ['-- On this machine', '-- Agent programs', '-- VS Code’s own', '-- Cloud']);
    const group = (from: string, to?: string): string =>
      rows.slice(rows.indexOf(from), to === undefined ? undefined : rows.indexOf(to)).join('\n');
    assert.match(group('-- On this machine', '-- Agent programs'), /\$\(beaker\) Simulated/);
    assert.match(group('-- On this machine', '-- Agent programs'), /\$\(vm(?:-running)?\) Ollama/);
    assert.match(group('-- VS Code’s own', '-- Cloud'), /\$\(copilot\) GitHub Copilot: not installed/);
    assert.match(group('-- Cloud'), /\$\((?:cloud|key)\) OpenAI:/);
    assert.doesNotMatch(rows.join('\n'), /Same as Target/);
  }).timeout(30_000);

  it('of the optimizer can be the target’s again', async () => {
    await setModel('target', 'simulated');
    await setModel('optimizer', 'simulated?lapse=0.5');
    const { menus } = await answering({ picks: ['$(link) Same as Target'] }, () => choose('optimizer'));
    assert.match(
      menus[0] ?? '',
      /^Which model proposes the edits\? \| Proposes the edits\. Use your strongest model\.$/,
    );
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('model.optimizer'), '');
  }).timeout(30_000);

  it('is named in the view, where a click on a role changes it', async () => {
    await setModel('target', 'ollama/qwen3');
    await setModel('optimizer', undefined);
    const rows = (['target', 'optimizer', 'judge'] as const).map(modelRow);
    assert.deepEqual(
      rows.map(({ label, description, command }) => [label, description, command?.command, command?.arguments]),
      [
        ['Target', 'ollama/qwen3', 'whetstone.chooseModel', ['target']],
        ['Optimizer', 'same as target', 'whetstone.chooseModel', ['optimizer']],
        ['Judge', 'same as target', 'whetstone.chooseModel', ['judge']],
      ],
    );
    await vscode.commands.executeCommand('whetstone.models.focus');
  }).timeout(30_000);

  it('lists the models of any address', async () => {
    const answers = { picks: ['$(edit) Other…', 'llama3.2'], inputs: ['nowhere', `${address}/v1`] };
    const { rows, refused } = await answering(answers, () => choose('target'));
    assert.deepEqual(rows.slice(-3), ['qwen3', 'llama3.2', '$(edit) Other…']);
    assert.equal(refused.length, 1);
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('model.target'), `${address}/v1#llama3.2`);
  }).timeout(30_000);

  it('says why a server names no model, and takes a name', async () => {
    const answers = { picks: ['$(edit) Other…', '$(edit) Other…'], inputs: [`${address}/wrong`, 'mine'] };
    const { rows, prompts } = await answering(answers, () => choose('target'));
    assert.match(rows.at(-2) ?? '', /^-- .*wants an API key, and none is set/);
    assert.match(prompts.at(-1) ?? '', /wants an API key.* Write the model’s name\.$/);
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('model.target'), `${address}/wrong#mine`);
  }).timeout(30_000);
});

function choose(role: string): Thenable<unknown> {
  return vscode.commands.executeCommand('whetstone.chooseModel', role);
}

function setModel(role: string, spec: string | undefined): Thenable<void> {
  const settings = vscode.workspace.getConfiguration('whetstone');
  return settings.update(`model.${role}`, spec, vscode.ConfigurationTarget.Global);
}
