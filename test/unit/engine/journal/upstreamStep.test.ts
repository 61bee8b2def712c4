import assert from 'node:assert/strict';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import { stepLogs, type TimedEvent } from '../../../../src/engine/journal/stepLog.js';
import { applyReport, patchEdit, rawPatch, upstreamStep } from '../../../../src/engine/journal/upstreamStep.js';
import type { EditOutcome } from '../../../../src/skill/edits/edit.js';
import { aPatch, aPatchEdit } from '../../../builders/aPatch.js';
import { aRun, anOptimizer, edits, neverSay, say } from '../../../builders/aRunContext.js';
import { aSplit, wants } from '../../../builders/aSplit.js';
import { aCall, anAttemptAt, aRunStarted } from '../../../builders/runEvents.js';

describe('the log of a step', () => {
  it('holds what happened in it, and nothing of what the run does before and after', async () => {
    const logs = await logsOfRun();
    assert.deepEqual(
      logs.map(({ step }) => step),
      [1, 2],
    );
    const [first] = logs;
    assert.equal(first?.rollouts.length, 6);
    assert.ok(first?.rollouts.every(({ stage }) => stage === 'rollout'));
    assert.equal(first?.evaluations.length, 6, 'four of them were made in the second step');
    assert.equal(first?.merged?.edits, 2);
    assert.equal(first?.ended?.action, 'accept_new_best');
  });

  it('holds the evaluations of its own candidate, though some were made in a later step', () => {
    const logs = stepLogs([
      evaluating(1),
      tried(1, 'first', 0),
      evaluating(2),
      tried(2, 'first', 0),
      tried(2, 'second', 1),
    ]);
    assert.deepEqual(
      logs.map(({ evaluations }) => evaluations.map(({ skillHash }) => skillHash)),
      [['first', 'first'], ['second']],
    );
    assert.equal(upstreamStep(logs[1] ?? assert.fail(), undefined)['selection_hard'], 1);
  });

  it('counts calls that were made ahead of it, and is none where they are all there is of it', () => {
    const ahead = [
      at(0, { kind: 'stage', stage: 'baseline', step: 0, planned: 1 }),
      at(40, aCall({ tokens: 9, of: { stage: 'rollout', step: 1 } })),
    ];
    assert.deepEqual(stepLogs(ahead), []);
    const [log] = stepLogs([
      ...ahead,
      at(50, { kind: 'stage', stage: 'rollout', step: 1, planned: 1 }),
      at(90, anAttemptAt('rollout', 1, { of: 'x', at: 'a', hard: 0 })),
    ]);
    assert.deepEqual(log?.stages, { rollout: { ms: 40, calls: 1, tokens: 9 } });
  });

  it('counts time and calls by stage', () => {
    const call = {
      kind: 'call',
      role: 'target',
      tokens: 9,
      usd: 0,
      exact: true,
      ms: 1,
      cached: false,
      error: undefined,
    } as const;
    const [log] = stepLogs([
      at(0, { kind: 'stage', stage: 'rollout', step: 1, planned: 1 }),
      at(40, call),
      at(50, { ...call, cached: true }),
      at(60, { kind: 'stage', stage: 'reflect', step: 1, planned: 1 }),
      at(75, call),
      at(75, { kind: 'stage', stage: 'certify', step: 1, planned: 1 }),
      at(99, call),
    ]);
    assert.deepEqual(log?.stages, {
      rollout: { ms: 60, calls: 1, tokens: 9 },
      reflect: { ms: 15, calls: 1, tokens: 9 },
    });
  });
});

