import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { aListenedModel } from '../builders/aListenedModel.js';
import { aToolWorkspace } from '../builders/aToolWorkspace.js';
import { inEveryRole, type TestWorkspace } from '../builders/aWorkspace.js';
import { aCommandLine } from '../builders/commandLine.js';

const secret = 'AKIAQYLPMN5HHHFPZAM2';

/** Six tasks are sent back by a tool that says why; the check itself is hidden, and nothing else tells. */
describe('a failure that only the trajectory explains', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((workspace) => workspace.dispose()));
  const made = (): TestWorkspace => {
    const workspace = aToolWorkspace({ secret });
    workspaces.push(workspace);
    return workspace;
  };

  it('is learnt from where trajectories are shown', async () => {
    const { model, prompts } = aListenedModel();
    const { proposal, summary } = await made().optimize({ models: inEveryRole(model) });
    assert.equal(proposal?.verdict.kind, 'accepted', summary.reason);
    assert.match(proposal?.documents[0]?.candidateText ?? '', /Over and out/u);
    const [asked = ''] = prompts;
    assert.match(asked, /\[1\] tool call:\n {2}file_report \{[^\n]*\}\nobservation:\n {2}The report was sent back\./u);
    assert.match(asked, /REDACTED_/u);
    assert.doesNotMatch(asked, new RegExp(secret, 'u'));
    assert.ok(
      prompts.every((prompt) => !prompt.includes('heldOut-')),
      'nothing of held-out attempts',
    );
  });

  it('is not where they are not', async () => {
    const { model, prompts } = aListenedModel();
    const settings = { reflect: { trajectoryTokens: 0 } };
    const { proposal } = await made().optimize({ models: inEveryRole(model), settings });
    assert.equal(proposal, undefined);
    assert.ok(prompts.length > 0 && prompts.every((prompt) => !prompt.includes('Over and out')));
  });

  it('lies in the folder of the run, attempt by attempt, without secrets', async () => {
    const workspace = made();
    const { summary } = await workspace.optimize({ settings: { train: { attempts: 2 } } });
    const folder = 'steps/step_0001/rollout/predictions/training-0';
    for (const file of ['conversation.json', 'attempt_0002/conversation.json']) {
      const text = workspace.artifact(summary.runId, `${folder}/${file}`) ?? '';
      const entries: readonly Record<string, unknown>[] = JSON.parse(text);
      assert.deepEqual(
        entries.map((entry) => entry['type'] ?? entry['role']),
        ['user', 'tool_call', 'assistant'],
      );
      assert.match(String(entries[1]?.['obs']), /^The report was sent back/u);
      assert.doesNotMatch(text, new RegExp(secret, 'u'));
    }
    const run = path.join(workspace.folder, '.whetstone', 'runs', summary.runId);
    const files = readdirSync(run, { recursive: true, encoding: 'utf8' });
    assert.ok(
      files.every((file) => !/predictions.heldOut/u.test(file)),
      'nothing of held-out attempts',
    );
  });

  it('makes the same proposal on the command line, byte for byte', async () => {
    const [one, other] = [made(), made()];
    const first = await one.optimize({ preset: 'quick' });
    assert.ok(first.proposal !== undefined);
    const line = aCommandLine({ at: { base: path.dirname(other.folder) } });
    mkdirSync(line.home, { recursive: true });
    copyFileSync(path.join(one.home, 'state', 'state.key'), path.join(line.home, 'state.key'));
    const { code, err } = await line.run('optimize', path.dirname(other.skillPath), '--preset', 'quick', '--json');
    assert.equal(code, 0, err);
    assert.deepEqual(proposalIn(other.folder), proposalIn(one.folder));
  });
});

function proposalIn(folder: string): readonly [name: string, text: string] {
  const proposals = path.join(folder, '.whetstone', 'proposals');
  const [name = ''] = readdirSync(proposals);
  return [name, readFileSync(path.join(proposals, name), 'utf8')];
}
