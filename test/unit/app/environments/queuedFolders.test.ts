import assert from 'node:assert/strict';
import { refuseTooLarge } from '../../../../src/app/environments/queuedFolders.js';
import type { AttemptRunner } from '../../../../src/ports/attemptRunner.js';
import { aSplit } from '../../../builders/aSplit.js';
import { aWorkTree } from '../../../builders/aWorkTree.js';

const { signal } = new AbortController();
const mega = 1024 * 1024;
const queue: AttemptRunner = {
  place: 'rediss://queue.example:6380',
  mostFolderBytes: 2 * mega,
  run: () => assert.fail('nothing is asked'),
};
const identity = { provider: 'codex', endpoint: 'agent:codex', model: 'default', simulated: false };
const agent = { fixture: 'shop', mode: 'offered' } as const;
const split = aSplit({ training: 1, heldOut: 1 }, () => ({ environment: 'agent', agent }));

describe('folders that go to workers with an attempt', () => {
  const cases: readonly (readonly [string, AttemptRunner | undefined, number, boolean])[] = [
    ['begins where they fit', queue, 2 * mega, false],
    ['does not begin where one is too large', queue, 2 * mega + 1, true],
    ['begins where attempts are made here, however large', undefined, 9 * mega, false],
    ['begins where no queue is set', { ...queue, place: undefined }, 9 * mega, false],
    ['begins where the target stays here', { ...queue, takes: () => false }, 9 * mega, false],
  ];
  for (const [what, attempts, size, isRefused] of cases)
    it(`are looked at before: a run ${what}`, async () => {
      const trees = {
        files: () => Promise.resolve(aWorkTree({ 'SKILL.md': 'Greet.' })),
        fixtureOf: () => Promise.resolve(aWorkTree({ 'large.txt': 'x'.repeat(size) })),
      };
      const skill = { folder: '/skills/greeter', name: 'greeter' };
      const asked = refuseTooLarge(
        { world: { attempts }, skill, tasks: { result: { split } }, target: { identity } },
        trees,
        signal,
      );
      if (!isRefused) return assert.doesNotReject(asked);
      await assert.rejects(asked, {
        code: 'environment-refused',
        message: 'The folder “shop” that agents are given has 3 MB of files; the queue takes about 2 MB.',
      });
    });
});
