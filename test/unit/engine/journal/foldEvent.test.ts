import assert from 'node:assert/strict';
import { foldEvent, upstreamAction } from '../../../../src/engine/journal/foldEvent.js';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import type { StepAction } from '../../../../src/engine/journal/upstreamWords.js';
import { RunOptions } from '../../../../src/engine/runOptions.js';
import {
  emptySummary,
  RunSummarySchema,
  totalSpend,
  type RunSummary,
} from '../../../../src/engine/journal/runSummary.js';
import { invalidSentence } from '../../../../src/wording/amounts.js';
import { english } from '../../../../src/wording/translate.js';

const call = {
  kind: 'call',
  role: 'target',
  tokens: 100,
  usd: 0.5,
  exact: true,
  ms: 1,
  cached: false,
  error: undefined,
} as const;

describe('the fold of a journal', () => {
  it('knows what the run is about once it has started', () => {
    const { skillName, purpose, tasks } = folded([[0, started]]);
    assert.deepEqual([skillName, purpose, tasks?.heldOut], ['words', 'optimize', 6]);
  });

  it('counts what has no valid result, and says why the last has none', () => {
    const summary = folded([
      [0, attempt('invalid')],
      [0, attempt('invalid')],
      [0, attempt('scored')],
    ]);
    assert.equal(
      invalidSentence(summary, english),
      'Without a valid result, so without a score: 2 attempts. The last: gone',
    );
    assert.equal(invalidSentence(folded([[0, attempt('scored')]]), english), undefined);
  });

  it('counts no call where nothing left this machine', () => {
    const { spend } = folded([
      [0, started],
      [1, { ...call, tokens: 0, usd: 0, calls: 0, error: 'unavailable' }],
    ]);
    assert.deepEqual([spend.target.calls, spend.target.failedCalls], [0, 0]);
  });

  it('counts a call that nobody wanted any more as made and paid, and as no failed one', () => {
    const { spend, stages } = folded([
      [0, started],
      [1, stage('rollout')],
      [2, { ...call, exact: false, error: 'aborted' }],
    ]);
    const { calls, failedCalls, cancelledCalls, tokens } = spend.target;
    assert.deepEqual([calls, failedCalls, cancelledCalls, tokens], [1, 0, 1, 100]);
    assert.equal(stages.rollout?.failedCalls, 0);
  });

  it('gives every second to the stage that the run is in', () => {
    const { stages, workedMs } = folded([
      [0, started],
      [5, stage('baseline')],
      [105, stage('rollout')],
      [135, call],
      [175, stage('baseline')],
      [185, ended],
    ]);
    assert.deepEqual([stages.baseline?.ms, stages.rollout?.ms, workedMs], [110, 70, 185]);
  });

  it('counts calls, tokens and money by role and by stage, stored replies apart', () => {
    const summary = folded([
      [0, stage('rollout')],
      [0, call],
      [0, { ...call, role: 'judge', usd: undefined, exact: false }],
      [0, { ...call, cached: true }],
      [0, stage('reflect')],
      [0, { ...call, role: 'optimizer', error: 'timeout', tokens: 0 }],
    ]);
    assert.deepEqual(
      [summary.spend.target.calls, summary.spend.target.cachedCalls, summary.spend.target.tokens],
      [1, 1, 100],
    );
    assert.deepEqual(
      [summary.stages.rollout?.calls, summary.stages.rollout?.cachedCalls, summary.stages.reflect?.failedCalls],
      [2, 1, 1],
    );
    const all = totalSpend(summary);
    assert.deepEqual([all.calls, all.cachedCalls, all.failedCalls, all.usd, all.exact], [3, 1, 1, undefined, false]);
  });

  it('counts a call that was made ahead in the stage that it was made for', () => {
    const { stages, spend } = folded([
      [0, stage('baseline')],
      [0, call],
      [7, { ...call, of: { stage: 'rollout', step: 1 } }],
    ]);
    assert.deepEqual([stages.baseline?.calls, stages.rollout?.calls, spend.target.calls], [1, 1, 2]);
    assert.deepEqual([stages.baseline?.ms, stages.rollout?.ms], [7, 0], 'the time is of the stage that the run was in');
  });

  it('follows the progress of a stage, and counts attempts without a result', () => {
    const summary = folded([
      [0, stage('rollout', 3)],
      [0, attempt('scored')],
      [0, attempt('invalid')],
    ]);
    assert.deepEqual(summary.progress, { stage: 'rollout', step: 1, done: 2, planned: 3 });
    assert.equal(summary.invalidAttempts, 1);
  });

  it('counts in how many attempts a skill that was offered was used; the others say nothing of it', () => {
    const use = folded([
      [0, stage('rollout', 3)],
      [0, { ...attempt('scored'), usedSkill: true }],
      [0, { ...attempt('scored'), usedSkill: false }],
      [0, attempt('scored')],
      [0, attempt('invalid')],
    ]).skillUse;
    assert.deepEqual(use, { used: 1, of: 2 });
    assert.equal(folded([[0, attempt('scored')]]).skillUse, undefined);
  });

  it('adds up what attempts of agents took, and of no others', () => {
    const { agentWork } = folded([
      [0, { ...attempt('scored'), workHash: 'a', tokens: 300 }],
      [0, { ...attempt('scored'), workHash: 'b', tokens: 500 }],
      [0, { ...attempt('scored'), tokens: 9_000 }],
    ]);
    assert.deepEqual(agentWork, { attempts: 2, tokens: 800 });
    assert.equal(folded([[0, attempt('scored')]]).agentWork, undefined);
  });

  it('keeps what did not go as planned as notes', () => {
    const notes = folded([
      [0, { kind: 'patches', step: 2, patches: [], failures: [], lost: ['an analyst died'] }],
      [0, { kind: 'merged', step: 2, edits: 1, textHash: 'x', fallback: 'joined' }],
      [0, { kind: 'selected', step: 2, edits: 1, budget: 1, textHash: 'x', fallback: undefined }],
      [0, { kind: 'note', text: 'by the way' }],
    ]).notes;
    assert.deepEqual(notes, ['Step 2: an analyst died', 'Step 2: joined', 'by the way']);
  });

  const actions: readonly (readonly [ours: StepAction, upstream: string])[] = [
    ['accept_new_best', 'accept_new_best'],
    ['accept', 'accept'],
    ['reject', 'reject'],
    ['force_accept', 'force_accept'],
    ['skip_no_patches', 'skip_no_patches'],
    ['skip_no_change', 'reject'],
    ['keep_as_branch', 'reject'],
  ];
  for (const [ours, upstream] of actions) {
    it(`calls ${ours} what the paper’s trainer calls ${upstream}, and keeps both names`, () => {
      assert.equal(upstreamAction(ours), upstream);
      const [step] = folded([[0, { ...stepEnded, action: ours }]]).steps;
      assert.deepEqual([step?.action, step?.decision], [upstream, ours]);
    });
  }

  it('starts the steps anew when a run is resumed, and keeps what was spent and how long it worked', () => {
    const summary = folded([
      [0, started],
      [0, stage('rollout')],
      [10, call],
      [20, stepEnded],
      [30, { kind: 'note', text: 'before the cut' }],
      [5000, { kind: 'run-resumed' }],
      [5000, stage('rollout')],
      [5040, call],
    ]);
    assert.deepEqual([summary.steps.length, summary.notes.length, summary.resumed], [0, 0, 1]);
    assert.deepEqual([summary.spend.target.calls, summary.workedMs, summary.stages.rollout?.ms], [2, 70, 70]);
    assert.equal(summary.outcome, 'running');
  });

  it('opens a run again that was cancelled and is resumed', () => {
    const { outcome, endedAt } = folded([
      [0, started],
      [9, { kind: 'run-ended', outcome: 'cancelled', reason: 'Cancelled.' }],
      [20, { kind: 'run-resumed' }],
    ]);
    assert.deepEqual([outcome, endedAt], ['running', undefined]);
  });

  it('ends with the outcome, and reads back from JSON', () => {
    const summary = folded([
      [0, started],
      [7, ended],
    ]);
    assert.deepEqual([summary.outcome, summary.reason, summary.endedAt], ['nothing', 'Nothing.', 7]);
    assert.ok(RunSummarySchema.safeParse(JSON.parse(JSON.stringify(summary))).success);
    assert.ok(!RunSummarySchema.safeParse({ runId: 'x' }).success);
  });
});

