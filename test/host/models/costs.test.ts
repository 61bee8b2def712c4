import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import * as vscode from 'vscode';
import { answering } from '../answering.js';
import { aSkill } from '../tasks/taskWindow.js';

const evals = {
  evals: ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'].map((name) => ({
    id: name,
    prompt: `Greet ${name} at work`,
    expectations: ['The answer contains “harbour”.'],
  })),
};

describe('a server on this machine', () => {
  let server: Server;
  let spec = '';
  before(async () => {
    server = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    spec = `http://127.0.0.1:${address instanceof Object ? address.port : 0}/v1#gpt-4o-mini`;
    await setTarget(spec);
  });
  after(async () => {
    await setTarget(undefined);
    server.close();
  });

  it('is asked about before its first run, and nothing is begun where the person closes the question', async () => {
    const { messages, errors } = await answering({ picks: [] }, () => optimize('costs-closed'));
    assert.deepEqual([messages, errors], [[], []]);
  }).timeout(30_000);

  it('is asked about once: the answer stands in the preflight from then on', async () => {
    const first = await answering({ picks: ['$(question) I don’t know'], modals: [undefined] }, () =>
      optimize('costs-1'),
    );
    assert.match(
      first.messages[0] ?? '',
      /price not known · usually [\d,]+, at most [\d,]+ calls · usually .+, at most \d/,
    );
    const second = await answering({ picks: [], modals: [undefined] }, () => optimize('costs-2'));
    assert.match(second.messages[0] ?? '', /price not known/);
  }).timeout(30_000);

  it('is changed where models are chosen, with a price of one’s own', async () => {
    const picks = ['$(credit-card) Cost of gpt-4o-mini', '$(credit-card) Yes, it costs money'];
    const { refused } = await answering({ picks, inputs: ['much', '0.15/0.60'] }, () =>
      vscode.commands.executeCommand('whetstone.chooseModel'),
    );
    assert.equal(refused.length, 1);
    const { messages } = await answering({ picks: [], modals: [undefined] }, () => optimize('costs-3'));
    assert.match(messages[0] ?? '', /at most \d+\.\d\d USD · usually [\d,]+, at most [\d,]+ calls/);
  }).timeout(30_000);

  it('that is free is asked about all the same, with its time first, for a run may take long', async () => {
    const picks = ['$(credit-card) Cost of gpt-4o-mini', '$(check) No, it is free'];
    await answering({ picks }, () => vscode.commands.executeCommand('whetstone.chooseModel'));
    const { messages } = await answering({ picks: [], modals: [undefined] }, () => optimize('costs-4'));
    assert.match(
      messages[0] ?? '',
      /how long is known after the first calls · usually [\d,]+, at most [\d,]+ calls · free/,
    );
    assert.match(messages[0] ?? '', /^No cap in minutes is set: “Set a Cap”/m);
  }).timeout(30_000);
});

async function optimize(name: string): Promise<unknown> {
  return vscode.commands.executeCommand('whetstone.optimize', aSkill(name, { 'evals/evals.json': evals }));
}

function setTarget(spec: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update('model.target', spec, vscode.ConfigurationTarget.Global);
}
