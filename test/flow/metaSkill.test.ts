import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { edits, guidance, notes, say, sayWhatIsAsked } from '../builders/aRunContext.js';
import { aWorkspace, inEveryRole, type TestWorkspace } from '../builders/aWorkspace.js';
import { ScriptedModel } from '../fakes/ScriptedModel.js';

const calm = new AbortController().signal;
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

  function aWorkspaceOfNotes(): TestWorkspace {
    const workspace = aWorkspace();
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

function reflections(model: ScriptedModel): readonly string[] {
  const asked = model.requests.filter(({ replySchema }) => replySchema?.name === 'reflection');
  return asked.map(({ messages }) => messages[0]?.content ?? '');
}

function requestOf({ skillPath, folder }: TestWorkspace) {
  return { skillPath, workspaceFolders: [folder] };
}

function notesOf(workspace: TestWorkspace): Promise<string> {
  return workspace.useCases().metaSkill(requestOf(workspace), calm);
}

function writeNotes(workspace: TestWorkspace, text: string): Promise<void> {
  return workspace.useCases().writeMetaSkill({ ...requestOf(workspace), text }, calm);
}

function filesBelow({ folder, home }: TestWorkspace): readonly string[] {
  return [path.join(folder, '.whetstone'), path.join(home, 'state', 'meta-skills')].flatMap((below) =>
    readdirSync(below, { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [path.join(entry.parentPath, entry.name)] : [],
    ),
  );
}
