import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../src/errors.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import type { NightRequest } from '../../src/app/nights/nightSkills.js';
import type { NightResult } from '../../src/app/nights/nightResult.js';
import type { World } from '../../src/app/world.js';
import { aNightRequest, aNightWorkspace, simulated, type NightWorkspace } from './nightWorkspace.js';

const name = 'incident-summary';

interface Row {
  readonly stop: string;
  readonly sentence: RegExp;
  readonly request?: Partial<NightRequest>;
  readonly world?: Partial<World>;
  readonly model?: LanguageModel;
}

const notSimulated = (): LanguageModel => ({
  ...simulated(),
  identity: { provider: 'openai', endpoint: 'https://api.openai.com/v1', model: 'gpt', simulated: false },
});

const rows: readonly Row[] = [
  { stop: 'untrusted', sentence: /workspace is not trusted/, request: { trusted: false } },
  {
    stop: 'no-consent',
    sentence: /not agreed to send .* to openai\/gpt/,
    request: { consent: 'stored' },
    model: notSimulated(),
  },
  {
    stop: 'no-key',
    sentence: /no API key/,
    world: { models: () => Promise.reject(new UserError('model-key-missing', 'There is no API key.', 'Set it.')) },
  },
  {
    stop: 'cap-reached',
    sentence: /under the daily cap of 0 calls/,
    world: { caps: () => ({ day: { calls: 0 }, month: {} }) },
  },
  { stop: 'unsaved-changes', sentence: /has unsaved changes/, request: { unsaved: [name] } },
];

