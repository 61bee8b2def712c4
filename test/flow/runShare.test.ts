import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { followShare } from '../../src/engine/journal/runShare.js';
import type { RunEvent, Stage } from '../../src/engine/journal/runEvents.js';
import { RunOptions } from '../../src/engine/runOptions.js';
import { aNightWorkspace, simulated } from './nightWorkspace.js';
import { few, isFull } from '../builders/few.js';

const neverAborted = new AbortController().signal;

interface Told {
  readonly event: RunEvent;
  readonly at: number;
}

describe('how far a run is', () => {
  const runs = [
    ['a night', 'standard', 'night'],
    ['a quick run', 'quick', 'optimize'],
    ['a whole run', 'standard', 'optimize'],
  ] as const;
  for (const [what, preset, purpose] of few(runs))
    it(`is told by the events of ${what}: never 0, never back, on with every stage, and whole only at its end`, async () => {
      const told = await recorded(preset, purpose);
      const shares = sharesOf(told);
      assertShares(shares);
      assert.ok(told.length > 20, `only ${told.length} events`);
      for (const [from, to] of stagesIn(told)) {
        const [before = 0, after = 0] = [shares[from], shares[to]];
        assert.ok(after > before, `${JSON.stringify(told[from]?.event)} stays at ${before}`);
      }
      const midway = shares[Math.floor(shares.length / 2)] ?? 0;
      assert.ok(midway > 0.15 && midway < 0.95, `${midway} after half of the events`);
    });

  it('holds in every order of events, for every size of run', () => {
    fc.assert(
      fc.property(sizes, fc.array(anyEvent, { maxLength: 60 }), (started, events) =>
        assertShares(sharesOf([started, ...events, ended].map((event, at) => ({ event, at })))),
      ),
    );
  });

  it('goes on with calls while no attempt has ended yet', () => {
    const follow = followShare();
    follow(startedWith({ training: 8, heldOut: 10, sealed: 0, setAside: 0 }), 0);
    follow({ kind: 'stage', stage: 'baseline', step: 0, planned: 10 }, 1);
    const shares = [1, 2, 3, 4, 5, 6, 7, 8].map((at) => follow(aCall, at).share);
    assert.equal(new Set(shares).size, shares.length, shares.join(', '));
  });

  it('says how long the rest may take once what is done tells it', () => {
    const follow = followShare();
    follow(startedWith({ training: 8, heldOut: 10, sealed: 0, setAside: 0 }), 0);
    assert.equal(follow({ kind: 'stage', stage: 'baseline', step: 0, planned: 10 }, 100).leftMs, undefined);
    const { share, leftMs } = follow({ kind: 'stage', stage: 'certify', step: 1, planned: 20 }, 60_000);
    assert.equal(Math.round(leftMs ?? 0), Math.round((60_000 * (1 - share)) / share));
  });

  it('begins anew where a run goes on: what it asked before comes back at once', () => {
    const follow = followShare();
    follow(startedWith({ training: 8, heldOut: 10, sealed: 0, setAside: 0 }), 0);
    const before = follow({ kind: 'stage', stage: 'certify', step: 1, planned: 20 }, 60_000);
    const after = follow({ kind: 'run-resumed' }, 3_600_000);
    assert.ok(after.share < before.share);
    assert.equal(after.leftMs, undefined);
  });
});

async function recorded(preset: 'quick' | 'standard', purpose: 'optimize' | 'night'): Promise<readonly Told[]> {
  const workspace = aNightWorkspace(['incident-summary']);
  workspace.keepTasks('incident-summary', isFull ? 14 : 10);
  const told: Told[] = [];
  try {
    const start = {
      skillPath: workspace.skillPath('incident-summary'),
      workspaceFolders: [workspace.folder],
      preset,
      settings: [],
      trusted: true,
      purpose,
    };
    await workspace
      .useCases(simulated())
      .optimize(start, (event, { updatedAt }) => void told.push({ event, at: updatedAt }), neverAborted);
  } finally {
    workspace.dispose();
  }
  return told;
}

function sharesOf(told: readonly Told[]): readonly number[] {
  const follow = followShare();
  return told.map(({ event, at }) => follow(event, at).share);
}

function assertShares(shares: readonly number[]): void {
  for (const [index, share] of shares.entries()) {
    assert.ok(share > 0 && share >= (shares[index - 1] ?? 0), `${shares[index - 1]}, then ${share}`);
    assert.ok(share < 1 || index === shares.length - 1, `whole at event ${index} of ${shares.length}`);
  }
  assert.equal(shares.at(-1), 1);
}

/** Where each stage that attempts or asks something begins, and where it ends. */
function stagesIn(told: readonly Told[]): readonly (readonly [number, number])[] {
  const begins = told.flatMap(({ event }, index) => (event.kind === 'stage' && event.planned > 0 ? [index] : []));
  return begins.map((from, index) => [from, begins[index + 1] ?? told.length - 1] as const);
}

const ended: RunEvent = { kind: 'run-ended', outcome: 'nothing', reason: '' };
const aCall: RunEvent = {
  kind: 'call',
  role: 'target',
  tokens: 10,
  usd: 0,
  exact: true,
  ms: 1,
  cached: false,
  error: undefined,
};

type Started = Extract<RunEvent, { kind: 'run-started' }>;

function startedWith(
  tasks: Started['tasks'],
  purpose: Started['purpose'] = 'optimize',
  options: unknown = {},
): Started {
  return {
    kind: 'run-started',
    purpose,
    skillKey: '',
    skillName: 'dates',
    skillPath: '',
    baseHash: '',
    options: RunOptions.parse(options),
    models: { target: 'm', optimizer: 'm', judge: 'm', simulated: true },
    tasks,
    inputs: { tasks: '', prompts: '', rejected: '' },
  };
}

const upTo30 = fc.integer({ min: 0, max: 30 });
const sizes = fc
  .tuple(
    upTo30,
    upTo30,
    upTo30,
    fc.constantFrom<Started['purpose']>('optimize', 'consolidate', 'night', 'measure', 'evaluate'),
    fc.constantFrom('confident', 'strict', 'off'),
  )
  .map(([training, heldOut, sealed, purpose, rule]) =>
    startedWith({ training, heldOut, sealed, setAside: 0 }, purpose, { gate: { rule } }),
  );

const stages: readonly Stage[] = [
  'baseline',
  'rollout',
  'reflect',
  'aggregate',
  'select',
  'update',
  'evaluate',
  'attribute',
  'certify',
  'sealed',
];
const stageEvent = fc
  .tuple(fc.constantFrom(...stages), fc.integer({ min: 0, max: 9 }), upTo30)
  .map(([stage, step, planned]): RunEvent => ({ kind: 'stage', stage, step, planned }));
const attemptEvent = fc.constantFrom(...stages).map((stage): RunEvent => ({
  kind: 'attempt',
  stage,
  step: 1,
  skillHash: '',
  taskId: 't',
  attempt: 1,
  outcome: { kind: 'scored', hard: 1, soft: 1 },
  answerHash: undefined,
  tokens: 1,
  latencyMs: 1,
  cached: false,
  checks: [],
}));
const stepEnded: RunEvent = {
  kind: 'step-ended',
  step: 1,
  epoch: 1,
  action: 'reject',
  metric: 'hard',
  trainingScore: 0,
  candidateScore: 0,
  currentScore: 0,
  bestScore: 0,
  bestHash: '',
  currentHash: '',
  reason: '',
};
const anyEvent = fc.oneof(stageEvent, attemptEvent, fc.constant(aCall), fc.constant(stepEnded));
