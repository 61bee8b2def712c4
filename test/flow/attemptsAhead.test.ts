import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { totalSpend, type RunSummary } from '../../src/engine/journal/runSummary.js';
import type { LanguageModel, ModelRequest } from '../../src/ports/languageModel.js';
import { aModelThatLearns } from '../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, type RunWish, type TestWorkspace, writtenTasks } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';

const exact = [{ check: 'exact', answer: 'alpha' }];
const rubrics = [{ check: 'rubric', rubric: 'It says alpha.' }];
const strict: RunWish = { preset: 'quick', settings: { gate: { rule: 'strict' } } };
/** Enough for such a run, and too little to be sure of it beforehand. */
const capped: RunWish = { preset: 'quick', settings: { gate: { rule: 'strict' }, caps: { calls: 20 } } };

describe('training attempts in places that the baseline leaves idle', () => {
  const workspaces: TestWorkspace[] = [];
  afterEach(() => workspaces.splice(0).forEach((workspace) => workspace.dispose()));

  it('are made beside it, and written down and counted in their own stage', async () => {
    const { ran, asked } = await run({}, strict);
    assert.deepEqual(
      asked
        .slice(0, 12)
        .map((each) => sideOf(each) ?? '')
        .sort(byName),
      [...repeated('heldOut', 6), ...repeated('training', 6)],
    );
    assert.ok(ran.most >= 12, `${ran.most} side by side`);
    const began = ran.events.findIndex((event) => event.kind === 'stage' && event.stage === 'rollout');
    const early = ran.events.slice(0, began);
    assert.deepEqual(
      early.filter((event) => event.kind === 'attempt').map(({ stage }) => stage),
      repeated('baseline', 6),
    );
    assert.equal(early.filter((event) => event.kind === 'call').length, 12);
    const { stages } = ran.summary;
    assert.deepEqual([stages.baseline?.calls, stages.rollout?.calls, stages.reflect?.calls], [6, 6, 1]);
    const [step] = JSON.parse(ran.artifact('history.json') ?? '');
    assert.deepEqual(step.tokens.rollout.calls, 6);
  });

  it('change nothing about what a run comes to', async () => {
    const [ahead, after] = [await run({}, strict), await run({}, capped)];
    assert.deepEqual(after.asked.slice(0, 12).map(sideOf), [...repeated('heldOut', 6), ...repeated('training', 6)]);
    assert.deepEqual(result(ahead), result(after));
    assert.deepEqual(result(ahead), result(await run({}, strict)));
  });

  for (const { name, checks } of few([
    { name: 'rubrics', checks: rubrics },
    { name: 'exact checks', checks: exact },
  ])) {
    it(`cost at most as many calls as may be under way where there is nothing to learn: ${name}`, async () => {
      const counts = { training: 30, heldOut: 6, sealed: 0 };
      const concurrency = 8;
      const wish = { preset: 'quick', settings: { concurrency } } as const;
      const { ran, asked } = await run({ counts, checks, answers: () => 'alpha', slowest: 'heldOut' }, wish);
      const alone = checks === exact ? 6 : 12;
      assert.ok(asked.length > alone, 'some were made ahead');
      assert.ok(asked.length <= alone + concurrency, `${asked.length} calls`);
      assert.equal(totalSpend(ran.summary).calls, asked.length);
      assert.deepEqual([ran.summary.steps, ran.artifact('steps/step_0001/step_record.json')], [[], undefined]);
      assert.equal(ran.summary.outcome, 'nothing');
    });
  }

  it('are not begun once no baseline can be scored', async () => {
    const counts = { training: 30, heldOut: 6, sealed: 0 };
    const made: ModelRequest[] = [];
    await assert.rejects(
      run({ counts, answers: losingHeldOut, made }, { preset: 'quick', settings: { concurrency: 4 } }),
    );
    assert.ok(made.filter((request) => sideOf(request) === 'training').length <= 4);
  });

  it('are asked once where the run is cut off in between and resumed', async () => {
    const stop = new AbortController();
    const workspace = aPlace({});
    const { model } = modelOf({ slowest: 'heldOut', slowMs: 60_000 });
    let answered = 0;
    const onEvent = (event: RunEvent): void => {
      answered += event.kind === 'call' ? 1 : 0;
      if (answered === 6) setTimeout(() => stop.abort(), 200); // by then they are stored
    };
    await assert.rejects(workspace.optimize({ ...strict, models: inEveryRole(model), signal: stop.signal, onEvent }), {
      name: 'AbortError',
    });
    const second = modelOf({});
    const { proposal } = await workspace.optimize({
      ...strict,
      models: inEveryRole(second.model),
      resume: { run: undefined },
    });
    assert.equal(proposal?.verdict.kind, 'accepted');
    assert.deepEqual(second.made.slice(0, 6).map(sideOf), repeated('heldOut', 6), 'training is known from before');
    assert.ok(second.made.every((request) => request.role !== 'target' || sideOf(request) === 'heldOut'));
  });

  function aPlace({ counts = { training: 6, heldOut: 6, sealed: 0 }, checks = exact }: Parts): TestWorkspace {
    const tasks = writtenTasks(counts, []).map((task) => ({ ...task, checks }));
    const workspace = aWorkspace({ tasks });
    workspaces.push(workspace);
    return workspace;
  }

  async function run(parts: Parts, wish: RunWish) {
    const workspace = aPlace(parts);
    const { model, made, most } = modelOf(parts);
    const events: RunEvent[] = [];
    const { summary, proposal, runId } = await workspace.optimize({
      ...wish,
      models: inEveryRole(model),
      onEvent: (event) => events.push(event),
    });
    const artifact = (file: string): string | undefined => workspace.artifact(runId, file);
    return { asked: made, ran: { events, summary, proposal, artifact, most: most() } };
  }
});

