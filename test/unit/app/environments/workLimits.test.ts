import assert from 'node:assert/strict';
import { workLimits } from '../../../../src/app/environments/agentSources.js';
import { optionBounds } from '../../../../src/engine/optionBounds.js';
import { whetstoneEntry } from '../../../../src/tasks/readers/whetstoneFile.js';

const options = { agent: { maxTokens: 500_000, maxTurns: 30, minutes: 10 } };
const fixture = { fixture: 'evals/shop', mode: 'offered' } as const;

describe('what one attempt of an agent may take', () => {
  it('is what the options say, or less where the task says less', () => {
    assert.deepEqual(workLimits({ agent: fixture }, options), {
      maxTokens: 500_000,
      maxTurns: 30,
      timeLimitMs: 600_000,
    });
    const less = { ...fixture, maxTokens: 9_000, maxTurns: 3, minutes: 0.5 };
    assert.deepEqual(workLimits({ agent: less }, options), { maxTokens: 9_000, maxTurns: 3, timeLimitMs: 30_000 });
  });

  it('is not raised by a task', () => {
    const more = { ...fixture, maxTokens: 1e12, maxTurns: 1e6, minutes: 240 };
    assert.deepEqual(workLimits({ agent: more }, options), workLimits({ agent: fixture }, options));
  });

  for (const name of ['maxTokens', 'maxTurns', 'minutes'])
    it(`has the bound of its option in a task file: ${name}`, () => {
      const most = optionBounds[`agent.${name}`] ?? 0;
      const isTaken = (value: number): boolean =>
        whetstoneEntry.safeParse({ agent: { fixture: 'evals/shop', [name]: value } }).success;
      assert.deepEqual([isTaken(most), isTaken(most + 1), isTaken(1e300)], [true, false, false]);
    });
});
