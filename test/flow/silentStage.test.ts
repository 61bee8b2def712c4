import assert from 'node:assert/strict';
import { ModelError } from '../../src/errors.js';
import type { RunEvent, Stage } from '../../src/engine/journal/runEvents.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { aWorkspace, inEveryRole, writtenTasks, type RunWish, type TestWorkspace } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';
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
const mostTries = 9;
const gone = new ModelError('unavailable', 'The server is gone.');

describe('a server that dies in mid-run', () => {
  const opened: TestWorkspace[] = [];
  after(() => opened.forEach((each) => each.dispose()));

  const open = (): TestWorkspace => {
    const workspace = aWorkspace({ tasks, clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) });
    opened.push(workspace);
    return workspace;
  };

  for (const stage of few(['certify', 'rollout', 'reflect', 'evaluate', 'attribute', 'sealed'] as const)) {
    it(`ends the run in the stage in which every call failed: ${stage}`, async () => {
      // With room for two calls at a time most training attempts wait for their stage instead of being made ahead.
      const { error, stages } = await dyingIn(stage, open(), stage === 'rollout' ? { concurrency: 2 } : {});
      assert.equal(error?.kind, 'given-up');
      assert.match(error?.message ?? '', /every call of this stage failed\. The last one: The server is gone\./);
      assert.match(error?.cure ?? '', /resume the run/);
      assert.deepEqual([...new Set(stages.slice(stages.indexOf(stage)))], [stage]);
    });
  }

  for (const answered of few([3, 7, 13])) {
    it(`ends the run where it stops after ${answered} answers of a pass: no verdict comes of the rest`, async () => {
      const { error, stages, calls } = await dyingIn('certify', open(), {}, answered);
      assert.equal(error?.kind, 'given-up');
      assert.match(
        error?.message ?? '',
        /every call since its last answer failed\. The last one: The server is gone\./,
      );
      assert.match(error?.cure ?? '', /resume the run/);
      assert.ok(!stages.includes('sealed'), stages.join(' '));
      assert.ok(calls.failed <= mostTries * 2 * 8, `${calls.failed} calls were made in vain`);
    });
  }

  it('is told as what it is where it stops in mid-pass and its calls used up a cap', async () => {
    const { error } = await dyingIn('certify', open(), { gate: { attribution: false }, caps: { calls: 70 } }, 3);
    assert.equal(error?.kind, 'given-up');
    assert.match(error?.message ?? '', /since its last answer failed, until they used up a cap \(.*70 calls/);
  });

  it('is told as what it is where its calls used up a cap, and not as a cap', async () => {
    const { error } = await dyingIn('certify', open(), { gate: { attribution: false }, caps: { calls: 60 } });
    assert.equal(error?.kind, 'given-up');
    assert.match(error?.message ?? '', /used up a cap \(.*60 calls.*\) The last one: The server is gone\./);
  });

  for (const answered of few([7, 0])) {
    it(`leaves a run that goes on, and comes to its result once the server is back: ${answered} answers`, async () => {
      const workspace = open();
      await dyingIn('certify', workspace, {}, answered);
      const { proposal } = await workspace.optimize({ resume: { run: undefined }, settings: {} });
      assert.equal(proposal?.verdict.kind, 'accepted');
    });
  }

  for (const many of few([2, 5]))
    it(`ends no run where ${many} tasks alone are failed on by one that works`, async () => {
      const workspace = open();
      const model = createSimulatedModel();
      const failing = {
        ...model,
        complete: (...[request, signal]: Parameters<typeof model.complete>) =>
          request.role === 'target' &&
          request.messages.some(({ content }) =>
            questions.slice(0, many).some((question) => content.includes(question)),
          )
            ? Promise.reject(gone)
            : model.complete(request, signal),
        reach: () => Promise.resolve(false),
      };
      const { summary } = await workspace.optimize({ models: inEveryRole(failing) });
      assert.notEqual(summary.outcome, 'failed');
    });
});

/** A run whose server dies when this stage begins, or so many answers later. */
async function dyingIn(
  stage: Stage,
  workspace: TestWorkspace,
  settings: NonNullable<RunWish['settings']> = {},
  answered = 0,
): Promise<{
  readonly error: ModelError | undefined;
  readonly stages: readonly Stage[];
  readonly calls: { readonly inStage: number; readonly failed: number };
}> {
  const model = createSimulatedModel();
  const stages: Stage[] = [];
  const calls = { inStage: 0, failed: 0 };
  const dying = {
    ...model,
    complete: (...[request, signal]: Parameters<typeof model.complete>) => {
      if (stages.includes(stage)) calls.inStage += 1;
      if (calls.inStage <= answered) return model.complete(request, signal);
      calls.failed += 1;
      return Promise.reject(gone);
    },
    reach: () => Promise.resolve(false),
  };
  const onEvent = (event: RunEvent): void => void (event.kind === 'stage' && stages.push(event.stage));
  try {
    await workspace.optimize({ models: inEveryRole(dying), preset: 'standard', settings, onEvent });
    return { error: undefined, stages, calls };
  } catch (error) {
    assert.ok(error instanceof ModelError);
    return { error, stages, calls };
  }
}
