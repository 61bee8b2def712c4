import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ModelError } from '../../src/errors.js';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { edits, guidance, notes, say, sayWhatIsAsked } from '../builders/aRunContext.js';
import { aWorkspace, inEveryRole, type TestWorkspace, type WorkspaceParts } from '../builders/aWorkspace.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';
import { aSettableClock } from './nightWorkspace.js';

const neverAborted = new AbortController().signal;
const inVain = { train: { epochs: 2 }, stop: { patience: 9 }, gate: { rule: 'strict', attribution: false } };
const wish = { preset: 'standard' as const, settings: inVain };

describe('the notes of the optimizer on a skill', () => {
  const opened: TestWorkspace[] = [];
  after(() => opened.forEach((each) => each.dispose()));

  it('are kept in user state without secrets, and stand before the questions of the next run', async () => {
    const workspace = aWorkspaceOfNotes();
    const first = aModel(`- Nothing helps yet. The key is ${key}.`);
    const { runId } = await workspace.optimize({ ...wish, models: inEveryRole(first) });
    assert.match(await notesOf(workspace), /^- Nothing helps yet\. The key is /u);
    assert.ok(!(await notesOf(workspace)).includes(key));
    for (const file of filesBelow(workspace)) assert.ok(!readFileSync(file, 'utf8').includes(key), file);
    assert.match(workspace.artifact(runId, 'meta_skill/epoch_02/meta_skill_result.json') ?? '', /Nothing helps yet/u);
    assert.match(workspace.artifact(runId, 'slow_update/epoch_02/slow_result.json') ?? '', /"action": "no_content"/u);
    assert.match(workspace.artifact(runId, 'slow_update/epoch_02/comparison_pairs.json') ?? '', /persistent_fail/u);
    assert.match(workspace.artifact(runId, 'report.md') ?? '', /^\| slow-update \| 1 \|/mu);
    assert.match(workspace.artifact(runId, 'report.md') ?? '', /^\| meta-skill \| 1 \|/mu);

    const second = aModel('');
    await workspace.optimize({ ...wish, settings: { ...inVain, train: { epochs: 1 } }, models: inEveryRole(second) });
    assert.ok(reflections(second).every((prompt) => prompt.includes('Nothing helps yet.')));
    const without = aModel('');
    const off = { ...inVain, train: { epochs: 1 }, metaSkill: { on: false } };
    await workspace.optimize({ ...wish, settings: off, models: inEveryRole(without) });
    assert.ok(reflections(without).every((prompt) => !prompt.includes('Nothing helps yet.')));
  });

  it('take no part in a quick run, and are not written by it', async () => {
    const workspace = aWorkspaceOfNotes();
    const model = aModel('- Never seen.');
    await workspace.optimize({ ...wish, preset: 'quick', models: inEveryRole(model) });
    assert.equal(await notesOf(workspace), '');
    assert.ok(reflections(model).length > 1);
  });

  it('stay the person’s own where they wrote some while the run went on', async () => {
    const workspace = aWorkspaceOfNotes();
    let wrote: Promise<void> | undefined;
    const model = aModel('- From the run.');
    await workspace.optimize({
      ...wish,
      models: inEveryRole(model),
      onEvent: ({ kind }) => {
        if (kind === 'meta-skill') wrote ??= writeNotes(workspace, '- From me.');
      },
    });
    await wrote;
    assert.equal(await notesOf(workspace), '- From me.');
  });

  it('are those of its beginning in a run that goes on', async () => {
    const workspace = aWorkspaceOfNotes();
    await writeNotes(workspace, '- Of the beginning.');
    const stop = new AbortController();
    const cut = aModel('', () => stop.abort());
    await assert.rejects(() => workspace.optimize({ ...wish, models: inEveryRole(cut), signal: stop.signal }));
    await writeNotes(workspace, '- Of later.');
    const model = aModel('- From the run.');
    await workspace.optimize({ ...wish, models: inEveryRole(model), resume: { run: undefined } });
    assert.ok(reflections(model).every((prompt) => prompt.includes('- Of the beginning.')));
    assert.equal(await notesOf(workspace), '- Of later.');
  });

  it('are refused where they are too long to be carried by every question', async () => {
    const workspace = aWorkspaceOfNotes();
    await assert.rejects(() => writeNotes(workspace, 'x'.repeat(4_001)), /4001 characters, and the most is 4000/u);
  });

  it('are counted before the run, and take what they cost with them where they are turned off', async () => {
    const workspace = aWorkspaceOfNotes();
    const [on, off] = await Promise.all([
      workspace.preflight(wish),
      workspace.preflight({
        ...wish,
        settings: { ...inVain, slowUpdate: { on: false }, metaSkill: { on: false } },
      }),
    ]);
    // Two questions, each asked twice at most; three training tasks under both texts, six held-out ones under guidance.
    assert.ok(on.calls.high - off.calls.high >= 4 + 2 * 3 + 6, `${on.calls.high} and ${off.calls.high}`);
    assert.equal(on.calls.low, off.calls.low);
  });

  for (const failing of [['meta_skill'], ['slow_update', 'meta_skill']])
    it(`cost no run what it found where the question fails: ${failing.join(' and ')}`, async () => {
      const workspace = aWorkspaceOfNotes({ clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) });
      const tooLarge = new ModelError('malformed', 'The answer is longer than 8 MB.');
      const model = new ScriptedModel().when((request) => failing.some((name) => asks(name)(request)), tooLarge);
      const { runId, proposal } = await workspace.optimize({ ...wish, models: inEveryRole(findingAlpha(model)) });
      assert.equal(proposal?.verdict.kind, 'accepted');
      const report = workspace.artifact(runId, 'report.md') ?? '';
      assert.match(
        report,
        /Epoch 2: the notes of the optimizer stay as they were, because the call failed: .* 8 MB\.$/mu,
      );
      if (failing.includes('slow_update')) assert.match(report, /no guidance \| the call failed/u);
      for (const name of failing) assert.ok(model.requests.some(asks(name)), name);
    });

  function aWorkspaceOfNotes(parts: WorkspaceParts = {}): TestWorkspace {
    const workspace = aWorkspace(parts);
    opened.push(workspace);
    return workspace;
  }
});

