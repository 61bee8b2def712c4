import assert from 'node:assert/strict';
import { learnedLeaks } from '../../../src/engine/leakedTasks.js';
import { sameTextKey } from '../../../src/tasks/split/nearDuplicates.js';
import type { HeldOutTask } from '../../../src/tasks/task.js';
import type { RunEvent } from '../../../src/engine/journal/runEvents.js';
import type { SplitLeak } from '../../../src/tasks/split/splitTasks.js';
import { anOptimizer, aRun, edits, say } from '../../builders/aRunContext.js';
import { aSplit } from '../../builders/aSplit.js';
import { aTask } from '../../builders/aTask.js';

const optimizer = () => anOptimizer({ reflect: edits(say('alpha')) });
const reason = 'it was a training task before';

describe('held-out tasks that training has seen', () => {
  it('take no part in selection and certification, and are named', async () => {
    const tasks = aSplit({ training: 6, heldOut: 7 });
    const [first] = tasks.heldOut;
    const { events, result, attempts } = await aRun({
      optimizer: optimizer(),
      tasks,
      leaks: [{ task: first ?? assert.fail(), side: 'heldOut', reason }],
    });
    assert.ok(result.kind === 'proposed');
    assert.equal(result.proposal.verdict.kind, 'accepted');
    assert.equal(result.proposal.comparisons.length, 6);
    assert.ok(!attempts.some(({ task }) => task.id === first?.id));
    assert.ok(notesIn(events).includes(`The held-out task “${first?.id}” cannot prove anything: ${reason}.`));
  });

  it('leave the verdict open where fewer than five others are left', async () => {
    const tasks = aSplit({ training: 6, heldOut: 6 });
    const leaks = tasks.heldOut.slice(0, 2).map((task): SplitLeak => ({ task, side: 'heldOut', reason }));
    const { result } = await aRun({ optimizer: optimizer(), tasks, leaks });
    assert.ok(result.kind === 'proposed');
    assert.equal(result.proposal.verdict.kind, 'inconclusive');
  });

  it('leave nothing to measure on where they are all', async () => {
    const tasks = aSplit({ training: 6, heldOut: 0 });
    const leaked = aTask({ id: 'seen', prompt: 'Seen before.' });
    const { result } = await aRun({
      optimizer: optimizer(),
      tasks,
      leaks: [{ task: leaked, side: 'heldOut', reason }],
    });
    assert.ok(result.kind === 'proposed' && result.proposal.verdict.kind === 'unmeasured');
    assert.equal(result.proposal.verdict.cause, 'leaked');
  });

  it('are found where one task plainly stands on both sides', async () => {
    const tasks = aSplit({ training: 6, heldOut: 6 });
    const [, twin = assert.fail()] = tasks.training;
    const both = { ...tasks, heldOut: [{ ...twin, id: 'both', side: 'heldOut' as const }, ...tasks.heldOut] };
    const { events, attempts } = await aRun({ optimizer: optimizer(), tasks: both });
    assert.ok(!attempts.some(({ task }) => task.id === 'both'));
    assert.match(notesIn(events).join('\n'), /“both” cannot prove anything: it is the training task “training-1”\./);
  });
});

describe('what the run of a proposal has learned from', () => {
  const asked = [heldOut('training-0', 'Name the month!'), heldOut('other', 'Name the year.')];

  it('is written down with the proposal, every training task of it', async () => {
    const tasks = aSplit({ training: 6, heldOut: 6 });
    const { result } = await aRun({ optimizer: optimizer(), tasks });
    assert.ok(result.kind === 'proposed');
    assert.deepEqual(result.proposal.trainedOn, tasks.training.map(sameTextKey).sort());
    const moved = tasks.training.map((task): HeldOutTask => ({ ...task, id: `new-${task.id}`, side: 'heldOut' }));
    assert.equal(learnedLeaks([...moved, ...tasks.heldOut], result.proposal).length, 6);
  });

  it('is known by its words, whatever it is called', () => {
    const trainedOn = [sameTextKey(aTask({ id: 'learned', prompt: 'name the YEAR' }))];
    assert.deepEqual(idsOf(learnedLeaks(asked, { trainedOn, documents: [] })), ['other']);
  });

  it('is known by the names of the tasks that taught the edits, where an earlier version made the proposal', async () => {
    const { result } = await aRun({ optimizer: optimizer(), tasks: aSplit({ training: 6, heldOut: 6 }) });
    assert.ok(result.kind === 'proposed');
    const { trainedOn: _, ...earlier } = result.proposal;
    assert.deepEqual(idsOf(learnedLeaks(asked, earlier)), ['training-0']);
  });
});

function notesIn(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
}

function heldOut(id: string, prompt: string): HeldOutTask {
  return { ...aTask({ id, prompt }), side: 'heldOut' };
}

function idsOf(leaks: readonly SplitLeak[]): readonly string[] {
  return leaks.map(({ task }) => task.id);
}
