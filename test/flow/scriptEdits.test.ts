import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { anOptimizer, edits } from '../builders/aRunContext.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';
import { needsSandbox } from '../builders/aSandbox.js';
import { aCommandLine } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';

const file = 'scripts/steps.js';
const script = ['#!/usr/bin/env node', '/*', '- Leave the folder tidy.', '*/', 'console.log("done");', ''].join('\r\n');
const mended = script.replace(
  'tidy.\r\n',
  'tidy.\r\n- Run `npm run check` before you finish.\r\n- Record each change in `CHANGELOG.md` with “Reason:”.\r\n',
);
const neverAborted = new AbortController().signal;

/** Tries one edit that mends the script, and one after which it would be none. */
function mending({ name, last, spoilt }: ScriptOfSkill) {
  return anOptimizer({
    reflect: edits(
      {
        op: 'insert_after',
        file: name,
        anchor: '- Leave the folder tidy.',
        content: '- Run `npm run check` before you finish.\n- Record each change in `CHANGELOG.md` with “Reason:”.',
        rationale: 'The script leaves the last steps out.',
      },
      { op: 'replace', file: name, anchor: last, content: spoilt, rationale: 'Shorter.' },
    ),
  });
}

interface ScriptOfSkill {
  readonly name: string;
  readonly text: string;
  /** Its last line, and what no parser takes in its place. */
  readonly last: string;
  readonly spoilt: string;
}

const javascript: ScriptOfSkill = {
  name: file,
  text: script,
  last: 'console.log("done");',
  spoilt: 'console.log("done"',
};
const python: ScriptOfSkill = {
  name: 'scripts/steps.py',
  text: '#!/usr/bin/env python3\n"""\n- Leave the folder tidy.\n"""\nprint("done")\n',
  last: 'print("done")',
  spoilt: 'print("done"',
};
const foreign: readonly ScriptOfSkill[] = [
  python,
  {
    name: 'scripts/steps.sh',
    text: "#!/bin/sh\n: <<'STEPS'\n- Leave the folder tidy.\nSTEPS\necho 'done'\n",
    last: "echo 'done'",
    spoilt: "echo 'done",
  },
];

