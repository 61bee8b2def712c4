import assert from 'node:assert/strict';
import type { RunRequest } from '../../../../src/app/runs/runStart.js';
import { aWorkspace, type TestWorkspace } from '../../../builders/aWorkspace.js';

/** The most calls that each rule takes tell which of them counts. */
describe('the gate of a run in a window', () => {
  let workspace: TestWorkspace;
  before(() => {
    workspace = aWorkspace();
  });
  after(() => workspace.dispose());

  const cases: readonly {
    readonly name: string;
    readonly own?: string;
    readonly ofWorkspace?: string;
    readonly counts: string;
    readonly says: RegExp | undefined;
  }[] = [
    { name: 'is confident where nobody says anything', counts: 'confident', says: undefined },
    { name: 'is what the person set', own: 'off', counts: 'off', says: undefined },
    {
      name: 'is made stricter by the workspace',
      own: 'off',
      ofWorkspace: 'confident',
      counts: 'confident',
      says: undefined,
    },
    {
      name: 'is not turned off by the workspace',
      ofWorkspace: 'off',
      counts: 'confident',
      says: /settings of this workspace would loosen the gate \(gate\.rule: off\)/i,
    },
    {
      name: 'stays at what the person set',
      own: 'strict',
      ofWorkspace: 'off',
      counts: 'strict',
      says: /; strict is kept/,
    },
  ];
  for (const { name, own, ofWorkspace, counts, says } of cases) {
    it(name, async () => {
      const expected = await preflight({ settings: [gate(counts)] });
      const found = await preflight({ standing: gate(own), workspaceSettings: gate(ofWorkspace) });
      assert.deepEqual(found.calls, expected.calls);
      const loosened = found.notes.filter((note) => note.includes('loosen'));
      if (says === undefined) assert.deepEqual(loosened, []);
      else assert.match(loosened.join('\n'), says);
    });
  }

  it('keeps wishes in the settings of the workspace from the optimizer until they were shown', async () => {
    const asked: string[] = [];
    const refusing = workspace.useCases(undefined, {
      allowsPreferences: ({ source, text }) => {
        asked.push(`${source}: ${text}`);
        return Promise.resolve(false);
      },
    });
    const wish = { workspaceSettings: { preferences: 'Mention zeppelins.' }, standing: { preferences: 'Be brief.' } };
    await assert.rejects(
      refusing.preflight({ ...request(), ...wish }, neverAborted),
      /preferences in the settings of this workspace/,
    );
    assert.deepEqual(asked, ['the settings of this workspace: Mention zeppelins.']);
  });

  const preflight = (more: Partial<RunRequest>) =>
    workspace.useCases().preflight({ ...request(), ...more }, neverAborted);

  function request(): RunRequest {
    return {
      skillPath: workspace.skillPath,
      workspaceFolders: [workspace.folder],
      preset: 'standard',
      settings: [],
      purpose: 'optimize',
      trusted: true,
    };
  }
});

const neverAborted = new AbortController().signal;

function gate(rule: string | undefined) {
  return rule === undefined ? {} : { gate: { rule } };
}
