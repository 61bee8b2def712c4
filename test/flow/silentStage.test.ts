import assert from 'node:assert/strict';
import { ModelError } from '../../src/errors.js';
import type { RunEvent, Stage } from '../../src/engine/journal/runEvents.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aWorkspace, inEveryRole, writtenTasks, type RunWish, type TestWorkspace } from '../builders/aWorkspace.js';
import { aSettableClock } from './nightWorkspace.js';

/** Held-out tasks that no training task is like. */
const questions = [
  'Which tools does a baker need?',
  'What is a good name for a ferry?',
  'Tell a child why the moon changes.',
  'Write to the landlord about the damp cellar.',
  'List what to pack for a week of rain.',
  'How long does oak take to dry?',
  'Thank the neighbours for their help in March.',
  'Draft a notice for the lost umbrella.',
];
const tasks = writtenTasks({ training: 6, heldOut: 8, sealed: 2 }, ['alpha', 'beta']).map((task) => {
  const [, number = ''] = /^heldOut-(\d)$/.exec(task.id) ?? [];
  return number === '' ? task : { ...task, prompt: questions[Number(number)] ?? '' };
});
const gone = new ModelError('unavailable', 'The server is gone.');

describe('a server that dies in mid-run', () => {
  const opened: TestWorkspace[] = [];
  after(() => opened.forEach((each) => each.dispose()));

  const open = (): TestWorkspace => {
    const workspace = aWorkspace({ tasks, clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) });
    opened.push(workspace);
    return workspace;
  };

  for (const stage of ['rollout', 'reflect', 'evaluate', 'attribute', 'certify'] as const) {
    it(`ends the run in the stage in which every call failed: ${stage}`, async () => {
      // With room for two calls at a time most training attempts wait for their stage instead of being made ahead.
      const { error, stages } = await dyingIn(stage, open(), stage === 'rollout' ? { concurrency: 2 } : {});
      assert.equal(error?.kind, 'given-up');
      assert.match(error?.message ?? '', /every call of this stage failed\. The last one: The server is gone\./);
      assert.match(error?.cure ?? '', /resume the run/);
      assert.deepEqual([...new Set(stages.slice(stages.indexOf(stage)))], [stage]);
    });
  }

  it('is told as what it is where its calls used up a cap, and not as a cap', async () => {
    const { error } = await dyingIn('certify', open(), { gate: { attribution: false }, caps: { calls: 60 } });
    assert.equal(error?.kind, 'given-up');
    assert.match(error?.message ?? '', /used up a cap \(.*60 calls.*\) The last one: The server is gone\./);
  });

  it('leaves a run that goes on, and comes to its result once the server is back', async () => {
    const workspace = open();
    await dyingIn('certify', workspace);
    const { proposal } = await workspace.optimize({ resume: { run: undefined }, settings: {} });
    assert.equal(proposal?.verdict.kind, 'accepted');
  });

  it('ends no run where two tasks alone are failed on by one that works', async () => {
    const workspace = open();
    const model = createSimulatedModel();
    const failing = {
      ...model,
      complete: (...[request, signal]: Parameters<typeof model.complete>) =>
        request.role === 'target' &&
        request.messages.some(({ content }) => questions.slice(0, 2).some((question) => content.includes(question)))
          ? Promise.reject(gone)
          : model.complete(request, signal),
      reach: () => Promise.resolve(false),
    };
    const { summary } = await workspace.optimize({ models: inEveryRole(failing) });
    assert.notEqual(summary.outcome, 'failed');
  });
});

/** A run whose server dies when this stage begins. */
async function dyingIn(
  stage: Stage,
  workspace: TestWorkspace,
  settings: NonNullable<RunWish['settings']> = {},
): Promise<{ readonly error: ModelError | undefined; readonly stages: readonly Stage[] }> {
  const model = createSimulatedModel();
  const stages: Stage[] = [];
  const dying = {
    ...model,
    complete: (...[request, signal]: Parameters<typeof model.complete>) =>
      stages.includes(stage) ? Promise.reject(gone) : model.complete(request, signal),
    reach: () => Promise.resolve(false),
  };
  const onEvent = (event: RunEvent): void => void (event.kind === 'stage' && stages.push(event.stage));
  try {
    await workspace.optimize({ models: inEveryRole(dying), preset: 'standard', settings, onEvent });
    return { error: undefined, stages };
  } catch (error) {
    assert.ok(error instanceof ModelError);
    return { error, stages };
  }
}
