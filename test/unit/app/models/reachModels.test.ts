import assert from 'node:assert/strict';
import { madeElsewhere } from '../../../../src/app/madeElsewhere.js';
import { refuseUnreachable } from '../../../../src/app/models/reachModels.js';
import { ModelError } from '../../../../src/errors.js';
import type { AttemptRunner } from '../../../../src/ports/attemptRunner.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const clock = new ManualClock();

describe('whether the models of a run can be reached', () => {
  it('is asked once for all roles of one model', async () => {
    let asked = 0;
    const model = reachedBy(() => (asked += 1));
    const models = { target: model, optimizer: model, judge: model };
    const ready = await refuseUnreachable(models, { world: { clock }, attended: true }, signal);
    assert.deepEqual([asked, [...ready]], [1, [model]]);
  });

  it('is asked for each role of one model where workers make its calls, and here for the optimizer', async () => {
    const asked: string[] = [];
    const model = reachedBy(() => asked.push('here'));
    const attempts = queueThat((role) => asked.push(role));
    const models = madeElsewhere({ target: model, optimizer: model, judge: model }, attempts);
    const ready = await refuseUnreachable(models, { world: { clock, attempts }, attended: true }, signal);
    assert.deepEqual([asked.toSorted(), ready.size], [['here', 'judge', 'target'], 3]);
  });

  it('is refused before anything begins where the key of the optimizer is wrong, or no worker is its target', async () => {
    const wrong = new ModelError('auth', 'The key is refused.');
    const nobody = new ModelError('endpoint', 'No worker serves it as target.');
    const none = queueThat((role) => {
      if (role === 'target') throw nobody;
    });
    const keyless = reachedBy(() => {
      throw wrong;
    });
    for (const [model, attempts, error] of [
      [keyless, queueThat(() => undefined), wrong],
      [reachedBy(() => undefined), none, nobody],
    ] as const) {
      const models = madeElsewhere({ target: model, optimizer: model, judge: model }, attempts);
      const asking = refuseUnreachable(models, { world: { clock, attempts }, attended: true }, signal);
      await assert.rejects(asking, error);
    }
  });
});

function reachedBy(ask: () => unknown): LanguageModel {
  const model = new ScriptedModel();
  return { identity: model.identity, complete: neverAsked, reach: () => listed(ask) };
}

function queueThat(ask: (role: string) => unknown): AttemptRunner {
  return { place: 'rediss://queue.example:6380', run: neverAsked, reach: (_model, role) => listed(() => ask(role)) };
}

function neverAsked(): Promise<never> {
  return assert.fail('nothing is asked of a model');
}

async function listed(ask: () => unknown): Promise<boolean> {
  await Promise.resolve(ask());
  return true;
}
