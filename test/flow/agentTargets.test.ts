import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { SecretsFound } from '../../src/errors.js';
import type { LanguageModel, ModelRequest } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';

const neverAborted = new AbortController().signal;

/** What holds where a program is the target; the scripted agent of the simulated model plays it. */
describe('agent tasks with a program as the target', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((each) => each.dispose()));

  it('are worked on by it, with the package and without tasks, and once without the skill', async () => {
    const { asked, evaluate } = aProgram('codex');
    const result = await evaluate();
    assert.equal(result.tasks[0]?.hard, 1);
    assert.equal(result.baseline?.tasks[0]?.hard, 0);
    const [first, second] = asked.map(({ work }) => work);
    assert.ok(first?.skill !== undefined);
    assert.deepEqual(
      first.skill.files.entries.map((entry) => entry.path),
      ['SKILL.md'],
    );
    assert.equal(second?.skill, undefined);
    assert.ok(first.fixture.entries.some((entry) => entry.path === 'prices.csv'));
    assert.deepEqual([first.limits.maxTokens, first.limits.maxTurns], [500_000, 30]);
  });

  it('leave what was done and changed for people to look at', async () => {
    const { workspace, evaluate } = aProgram('codex');
    await evaluate();
    const { answers } = await workspace.useCases().showTask({ ...requestIn(workspace), task: 'new-address' });
    const work = answers.find(({ under }) => under === 'skill')?.work;
    assert.ok(work !== undefined);
    assert.match(work.diff, /care@shop\.example/);
    assert.deepEqual([...new Set(work.events.map(({ kind }) => kind))], ['user', 'skill', 'tool', 'assistant', 'end']);
  });

  it('leave the attempts behind a verdict, without the edits and with them, and nothing of them in the report', async () => {
    const { workspace, models } = aProgram('codex');
    const { proposal, runId } = await workspace.optimize({ models, settings: { gate: { rule: 'strict' } } });
    const fixed = proposal?.comparisons.find(({ before, after }) => before.passes < after.passes);
    assert.ok(fixed !== undefined);
    const attempts = await workspace.useCases().gateAttempts({ ...requestIn(workspace), taskId: fixed.id });
    const before = attempts.findLast(({ side }) => side === 'before');
    const after = attempts.findLast(({ side }) => side === 'after');
    assert.ok(before?.work !== undefined && after?.work !== undefined);
    assert.deepEqual([before.passed, after.passed], [false, true]);
    assert.notEqual(before.work.diff, after.work.diff);
    const [failed] = before.checks.filter(({ outcome }) => outcome === 'fail');
    assert.match(JSON.stringify(failed), /"criterion":"The (?:file|command|agent) .*"reason":"[^"]/);
    const report = workspace.artifact(runId, 'report.md');
    assert.ok(report !== undefined);
    const told = JSON.stringify(await workspace.useCases().reportData({ ...requestIn(workspace), run: runId }));
    for (const shared of [report, told])
      assert.ok(!shared.includes('Opened the shop.'), 'what was changed is the answer');
  });

  it('leave nothing of a sealed task to look at', async () => {
    const { workspace, evaluate } = aProgram('codex');
    const task = { ...requestIn(workspace), task: 'new-address' };
    await workspace.useCases().moveTask({ ...task, side: 'sealed' }, neverAborted);
    const { summary } = await evaluate();
    const journal = workspace.artifact(summary.runId, 'journal.jsonl') ?? '';
    assert.match(journal, /"kind":"attempt"/);
    assert.doesNotMatch(journal, /workHash/);
    assert.deepEqual((await workspace.useCases().showTask(task)).answers, []);
  });

  it('are refused by one that they do not take, and by a model that is no program', async () => {
    const { workspace, evaluate } = aProgram('codex');
    const file = path.join(path.dirname(workspace.skillPath), 'evals/whetstone.json');
    const agent = { fixture: 'evals/fixtures/shop', program: 'claude-code' };
    const checks = [{ check: 'skill_used' }];
    const tasks = { 'new-address': { environment: 'agent', agent, checks } };
    writeFileSync(file, JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks }));
    await assert.rejects(evaluate(), /is attempted by claude-code, and the target is codex/);
    await assert.rejects(aProgram(undefined).evaluate(), /is attempted by an agent program, and the target/);
  });

  it('are refused while a fixture holds a secret that was not allowed, before anything is asked', async () => {
    const { workspace, asked, evaluate } = aProgram('codex');
    const file = path.join(path.dirname(workspace.skillPath), 'evals/fixtures/shop/.env');
    writeFileSync(file, `PORT=80\nGITHUB_TOKEN=ghp_${'a1B2'.repeat(8)}c3D4\n`);
    const refusal = await evaluate().catch((error: unknown) => error);
    assert.ok(refusal instanceof SecretsFound);
    assert.match(refusal.message, /hold what looks like a secret: evals\/fixtures\/shop\/\.env/);
    assert.equal(refusal.skillPath, workspace.skillPath);
    assert.deepEqual(
      refusal.files.map((each) => [each.path, each.line]),
      [[file, 2]],
    );
    assert.equal(asked.length, 0);
    const none = await workspace
      .useCases()
      .agentSecrets({ ...requestIn(workspace), allowing: ['other'] }, neverAborted);
    assert.deepEqual(none.files, [], 'what was looked at is not there any more');
    await assert.rejects(evaluate(), SecretsFound);
    await workspace.useCases().agentSecrets({ ...requestIn(workspace), allowing: true }, neverAborted);
    assert.equal((await evaluate()).tasks[0]?.hard, 1);
  });

  it('are searched for secrets beside everything else, and no further than until that is cancelled', async () => {
    const { workspace } = aProgram('codex');
    const file = path.join(path.dirname(workspace.skillPath), 'evals/fixtures/shop/orders.txt');
    const orders = 'order: 12, size=42 --for this one\n'.repeat(6_000);
    writeFileSync(file, `${orders}GITHUB_TOKEN=ghp_${'b1C2'.repeat(8)}d3E4\n`);
    const search = (signal: AbortSignal) =>
      workspace.useCases().agentSecrets({ ...requestIn(workspace), allowing: false }, signal);
    const over = new AbortController();
    let turns = 0;
    const others = (async () => {
      for (; !over.signal.aborted; turns += 1) await turn();
    })();
    const [found] = (await search(neverAborted)).files;
    over.abort();
    await others;
    assert.deepEqual([found?.file, found?.line], ['orders.txt', 6_001]);
    assert.ok(turns >= 3, `${turns} turns`);
    const cancelled = new AbortController();
    setImmediate(() => setImmediate(() => cancelled.abort(new Error('enough'))));
    await assert.rejects(search(cancelled.signal), /enough/u);
  });

  it('are told of before a run: who works on them, what that may take, and that nobody redacts it', async () => {
    const { workspace, models } = aProgram('codex');
    const { notes } = await workspace.preflight({ models });
    const said = notes.join('\n');
    assert.match(
      said,
      /Tasks that codex\S* works on .*: 14\. Each attempt is counted as one call, and takes at most 500,000 tokens, 30 turns and 10 min/,
    );
    assert.match(said, /not redacted/);
    assert.match(said, /may be passed by 1,234 tokens/);
  });

  it('leave nothing to be asked about where the simulated model plays it: that is only told', async () => {
    const { workspace, models } = aProgram('codex');
    const { notes, asides, usd } = await workspace.preflight({});
    assert.deepEqual([notes, usd?.high], [[], 0]);
    assert.match(asides?.join() ?? '', /a scripted agent of Whetstone plays, which starts no program: 14\./);
    const request = {
      ...requestIn(workspace),
      purpose: 'optimize',
      preset: 'quick',
      settings: [],
      trusted: true,
    } as const;
    const sizeOn = (played: typeof models | undefined) =>
      workspace.useCases(played).evaluationSize([{ ...request, withoutSkill: false }], neverAborted);
    assert.deepEqual([(await sizeOn(undefined)).allSimulated, (await sizeOn(models)).allSimulated], [true, false]);
  });

  it('say before a run and in its report where the machine was declared one that is thrown away', async () => {
    const { workspace, models } = aProgram('codex');
    const declared = /declared this machine one that is thrown away/;
    assert.doesNotMatch((await workspace.preflight({ models })).notes.join('\n'), declared);
    await workspace.useCases().declareThrowAwayMachine(true, neverAborted);
    assert.match((await workspace.preflight({ models })).notes.join('\n'), declared);
    const settings = { gate: { rule: 'strict' } };
    const { runId } = await workspace.optimize({ models, settings });
    const report = await workspace.useCases().reportData({ ...requestIn(workspace), run: runId });
    assert.match(JSON.stringify(report?.notes), declared);
  });

  function aProgram(program: string | undefined) {
    const workspace = aWorkspace({ copy: { from: path.resolve('media/demo'), skill: '.agents/skills/price-change' } });
    workspaces.push(workspace);
    const asked: ModelRequest[] = [];
    const simulated = createSimulatedModel();
    const target: LanguageModel = {
      identity: {
        provider: program ?? 'openai',
        endpoint: program === undefined ? 'http://127.0.0.1:9/v1' : `agent:${program}`,
        model: program === undefined ? 'model' : 'default',
        simulated: false,
      },
      mayPassBy: () => 1234,
      complete: (request, signal) => {
        asked.push(request);
        return simulated.complete(request, signal);
      },
    };
    const models = { target, optimizer: simulated, judge: simulated };
    const request = { ...requestIn(workspace), preset: 'quick' as const, settings: [], trusted: true };
    const evaluate = () =>
      workspace
        .useCases(models)
        .evaluate(
          { ...request, purpose: 'optimize', withoutSkill: true, only: ['new-address'] },
          () => undefined,
          neverAborted,
        );
    return { workspace, asked, models, evaluate };
  }
});

function requestIn({ skillPath, folder }: TestWorkspace) {
  return { skillPath, workspaceFolders: [folder] };
}
