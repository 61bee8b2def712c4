import { strict as assert } from 'node:assert';
import { attemptsUnder, textName, withAttempt, type KnownAttempts } from '../../../../src/gate/power/knownAttempts.js';

const none: KnownAttempts = {
  under: 'u',
  tasks: { a: 'hash-a', b: 'hash-b' },
  baseHash: 'base',
  gate: { rule: 'confident', metric: 'hard', mixedWeight: 0.5, noRegression: false },
  texts: {},
};
const passed = {
  stage: 'baseline',
  skillHash: 'base',
  taskId: 'a',
  cached: false,
  outcome: { kind: 'scored', hard: 1, soft: 1 },
} as const;

describe('what runs know of held-out tasks', () => {
  it('counts attempts with a result under the text of the run, and under those that it certified', () => {
    const failed = { ...passed, outcome: { kind: 'scored', hard: 0, soft: 0.3 } } as const;
    const other = { ...passed, stage: 'certify', skillHash: 'better', taskId: 'b' };
    const known = [passed, failed, other].reduce(withAttempt, none);
    assert.deepEqual(known.texts, {
      base: { a: { attempts: 2, passed: 1, soft: 1.3 } },
      better: { b: { attempts: 1, passed: 1, soft: 1 } },
    });
  });

  it('leaves out what tells nothing: stored answers, no result, other tasks, candidates that were only tried', () => {
    const telling = [
      { ...passed, cached: true },
      { ...passed, outcome: { kind: 'invalid' } as const },
      { ...passed, taskId: 'training' },
      { ...passed, stage: 'evaluate', skillHash: 'tried' },
    ];
    assert.deepEqual(telling.reduce(withAttempt, none), none);
  });

  it('adds runs up by what a task says, under the same text and the same conditions alone', () => {
    const first = withAttempt(none, passed);
    const renamed = withAttempt({ ...none, tasks: { z: 'hash-a' } }, { ...passed, taskId: 'z' });
    const changed = withAttempt({ ...none, tasks: { a: 'another' } }, passed);
    const elsewhere = withAttempt({ ...none, under: 'v' }, passed);
    const beside = withAttempt(none, { ...passed, memoryHash: 'm' });
    const runs = [first, renamed, changed, elsewhere, beside];
    assert.deepEqual(
      [...attemptsUnder(runs, { under: 'u', text: 'base' })],
      [
        ['hash-a', { attempts: 2, passed: 2, soft: 2 }],
        ['another', { attempts: 1, passed: 1, soft: 1 }],
      ],
    );
    assert.equal(attemptsUnder(runs, { under: 'u', text: textName('base', 'm') }).get('hash-a')?.attempts, 1);
  });
});
