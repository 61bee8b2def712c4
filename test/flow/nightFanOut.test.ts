import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSkill } from '../../src/app/openSkill.js';
import type { AttemptRequest } from '../../src/ports/environment.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { taskArchiveOf } from '../../src/storage/state/taskArchive.js';
import { makeTask } from '../../src/tasks/makeTask.js';
import { neverAborted } from '../builders/storage.js';
import { aNightRequest, aNightWorkspace, simulated, type NightWorkspace } from './nightWorkspace.js';
import { few } from '../builders/few.js';

const notes = '# Notes\n\nBe kind.\n';
const both = ['incident-summary', 'code-review'];
const withMemory = [{ consolidate: { memory: true } }];

describe('several skills in one night', () => {
  const workspaces: NightWorkspace[] = [];
  const open = (skills: readonly string[]): NightWorkspace => {
    const workspace = aNightWorkspace(skills, { memory: notes });
    for (const name of skills) workspace.keepTasks(name, 8);
    workspaces.push(workspace);
    return workspace;
  };
  after(() => workspaces.forEach((each) => each.dispose()));

  it('are trained each on its own tasks, and the memory file is only read', async () => {
    const workspace = open(both);
    const { model, requests } = listening();
    const night = await workspace.night(model, { settings: withMemory });
    assert.deepEqual(
      night.skills.map(({ name, outcome }) => [name, outcome]),
      [
        ['incident-summary', 'proposed'],
        ['code-review', 'proposed'],
      ],
    );
    assert.ok(requests.some((request) => request.messages.some(({ content }) => content.includes('Be kind.'))));
    const useCases = workspace.useCases(model);
    for (const name of both) {
      const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
      const { pending } = await useCases.overview(request, new AbortController().signal);
      assert.deepEqual(
        pending?.proposal.documents.map(({ kind }) => kind),
        ['skill'],
      );
      const own = new Set(taskIds(workspace, name));
      const lessons = pending?.proposal.documents.flatMap(({ edits }) => edits.flatMap((edit) => edit.lessonsFrom));
      assert.ok(
        lessons?.every((id) => own.has(id)),
        `${name}: ${lessons?.join()}`,
      );
    }
    assert.equal(readFileSync(path.join(workspace.folder, 'CLAUDE.md'), 'utf8'), notes);
  });

  it('do not suffer from each other: one that cannot be read fails alone', async () => {
    const workspace = open(both);
    writeFileSync(path.join(path.dirname(workspace.skillPath('code-review')), 'evals', 'evals.json'), '{');
    const night = await workspace.night(simulated());
    assert.deepEqual(
      night.skills.map(({ outcome }) => outcome),
      ['proposed', 'failed'],
    );
  });

  it('share one cap: what one used is gone for the other, and the one that was just trained waits', async () => {
    const workspace = open(both);
    const alone = (await workspace.night(simulated(), { skills: [workspace.skillPath('incident-summary')] })).spend
      .calls;
    const night = await workspace.night(simulated(), { force: true, cap: { calls: alone + 3 } });
    assert.ok(night.spend.calls <= alone + 3, `${night.spend.calls} of ${alone + 3}`);
    assert.match(night.skills[0]?.reason ?? '', /waits for a later night: the budget holds no more/);
    assert.equal(night.skills[1]?.outcome, 'proposed');
  });

  it('leave out those that the person excluded, without a word', async () => {
    const night = await open(both).night(simulated(), { excluded: ['code-review'] });
    assert.deepEqual(
      night.skills.map(({ name }) => name),
      ['incident-summary'],
    );
  });
});

