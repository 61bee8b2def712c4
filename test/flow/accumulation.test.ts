import assert from 'node:assert/strict';
import type { RunEvent } from '../../src/engine/journal/runEvents.js';
import { stepLogs } from '../../src/engine/journal/stepLog.js';
import { upstreamStep } from '../../src/engine/journal/upstreamStep.js';
import { anOptimizer, aRun, edits, say, type Ability } from '../builders/aRunContext.js';
import { aSplit } from '../builders/aSplit.js';

const words = ['beta', 'gamma'];

/** One word alone makes everything worse, both together mend everything. */
const together: Ability = (skill, prompt) => {
  const known = words.filter((word) => skill.includes(`Say “${word}”`)).length;
  if (known === 2) return 'alpha';
  return known === 0 && /[13579]\b/u.test(prompt) && prompt.includes('heldOut') ? 'alpha' : 'Nothing.';
};

describe('batches that are accumulated', () => {
  it('bring together what each of them teaches, and the same run without it takes neither', async () => {
    const single = await twoLessons({ accumulation: 1 });
    assert.equal(single.result.kind, 'nothing');
    assert.deepEqual(actionsOf(single.events), ['reject', 'reject']);
    const run = await twoLessons({ accumulation: 2 });
    assert.deepEqual(actionsOf(run.events), ['accept_new_best']);
    assert.ok(run.result.kind === 'proposed');
    assert.deepEqual(
      run.result.proposal.documents[0]?.edits.map(({ edit }) => ('content' in edit ? edit.content : '')),
      words.map((word) => `- Say “${word}”.`),
    );
  });

  it('are attempted and reflected on under the same skill, each by itself, and merged before one gate', async () => {
    const { events, attempts, optimizer } = await twoLessons({ accumulation: 2 });
    const training = attempts.filter(({ family }) => family.startsWith('training'));
    assert.equal(training.length, 2);
    assert.equal(new Set(training.map(({ skill }) => skill)).size, 1);
    assert.deepEqual(
      optimizer.requests.map(({ replySchema }) => replySchema?.name),
      ['reflection', 'reflection', 'merge'],
    );
    const [log] = stepLogs(events.map((event, at) => ({ at, event })));
    assert.ok(log !== undefined);
    assert.deepEqual(upstreamStep(log, undefined)['accumulation_batches'], [
      { batch: 0, n_patches: 1 },
      { batch: 1, n_patches: 1 },
    ]);
  });

  it('leave no batch out where their number does not divide them', async () => {
    const run = await twoLessons({ accumulation: 2 }, 5);
    const attempted = run.events.flatMap((event) =>
      event.kind === 'attempt' && event.stage === 'rollout' ? [[event.step, event.taskId]] : [],
    );
    assert.deepEqual(
      attempted.map(([step]) => step),
      [1, 1, 2, 2, 3].slice(0, attempted.length),
    );
    assert.equal(new Set(attempted.map(([, id]) => id)).size, attempted.length);
  });

  it('say nothing of batches in the record of a step that has one', async () => {
    const { events } = await twoLessons({ accumulation: 1 });
    const [log] = stepLogs(events.map((event, at) => ({ at, event })));
    assert.ok(log !== undefined && !('accumulation_batches' in upstreamStep(log, undefined)));
    assert.ok(events.every((event) => event.kind !== 'patches' || event.patches.every((row) => !('batch' in row))));
  });
});

function twoLessons(train: Readonly<Record<string, number>>, training = 2) {
  return aRun({
    tasks: aSplit({ training, heldOut: 6 }),
    ability: together,
    settings: {
      train: { epochs: 1, batchSize: 1, ...train },
      stop: { patience: 9 },
      gate: { rule: 'strict', attribution: false },
    },
    optimizer: anOptimizer({
      reflect: ({ messages }) => edits(say(/task \S*[02468]\b/u.test(messages[0]?.content ?? '') ? 'beta' : 'gamma')),
      merge: edits(...words.map(say)),
    }),
  });
}

function actionsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'step-ended' ? [event.action] : []));
}