describe('an edit of a script that agents run', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));
  const open = (scripted = javascript): TestWorkspace => {
    const workspace = aScriptedSkill(scripted);
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
    // The editor asks before it changes a buffer: what no longer parses is not written there either.
    const pending = { proposal, own: true, refusal: undefined };
    const write = { ...request, documentPath: `./${file}`, file: scriptIn(workspace), pending };
    const asked = (after: string) =>
      workspace.useCases().refuseWrite({ ...write, change: { before: script, after, shown: true } }, neverAborted);
    await assert.rejects(asked(mended.replace('");', '"')), /would no longer parse in line/u);
    await asked(mended);
    await workspace.useCases().adopt(request, neverAborted);
    assert.deepEqual(fileIn(workspace), [mended, 0o755]);
    await workspace.useCases().undo(request, neverAborted);
    assert.deepEqual(fileIn(workspace), [script, 0o755]);
  });

  it('is not tried where a task is not attempted by an agent', async () => {
    const workspace = open();
    await workspace.useCases().allowScriptEdits(true, neverAborted);
    const tasks = path.join(path.dirname(workspace.skillPath), 'evals/whetstone.json');
    const written = JSON.parse(readFileSync(tasks, 'utf8'));
    const [first] = Object.keys(written.tasks);
    written.tasks[first ?? ''] = { checks: [{ check: 'contains', text: 'price' }] };
    writeFileSync(tasks, JSON.stringify(written));
    const { proposal } = await workspace.optimize({ settings: { train: { epochs: 1 } } });
    assert.deepEqual(proposal?.documents ?? [], []);
  });

  it('finds no script that nothing can parse here, which the preflight and the command line say', async () => {
    const workspace = open(python);
    const bare = workspace.useCases(undefined, { sandbox: undefined });
    await bare.allowScriptEdits(true, neverAborted);
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    const why = 'No edit changes scripts/steps.py. The sandbox is not part of this program.';
    const start = { ...request, preset: 'quick', settings: [], purpose: 'optimize', trusted: true } as const;
    assert.ok((await bare.preflight(start, neverAborted)).notes.includes(why));
    const line = lineOf(workspace, 'bare');
    assert.match((await line.run('scripts')).out, /Not changed on this machine: scripts in Python, sh, bash, /u);
    const { out } = await line.run('scripts', '--skill', workspace.skillPath);
    assert.ok(out.includes(why), out);
    writeFileSync(scriptIn(workspace, 'scripts/limits.json'), '{}');
    assert.match(
      (await line.run('scripts', '--skill', workspace.skillPath)).out,
      /could change scripts\/limits\.json\./u,
    );
  });

  it('is first of a script that SKILL.md names, where there are more than an optimizer is shown', async () => {
    const workspace = open();
    const large = `[${'"word", '.repeat(3_000)}0]`;
    for (const name of ['a', 'b']) writeFileSync(scriptIn(workspace, `scripts/${name}.json`), large);
    const line = lineOf(workspace, 'bare');
    const { out } = await line.run('scripts', '--skill', workspace.skillPath);
    assert.match(out, /could change scripts\/steps\.js, scripts\/a\.json\./u);
    assert.match(out, /No edit changes scripts\/b\.json\. An optimizer is shown 20 scripts/u);
  });

  it('is never of a script in a language that nothing parses: it is told as read-only', async () => {
    const workspace = open();
    for (const name of ['build.ts', 'clean.rb', 'table.csv', 'LICENSE'])
      writeFileSync(scriptIn(workspace, `scripts/${name}`), 'x');
    writeFileSync(scriptIn(workspace, 'scripts/tidy'), '#!/usr/bin/env ruby\nputs 1\n');
    const { out } = await lineOf(workspace, 'bare').run('scripts', '--skill', workspace.skillPath);
    assert.match(out, /could change scripts\/steps\.js\./u);
    assert.match(
      out,
      /No edit changes scripts\/build\.ts, scripts\/clean\.rb, scripts\/tidy\. It is read-only: nothing/u,
    );
  });

  for (const scripted of foreign)
    inFull(`is proposed, adopted and undone with the parsers of this machine: ${scripted.name}`, async function () {
      await needsSandbox(this);
      const { name, text } = scripted;
      const workspace = open(scripted);
      await workspace.useCases().allowScriptEdits(true, neverAborted);
      const { proposal } = await workspace.optimize({ settings: { train: { epochs: 1 } } });
      assert.equal(proposal?.verdict.kind, 'accepted');
      assert.deepEqual(
        proposal.documents.map(({ path: document }) => document),
        [`./${name}`],
      );
      const [told] = proposal.leftOut.map(({ outcome }) => ('detail' in outcome ? outcome.detail : ''));
      assert.match(told ?? '', /^scripts\/steps\.\w+ would no longer parse in line \d+ \([^/]+\)\.$/u);
      const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
      // What was parsed when it was proposed is parsed once more before it is written.
      const bare = workspace.useCases(undefined, { sandbox: undefined });
      await assert.rejects(bare.adopt(request, neverAborted), /could not be parsed/u);
      assert.deepEqual(fileIn(workspace, name), [text, 0o755]);
      await workspace.useCases().adopt(request, neverAborted);
      assert.match(fileIn(workspace, name)[0], /npm run check/u);
      await workspace.useCases().undo(request, neverAborted);
      assert.deepEqual(fileIn(workspace, name), [text, 0o755]);
    });

  it('is staged and never adopted by a night', async () => {
    const workspace = open();
    const useCases = workspace.useCases();
    await useCases.allowScriptEdits(true, neverAborted);
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
    const { skills } = await useCases.night(night, { began: () => undefined, observe: () => undefined }, neverAborted);
    assert.equal(skills[0]?.outcome, 'proposed');
    assert.match(skills[0].reason, /Not adopted by itself: .*script that agents run/);
    assert.deepEqual(fileIn(workspace), [script, 0o755]);
  });
});

function aScriptedSkill(scripted = javascript): TestWorkspace {
  const agent = createSimulatedModel({});
  const optimizer = mending(scripted);
  const workspace = aWorkspace({
    copy: { from: path.resolve('media/demo'), skill: '.agents/skills/price-change' },
    models: { target: agent, optimizer, judge: agent },
  });
  const text = workspace.skillText();
  const { name } = scripted;
  const pointing = text.replace('## What to say', `The last steps stand in \`${name}\`.\n\n## What to say`);
  writeFileSync(workspace.skillPath, pointing);
  mkdirSync(path.dirname(scriptIn(workspace, name)));
  writeFileSync(scriptIn(workspace, name), scripted.text);
  chmodSync(scriptIn(workspace, name), 0o755);
  return workspace;
}

function scriptIn({ skillPath }: TestWorkspace, name = file): string {
  return path.join(path.dirname(skillPath), name);
}

function fileIn(workspace: TestWorkspace, name = file): readonly [string, number] {
  const found = scriptIn(workspace, name);
  return [readFileSync(found, 'utf8'), statSync(found).mode & 0o777];
}

function lineOf(workspace: TestWorkspace, programs?: 'bare') {
  const environment = { WHETSTONE_HOME: path.join(workspace.home, 'state') };
  return aCommandLine({ at: { base: path.dirname(workspace.folder) }, environment, programs });
}
