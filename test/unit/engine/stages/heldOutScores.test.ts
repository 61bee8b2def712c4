import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { asSkill, originalCandidate, type Candidate } from '../../../../src/engine/candidate.js';
import { HeldOutScores } from '../../../../src/engine/stages/heldOutScores.js';
import { compareStrictly } from '../../../../src/gate/statistics/strictRule.js';
import { ModelError } from '../../../../src/errors.js';
import { aRunContext, type RunParts } from '../../../builders/aRunContext.js';
import { aSplit } from '../../../builders/aSplit.js';
import { aCheck } from '../../../builders/aTask.js';

const { signal } = new AbortController();
const before = originalCandidate('before');
const after = originalCandidate('after');

describe('held-out scores', () => {
  it('stop once the open tasks cannot change the answer: two of six where all failed before', async () => {
    const { selection, attempted } = await compared('000000', '111111');
    assert.deepEqual([selection.outcome, attempted(after)], ['higher', 2]);
    assert.equal(selection.open.length, 4);
  });

  const rows: readonly (readonly [name: string, from: string, to: string, outcome: string, attempts: number])[] = [
    ['a gain that the last tasks could undo needs them all', '010101', '011101', 'higher', 6],
    ['a loss needs only what makes it certain', '111111', '000000', 'lower', 2],
    ['full marks before can at best be reached', '111111', '111111', 'equal', 6],
    ['a tie is a tie only after the last task', '010000', '100000', 'equal', 6],
    ['a late gain is found', '000000', '000001', 'higher', 6],
    ['nothing gained is equal', '000000', '000000', 'equal', 6],
  ];
  for (const [name, from, to, outcome, attempts] of rows) {
    it(`decide: ${name}`, async () => {
      const { selection, attempted } = await compared(from, to);
      assert.deepEqual([selection.outcome, attempted(after)], [outcome, attempts]);
    });
  }

  it('say what attempting every task would have said', async () => {
    const marks = fc.string({ unit: fc.constantFrom('0', '1'), minLength: 7, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(marks, marks, async (from, to) => {
        const { selection } = await compared(from, to);
        const pairs = from.split('').map((mark, index) => ({ before: Number(mark), after: Number(to[index]) }));
        assert.equal(selection.outcome, compareStrictly(pairs).outcome);
      }),
      { numRuns: 60 },
    );
  });

  it('grow their waves, so that a hopeless candidate costs few round trips', async () => {
    const { run } = await compared('0'.repeat(14), '0'.repeat(14));
    const waves = run.events.flatMap((event) =>
      event.kind === 'stage' && event.stage === 'evaluate' ? [event.planned] : [],
    );
    assert.deepEqual(waves, [14, 2, 4, 8]); // the current skill first, then the candidate
  });

  it('break a tie by the partial scores: a step in the wrong direction is no branch', async () => {
    assert.equal((await compared('pppppp', 'pppppn')).selection.outcome, 'lower');
    assert.equal((await compared('pppppn', 'pppppp')).selection.outcome, 'equal');
  });

  it('under noRegression let one lower score veto, as soon as it is seen', async () => {
    const settings = { gate: { noRegression: true } };
    const { selection, attempted, taskIds } = await compared('100000', '011111', { settings });
    assert.deepEqual([selection.outcome, attempted(after)], ['lower', 6]);
    assert.deepEqual(selection.worse, [taskIds[0]]);
    const risen = (await compared('100000', '111111', { settings })).selection;
    assert.deepEqual([risen.outcome, risen.worse], ['higher', undefined]);
    assert.equal((await compared('100000', '000000')).selection.worse, undefined, 'nobody asked for that');
  });

  it('evaluate no text twice, and complete what a later comparison needs', async () => {
    const { scores, attempted } = await compared('000000', '111111');
    await scores.compare(before, after, 2, signal);
    assert.equal(attempted(after), 2);
    await scores.compare(after, originalCandidate('third'), 3, signal);
    assert.equal(attempted(after), 6);
    assert.equal(attempted(before), 6);
    assert.equal(scores.rollouts(after).length, 6);
  });

  it('leave out tasks whose attempt the world prevented, on either side', async () => {
    const { selection } = await compared('x00000', '100000');
    assert.equal(selection.outcome, 'equal');
    assert.equal((await compared('000000', 'x00001')).selection.outcome, 'higher');
  });
});

type Marks = Readonly<Record<string, string>>;

/** Marks: 1 passes, 0 fails, p passes one of two checks, n none, x is prevented. */
async function compared(from: string, to: string, parts: RunParts = {}) {
  const marks: Marks = { before: from, after: to, third: from };
  const checks = [aCheck('contains', { text: 'alpha' }), aCheck('contains', { text: 'beta' })];
  const { heldOut } = aSplit({ training: 0, heldOut: from.length }, () => ({ checks }));
  const run = aRunContext({
    ...parts,
    ability: (skill, prompt) => answerTo(marks, skill, prompt),
  });
  const scores = new HeldOutScores(run.context, heldOut, asSkill(undefined));
  const selection = await scores.compare(before, after, 1, signal);
  const attempted = (candidate: Candidate): number =>
    run.attempts.filter(({ skill }) => skill === candidate.text).length;
  return { run, scores, selection, attempted, taskIds: heldOut.map(({ id }) => id) };
}

function answerTo(marks: Marks, skill: string, prompt: string): string | Error {
  const name = Object.keys(marks).find((each) => skill.includes(`\n${each}\n`)) ?? '';
  const mark = marks[name]?.[Number(/(\d+)\./u.exec(prompt)?.[1])];
  if (mark === 'x') return new ModelError('unavailable', 'gone');
  if (mark === '1') return 'alpha beta';
  return mark === 'p' ? 'alpha' : 'nothing';
}
