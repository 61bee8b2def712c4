import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { anOptimizer, edits } from '../builders/aRunContext.js';
import { aWorkspace, inEveryRole, writtenTasks, type TestWorkspace } from '../builders/aWorkspace.js';
import type { ScriptedModel } from '../fakes/ScriptedModel.js';

const token = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`;

/** The optimizer quotes what it was shown in place of a task's secret, and names a secret of its own. */
describe('a secret of a task', () => {
  let workspace: TestWorkspace;
  before(() => {
    const tasks = writtenTasks({ training: 3, heldOut: 6, sealed: 0 }, ['alpha']).map((task) => ({
      ...task,
      prompt: `${task.prompt} Deploy with ${token}.`,
    }));
    workspace = aWorkspace({ tasks, models: inEveryRole(aQuotingModel()) });
  });
  after(() => workspace.dispose());

  it('does not come into the skill: the edit that quotes it is among those not taken, with the reason', async function () {
    const { proposal } = await workspace.optimize();
    assert.ok(proposal, 'the other lesson is proposed');
    const refused = proposal.leftOut.flatMap(({ edit, outcome }) =>
      outcome.kind === 'refused' && outcome.reason === 'secret' ? [{ edit, detail: outcome.detail }] : [],
    );
    assert.equal(refused.length, 2, JSON.stringify(proposal.leftOut));
    assert.ok(refused.every(({ detail }) => /stands for a secret/.test(detail)));
    const [skill] = proposal.documents;
    assert.match(skill?.candidateText ?? '', /the first letter/);
    assert.doesNotMatch(skill?.candidateText ?? '', /REDACTED_|ghp_/);
    assert.deepEqual(filesWith(path.dirname(workspace.folder), token), ['evals.json']);
  });
});

function aQuotingModel(): ScriptedModel {
  const lesson = { op: 'append', content: '- Name the first letter.', rationale: 'No attempt did.' } as const;
  return anOptimizer({
    reflect: ({ messages }) => {
      const [quoted = 'nothing'] = /REDACTED_github-token_[0-9a-f]{12}/.exec(messages[0]?.content ?? '') ?? [];
      return edits(
        lesson,
        { op: 'append', content: `- Deploy with ${quoted}.`, rationale: `The token is ${quoted}.` },
        { op: 'append', content: `- Deploy with ghp_${'z9Y8x7W6'.repeat(4)}v5U4.`, rationale: 'Mine.' },
      );
    },
  }).when(
    ({ role }) => role === 'target',
    ({ messages }) => (messages[0]?.content.includes('the first letter') === true ? 'alpha' : 'Nothing.'),
  );
}

function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile() && readFileSync(file, 'utf8').includes(text))
    .map((file) => path.basename(file));
}
