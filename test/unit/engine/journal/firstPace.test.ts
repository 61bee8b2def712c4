import assert from 'node:assert/strict';
import { followFirstPace, type UsualWork } from '../../../../src/engine/journal/pace/firstPace.js';
import type { RunEvent } from '../../../../src/engine/journal/runEvents.js';
import { aCall, aRunStarted } from '../../../builders/runEvents.js';

const second = 1_000;
const nothing = { calls: 0, tokens: 0 };

/** What is told of these events, each so many seconds after the one before, and at which of them. */
function told(events: readonly RunEvent[], seconds: number, usual: UsualWork = { calls: 100 }) {
  const follow = followFirstPace(usual);
  const all = events.map((event, at) => follow(event, at * seconds * second));
  const found = all.flatMap((pace, at) => (pace === undefined ? [] : [{ at, ...pace }]));
  assert.ok(found.length <= 1, 'told more than once');
  return found[0];
}

describe('how long a run takes by its first calls', () => {
  const calls = Array.from({ length: 12 }, () => aCall({ tokens: 200 }));

  it('is told once, after five answers, by the time that those after the first one took', () => {
    assert.deepEqual(told([aRunStarted(), ...calls], 6), { at: 5, minutes: 10, answered: 5, tokensPerSecond: 200 / 6 });
  });

  it('is by the tokens of what is left: calls of the optimizer are longer than those of the target that came first', () => {
    const roles = {
      target: { calls: 90, tokens: 90 * 500 },
      optimizer: { calls: 10, tokens: 10 * 6_200 },
      judge: { calls: 0, tokens: 0 },
    };
    // 200 tokens in six seconds: what the target came to counts, and what is planned of the optimizer.
    const minutes = ((90 * 200 + 10 * 6_200) * (6 / 200)) / 60;
    assert.equal(told([aRunStarted(), ...calls], 6, { calls: 100, roles })?.minutes, minutes);
  });

  it('is by calls where nobody tells tokens', () => {
    const roles = { target: { calls: 100, tokens: 9_000 }, optimizer: nothing, judge: nothing };
    const silent = calls.map((call) => ({ ...call, tokens: 0 }));
    assert.equal(told([aRunStarted(), ...silent], 6, { calls: 100, roles })?.minutes, 10);
  });

  it('leaves the first answer out, for which a model is loaded', () => {
    const follow = followFirstPace({ calls: 60 });
    const at = [0, 300, 301, 302, 303, 304].map((each) => each * second);
    const paces = [aRunStarted(), ...calls.slice(0, 5)].map((event, index) => follow(event, at[index] ?? 0));
    assert.equal(paces.at(-1)?.minutes, 1);
  });

  it('leaves out the time in which no server was there', () => {
    const follow = followFirstPace({ calls: 60 });
    const away = aCall({ error: 'unavailable' });
    const events = [aCall(), aCall(), away, away, ...calls.slice(0, 3)];
    const at = [0, 1, 20, 40, 41, 42, 43].map((each) => each * second);
    const paces = events.map((event, index) => follow(event, at[index] ?? 0));
    assert.equal(paces.at(-1)?.minutes, 1);
  });

  it('is told after fewer where each takes minutes', () => {
    assert.deepEqual(told(calls, 150)?.at, 1);
  });

  it('knows nothing from what is stored, failed, or was booked for a process that is dead', () => {
    const silent = [aCall({ cached: true }), aCall({ error: 'timeout' }), aCall({ calls: 40 })];
    assert.equal(told([...silent, ...silent, ...silent], 6), undefined);
    assert.equal(told([...silent, ...calls], 6)?.at, 7);
  });

  it('says nothing of a run that ends before that', () => {
    assert.equal(told(calls.slice(0, 4), 6), undefined);
  });
});
