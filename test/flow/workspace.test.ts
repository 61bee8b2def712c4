import assert from 'node:assert/strict';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Stage } from '../../src/engine/journal/runEvents.js';
import { totalSpend } from '../../src/engine/journal/runSummary.js';
import { anOptimizer, edits, say, sayWhatIsAsked, type OptimizerScript } from '../builders/aRunContext.js';
import { aWorkspace, inEveryRole, writtenTasks, type Models, type TestWorkspace } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';
import { ManualClock } from '../fakes/ManualClock.js';
import type { ScriptedModel } from '../fakes/ScriptedModel.js';

const workspaces: TestWorkspace[] = [];

describe('a run in a workspace', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  const stages: readonly Stage[] = ['certify', 'baseline', 'rollout', 'reflect', 'evaluate', 'attribute', 'sealed'];
  for (const stage of few(stages, 2)) {
    it(`leaves the skill as it was, and no lock, when it is cancelled in the stage ${stage}`, async () => {
      const workspace = aTrained({ tasks: writtenTasks({ training: 2, heldOut: 5, sealed: 1 }, ['alpha', 'beta']) });
      const before = workspace.skillText();
      const controller = new AbortController();
      const run = workspace.optimize({
        preset: 'standard',
        models: modelOf({ reflect: edits(say('alpha'), say('beta')) }),
        signal: controller.signal,
        onEvent: (event) => {
          if (event.kind === 'stage' && event.stage === stage) controller.abort(new Error('enough'));
        },
      });
      await assert.rejects(run, /enough/);
      assert.equal(workspace.skillText(), before);
      const { pending, runs } = await workspace.overview();
      assert.equal(pending, undefined);
      assert.equal(runs[0]?.outcome, 'cancelled');
      const again = await workspace.optimize({ models: modelOf({ reflect: edits(say('alpha'), say('beta')) }) });
      assert.notEqual(again.proposal, undefined);
    });
  }

  it('never touches the skill, whatever comes of it', async () => {
    const workspace = aTrained();
    const before = workspace.skillText();
    const { proposal } = await workspace.optimize({ models: modelOf({ reflect: edits(say('alpha')) }) });
    assert.equal(proposal?.verdict.kind, 'accepted');
    assert.equal(workspace.skillText(), before);
  });

  it('leaves the files that the paper’s trainer leaves', async () => {
    const workspace = aTrained({ tasks: writtenTasks({ training: 2, heldOut: 6, sealed: 0 }, ['alpha', 'beta']) });
    const { runId } = await workspace.optimize({
      preset: 'standard',
      models: modelOf({ reflect: edits(say('alpha'), say('beta')) }),
    });
    const files = listed(path.join(workspace.folder, '.whetstone/runs', runId));
    for (const file of [
      'best_skill.md',
      'config.json',
      'current_skill.md',
      'diagnostics.json',
      'history.json',
      'journal.jsonl',
      'report.md',
      'skills/skill_v0000.md',
      'skills/skill_v0001.md',
      'steps/step_0001/candidate_skill.md',
      'steps/step_0001/edit_apply_report.json',
      'steps/step_0001/merged_patch.json',
      'steps/step_0001/patches/minibatch_fail_000.json',
      'steps/step_0001/ranked_edits.json',
      'steps/step_0001/rollout/results.json',
      'steps/step_0001/selection_eval/results.json',
      'steps/step_0001/step_record.json',
      'summary.json',
    ]) {
      assert.ok(files.includes(file), `${file} is not among ${files.join(', ')}`);
    }
    assert.equal(workspace.artifact(runId, 'skills/skill_v0000.md'), workspace.skillText());
    assert.match(workspace.artifact(runId, 'best_skill.md') ?? '', /Say “alpha”[\s\S]*Say “beta”/);
    const summary = JSON.parse(workspace.artifact(runId, 'summary.json') ?? '{}');
    assert.match(JSON.stringify(summary), /"action":\s*"accept_new_best"/);
    assert.match(JSON.stringify(summary), /"decision":\s*"accept_new_best"/);
  });

  it('says in its report why nothing is proposed, and names the last words of the optimizer', async () => {
    const workspace = aTrained();
    const { runId, noProposal: nothing } = await workspace.optimize({
      models: modelOf({ reflect: 'I have no idea.' }),
    });
    assert.equal(nothing?.cause, 'backend-failed');
    assert.match(
      workspace.artifact(runId, 'report.md') ?? '',
      /\*\*Nothing is proposed\.\*\* The optimizer gave no usable reply/,
    );
    const diagnostics = workspace.artifact(runId, 'diagnostics.json') ?? '';
    assert.match(diagnostics, /"text": "I have no idea\."/);
    assert.match(diagnostics, /"why": "Not met: The answer contains “alpha”\."/);
  });

  it('leaves a report of a run that was cancelled, too', async () => {
    const workspace = aTrained();
    const controller = new AbortController();
    const run = workspace.optimize({
      models: modelOf({ reflect: edits(say('alpha')) }),
      signal: controller.signal,
      onEvent: (event) => (event.kind === 'step-ended' ? controller.abort(new Error('enough')) : undefined),
    });
    await assert.rejects(run);
    const [runId = ''] = readdirSync(path.join(workspace.folder, '.whetstone/runs'));
    assert.match(workspace.artifact(runId, 'report.md') ?? '', /Cancelled\. Nothing was changed\./);
    assert.match(workspace.artifact(runId, 'report.md') ?? '', /\| 1 \| 1 \| new best \|/);
  });

  it('leaves no secret in what it writes beside the journal', async () => {
    const secret = `ghp_${'A1b2C3d4E5'.repeat(4).slice(0, 36)}`;
    const workspace = aTrained({ skill: `# Words\n\nAnswer in words. The token is ${secret}.\n` });
    const talkative = anOptimizer({ reflect: edits({ ...say('alpha'), rationale: `Because ${secret} says so.` }) });
    const models = inEveryRole(
      talkative.when(isTarget, ({ messages }) => `${sayWhatIsAsked(messages[0]?.content ?? '')} ${secret}`),
    );
    const { runId } = await workspace.optimize({ models });
    const folder = path.join(workspace.folder, '.whetstone/runs', runId);
    const leaking = listed(folder).filter((file) => readFileSync(path.join(folder, file), 'utf8').includes(secret));
    assert.deepEqual(leaking, []);
    assert.match(workspace.artifact(runId, 'report.md') ?? '', /### E1/);
  });

  it('shows later runs what was rejected before', async () => {
    const workspace = aTrained();
    await workspace.optimize({ models: modelOf({ reflect: edits(say('nonsense')) }) });
    const optimizer = anOptimizer({ reflect: edits() });
    await workspace.optimize({ models: inEveryRole(answering(optimizer)) });
    const prompts = optimizer.requests
      .filter(({ role }) => role === 'optimizer')
      .map(({ messages }) => messages[0]?.content);
    assert.match(prompts[0] ?? '', /Edits that were rejected before[\s\S]*Say “nonsense”/);
  });

  it('shows the optimizer what the person prefers, from the setting and from their file', async () => {
    const workspace = aTrained();
    mkdirSync(path.join(workspace.folder, '.whetstone'), { recursive: true });
    writeFileSync(path.join(workspace.folder, '.whetstone/preferences.md'), 'Write like a sailor.\n');
    const optimizer = anOptimizer({ reflect: edits() });
    await workspace.optimize({ settings: { preferences: 'Be brief.' }, models: inEveryRole(answering(optimizer)) });
    const prompt = optimizer.requests.find(({ role }) => role === 'optimizer')?.messages[0]?.content ?? '';
    assert.match(prompt, /Be brief\.\n\nWrite like a sailor\./);
  });

  it('starts no call once its minutes are used up, and says so', async () => {
    const clock = new ManualClock(Date.now());
    const workspace = aTrained({ clock });
    const slow = answering(anOptimizer({ reflect: edits(say('alpha')) }), () => clock.set(clock.now() + 30_000));
    const { noProposal: nothing, summary } = await workspace.optimize({
      settings: { caps: { minutes: 2 }, concurrency: 1 },
      models: inEveryRole(slow),
    });
    assert.equal(nothing?.cause, 'cap');
    assert.match(nothing?.reason ?? '', /2 minutes/);
    assert.equal(totalSpend(summary).calls, 4);
    assert.equal(summary.stages.baseline?.ms, 120_000);
  });

  it('says with each call how long its role is waited for', async () => {
    const model = answering(anOptimizer({ reflect: edits() }));
    await aTrained().optimize({ settings: { timeouts: { optimizer: 1800 } }, models: inEveryRole(model) });
    const heard = model.requests.map(({ role, timeoutMs }) => `${role} ${timeoutMs}`);
    assert.deepEqual([...new Set(heard)].toSorted(), ['optimizer 1800000', 'target undefined']);
  });

  it('makes no call beyond its cap on calls', async () => {
    for (const calls of few([9, 1, 7, 12])) {
      const workspace = aTrained();
      const model = answering(anOptimizer({ reflect: edits(say('alpha')) }));
      const { summary } = await workspace.optimize({ settings: { caps: { calls } }, models: inEveryRole(model) });
      assert.equal(model.requests.length, calls);
      assert.equal(totalSpend(summary).calls, calls);
    }
  });
});