describe('what keeps a night from running', () => {
  let workspace: NightWorkspace;
  before(() => {
    workspace = aNightWorkspace([name]);
    workspace.keepTasks(name, 8);
  });
  after(() => workspace.dispose());

  for (const { stop, sentence, request, world, model } of rows) {
    it(`is reported and costs nothing: ${stop}`, async () => {
      const asked = model === undefined ? simulated() : model;
      const unsaved = request?.unsaved === undefined ? {} : { unsaved: [workspace.skillPath(name)] };
      const night = await workspace.night(asked, { ...request, ...unsaved }, world);
      assert.equal(night.skills[0]?.outcome, 'skipped');
      assert.equal(night.skills[0].stop, stop);
      assert.match(night.skills[0].reason, sentence);
      assert.ok(night.stops.some((each) => each.name === stop));
      assert.equal(night.spend.calls, 0);
    });
  }

  it('is reported where a task file has unsaved changes', async () => {
    const evals = path.join(path.dirname(workspace.skillPath(name)), 'evals', 'evals.json');
    assert.equal((await workspace.night(simulated(), { unsaved: [evals] })).skills[0]?.stop, 'unsaved-changes');
  });

  it('is reported where the memory file has unsaved changes, if it takes part', async () => {
    const memory = path.join(workspace.folder, 'CLAUDE.md');
    writeFileSync(memory, '# Notes\n');
    const stopWith = async (settings: NightRequest['settings']): Promise<string | undefined> => {
      const skills = [workspace.skillPath(name)];
      const request = aNightRequest(workspace.folder, { skills, settings, unsaved: [memory], force: true });
      const plan = await workspace.useCases(simulated()).planNight(request, new AbortController().signal);
      return plan.stops[0]?.name;
    };
    assert.equal(await stopWith([{ consolidate: { memory: true } }]), 'unsaved-changes');
    assert.equal(await stopWith([]), undefined);
    rmSync(memory);
  });

  it('is reported where the skill has no tasks, with how to make some', async () => {
    const bare = path.join(workspace.folder, 'skills', 'bare', 'SKILL.md');
    mkdirSync(path.dirname(bare), { recursive: true });
    writeFileSync(bare, '---\nname: bare\n---\n\nDo it.\n');
    const [skill] = (await workspace.night(simulated(), { skills: [bare] })).skills;
    assert.equal(skill?.stop, 'no-tasks');
    assert.match(skill.reason, /bare has no tasks.*Draft Tasks/);
  });

  it('is reported where its tasks are drafts that nobody confirmed', async () => {
    const folder = path.join(workspace.folder, 'skills', 'drafted');
    const evals = { evals: [{ id: 'one', prompt: 'Do it.', expectations: ['It is done.'] }] };
    const marks = { format: 'whetstone.tasks', version: 1, tasks: { one: { draft: true } } };
    mkdirSync(path.join(folder, 'evals'), { recursive: true });
    writeFileSync(path.join(folder, 'SKILL.md'), '---\nname: drafted\n---\n\nDo it.\n');
    writeFileSync(path.join(folder, 'evals', 'evals.json'), JSON.stringify(evals));
    writeFileSync(path.join(folder, 'evals', 'whetstone.json'), JSON.stringify(marks));
    const [skill] = (await workspace.night(simulated(), { skills: [path.join(folder, 'SKILL.md')] })).skills;
    assert.equal(skill?.stop, 'no-tasks');
    assert.match(skill.reason, /no confirmed task yet\. Drafts that wait for you: 1\./);
  });

  it('is reported where another run has the skill', async () => {
    const slow = simulated({ latencyMs: 30 });
    const first = workspace.night(slow, { force: true });
    while (slow.calls() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [second] = (await workspace.night(simulated(), { force: true })).skills;
    assert.equal(second?.stop, 'running-elsewhere');
    assert.match(second.reason, /is being trained by process \d+/);
    assert.equal((await first).skills[0]?.outcome, 'proposed');
  });

  it('is reported where nothing changed since the last night', async () => {
    const [skill] = (await workspace.night(simulated())).skills;
    assert.equal(skill?.stop, 'nothing-changed');
  });

  it('is reported where the person stopped the night, and what was done by then is not lost', async () => {
    const two = aNightWorkspace([name, 'code-review']);
    try {
      for (const each of [name, 'code-review']) two.keepTasks(each, 8);
      const stopped = new AbortController();
      const skills = [name, 'code-review'].map((each) => two.skillPath(each));
      const night = two.useCases(simulated()).night(
        aNightRequest(two.folder, { skills }),
        {
          began: () => undefined,
          observe: (skillPath) => (skillPath === skills[1] ? stopped.abort(new Error('stopped')) : undefined),
        },
        stopped.signal,
      );
      await assert.rejects(night, /stopped/);
      const [last] = await two.useCases(simulated()).lastNights([two.folder]);
      assert.deepEqual(
        last?.skills.map(({ outcome, stop }) => [outcome, stop]),
        [
          ['proposed', undefined],
          ['skipped', 'stopped'],
        ],
      );
      assert.match(last?.skills[1]?.reason ?? '', /was stopped/);
    } finally {
      two.dispose();
    }
  });

  it('is nothing where a model that sends nothing away was never agreed to', async () => {
    const night = await workspace.night(simulated(), { consent: 'stored', force: true, cap: { calls: 2 } });
    assert.deepEqual(night.stops, []);
  });

  it('is nothing once the person agreed, for that model and those folders', async () => {
    const model = notSimulated();
    const plan = async (folders: readonly string[]): Promise<readonly string[]> => {
      const request = aNightRequest(workspace.folder, {
        skills: [workspace.skillPath(name)],
        force: true,
        consent: 'stored',
        folders,
      });
      const { stops } = await workspace.useCases(model).planNight(request, new AbortController().signal);
      return stops.map((stop) => stop.name);
    };
    assert.deepEqual(await plan([workspace.folder]), ['no-consent']);
    await workspace
      .useCases(model)
      .agreeToNights(
        { folders: [workspace.folder], workspaceFolders: [workspace.folder], models: true },
        new AbortController().signal,
      );
    assert.deepEqual(await plan([workspace.folder]), []);
    assert.deepEqual(await plan(['/elsewhere']), ['no-consent']);
  });

  it('is a model that would ask for leave at night, in its own words, though the person agreed to it', async () => {
    const lacks = new UserError('model-failed', 'VS Code has not been told.', 'Check the connection once.');
    const model = { ...notSimulated(), needsPerson: () => lacks };
    await workspace
      .useCases(model)
      .agreeToNights(
        { folders: [workspace.folder], workspaceFolders: [workspace.folder], models: true },
        new AbortController().signal,
      );
    const stops = async (consent: NightRequest['consent']): Promise<readonly string[]> => {
      const night = { skills: [workspace.skillPath(name)], force: true, folders: [workspace.folder] };
      const request = aNightRequest(workspace.folder, { ...night, ...(consent === undefined ? {} : { consent }) });
      const plan = await workspace.useCases(model).planNight(request, new AbortController().signal);
      return plan.stops.map((stop) => `${stop.name}: ${stop.sentence} ${stop.cure}`);
    };
    assert.deepEqual(await stops('stored'), ['no-consent: VS Code has not been told. Check the connection once.']);
    assert.deepEqual(await stops('given'), [], 'who starts it by hand is there');
  });

  it('is written down, so that a window shows what a night did that somebody else started', async () => {
    const nights = await workspace.useCases(simulated()).lastNights([workspace.folder]);
    assert.ok(nights.length > 3);
    const times = nights.map((night: NightResult) => night.endedAt);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
  });
});
