import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import type { ModelRequest } from '../../src/ports/languageModel.js';
import { aWorkspace, inEveryRole, type TestWorkspace } from '../builders/aWorkspace.js';
import { chance, edits, say } from '../builders/aRunContext.js';
import { ScriptedModel, type ScriptedAnswer } from '../fakes/ScriptedModel.js';
import { aSettableClock } from './nightWorkspace.js';

const runs = process.env['WHETSTONE_FULL'] === '1' ? 150 : 3;

describe('the most that a run is announced to take', () => {
  it('is never passed by the calls that are answered, whatever tasks, options and replies', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(plan, async ({ tasks, settings, seed, manners, name }) => {
        const workspace = workspaceOf(tasks);
        try {
          const model = awkward(seed, manners, name);
          const wish = { models: inEveryRole(model), settings, preset: 'standard' as const };
          const { calls, tokens, usual } = await workspace.preflight(wish);
          await workspace.optimize(wish);
          const answered = model.requests.length;
          assert.ok(answered <= calls.high, `${answered} calls were answered, at most ${calls.high} were announced`);
          assert.ok(calls.low <= usual.calls && usual.calls <= calls.high, JSON.stringify({ calls, usual }));
          assert.ok(tokens.low <= usual.tokens && usual.tokens <= tokens.high, JSON.stringify({ tokens, usual }));
          const { calls: quick } = await workspace.preflight({ ...wish, preset: 'quick' });
          assert.ok(quick.high <= calls.high, 'quick announces more than standard');
        } finally {
          workspace.dispose();
        }
      }),
      { numRuns: runs, seed: 17 },
    );
  });

  it('counts a judge where a task has nothing but an expected output', async () => {
    const plain = { expected: false, expects: false, tools: false, fixture: false };
    assert.ok((await mostOf({ ...plain, expected: true })) > 1.5 * (await mostOf(plain)));
  });
});

describe('what a run is announced to take for trajectories', () => {
  const chat = { expected: false, expects: false, tools: false, fixture: false };
  const tools = { ...chat, tools: true };

  it('grows with what the optimizer may be shown of them, and is nothing where that is none', async () => {
    const [none, usual, much] = await Promise.all([0, 8_000, 20_000].map((most) => tokensOf(tools, most)));
    assert.ok(none !== undefined && usual !== undefined && much !== undefined);
    assert.ok(none.usual < usual.usual && none.high < usual.high && usual.high < much.high);
    const share = (much.high - none.high) / (usual.high - none.high);
    assert.ok(Math.abs(share - 2.5) < 0.01, String(share));
  });

  it('is nothing for tasks that are a question and an answer', async () => {
    assert.deepEqual(await tokensOf(chat, 8_000), await tokensOf(chat, 0));
  });
});

async function tokensOf(each: GeneratedTask, trajectoryTokens: number) {
  const workspace = workspaceOf({ training: [each, each], heldOut: [each, each, each, each, each], sealed: [] });
  const { tokens, usual } = await workspace.preflight({ settings: { reflect: { trajectoryTokens } } });
  workspace.dispose();
  return { ...tokens, usual: usual.tokens };
}

async function mostOf(each: GeneratedTask): Promise<number> {
  const workspace = workspaceOf({ training: [each, each], heldOut: [each, each, each, each, each], sealed: [] });
  const { calls } = await workspace.preflight();
  workspace.dispose();
  return calls.high;
}

interface GeneratedTask {
  readonly expected: boolean;
  readonly expects: boolean;
  readonly tools: boolean;
  readonly fixture: boolean;
}

interface GeneratedTasks {
  readonly training: readonly GeneratedTask[];
  readonly heldOut: readonly GeneratedTask[];
  readonly sealed: readonly GeneratedTask[];
}

const task = fc.record({ expected: fc.boolean(), expects: fc.boolean(), tools: fc.boolean(), fixture: fc.boolean() });

/** How often, of a hundred replies, one is of this kind. */
interface Manners {
  readonly thoughtOnly: number;
  readonly toolCalls: number;
  readonly unreadable: number;
  readonly cut: number;
  readonly passes: number;
  /** Of lists of edits: with places that are not in the skill. */
  readonly lost: number;
}

