import assert from 'node:assert/strict';
import { createServer } from 'node:net';
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

describe('where nobody answers at the address of the model', () => {
  after(() => setTarget(undefined));

  it('“Optimize This Skill” says so at once, as an error with a way on, and asks nothing', async () => {
    await setTarget(`${await closedPort()}#m`);
    const skillPath = aSkill('dead-server', { 'evals/evals.json': evals });
    const began = Date.now();
    const { errors, errorButtons, messages } = await answering({}, () =>
      vscode.commands.executeCommand('whetstone.optimize', skillPath),
    );
    assert.ok(Date.now() - began < 10_000, `${Date.now() - began} ms`);
    assert.deepEqual([errors.length, messages], [1, []]);
    assert.match(errors[0] ?? '', /^No server answers at http:\/\/127\.0\.0\.1:\d+\/v1 \(ECONNREFUSED\)\. Check the/);
    assert.deepEqual(errorButtons, ['Check Connection', 'Choose Model']);
  }).timeout(30_000);
});

function setTarget(spec: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update('model.target', spec, vscode.ConfigurationTarget.Global);
}

async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${address instanceof Object ? address.port : 0}/v1`;
}
