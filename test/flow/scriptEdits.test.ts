import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { anOptimizer, edits } from '../builders/aRunContext.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';
import { aCommandLine } from '../builders/commandLine.js';

const file = 'scripts/steps.js';
const script = ['#!/usr/bin/env node', '/*', '- Leave the folder tidy.', '*/', 'console.log("done");', ''].join('\r\n');
const mended = script.replace(
  'tidy.\r\n',
  'tidy.\r\n- Run `npm run check` before you finish.\r\n- Record each change in `CHANGELOG.md` with “Reason:”.\r\n',
);
const calm = new AbortController().signal;

/** Tries one edit that mends the script, and one after which it would be none. */
const optimizer = anOptimizer({
  reflect: edits(
    {
      op: 'insert_after',
      file,
      anchor: '- Leave the folder tidy.',
      content: '- Run `npm run check` before you finish.\n- Record each change in `CHANGELOG.md` with “Reason:”.',
      rationale: 'The script leaves the last steps out.',
    },
    { op: 'replace', file, anchor: 'console.log("done");', content: 'console.log("done"', rationale: 'Shorter.' },
  ),
});

describe('an edit of a script that agents run', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));
  const open = (): TestWorkspace => {
    const workspace = aScriptedSkill();
    workspaces.push(workspace);
    return workspace;
  };

  it('finds no file unless the person turned it on, whatever the workspace says', async () => {
    const workspace = open();
    mkdirSync(path.join(workspace.folder, '.whetstone'), { recursive: true });
    writeFileSync(path.join(workspace.folder, '.whetstone', 'scripts.json'), '{"on":true}');
    const { proposal } = await workspace.optimize({ settings: { train: { epochs: 1 } } });
    assert.deepEqual(proposal?.documents ?? [], []);
    await assert.rejects(workspace.optimize({ settings: { edits: { scripts: true } } }), /scripts/);
    assert.equal(readFileSync(scriptIn(workspace), 'utf8'), script);
  });

  it('is proposed, shown with its warning, adopted by a person, and undone byte for byte with its mode', async () => {
    const workspace = open();
    const line = lineOf(workspace);
    assert.match((await line.run('scripts')).out, /change no script/);
    assert.match((await line.run('scripts', 'on')).out, /may change scripts/);
    const { proposal } = await workspace.optimize({ settings: { train: { epochs: 1 } } });
    assert.equal(proposal?.verdict.kind, 'accepted');
    assert.deepEqual(
      proposal.documents.map(({ kind, path: name, candidateText }) => [kind, name, candidateText]),
      [['file', `./${file}`, mended]],
    );
    assert.deepEqual(
      proposal.leftOut.map(({ outcome }) => ('reason' in outcome ? outcome.reason : '')),
      ['syntax'],
    );
    const stored = path.join(workspace.folder, '.whetstone', 'proposals', `${proposal.skillKey}.json`);
    assert.equal(JSON.parse(readFileSync(stored, 'utf8')).version, 9);
    assert.match((await line.run('show', workspace.skillPath)).out, /changes a script that agents run/);
    assert.match((await line.run('report', workspace.skillPath)).out, /changes a script that agents run/);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    await workspace.useCases().adopt(request, calm);
    assert.deepEqual(fileIn(workspace), [mended, 0o755]);
    await workspace.useCases().undo(request, calm);
    assert.deepEqual(fileIn(workspace), [script, 0o755]);
  });

  it('is not tried where a task is not attempted by an agent', async () => {
    const workspace = open();
    await workspace.useCases().allowScriptEdits(true, calm);
    const tasks = path.join(path.dirname(workspace.skillPath), 'evals/whetstone.json');
    const written = JSON.parse(readFileSync(tasks, 'utf8'));
    const [first] = Object.keys(written.tasks);
    written.tasks[first ?? ''] = { checks: [{ check: 'contains', text: 'price' }] };
    writeFileSync(tasks, JSON.stringify(written));
    const { proposal } = await workspace.optimize({ settings: { train: { epochs: 1 } } });
    assert.deepEqual(proposal?.documents ?? [], []);
  });

  it('is staged and never adopted by a night', async () => {
    const workspace = open();
    const useCases = workspace.useCases();
    await useCases.allowScriptEdits(true, calm);
    const night = {
      skills: [workspace.skillPath],
      workspaceFolders: [workspace.folder],
      folders: [workspace.folder],
      preset: 'quick' as const,
      settings: [{ train: { epochs: 1 } }],
      trusted: true,
      force: false,
      autoAdopt: [workspace.skillPath],
    };
    const { skills } = await useCases.night(night, { began: () => undefined, observe: () => undefined }, calm);
    assert.equal(skills[0]?.outcome, 'proposed');
    assert.match(skills[0].reason, /Not adopted by itself: .*script that agents run/);
    assert.deepEqual(fileIn(workspace), [script, 0o755]);
  });
});

function aScriptedSkill(): TestWorkspace {
  const agent = createSimulatedModel({});
  const workspace = aWorkspace({
    copy: { from: path.resolve('media/demo'), skill: '.agents/skills/price-change' },
    models: { target: agent, optimizer, judge: agent },
  });
  const text = workspace.skillText();
  const pointing = text.replace('## What to say', `The last steps stand in \`${file}\`.\n\n## What to say`);
  writeFileSync(workspace.skillPath, pointing);
  mkdirSync(path.dirname(scriptIn(workspace)));
  writeFileSync(scriptIn(workspace), script);
  chmodSync(scriptIn(workspace), 0o755);
  return workspace;
}

function scriptIn({ skillPath }: TestWorkspace): string {
  return path.join(path.dirname(skillPath), file);
}

function fileIn(workspace: TestWorkspace): readonly [string, number] {
  const found = scriptIn(workspace);
  return [readFileSync(found, 'utf8'), statSync(found).mode & 0o777];
}

function lineOf(workspace: TestWorkspace) {
  const environment = { WHETSTONE_HOME: path.join(workspace.home, 'state') };
  return aCommandLine({ at: { base: path.dirname(workspace.folder) }, environment });
}