describe('the record of a step', () => {
  it('has the fields of the paper’s trainer', async () => {
    const [first] = await logsOfRun();
    assert.ok(first !== undefined);
    const record = upstreamStep(first, 120);
    assert.deepEqual(
      [
        record['step'],
        record['epoch'],
        record['action'],
        record['decision'],
        record['edit_budget'],
        record['skill_len'],
      ],
      [1, 1, 'accept_new_best', 'accept_new_best', 4, 120],
    );
    assert.deepEqual(record['edit_apply_summary'], { total: 2, applied: 2, skipped: 0, errors: 0 });
    assert.deepEqual(
      [
        record['rollout_hard'],
        record['rollout_n'],
        record['selection_hard'],
        record['n_failure_patches'],
        record['gate_metric'],
      ],
      [0, 6, 5 / 6, 1, 'hard'],
    );
  });

  it('says which step the best text and the current one came from', () => {
    const ended = (step: number, bestHash: string, currentHash: string): TimedEvent =>
      at(step, {
        kind: 'step-ended',
        step,
        epoch: 1,
        action: 'reject',
        metric: 'hard',
        trainingScore: 0,
        candidateScore: undefined,
        currentScore: undefined,
        bestScore: undefined,
        bestHash,
        currentHash,
        reason: '',
      });
    const began = (step: number): TimedEvent => at(step, { kind: 'stage', stage: 'rollout', step, planned: 1 });
    const logs = stepLogs([
      at(0, aRunStarted({ baseHash: 'base' })),
      began(1),
      ended(1, 'base', 'base'),
      began(2),
      ended(2, 'two', 'two'),
      began(3),
      ended(3, 'two', 'three'),
    ]);
    assert.deepEqual(
      logs.map((log) => {
        const record = upstreamStep(log, undefined);
        return [record['best_step'], record['best_origin'], record['current_origin']];
      }),
      [
        [0, 'initial_skill', 'initial_skill'],
        [2, 'step_0002', 'step_0002'],
        [2, 'step_0002', 'step_0003'],
      ],
    );
  });

  it('says of a step that was cut short that the run ended in it', () => {
    const [log] = stepLogs([
      at(0, { kind: 'stage', stage: 'rollout', step: 3, planned: 1 }),
      at(1, { kind: 'note', text: '' }),
    ]);
    assert.ok(log !== undefined);
    const record = upstreamStep(log, undefined);
    assert.deepEqual([record['step'], record['action'], record['reason']], [3, null, 'the run ended in this step']);
  });

  it('writes patches and edits in the form of the paper’s trainer', () => {
    const edit = { op: 'replace', anchor: 'old', content: 'new', rationale: 'why' } as const;
    const row = patchEdit(aPatchEdit(edit, { support: 3 }));
    assert.deepEqual(
      [row['op'], row['target'], row['content'], row['support_count'], row['source_type']],
      ['replace', 'old', 'new', 3, 'failure'],
    );
    assert.ok(!('merge_level' in row) && !('update_origin' in row));
    const guidance = { op: 'slow_update', content: 'Mind the units.', rationale: 'why' } as const;
    const slow = patchEdit({ ...aPatchEdit(guidance), mergeLevel: 2 });
    assert.deepEqual([slow['merge_level'], slow['update_origin']], [2, 'slow_update_momentum']);
    assert.match(String(slow['update_target']), /failed all along/);
    const failures = [{ type: 'length', count: 2, description: 'Too long.' }];
    const patch = rawPatch(aPatch([edit], { failures, size: 5 }));
    assert.deepEqual([patch['batch_size'], patch['source_type']], [5, 'failure']);
    assert.deepEqual(patch['failure_summary'], [{ failure_type: 'length', count: 2, description: 'Too long.' }]);
  });

  const statuses: readonly (readonly [outcome: EditOutcome, status: string])[] = [
    [{ kind: 'applied' }, 'applied_append'],
    [{ kind: 'unmatched', reason: 'anchor-missing', detail: '' }, 'skipped_append_target_not_found'],
    [{ kind: 'unmatched', reason: 'anchor-ambiguous', detail: '' }, 'skipped_append_target_ambiguous'],
    [{ kind: 'refused', reason: 'protected-region', detail: '' }, 'skipped_protected_region'],
    [{ kind: 'refused', reason: 'gaming', detail: '' }, 'skipped_gaming'],
  ];
  for (const [outcome, status] of statuses) {
    it(`calls an edit that is ${status} so`, () => {
      assert.equal(applyReport([{ index: 0, edit: say('a'), outcome }])[0]?.['status'], status);
    });
  }
});

/** Two steps: a bundle that helps, and one that does harm. */
async function logsOfRun() {
  const { events } = await aRun({
    optimizer: anOptimizer({
      reflect: ({ messages }) =>
        messages.some(({ content }) => content.includes('Say “alpha”'))
          ? edits(neverSay('alpha'))
          : edits(say('alpha'), say('beta')),
    }),
    tasks: aSplit({ training: 6, heldOut: 6 }, (_, index) => (index === 0 ? wants('alpha', 'gamma') : wants('alpha'))),
    settings: { stop: { patience: 1 } },
  });
  return stepLogs(events.map((event, time) => at(time, event)));
}

function evaluating(step: number): TimedEvent {
  return at(step * 10, { kind: 'stage', stage: 'evaluate', step, planned: 2 });
}

function tried(step: number, skillHash: string, hard: number): TimedEvent {
  return at(step * 10, anAttemptAt('evaluate', step, { of: skillHash, at: 'a', hard }));
}

function at(time: number, event: RunEvent): TimedEvent {
  return { at: time, event };
}
