import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { aModelThatLearns } from '../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import type { ScriptedModel } from '../fakes/ScriptedModel.js';

const tasks = writtenTasks({ training: 4, heldOut: 6, sealed: 0 }, []).map((task) => ({
  ...task,
  checks: [{ check: 'exact', answer: 'alpha' }],
}));
const neverAborted = new AbortController().signal;

describe('a verdict is made of fresh attempts', () => {
  let workspace: TestWorkspace;
  beforeEach(() => {
    workspace = aWorkspace({ tasks });
  });
  afterEach(() => workspace.dispose());

  it('also after everything that was kept about the skill is removed', async () => {
    const asked = await certifiedWith(workspace);
    await workspace
      .useCases()
      .cleanData({ skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] }, neverAborted);
    assert.equal(await certifiedWith(workspace), asked);
  });

  it('and no other run’s replies, though what was tried before is not paid for twice', async () => {
    const first = modelOf();
    await workspace.optimize({ models: inEveryRole(first) });
    const second = modelOf();
    await workspace.optimize({ models: inEveryRole(second) });
    assert.ok(second.requests.length < first.requests.length);
    assert.ok(second.requests.length >= 12, `${second.requests.length} calls`);
  });

  it('also in a copy of the workspace', async () => {
    const asked = await certifiedWith(workspace);
    const copy = path.join(workspace.home, 'copy');
    cpSync(workspace.folder, copy, { recursive: true });
    const model = modelOf();
    const { proposal, summary } = await workspace.useCases(inEveryRole(model)).optimize(
      {
        skillPath: path.join(copy, 'skills/words/SKILL.md'),
        workspaceFolders: [copy],
        preset: 'quick',
        settings: [],
        purpose: 'optimize',
        trusted: true,
        resume: undefined,
      },
      () => undefined,
      neverAborted,
    );
    assert.equal(proposal?.verdict.kind, 'accepted');
    assert.deepEqual([summary.stages.certify?.calls, summary.stages.certify?.cachedCalls], [asked, 0]);
  });
});

/** How many calls the certification made. */
async function certifiedWith(workspace: TestWorkspace): Promise<number | undefined> {
  const { proposal, summary } = await workspace.optimize({ models: inEveryRole(modelOf()) });
  assert.equal(proposal?.verdict.kind, 'accepted');
  assert.equal(summary.stages.certify?.cachedCalls, 0);
  assert.ok((summary.stages.certify?.calls ?? 0) >= 12);
  return summary.stages.certify?.calls;
}

function modelOf(): ScriptedModel {
  return aModelThatLearns(() => '');
}