const share = fc.constantFrom(0, 0.3, 0.9);

const plan = fc.record({
  // A small judge is asked about criteria one by one.
  name: fc.constantFrom('scripted-1', 'tiny:1b'),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  manners: fc.record({
    thoughtOnly: share,
    toolCalls: share,
    unreadable: share,
    cut: share,
    passes: fc.constantFrom(0.2, 0.5, 0.8),
    lost: share,
  }),
  tasks: fc.record({
    training: fc.array(task, { minLength: 2, maxLength: 5 }),
    heldOut: fc.array(task, { minLength: 1, maxLength: 7 }),
    sealed: fc.array(task, { maxLength: 2 }),
  }),
  settings: fc
    .record({
      train: fc.record({
        epochs: fc.integer({ min: 1, max: 3 }),
        batchSize: fc.integer({ min: 1, max: 5 }),
        accumulation: fc.integer({ min: 1, max: 3 }),
        attempts: fc.integer({ min: 1, max: 2 }),
      }),
      reflect: fc.record({
        minibatchSize: fc.integer({ min: 1, max: 3 }),
        skillAware: fc.boolean(),
        reminders: fc.constantFrom(1, 20),
      }),
      merge: fc.constant({ batchSize: 2 }),
      edits: fc.record({
        budget: fc.constant(3),
        minimum: fc.constant(1),
        mode: fc.constantFrom('patch', 'rewrite_from_suggestions', 'full_rewrite_minibatch'),
        control: fc.constantFrom('fixed', 'autonomous'),
      }),
      stop: fc.constant({ patience: 5 }),
      judge: fc.record({ repeats: fc.integer({ min: 1, max: 2 }) }),
      answers: fc.record({ more: fc.constantFrom(1, 4) }),
      gate: fc.record({
        rule: fc.constantFrom('confident', 'strict', 'off'),
        attribution: fc.boolean(),
        metric: fc.constantFrom('hard', 'soft'),
      }),
      choice: fc.record({ measures: fc.constantFrom(['score'], ['score', 'skill-tokens', 'answer-tokens']) }),
    })
    // A front of candidates is certified at the end: other rules refuse it.
    .map((settings) => (settings.gate.rule === 'confident' ? settings : { ...settings, choice: {} }))
    // Reminders go with edits alone.
    .map(({ reflect, ...settings }) => ({
      ...settings,
      reflect: { ...reflect, skillAware: reflect.skillAware && settings.edits.mode === 'patch' },
    })),
});

/** A model that asks for tools, thinks without answering, writes prose and is cut, as often as it is told to. Answers every call. */
function awkward(seed: number, manners: Manners, name: string): ScriptedModel {
  const drawn = (request: ModelRequest, about: string): number =>
    chance(JSON.stringify([seed, about, request.role, request.attempt, request.dependsOn, request.messages]));
  const target = (request: ModelRequest): ScriptedAnswer => {
    if (drawn(request, 'thought') < manners.thoughtOnly) return { text: '', finish: 'length' };
    const called = (request.tools ?? []).length > 0 && drawn(request, 'tools') < manners.toolCalls;
    if (called) return { toolCalls: [{ id: String(drawn(request, 'id')), name: 'look', arguments: '{}' }] };
    return drawn(request, 'pass') < manners.passes ? 'It is alpha.' : 'It is not.';
  };
  const judge = (request: ModelRequest): ScriptedAnswer => {
    if (drawn(request, 'unreadable') < manners.unreadable) return 'Well.';
    const asked = request.messages[0]?.content.match(/^Criterion \d+:$/gm)?.length ?? 1;
    const count = drawn(request, 'partly') < manners.unreadable ? 1 : asked;
    const grade = { pass: drawn(request, 'pass') < manners.passes, score: 1, reason: 'so' };
    const text = JSON.stringify({ results: Array.from({ length: count }, (_, index) => ({ index, ...grade })) });
    return drawn(request, 'cut') < manners.cut ? { text: text.slice(0, 20), finish: 'length' } : text;
  };
  const optimizer = (request: ModelRequest): ScriptedAnswer => {
    if (drawn(request, 'unreadable') < manners.unreadable) return 'Write a better skill.';
    const words = [1, 2, 3].map((each) => `word ${Math.floor(drawn(request, String(each)) * 1e6)}`);
    const isLost = drawn(request, 'lost') < manners.lost;
    const nowhere = words.map((word) => ({ op: 'replace', anchor: `nowhere ${word}`, content: word }));
    const asked = request.replySchema?.name ?? '';
    const text = isLost && placing.has(asked) ? JSON.stringify({ edits: nowhere }) : replyOf(asked, words);
    return drawn(request, 'cut') < manners.cut ? { text: text.slice(0, -20), finish: 'length' } : text;
  };
  return new ScriptedModel({ model: name })
    .when(({ role }) => role === 'target', target)
    .when(({ role }) => role === 'judge', judge)
    .when(({ role }) => role === 'optimizer', optimizer);
}