describe('a night of one skill', () => {
  it('evolves the memory file inside its learned block, and both are adopted or neither', async () => {
    const workspace = aNightWorkspace(['incident-summary'], { memory: notes });
    workspace.keepTasks('incident-summary', 10);
    try {
      const settings = [{ consolidate: { skill: false, memory: true } }];
      const [skill] = (await workspace.night(simulated(), { settings })).skills;
      assert.equal(skill?.outcome, 'proposed', skill?.reason);
      const request = { skillPath: workspace.skillPath('incident-summary'), workspaceFolders: [workspace.folder] };
      const useCases = workspace.useCases(simulated());
      const signal = new AbortController().signal;
      const { pending } = await useCases.overview(request, signal);
      assert.equal(pending?.stale, false);
      assert.deepEqual(
        pending?.proposal.documents.map(({ kind, path: file }) => [kind, file]),
        [['memory', 'CLAUDE.md']],
      );
      await useCases.adopt(request, signal);
      const after = readFileSync(path.join(workspace.folder, 'CLAUDE.md'), 'utf8');
      assert.ok(after.startsWith(notes.trimEnd()));
      assert.match(after, /SKILLOPT-SLEEP:LEARNED START/);
      await useCases.undo(request, signal);
      assert.equal(readFileSync(path.join(workspace.folder, 'CLAUDE.md'), 'utf8'), notes);
    } finally {
      workspace.dispose();
    }
  });

  it('counts what is read beside the skill as a change: the memory file where it takes part, prompts, fixtures', async () => {
    const name = 'incident-summary';
    const workspace = aNightWorkspace([name], { memory: notes });
    try {
      workspace.keepTasks(name, 8);
      const folder = path.dirname(workspace.skillPath(name));
      const evals = path.join(folder, 'evals', 'evals.json');
      const withFixture = readFileSync(evals, 'utf8').replace('"id":', '"files": ["evals/notes.txt"], "id":');
      writeFileSync(evals, withFixture);
      writeFileSync(path.join(folder, 'evals', 'notes.txt'), 'One.');
      const wouldTrain = async (settings: typeof withMemory): Promise<boolean> => {
        const request = aNightRequest(workspace.folder, { skills: [workspace.skillPath(name)], settings });
        const { train } = await workspace.useCases(simulated()).planNight(request, new AbortController().signal);
        return train.length === 1;
      };
      await workspace.night(simulated(), { settings: [] });
      writeFileSync(path.join(workspace.folder, 'CLAUDE.md'), `${notes}Be brief.\n`);
      assert.equal(await wouldTrain([]), false, 'a memory file that takes no part');
      writeFileSync(path.join(folder, 'evals', 'notes.txt'), 'Two.');
      assert.equal(await wouldTrain([]), true, 'another fixture');
      await workspace.night(simulated(), { settings: withMemory });
      assert.equal(await wouldTrain(withMemory), false, 'nothing');
      writeFileSync(path.join(workspace.folder, 'CLAUDE.md'), notes);
      assert.equal(await wouldTrain(withMemory), true, 'another memory file');
    } finally {
      workspace.dispose();
    }
  });

  const costs: readonly (readonly [what: string, consolidate: Record<string, unknown>])[] = [
    ['the memory file as well', { memory: true }],
    ['tasks that are recalled', { recall: 3 }],
    ['the skill alone', {}],
    ['variants of every training task', { variants: 2 }],
  ];
  for (const [what, consolidate] of few(costs)) {
    it(`makes no more calls, and no fewer, than was said before: ${what}`, async () => {
      const name = 'incident-summary';
      const workspace = aNightWorkspace([name], { memory: notes });
      try {
        workspace.keepTasks(name, 12);
        const settings = [{ consolidate }];
        const request = aNightRequest(workspace.folder, { skills: [workspace.skillPath(name)], settings });
        const { train } = await workspace.useCases(simulated()).planNight(request, new AbortController().signal);
        const { spend } = await workspace.night(simulated(), { settings });
        const [said] = train;
        assert.ok(said !== undefined);
        const { low, high } = said.preflight.calls;
        assert.ok(low <= spend.calls && spend.calls <= high, `${low} <= ${spend.calls} <= ${high}`);
        const plain = { ...request, settings: [] };
        const without = await workspace
          .useCases(simulated())
          .planNight({ ...plain, force: true }, new AbortController().signal);
        const more = high - (without.train[0]?.preflight.calls.high ?? 0);
        assert.ok(Object.keys(consolidate).length === 0 ? more === 0 : more > 0, String(more));
      } finally {
        workspace.dispose();
      }
    });
  }

  it('recalls training tasks of earlier nights, and none that the person took out of the file by hand', async () => {
    const workspace = aNightWorkspace(['incident-summary']);
    const name = 'incident-summary';
    try {
      workspace.keepTasks(name, 12);
      await workspace.night(simulated());
      const request = { skillPath: workspace.skillPath(name), workspaceFolders: [workspace.folder] };
      const skill = await openSkill(workspace.world(simulated()), request, 'work');
      const archive = taskArchiveOf(skill.store);
      const past = await archive.all();
      assert.ok(past.length > 0 && past.every(({ from }) => from === 'files'));
      const [some] = past;
      assert.ok(some !== undefined);
      const brought = makeTask({ ...some, id: 'brought', prompt: `${some.prompt} Name the shift too.` });
      await archive.add([{ ...brought, side: 'training', from: 'brought' }], neverAborted);
      // The person takes the first tasks out again: only the archive still knows them.
      const file = path.join(path.dirname(workspace.skillPath(name)), 'evals', 'evals.json');
      const shipped: unknown = JSON.parse(
        readFileSync(path.resolve(`media/demo/.claude/skills/${name}/evals/evals.json`), 'utf8'),
      );
      if (typeof shipped !== 'object' || shipped === null || !('evals' in shipped) || !Array.isArray(shipped.evals))
        throw new Error('no evals');
      writeFileSync(file, JSON.stringify({ ...shipped, evals: shipped.evals.slice(12) }));
      const { model, requests } = listening();
      await workspace.night(model, { settings: [{ consolidate: { recall: 3 } }] });
      const said = requests
        .filter(({ role }) => role === 'optimizer')
        .flatMap(({ messages }) => messages.map(({ content }) => content))
        .join('\n');
      const recalled = new Set([...said.matchAll(/recall:([\w-]+)/g)].map(([, id]) => id ?? ''));
      assert.deepEqual([...recalled], ['brought']);
    } finally {
      workspace.dispose();
    }
  });
});

function listening(): { readonly model: ReturnType<typeof simulated>; readonly requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const inner = simulated();
  const model = {
    identity: inner.identity,
    calls: inner.calls,
    complete: (request: ModelRequest, signal: AbortSignal) => {
      requests.push(request);
      return inner.complete(request, signal);
    },
  };
  return { model, requests };
}

function taskIds(workspace: NightWorkspace, name: string): readonly AttemptRequest['task']['id'][] {
  const text = readFileSync(path.join(path.dirname(workspace.skillPath(name)), 'evals', 'evals.json'), 'utf8');
  return [...text.matchAll(/"id": "([^"]+)"/g)].map(([, id]) => id ?? '');
}
