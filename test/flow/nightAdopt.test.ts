import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aNightWorkspace, aSettableClock, simulated, type NightWorkspace } from './nightWorkspace.js';
import { few, isFull } from '../builders/few.js';

const name = 'incident-summary';

describe('auto-adopt', () => {
  const workspaces: NightWorkspace[] = [];
  const open = (): NightWorkspace => {
    const workspace = aNightWorkspace([name]);
    workspace.keepTasks(name, isFull ? 14 : 10);
    workspaces.push(workspace);
    return workspace;
  };
  after(() => workspaces.forEach((each) => each.dispose()));

  it('is off: without it a night stages, and edits no file', async () => {
    const workspace = open();
    const before = workspace.skillText(name);
    const [skill] = (await workspace.night(simulated())).skills;
    assert.equal(skill?.outcome, 'proposed');
    assert.equal(workspace.skillText(name), before);
  });

  it('writes what is certified into the skill that it names, says so, and can be taken back byte for byte', async () => {
    const workspace = open();
    const before = workspace.skillText(name);
    const [skill] = (await workspace.night(simulated(), { autoAdopt: [name] })).skills;
    assert.equal(skill?.outcome, 'adopted');
    assert.match(skill.reason, /Adopted without asking, as you chose for incident-summary/);
    assert.ok(workspace.told.some((note) => note.includes('Adopted without asking')));
    assert.notEqual(workspace.skillText(name), before);
    const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
    const useCases = workspace.useCases(simulated());
    assert.equal((await useCases.overview(request, neverAborted)).pending, undefined);
    await useCases.undo(request, neverAborted);
    assert.equal(workspace.skillText(name), before);
  });

  it('certifies with no task getting worse, whatever the settings say', async () => {
    const workspace = open();
    await workspace.night(simulated(), { autoAdopt: [name], settings: [{ gate: { noRegression: false } }] });
    const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
    const [run] = (await workspace.useCases(simulated()).overview(request, neverAborted)).runs;
    assert.equal(run?.verdict?.kind, 'accepted');
  });

  const refused = [
    { rule: 'strict', why: 'luck is not excluded' },
    { rule: 'off', why: 'nothing was measured' },
  ];
  for (const { rule, why } of few(refused)) {
    it(`leaves the file alone under the rule ${rule}: ${why}`, async () => {
      const workspace = open();
      const before = workspace.skillText(name);
      const [skill] = (await workspace.night(simulated(), { autoAdopt: [name], settings: [{ gate: { rule } }] }))
        .skills;
      assert.equal(skill?.outcome, 'proposed');
      assert.match(skill.reason, /Not adopted by itself/);
      assert.equal(workspace.skillText(name), before);
    });
  }

  it('leaves a skill alone that it does not name', async () => {
    const workspace = open();
    const before = workspace.skillText(name);
    assert.equal((await workspace.night(simulated(), { autoAdopt: ['code-review'] })).skills[0]?.outcome, 'proposed');
    assert.equal(workspace.skillText(name), before);
  });

  it('does not overwrite a file that was changed while the night ran', async () => {
    const workspace = open();
    const before = workspace.skillText(name);
    let changed = false;
    const model = simulated();
    const useCases = workspace.useCases(model);
    const result = await useCases.night(
      {
        skills: [workspace.skillPath(name)],
        workspaceFolders: [workspace.folder],
        preset: 'quick',
        settings: [],
        trusted: true,
        force: false,
        autoAdopt: [name],
      },
      {
        began: () => undefined,
        observe: (_path, event) => {
          if (event.kind === 'verdict' && !changed) {
            changed = true;
            workspace.writeSkill(name, `${before}\nMy own line.\n`);
          }
        },
      },
      neverAborted,
    );
    assert.equal(result.skills[0]?.outcome, 'proposed');
    assert.match(result.skills[0].reason, /Not adopted by itself: .*has changed since/);
    assert.equal(workspace.skillText(name), `${before}\nMy own line.\n`);
  });
});

describe('an adopted night', () => {
  it('is taken back byte for byte weeks later, after nights that cleared away what is old', async () => {
    const clock = aSettableClock(Date.now());
    const workspace = aNightWorkspace([name], { clock });
    try {
      workspace.keepTasks(name, 10);
      const before = Buffer.from(`\uFEFF${workspace.skillText(name).replaceAll('\n', '\r\n').trimEnd()}`);
      writeFileSync(workspace.skillPath(name), before);
      assert.equal((await workspace.night(simulated())).skills[0]?.outcome, 'proposed');
      const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
      const useCases = workspace.useCases(simulated());
      await useCases.adopt(request, neverAborted);
      const adopted = readFileSync(workspace.skillPath(name));
      assert.notDeepEqual(adopted, before);
      for (const file of filesIn(path.join(path.dirname(workspace.folder), 'state', 'backups'))) utimesSync(file, 1, 1);
      for (let weeks = 0; weeks < (isFull ? 6 : 2); weeks += 1) {
        clock.set(clock.now() + (isFull ? 7 : 21) * 24 * 3_600_000);
        await workspace.night(simulated({ optimizer: { harmful: 1 } }), { force: true });
      }
      assert.deepEqual(readFileSync(workspace.skillPath(name)), adopted);
      await useCases.undo(request, neverAborted);
      assert.deepEqual(readFileSync(workspace.skillPath(name)), before);
      assert.deepEqual(
        (await useCases.overview(request, neverAborted)).history.map(({ action }) => action),
        ['undo', 'adopt'],
      );
    } finally {
      workspace.dispose();
    }
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

const neverAborted = new AbortController().signal;
