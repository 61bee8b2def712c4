import assert from 'node:assert/strict';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { aModelThatLearns } from '../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';

/** A judge's word is said once and cannot be worked out again: the run keeps it for whoever looks at the answers. */
describe('what a judge said of an answer', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((workspace) => workspace.dispose()));

  it('is shown with the answer after the run, before and after the edits', async () => {
    const checks = [
      { check: 'max_chars', limit: 500 },
      { check: 'rubric', rubric: 'It says alpha.' },
    ];
    const tasks = writtenTasks({ training: 4, heldOut: 6, sealed: 2 }, []).map((task) => ({ ...task, checks }));
    const model = aModelThatLearns(graded);
    const workspace = aWorkspace({ tasks, models: inEveryRole(model) });
    workspaces.push(workspace);
    const { proposal } = await workspace.optimize();
    const [before, after] = proposal?.answers['heldOut-0'] ?? [];

    const shown = await Promise.all([before, after].map((hash) => checksOf(workspace, hash)));
    assert.deepEqual(shown, [
      ['pass: It has 8 characters.', 'fail: It is silent about letters.'],
      ['pass: It has 5 characters.', 'pass: It names the letter.'],
    ]);
  });
});

async function checksOf(workspace: TestWorkspace, answerHash: string | undefined) {
  assert.ok(answerHash);
  const { skillPath, folder } = workspace;
  const request = { skillPath, workspaceFolders: [folder], taskId: 'heldOut-0', answerHash };
  const found = await workspace.useCases().answerChecks(request, new AbortController().signal);
  return found?.checks.map(({ outcome, reason }) => `${outcome}: ${reason}`);
}

function graded({ messages }: ModelRequest): string {
  const pass = /```answer-[0-9a-f]+\nalpha\n/u.test(messages[0]?.content ?? '');
  const reason = pass ? 'It names the letter.' : 'It is silent about letters.';
  return JSON.stringify({ results: [{ index: 0, pass, score: pass ? 1 : 0, reason }] });
}
