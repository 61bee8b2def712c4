import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { aNightRequest, aNightWorkspace, simulated, type NightWorkspace } from './nightWorkspace.js';
import { isFull } from '../builders/few.js';

const name = 'incident-summary';
const neverAborted = new AbortController().signal;

describe('a night that was killed after its run', () => {
  const { open, dispose } = workspaces();
  after(dispose);

  it('pays for nothing again the next time: the run has ended, though nobody noted it', async () => {
    const workspace = open();
    let asAtTheEnd: Readonly<Record<string, string>> = {};
    await watched(workspace, simulated(), (event) => {
      if (event.kind === 'run-ended') asAtTheEnd = filesIn(lastNights(workspace));
    });
    restore(lastNights(workspace), asAtTheEnd);
    const model = simulated();
    const [skill] = (await workspace.night(model)).skills;
    assert.equal(model.calls(), 0);
    assert.equal(skill?.stop, 'nothing-changed');
    assert.notEqual((await overview(workspace)).pending, undefined);
  });

  it('runs again where it was killed before the end of its run', async () => {
    const workspace = open();
    let midway: Readonly<Record<string, string>> = {};
    await watched(workspace, simulated(), (event) => {
      if (event.kind === 'run-started') midway = filesIn(lastNights(workspace));
    });
    restore(lastNights(workspace), midway);
    rmSync(path.join(workspace.folder, '.whetstone/runs'), { recursive: true });
    assert.equal((await workspace.night(simulated())).skills[0]?.outcome, 'proposed');
  });

  it('says that what it was to adopt waits', async () => {
    const workspace = open();
    const settings = [{ gate: { noRegression: true } }];
    assert.equal((await workspace.night(simulated(), { settings })).skills[0]?.outcome, 'proposed');
    const before = workspace.skillText(name);
    const [skill] = (await workspace.night(simulated(), { settings, autoAdopt: [name] })).skills;
    assert.equal(skill?.stop, 'nothing-changed');
    assert.match(skill.reason, /A proposal with a proved improvement waits for you: review it\./u);
    assert.equal(workspace.skillText(name), before);
  });
});

describe('a proposal that could not be staged', () => {
  const { open, dispose } = workspaces();
  after(dispose);

  const obstacles: readonly [what: string, put: (proposals: string, outside: string) => void, said: RegExp][] = [
    ['a link that leads out', (proposals, outside) => symlinkSync(outside, proposals), /is a link that leads out of/u],
    ['a file in place of the folder', (proposals) => writeFileSync(proposals, ''), /is not a folder, so no proposal/u],
  ];
  for (const [what, put, said] of obstacles) {
    it(`is refused before anything is paid: ${what}`, async () => {
      const workspace = open();
      const outside = path.join(path.dirname(workspace.folder), 'outside');
      mkdirSync(outside);
      mkdirSync(path.join(workspace.folder, '.whetstone'));
      put(path.join(workspace.folder, '.whetstone/proposals'), outside);
      const model = simulated();
      const [skill] = (await workspace.night(model)).skills;
      assert.equal(skill?.outcome, 'failed');
      assert.match(skill.reason, said);
      assert.equal(model.calls(), 0);
      assert.deepEqual(readdirSync(outside), []);
    });
  }

  it('of a newer Whetstone blocks no look, is named, and no night takes its place', async () => {
    const workspace = open();
    await workspace.night(simulated());
    const folder = path.join(workspace.folder, '.whetstone/proposals');
    const file = path.join(folder, readdirSync(folder)[0] ?? '');
    const newer = readFileSync(file, 'utf8').replace('"version": 2', '"version": 99');
    writeFileSync(file, newer);
    const seen = await overview(workspace);
    assert.equal(seen.pending, undefined);
    assert.match(seen.trouble ?? '', /was written by a newer Whetstone\. Update Whetstone, or move the file away\./u);
    assert.ok(seen.runs.length > 0);
    const model = simulated();
    const [skill] = (await workspace.night(model, { force: true })).skills;
    assert.match(skill?.reason ?? '', /was written by a newer Whetstone/u);
    assert.equal(model.calls(), 0);
    assert.equal(readFileSync(file, 'utf8'), newer);
  });
});

describe('a workspace that is deleted in mid-run', () => {
  const { open, dispose } = workspaces();
  after(dispose);

  it('ends the run: what follows would be paid for nothing', async () => {
    const whole = open();
    const unbroken = simulated();
    await whole.night(unbroken);
    const workspace = open();
    const model = simulated();
    let calls = 0;
    const [skill] = (
      await watched(workspace, model, (event) => {
        if (event.kind === 'call' && (calls += 1) === 3) rmSync(workspace.folder, { recursive: true });
      })
    ).skills;
    assert.equal(skill?.outcome, 'failed');
    assert.match(skill.reason, /journal\.jsonl was deleted or replaced while the run went on\./u);
    assert.ok(model.calls() < unbroken.calls() / 2, `${model.calls()} of ${unbroken.calls()} calls were made`);
    assert.equal(existsSync(workspace.folder), false);
  });
});

function workspaces(): { readonly open: () => NightWorkspace; readonly dispose: () => void } {
  const opened: NightWorkspace[] = [];
  return {
    open: () => {
      const workspace = aNightWorkspace([name]);
      workspace.keepTasks(name, isFull ? 14 : 10);
      opened.push(workspace);
      return workspace;
    },
    dispose: () => opened.forEach((each) => each.dispose()),
  };
}

function watched(workspace: NightWorkspace, model: ReturnType<typeof simulated>, see: (event: RunEvent) => void) {
  return workspace
    .useCases(model)
    .night(
      aNightRequest(workspace.folder, { skills: [workspace.skillPath(name)] }),
      { began: () => undefined, observe: (_path, event) => see(event) },
      neverAborted,
    );
}

function overview(workspace: NightWorkspace) {
  const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
  return workspace.useCases(simulated()).overview(request, neverAborted);
}

function lastNights(workspace: NightWorkspace): string {
  return path.join(path.dirname(workspace.folder), 'state', 'last-nights');
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return Object.fromEntries(names.map((each) => [each, readFileSync(path.join(folder, each), 'utf8')]));
}

/** As it was at the moment of the kill. */
function restore(folder: string, files: Readonly<Record<string, string>>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [each, text] of Object.entries(files)) writeFileSync(path.join(folder, each), text);
}