describe('going on with a run', () => {
  after(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('that was cancelled asks nothing again, and ends as if it had never stopped', async () => {
    const script = { reflect: edits(say('alpha')) };
    const whole = await aTrained().optimize({ models: modelOf(script) });
    const workspace = aTrained();
    const model = answering(anOptimizer(script));
    const runId = await cancelledAt(workspace, 'certify', inEveryRole(model));
    const resumed = await workspace.optimize({ resume: { run: undefined }, models: inEveryRole(model) });
    assert.equal(resumed.runId, runId);
    assert.deepEqual(resumed.proposal, whole.proposal);
    assert.equal(totalSpend(resumed.summary).calls, model.requests.length);
    assert.equal(model.requests.length, totalSpend(whole.summary).calls);
    assert.equal(resumed.summary.resumed, 1);
  });

  it('pays for one certification, however often it is resumed', async () => {
    const workspace = aTrained();
    const models = modelOf({ reflect: edits(say('alpha')) });
    await cancelledAt(workspace, 'certify', models);
    await workspace.optimize({ resume: { run: undefined }, models });
    const state = path.join(workspace.home, 'state', 'certifications');
    const [file = ''] = readdirSync(state);
    const [, paid = ''] = /"certifications":\s*\[([^\]]*)\]/u.exec(readFileSync(path.join(state, file), 'utf8')) ?? [];
    assert.equal(paid.split('"id"').length - 1, 1);
  });

  const changes: readonly (readonly [name: string, change: (workspace: TestWorkspace) => void, says: RegExp])[] = [
    [
      'the skill has changed',
      ({ skillPath }) => appendFileSync(skillPath, '\nMore.\n'),
      /the skill has changed since it began/,
    ],
    [
      'the tasks have changed',
      ({ skillPath }) => {
        const file = path.join(path.dirname(skillPath), 'evals/evals.json');
        writeFileSync(file, readFileSync(file, 'utf8').replace('at dawn', 'at dusk'));
      },
      /the tasks have changed since it began/,
    ],
    [
      'the journal was changed',
      ({ folder }) => {
        const [run = ''] = readdirSync(path.join(folder, '.whetstone/runs'));
        const file = path.join(folder, '.whetstone/runs', run, 'journal.jsonl');
        writeFileSync(file, readFileSync(file, 'utf8').replace('"optimize"', '"night"   '));
      },
      /There is no run of words that can go on/,
    ],
  ];
  for (const [name, change, says] of changes) {
    it(`is refused where ${name}`, async () => {
      const workspace = aTrained();
      await cancelledAt(workspace, 'certify', modelOf({ reflect: edits(say('alpha')) }));
      change(workspace);
      await assert.rejects(workspace.optimize({ resume: { run: undefined } }), {
        code: 'run-not-resumable',
        message: says,
      });
    });
  }

  it('is refused with other models than it began with', async () => {
    const workspace = aTrained();
    await cancelledAt(workspace, 'certify', modelOf({ reflect: edits(say('alpha')) }));
    const resuming = workspace.optimize({ resume: { run: undefined } });
    await assert.rejects(resuming, { code: 'run-not-resumable', message: /its target model was scripted\/scripted-1/ });
  });

  it('is refused where there is none, where it ended, and where it is none of this skill', async () => {
    const workspace = aTrained();
    await assert.rejects(workspace.optimize({ resume: { run: undefined } }), /There is no run of words that can go on/);
    const { runId } = await workspace.optimize({ models: modelOf({ reflect: edits(say('alpha')) }) });
    await assert.rejects(workspace.optimize({ resume: { run: runId } }), /has ended/);
    await assert.rejects(
      workspace.optimize({ resume: { run: '20260101-000000-aaaaaa' } }),
      /not a run of words that was begun here/,
    );
    await assert.rejects(workspace.optimize({ resume: { run: '../../x' } }), { code: 'usage' });
    assert.ok(!existsSync(path.join(workspace.folder, 'x')));
  });
});

function aTrained(parts: Parameters<typeof aWorkspace>[0] = {}): TestWorkspace {
  const workspace = aWorkspace(parts);
  workspaces.push(workspace);
  return workspace;
}

async function cancelledAt(workspace: TestWorkspace, stage: Stage, models: Models): Promise<string> {
  const controller = new AbortController();
  const run = workspace.optimize({
    models,
    signal: controller.signal,
    onEvent: (event) => {
      if (event.kind === 'stage' && event.stage === stage) controller.abort(new Error('enough'));
    },
  });
  await assert.rejects(run, /enough/);
  const [runId = ''] = readdirSync(path.join(workspace.folder, '.whetstone/runs'));
  return runId;
}

function modelOf(script: OptimizerScript): Models {
  return inEveryRole(answering(anOptimizer(script)));
}

/** The optimizer as a target, too: it says what its skill tells it to say. */
function answering(model: ScriptedModel, before: () => void = () => undefined): ScriptedModel {
  return model.when(isTarget, ({ messages }) => {
    before();
    return sayWhatIsAsked(messages[0]?.content ?? '');
  });
}

function isTarget({ role }: { readonly role: string }): boolean {
  return role === 'target';
}

function listed(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();
}