const key = `sk-proj-${'a1B2c3D4e5F6g7H8'.repeat(3)}`;

function asks(name: string): (request: ModelRequest) => boolean {
  return (request) => request.replySchema?.name === name;
}

/** Tasks want “alpha”; it proposes “beta” and writes these notes. */
function aModel(noted: string, onReflection: () => void = () => undefined): ScriptedModel {
  return new ScriptedModel()
    .when(
      ({ role }) => role === 'target',
      ({ messages }) => sayWhatIsAsked(messages[0]?.content ?? ''),
    )
    .when(asks('reflection'), () => {
      onReflection();
      return edits(say('beta'));
    })
    .when(asks('slow_update'), guidance(''))
    .when(asks('meta_skill'), notes(noted));
}

/** Finds the word in the first epoch, and one task on each side never says it: there is something left to learn. */
function findingAlpha(model: ScriptedModel): ScriptedModel {
  return model
    .when(({ role }) => role === 'target', mostlyAsAsked)
    .when(asks('reflection'), edits(say('alpha')))
    .when(asks('slow_update'), guidance(''));
}

function mostlyAsAsked({ messages }: ModelRequest): string {
  const text = messages.map(({ content }) => content).join('\n');
  return /quay(?:training|heldOut)0\b/u.test(text) ? 'Nothing.' : sayWhatIsAsked(text);
}

function reflections(model: ScriptedModel): readonly string[] {
  const asked = model.requests.filter(({ replySchema }) => replySchema?.name === 'reflection');
  return asked.map(({ messages }) => messages[0]?.content ?? '');
}

function requestOf({ skillPath, folder }: TestWorkspace) {
  return { skillPath, workspaceFolders: [folder] };
}

function notesOf(workspace: TestWorkspace): Promise<string> {
  return workspace.useCases().metaSkill(requestOf(workspace), neverAborted);
}

function writeNotes(workspace: TestWorkspace, text: string): Promise<void> {
  return workspace.useCases().writeMetaSkill({ ...requestOf(workspace), text }, neverAborted);
}

function filesBelow({ folder, home }: TestWorkspace): readonly string[] {
  return [path.join(folder, '.whetstone'), path.join(home, 'state', 'meta-skills')].flatMap((below) =>
    readdirSync(below, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
    ),
  );
}
