import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aNightRequest, aNightWorkspace, type NightWorkspace } from './nightWorkspace.js';

const name = 'incident-summary';

describe('a night whose preferences are not yet allowed', () => {
  const workspaces: NightWorkspace[] = [];
  after(() => workspaces.forEach((each) => each.dispose()));

  it('runs without them, says so, and says them once they are allowed', async () => {
    const workspace = open('Mention zeppelins.\n');
    const without = noting();
    const [skill] = (await workspace.night(without.model)).skills;
    assert.equal(skill?.outcome, 'proposed');
    assert.match(
      skill.reason,
      /preferences in \.whetstone\/preferences\.md were left out: you have not allowed that text/,
    );
    assert.ok(without.said.length > 0);
    assert.ok(!without.said.some((text) => text.includes('zeppelins')));

    const allowing = workspace.useCases(without.model, { allowsPreferences: () => Promise.resolve(true) });
    const { skills, ...request } = aNightRequest(workspace.folder, { skills: [workspace.skillPath(name)] });
    await allowing.preflight({ ...request, skillPath: skills[0] ?? '', purpose: 'optimize' }, neverAborted);
    const withThem = noting();
    const [again] = (await workspace.night(withThem.model)).skills;
    assert.doesNotMatch(again?.reason ?? '', /left out/);
    assert.ok(withThem.said.some((text) => text.includes('Mention zeppelins.')));
  });

  function open(preferences: string): NightWorkspace {
    const workspace = aNightWorkspace([name]);
    workspaces.push(workspace);
    workspace.keepTasks(name, 8);
    mkdirSync(path.join(workspace.folder, '.whetstone'));
    writeFileSync(path.join(workspace.folder, '.whetstone/preferences.md'), preferences);
    return workspace;
  }
});

const neverAborted = new AbortController().signal;

/** Notes what the optimizer is asked. */
function noting(): { readonly model: LanguageModel; readonly said: readonly string[] } {
  const simulated = createSimulatedModel();
  const said: string[] = [];
  return {
    said,
    model: {
      identity: simulated.identity,
      complete: (request, signal) => {
        if (request.role === 'optimizer') said.push(request.messages.map(({ content }) => content).join('\n'));
        return simulated.complete(request, signal);
      },
    },
  };
}
