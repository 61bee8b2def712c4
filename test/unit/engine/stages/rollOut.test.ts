import assert from 'node:assert/strict';
import { ModelError } from '../../../../src/errors.js';
import { rollOut } from '../../../../src/engine/stages/rollOut.js';
import { aRunContext, type RunParts } from '../../../builders/aRunContext.js';
import { aSplit, wants } from '../../../builders/aSplit.js';
import { aCheck } from '../../../builders/aTask.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { aReply } from '../../../fakes/ScriptedModel.js';

const plan = {
  stage: 'rollout',
  step: 2,
  skill: 'Say “alpha”.',
  memory: undefined,
  attempts: [1],
  family: 'training:42:1',
} as const;

describe('rollout', () => {
  it('attempts every task as often as planned and gives the attempts in order', async () => {
    const { rollouts } = await rolledOut({ attempts: [1, 2, 3] });
    assert.deepEqual(
      rollouts.map(({ attempts }) => attempts.map(({ number }) => number)),
      [
        [1, 2, 3],
        [1, 2, 3],
        [1, 2, 3],
      ],
    );
  });

  it('names every sample, so that attempts are independent of each other', async () => {
    const { run } = await rolledOut({ attempts: [1, 2] });
    const samples = run.target.requests.map(({ attempt, dependsOn, messages }) =>
      JSON.stringify([attempt, dependsOn, messages]),
    );
    assert.equal(new Set(samples).size, 6);
    assert.ok(run.target.requests.every(({ dependsOn }) => dependsOn?.includes('training:42:1')));
  });

  it('has no more attempts under way than the run allows', async () => {
    let working = 0;
    let most = 0;
    const ability = async (): Promise<string> => {
      working++;
      most = Math.max(most, working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
      return 'alpha';
    };
    await rolledOut({ attempts: [1, 2, 3, 4] }, { ability: () => ability, settings: { concurrency: 5 } });
    assert.equal(most, 5);
  });

  it('writes down score, tokens and latency of every attempt, without a word of the answer', async () => {
    const clock = new ManualClock();
    const ability = () => {
      clock.set(clock.now() + 250);
      return aReply({ text: 'alpha', usage: { inputTokens: 70, outputTokens: 5, exact: true } });
    };
    const { run } = await rolledOut({}, { ability, clock, settings: { concurrency: 1 } });
    const [event] = run.events;
    assert.ok(event?.kind === 'attempt');
    assert.deepEqual(event.outcome, { kind: 'scored', hard: 1, soft: 1 });
    assert.deepEqual([event.tokens, event.latencyMs, event.step, event.stage], [75, 250, 2, 'rollout']);
    assert.deepEqual(event.checks, [{ check: 'contains', pass: true }]);
    assert.ok(!JSON.stringify(run.events).includes('alpha'));
    assert.equal(run.texts.texts.get(event.answerHash ?? ''), 'alpha');
  });

  const prevented: readonly (readonly [name: string, kind: ConstructorParameters<typeof ModelError>[0]])[] = [
    ['a network that is gone', 'unavailable'],
    ['a model that gives no answer in time', 'timeout'],
    ['a content filter', 'content-filter'],
    ['a reply that cannot be read', 'malformed'],
  ];
  for (const [name, kind] of prevented) {
    it(`makes ${name} an invalid attempt, never a zero`, async () => {
      const { rollouts } = await rolledOut({}, { ability: () => new ModelError(kind, 'No.') });
      assert.ok(
        rollouts.every(({ attempts }) =>
          attempts.every((attempt) => attempt.kind === 'invalid' && attempt.reason === 'No.'),
        ),
      );
    });
  }

  const caused: readonly (readonly [name: string, answer: Error | ReturnType<typeof aReply>, why: RegExp])[] = [
    ['an answer cut at its limit', aReply({ text: 'alpha', finish: 'length' }), /cut off/],
    [
      'a prompt longer than the model can read',
      new ModelError('context-length', 'Too long.'),
      /longer than the model can read/,
    ],
  ];
  for (const [name, answer, why] of caused) {
    it(`makes ${name} a fail, for the skill can cause it`, async () => {
      const { rollouts } = await rolledOut({}, { ability: () => answer });
      const attempt = rollouts[0]?.attempts[0];
      assert.ok(attempt?.kind === 'scored' && attempt.hard === 0);
      assert.match(attempt.failure ?? '', why);
    });
  }

  it('makes a malformed check an invalid attempt', async () => {
    const { training } = aSplit({ training: 1 }, () => ({ checks: [aCheck('contains', { txt: 'alpha' })] }));
    const run = aRunContext();
    const [rollout] = await rollOut(run.context, training, plan, new AbortController().signal);
    assert.ok(rollout?.attempts[0]?.kind === 'invalid');
  });

  it('ends with what no retry mends', async () => {
    await assert.rejects(rolledOut({}, { ability: () => new ModelError('quota', 'Empty.') }), { kind: 'quota' });
  });

  it('starts nothing once it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort(new Error('stop'));
    const run = aRunContext();
    await assert.rejects(rollOut(run.context, aSplit().training, plan, controller.signal), /stop/);
    assert.equal(run.attempts.length, 0);
  });
});

async function rolledOut(more: { readonly attempts?: readonly number[] }, parts: RunParts = {}) {
  const run = aRunContext(parts);
  const { training } = aSplit({ training: 3 }, () => wants('alpha'));
  const rollouts = await rollOut(run.context, training, { ...plan, ...more }, new AbortController().signal);
  return { run, rollouts };
}
