import assert from 'node:assert/strict';
import { asSkill, originalCandidate } from '../../../src/engine/candidate.js';
import { compareEpoch } from '../../../src/engine/epochs/compareEpoch.js';
import type { EnvironmentHooks } from '../../../src/engine/runContext.js';
import { aRunContext, skillText } from '../../builders/aRunContext.js';
import { aSplit } from '../../builders/aSplit.js';

const neverAborted = new AbortController().signal;
const { training: tasks } = aSplit({ training: 6 });

describe('the tasks that the end of an epoch compares', () => {
  it('are first those that environments name, then the rest in the order of the seed', async () => {
    const usual = await compared(undefined);
    assert.equal(usual.length, 3);
    const last = tasks.filter(({ id }) => !usual.includes(id)).map(({ id }) => id);
    const asked: unknown[] = [];
    const chosen = await compared((given, plan) => {
      asked.push(plan);
      return Promise.resolve(given.filter(({ id }) => id === last[1]));
    });
    assert.deepEqual(chosen, [last[1], ...usual.slice(0, 2)]);
    assert.deepEqual(asked, [{ epoch: 2, count: 3 }]);
  });
});

async function compared(representatives: EnvironmentHooks['representatives']): Promise<readonly string[]> {
  const { context } = aRunContext({ settings: { slowUpdate: { samples: 3 } } });
  const hooks: EnvironmentHooks = {
    taskType: () => undefined,
    planBatches: (rest) => ({ planned: [], rest }),
    reflect: () => Promise.resolve([]),
    ...(representatives === undefined ? {} : { representatives }),
  };
  const skill = originalCandidate(skillText);
  const texts = { epoch: 2, step: 4, first: skill, last: skill, slot: asSkill(undefined), tasks, known: [] };
  const pairs = await compareEpoch({ ...context, hooks }, texts, 'slow-update', neverAborted);
  return pairs.map(({ before }) => before.task.id);
}
