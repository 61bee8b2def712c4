import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { OptimizeResult } from '../../../src/app/runs/optimize.js';
import { answering } from '../answering.js';
import { aSkill } from '../tasks/taskWindow.js';

const names = ['Ada', 'Bo', 'Cem', 'Dora', 'Emil', 'Fay', 'Gus', 'Hana'];
const evals = {
  evals: names.map((name) => ({
    id: name,
    prompt: `Greet ${name} at work`,
    expectations: ['The answer contains “harbour”.'],
  })),
};

describe('where no model is chosen', () => {
  beforeEach(() => setTarget(undefined));
  after(() => setTarget(undefined));

  it('“Optimize This Skill” asks for one, offers the simulated one, and goes on with it', async () => {
    const skillPath = aSkill('without-model', { 'evals/evals.json': evals });
    let result: OptimizeResult | undefined;
    const { errors } = await answering({ picks: ['$(beaker) Simulated'], buttons: ['Optimize'] }, async () => {
      result = await vscode.commands.executeCommand<OptimizeResult>('whetstone.optimize', skillPath);
    });
    assert.deepEqual(errors, []);
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('model.target'), 'simulated');
    assert.equal(result?.summary.outcome, 'nothing', 'every task passes already');
  }).timeout(60_000);

  it('nothing is begun where the person picks none', async () => {
    const skillPath = aSkill('without-model-still', { 'evals/evals.json': evals });
    const { messages, errors } = await answering({}, () =>
      vscode.commands.executeCommand('whetstone.optimize', skillPath),
    );
    assert.deepEqual([messages, errors], [[], []]);
    assert.equal(vscode.workspace.getConfiguration('whetstone').get('model.target'), '');
  });
});

function setTarget(spec: string | undefined): Thenable<void> {
  return vscode.workspace.getConfiguration('whetstone').update('model.target', spec, vscode.ConfigurationTarget.Global);
}
