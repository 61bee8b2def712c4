import assert from 'node:assert/strict';
import { answerChecksOf, type JournalCheck } from '../../../../src/app/results/answerChecks.js';
import type { SkillOverview } from '../../../../src/app/results/overview.js';
import { aTask } from '../../../builders/aTask.js';

const task = aTask({
  id: 'one',
  prompt: 'What day is it?',
  checks: [{ check: 'contains', hidden: false, arguments: { text: 'Severity' } }],
  expectations: ['It is polite.', 'It is short.'],
});

describe('the checks of a stored answer', () => {
  it('are judged again by rule, with the reason', async () => {
    const shown = await checksOf([]);
    assert.deepEqual([shown[0]?.name, shown[0]?.outcome], ['contains', 'fail']);
    assert.match(shown[0]?.reason ?? '', /Severity/);
  });

  it('tell what the judge said then, where the run wrote it down', async () => {
    const shown = await checksOf([
      { check: 'contains', pass: false, reason: 'Said once.' },
      { check: 'expectation', pass: true, reason: 'It says please.' },
      { check: 'expectation', pass: false, reason: undefined },
    ]);
    assert.deepEqual(
      shown.slice(1).map(({ outcome, reason }) => [outcome, reason]),
      [
        ['pass', 'It says please.'],
        ['fail', 'The judge model graded this.'],
      ],
    );
    assert.match(shown[0]?.reason ?? '', /Severity/, 'a rule is tried again');
  });

  it('are unknown where nobody wrote it down, or the checks are others by now', async () => {
    assert.deepEqual(
      (await checksOf([])).map(({ outcome }) => outcome),
      ['fail', 'unknown', 'unknown'],
    );
    const moved = await checksOf([
      { check: 'expectation', pass: true, reason: undefined },
      { check: 'max_chars', pass: true, reason: undefined },
    ]);
    assert.deepEqual(
      moved.map(({ outcome }) => outcome),
      ['fail', 'unknown', 'unknown'],
    );
  });
});

async function checksOf(journaled: readonly JournalCheck[]) {
  const tasks: NonNullable<SkillOverview['tasks']> = {
    training: [task],
    heldOut: [],
    sealed: [],
    drafts: [],
    setAside: [],
    disabled: [],
    broken: [],
    problems: [],
    moves: new Map(),
  };
  const signal = new AbortController().signal;
  const found = await answerChecksOf(tasks, { taskId: 'one', answer: 'It is bad.', journaled }, signal);
  assert.ok(found);
  assert.equal(found.prompt, 'What day is it?');
  return found.checks;
}
