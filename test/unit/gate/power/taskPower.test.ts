import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import type { GateSettings } from '../../../../src/gate/power/knownAttempts.js';
import { attemptsEnough, settledTasks, taskPower, type TaskKnown } from '../../../../src/gate/power/taskPower.js';
import { parseOutcomes } from '../../../../src/gate/rules/recordedOutcomes.js';
import { powerOf } from '../../../../src/gate/statistics/power.js';

const gate: GateSettings = { rule: 'confident', metric: 'hard', mixedWeight: 0.5, noRegression: false };

/** What an agent really did: 20 attempts at each of twelve tasks under one text. */
const [outcomes] = parseOutcomes(JSON.parse(readFileSync('test/fixtures/truth/recorded-outcomes.json', 'utf8')));
const recorded = (outcomes?.scores ?? []).map((row, at) =>
  aTask(at, row.length, row.filter((score) => score === 1).length),
);

describe('what the held-out tasks can show', () => {
  it('names those that came out the same in every attempt, and never on fewer than enough', () => {
    const tasks = [aTask(0, 5, 5), aTask(1, 4, 4), aTask(2, 1, 1), aTask(3, 8, 0), aTask(4, 9, 8), unknown(5)];
    const { alwaysPass, alwaysFail } = settledTasks(tasks, gate);
    assert.equal(attemptsEnough, 5);
    assert.deepEqual(alwaysPass, [{ id: 'task-0', attempts: 5 }]);
    assert.deepEqual(alwaysFail, [{ id: 'task-3', attempts: 8 }]);
  });

  it('reads soft scores by the metric: what fails and still scores can show a gain', () => {
    const half = { id: 'half', record: { attempts: 6, passed: 0, soft: 3 } };
    const none = { id: 'none', record: { attempts: 6, passed: 0, soft: 0 } };
    const named = (metric: GateSettings['metric']) =>
      settledTasks([half, none], { ...gate, metric }).alwaysFail.map(({ id }) => id);
    assert.deepEqual(named('hard'), ['half', 'none']);
    assert.deepEqual(named('soft'), ['none']);
    assert.deepEqual(named('mixed'), ['none']);
  });

  it('costs what was found on recorded outcomes: three of twelve tasks always pass', () => {
    const power = taskPower(recorded, gate);
    assert.equal(power.alwaysPass.length, 3);
    assert.equal(power.alwaysFail.length, 1);
    assert.deepEqual(power.known, { tasks: 12, attempts: { low: 20, high: 20 } });
    within(power.found20, 0.37, 0.03);
    within(power.found40, 0.94, 0.02);
    within(power.instead?.found20 ?? 0, 0.57, 0.04);
    within(power.instead?.found40 ?? 0, 0.98, 0.02);
  });

  it('is what was measured before where nothing is known, and where another rule decides', () => {
    const tasks = Array.from({ length: 12 }, (_, at) => unknown(at));
    const { found20, found40 } = powerOf(12);
    for (const rule of ['confident', 'strict', 'off'] as const) {
      const power = taskPower(tasks, { ...gate, rule });
      assert.deepEqual([power.found20, power.found40], [found20, found40]);
      assert.deepEqual([power.known, power.instead], [{ tasks: 0 }, undefined]);
    }
    assert.equal(taskPower(recorded, { ...gate, rule: 'strict' }).instead, undefined);
  });

  it('shows nothing on fewer than five tasks, and names them all the same', () => {
    const power = taskPower(recorded.slice(0, 4), gate);
    assert.deepEqual([power.found20, power.found40, power.instead], [0, 0, undefined]);
    assert.deepEqual(power.alwaysPass, [{ id: 'task-0', attempts: 20 }]);
  });

  it('mixes own rates with assumed ones, and says how many are own', () => {
    const power = taskPower([...recorded.slice(1, 4), ...[6, 7].map(unknown), aTask(9, 7, 3)], gate);
    assert.deepEqual(power.known, { tasks: 4, attempts: { low: 7, high: 20 } });
    assert.ok(power.found20 > 0 && power.found40 > power.found20);
  });
});

function aTask(at: number, attempts: number, passed: number): TaskKnown {
  return { id: `task-${at}`, record: { attempts, passed, soft: passed } };
}

function unknown(at: number): TaskKnown {
  return { id: `task-${at}`, record: undefined };
}

function within(share: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(share - expected) <= tolerance, `${share} is not about ${expected}`);
}
