import assert from 'node:assert/strict';
import { unplayedBeyond } from '../../../../src/app/environments/unplayedTasks.js';
import { aCheck, aTask } from '../../../builders/aTask.js';

const judged = (id: string) =>
  aTask({ id, environment: 'agent', checks: [aCheck('command', { command: 'node', arguments: ['check.js'] })] });
const played = (id: string) => aTask({ id, environment: 'agent', checks: [aCheck('skill_used')] });

describe('tasks that get no score on the simulated model', () => {
  const simulated = { identity: { provider: 'simulated', endpoint: 'simulated', model: 'm', simulated: true } };
  const program = { identity: { ...simulated.identity, endpoint: 'agent:codex', simulated: false } };
  const attempted = [judged('a'), judged('b'), played('c'), played('d')];

  const rows: readonly [name: string, needed: Parameters<typeof unplayedBeyond>[0], says: RegExp | undefined][] = [
    [
      'where none of all is played',
      { attempted: [judged('a'), judged('b')] },
      /these tasks get no score on it.*: a, b\.$/,
    ],
    ['where no held-out one is', { attempted, heldOut: [judged('a'), judged('b')] }, /no held-out task .*: a, b\.$/],
    ['where no training one is', { attempted, training: [judged('b')] }, /no training task .*: b\.$/],
    [
      'not where one of each is',
      { attempted, heldOut: [judged('a'), played('c')], training: [played('d')] },
      undefined,
    ],
    ['not where a side has none', { attempted, heldOut: [], training: [] }, undefined],
  ];
  for (const [name, needed, says] of rows)
    it(`keep a run from its beginning ${name}`, () => {
      const unfit = unplayedBeyond(needed, simulated);
      if (says === undefined) assert.equal(unfit, undefined);
      else assert.match(unfit?.message ?? '', says);
      assert.equal(unplayedBeyond(needed, program), undefined);
    });
});