const started: RunEvent = {
  kind: 'run-started',
  purpose: 'optimize',
  skillKey: 'key',
  skillName: 'words',
  skillPath: 'SKILL.md',
  baseHash: 'hash',
  options: RunOptions.parse({}),
  models: { target: 'a', optimizer: 'b', judge: 'c', simulated: true },
  tasks: { training: 6, heldOut: 6, sealed: 0, setAside: 0 },
  inputs: { tasks: 'a', prompts: 'b', rejected: 'c' },
};

const ended: RunEvent = { kind: 'run-ended', outcome: 'nothing', reason: 'Nothing.' };

const stepEnded: Extract<RunEvent, { kind: 'step-ended' }> = {
  kind: 'step-ended',
  step: 1,
  epoch: 1,
  action: 'reject',
  metric: 'hard',
  trainingScore: 0,
  candidateScore: 0,
  currentScore: 0,
  bestScore: 0,
  bestHash: 'x',
  currentHash: 'x',
  reason: '',
};

function stage(name: Extract<RunEvent, { kind: 'stage' }>['stage'], planned = 1): RunEvent {
  return { kind: 'stage', stage: name, step: 1, planned };
}

function attempt(kind: 'scored' | 'invalid'): Extract<RunEvent, { kind: 'attempt' }> {
  return {
    kind: 'attempt',
    stage: 'rollout',
    step: 1,
    skillHash: 'x',
    taskId: 't',
    attempt: 1,
    outcome: kind === 'scored' ? { kind, hard: 1, soft: 1 } : { kind, reason: 'gone' },
    answerHash: undefined,
    tokens: 1,
    latencyMs: 1,
    cached: false,
    checks: [],
  };
}

function folded(events: readonly (readonly [at: number, event: RunEvent])[]): RunSummary {
  return events.reduce((summary, [at, event]) => foldEvent(summary, event, at), emptySummary('run', 0));
}