/** The questions whose replies say where an edit goes. */
const placing = new Set(['reflection', 'merge', 'places', 'skill_aware_reflection']);

/** What an optimizer says to each kind of question, with these words in it. */
function replyOf(asked: string, words: readonly string[]): string {
  const rewrite = { new_skill: words.map((word) => `- Say “${word}”.\n`).join(''), change_summary: [] };
  const replies: Readonly<Record<string, unknown>> = {
    skill_aware_reflection: { failure_summary: [], edits: words.map(say), appendix_notes: words },
    appendix: { reasoning: '', appendix_notes: words.slice(0, 1) },
    edit_budget: { reasoning: '', edit_count: 2 },
    slow_update: { reasoning: '', slow_update_content: words.join(' ') },
    meta_skill: { reasoning: '', meta_skill_content: words.join(' ') },
    suggestions: { failure_summary: [], revise_suggestions: words.map((instruction) => ({ instruction })) },
    merge_suggestions: { reasoning: '', revise_suggestions: words.map((instruction) => ({ instruction })) },
    rewrite: { reasoning: '', ...rewrite },
    rewrites: { failure_summary: [], skill_candidates: [rewrite] },
    merge_rewrites: { reasoning: '', skill_candidates: [rewrite] },
  };
  const reply = replies[asked];
  return reply === undefined ? edits(...words.map(say)) : JSON.stringify(reply);
}

function workspaceOf(tasks: GeneratedTasks): TestWorkspace {
  const workspace = aWorkspace({ clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) });
  const evals = path.join(path.dirname(workspace.skillPath), 'evals');
  mkdirSync(evals, { recursive: true });
  writeFileSync(path.join(path.dirname(workspace.skillPath), 'notes.txt'), 'What was said. '.repeat(50));
  const sides = ['training', 'heldOut', 'sealed'] as const;
  const named = sides.flatMap((side) => tasks[side].map((each, index) => ({ ...each, side, id: `${side}-${index}` })));
  const listed = named.map(({ id, expected, expects, fixture }) => ({
    id,
    prompt: `Tell me about ${id}, whatever there is to tell about number ${id}.`,
    ...(expected ? { expected_output: 'Something about alpha.' } : {}),
    ...(expects ? { expectations: ['It is about alpha.', 'It is short.'] } : {}),
    ...(fixture ? { files: ['notes.txt'] } : {}),
  }));
  const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' }, result: 'Seen.' };
  const own = named.map(({ id, side, expected, expects, tools }) => [
    id,
    {
      split: side,
      ...(expected || expects ? {} : { checks: [{ check: 'contains', text: 'alpha' }] }),
      ...(tools ? { environment: 'tools', tools: [look] } : {}),
    },
  ]);
  writeFileSync(path.join(evals, 'evals.json'), JSON.stringify({ skill_name: 'words', evals: listed }));
  const file = { format: 'whetstone.tasks', version: 1, tasks: Object.fromEntries(own) };
  writeFileSync(path.join(evals, 'whetstone.json'), JSON.stringify(file));
  return workspace;
}