interface Parts {
  readonly counts?: Parameters<typeof writtenTasks>[0];
  readonly checks?: readonly Readonly<Record<string, unknown>>[];
  /** What the target says. */
  readonly answers?: (request: ModelRequest) => string | Error;
  /** Whose calls take the longest. */
  readonly slowest?: 'heldOut';
  readonly slowMs?: number;
  readonly made?: ModelRequest[];
}

/** A model whose server knows it, with everything that it was asked, in order. */
function modelOf({ answers, slowest, slowMs = 120, made = [] }: Parts) {
  const learns = aModelThatLearns(graded);
  let [now, most] = [0, 0];
  const model: LanguageModel = {
    identity: learns.identity,
    reach: () => Promise.resolve(true),
    async complete(request, signal) {
      made.push(request);
      now += 1;
      most = Math.max(most, now);
      await wait(sideOf(request) === slowest ? slowMs : 20, undefined, { signal });
      now -= 1;
      const said = request.role === 'target' ? answers?.(request) : undefined;
      if (said instanceof Error) throw said;
      const reply = await learns.complete(request, signal);
      return said === undefined ? reply : { ...reply, text: said };
    },
  };
  return { model, made, most: () => most };
}

function sideOf({ messages }: ModelRequest): 'training' | 'heldOut' | undefined {
  const asked = messages.map(({ content }) => content).join('\n');
  if (/quaytraining\d/u.test(asked)) return 'training';
  return /quayheldOut\d/u.test(asked) ? 'heldOut' : undefined;
}

function losingHeldOut(request: ModelRequest): string | Error {
  return sideOf(request) === 'heldOut' ? new Error('The answer is lost.') : 'Nothing.';
}

function byName(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function repeated(word: string, times: number): readonly string[] {
  return Array.from({ length: times }, () => word);
}

/** All of a run that does not tell how long it took. */
function result({ ran }: { readonly ran: Ran }) {
  const attempts = ran.events.filter((event) => event.kind === 'attempt');
  const { stages, steps, verdict } = ran.summary;
  return {
    attempts: attempts.map((attempt) => JSON.stringify({ ...attempt, latencyMs: 0 })).sort(),
    stages: Object.entries(stages).map(([stage, { calls, tokens }]) => [stage, calls, tokens]),
    steps,
    verdict,
    patches: ran.artifact('steps/step_0001/merged_patch.json'),
    best: ran.artifact('best_skill.md'),
  };
}

interface Ran {
  readonly events: readonly RunEvent[];
  readonly summary: RunSummary;
  readonly artifact: (file: string) => string | undefined;
}

function graded({ messages }: ModelRequest): string {
  const pass = /```answer-[0-9a-f]+\nalpha\n/u.test(messages[0]?.content ?? '');
  return JSON.stringify({ results: [{ index: 0, pass, score: pass ? 1 : 0, reason: 'It does or does not.' }] });
}
