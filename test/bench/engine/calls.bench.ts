import { setTimeout as wait } from 'node:timers/promises';
import { aModelThatLearns } from '../../builders/aModelThatLearns.js';
import { aWorkspace, inEveryRole, writtenTasks, type RunWish, type WrittenTask } from '../../builders/aWorkspace.js';
import type { LanguageModel, ModelRequest } from '../../../src/ports/languageModel.js';

/** Six training and six held-out tasks that all fail before and all pass after; none sealed. */
const counts = { training: 6, heldOut: 6, sealed: 0 };
const exact = [{ check: 'exact', answer: 'alpha' }];
const rubrics = [{ check: 'rubric', rubric: 'It says alpha.' }];
const strict: RunWish = { preset: 'quick', settings: { gate: { rule: 'strict' } } };
const usual: RunWish = { preset: 'standard' };
const latencyMs = 500;
const roundsToBeat = 4;
const tries = 3; // the best of them: what else the machine does is not ours to measure

/**
 * Model calls until a strict decision (the paper's nightly loop needs 19 with exact checks, 37 with rubrics), the rounds
 * in which they wait for each other, and the time that they take against four rounds. The server was asked beforehand
 * whether it is there, as a real one is, which is no call.
 */
export async function run() {
  const [withExact, withRubrics] = [await quickest(exact, strict), await quickest(rubrics, strict)];
  const [runExact, runRubrics] = [await quickest(exact, usual), await quickest(rubrics, usual)];
  const fourRounds = await timeOfRounds(roundsToBeat);
  return [
    { name: 'calls until a strict decision, exact checks', ratio: withExact.calls, limit: 15, ...withExact },
    { name: 'calls until a strict decision, rubrics', ratio: withRubrics.calls, limit: 29, ...withRubrics },
    { name: 'rounds until a strict decision, exact checks', ratio: withExact.rounds, limit: 3 },
    { name: 'rounds until a strict decision, rubrics', ratio: withRubrics.rounds, limit: 5 },
    { name: 'time until a strict decision, of four rounds', ratio: withExact.ms / fourRounds, limit: 0.9, fourRounds },
    { name: 'rounds of a run with the usual options, exact checks', ratio: runExact.rounds, limit: 6, ...runExact },
    { name: 'rounds of a run with the usual options, rubrics', ratio: runRubrics.rounds, limit: 11, ...runRubrics },
  ];
}

async function quickest(checks: WrittenTask['checks'], wish: RunWish) {
  const measured = [];
  for (let attempt = 0; attempt < tries; attempt++) measured.push(await once(checks, wish));
  const [best = await once(checks, wish)] = measured.sort((a, b) => a.ms - b.ms);
  return best;
}

async function once(checks: WrittenTask['checks'], wish: RunWish) {
  const tasks = writtenTasks(counts, []).map((task) => ({ ...task, checks }));
  const asked = inRounds(aModelThatLearns(graded));
  const workspace = aWorkspace({ tasks, models: inEveryRole(asked.model) });
  try {
    await workspace.preflight(wish);
    const started = performance.now();
    const { proposal } = await workspace.optimize(wish);
    const ms = performance.now() - started;
    if (proposal?.verdict.kind !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(proposal?.verdict)}`);
    const notNeeded = proposal.comparisons.filter(({ after }) => after.score === undefined).length;
    return { ...asked.counted(), ms, notNeeded };
  } finally {
    workspace.dispose();
  }
}

/** Answers after half a second in all. A call is of the round after the last one that had been answered when it began. */
function inRounds(model: LanguageModel) {
  let [calls, answered, rounds] = [0, 0, 0];
  const delayed: LanguageModel = {
    identity: model.identity,
    reach: () => Promise.resolve(true),
    async complete(request, signal) {
      const started = performance.now();
      const round = answered + 1;
      calls += 1;
      rounds = Math.max(rounds, round);
      const reply = await model.complete(request, signal);
      await wait(latencyMs - (performance.now() - started), undefined, { signal });
      answered = Math.max(answered, round);
      return reply;
    },
  };
  return { model: delayed, counted: () => ({ calls, rounds }) };
}

async function timeOfRounds(count: number): Promise<number> {
  const { model } = inRounds(aModelThatLearns(graded));
  const request = {
    role: 'target',
    messages: [{ role: 'user', content: 'x' }],
    maxOutputTokens: 9,
    attempt: 1,
  } as const;
  const started = performance.now();
  for (let round = 0; round < count; round++) await model.complete(request, new AbortController().signal);
  return performance.now() - started;
}

function graded({ messages }: ModelRequest): string {
  const pass = /```answer-[0-9a-f]+\nalpha\n/u.test(messages[0]?.content ?? '');
  return JSON.stringify({ results: [{ index: 0, pass, score: pass ? 1 : 0, reason: 'It does or does not.' }] });
}
