import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { aSkill } from '../tasks/taskWindow.js';
import { until } from '../until.js';

const evals = {
  evals: ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'].map((name) => ({
    id: name,
    prompt: `Greet ${name} at work`,
    expectations: ['The answer contains “harbour”.'],
  })),
};

describe('the preflight', () => {
  let server: Server;
  before(async () => {
    server = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const spec = `http://127.0.0.1:${address instanceof Object ? address.port : 0}/v1#paid`;
    await set('model.target', spec);
    await set('model.prices', { paid: { input: 1, output: 5 } });
  });
  after(async () => {
    await set('model.target', undefined);
    await set('model.prices', undefined);
    await set('caps.runUsd', undefined);
    server.close();
  });

  it('says cost, calls and time first, and the cap that is set there', async () => {
    const answers = { modals: ['Set a Cap', undefined], picks: ['USD for each run'], inputs: ['nothing', '0.5'] };
    const { messages, refused } = await answering(answers, () => optimize('preflight-cap'));
    const [first = '', second = ''] = messages;
    assert.match(
      first.split('\n')[1] ?? '',
      /^usually \d+\.\d\d USD, at most \d+\.\d\d USD · usually [\d,]+, at most [\d,]+ calls · usually .+, at most \d+ (?:min|h)$/,
    );
    assert.match(first, /^No cap is set\.$/m);
    assert.match(first, /^Ends by itself once the server gives no answer for 20 minutes, .*$/m);
    assert.match(second, /^Caps: 0\.50 USD a run\.$/m);
    assert.equal(refused.length, 1);
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('caps.runUsd'), 0.5);
    assert.ok(second.split('\n').length <= 14, second);
  }).timeout(30_000);

  it('says first of all that a cap is below the least that ends in a proposal', async () => {
    await set('caps.runUsd', 0.001);
    const { messages } = await answering({ modals: [undefined] }, () => optimize('preflight-low-cap'));
    await set('caps.runUsd', undefined);
    const [, first = ''] = messages[0]?.split('\n') ?? [];
    assert.match(first, /^The cap of 0\.001 USD a run is below the least that ends in a proposal, /);
  }).timeout(30_000);

  it('comes back when what is sent was looked at', async () => {
    const { messages } = await answering({ modals: ['Preview What Is Sent', undefined] }, async () => {
      const run = optimize('preflight-preview');
      await until(() => /^Greet \w+ at work$/m.test(shownText()), 'the preview');
      assert.match(shownText(), /^## user$/m);
      const tab = previewTab();
      if (tab !== undefined) await vscode.window.tabGroups.close(tab);
      await run;
    });
    const questions = messages.filter((message) => message.startsWith('Optimize preflight-preview?'));
    assert.equal(questions.length, 2, messages.join('\n---\n'));
  }).timeout(30_000);

  it('shows what is sent as JSON at the press of a row', async () => {
    const skillPath = aSkill('preflight-json', { 'evals/evals.json': evals });
    const given = await vscode.commands.executeCommand<string>('whetstone.previewRequests', skillPath);
    const [lens] = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      vscode.Uri.parse(given),
    );
    assert.equal(lens?.command?.title, 'Show as JSON');
    await vscode.commands.executeCommand(lens.command.command, ...(lens.command.arguments ?? []));
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === given);
    await until(() => /"content": "Greet \w+ at work"/.test(document?.getText() ?? ''), 'the JSON');
    const tab = previewTab();
    if (tab !== undefined) await vscode.window.tabGroups.close(tab);
  }).timeout(30_000);
});

function shownText(): string {
  return vscode.window.activeTextEditor?.document.getText() ?? '';
}

function previewTab(): vscode.Tab | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab?.input instanceof vscode.TabInputText && tab.input.uri.scheme === 'whetstone-text' ? tab : undefined;
}

async function optimize(name: string): Promise<unknown> {
  return vscode.commands.executeCommand('whetstone.optimize', aSkill(name, { 'evals/evals.json': evals }));
}

function set(name: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update(name, value, vscode.ConfigurationTarget.Global);
}
