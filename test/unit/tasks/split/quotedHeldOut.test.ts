import assert from 'node:assert/strict';
import { quotedHeldOut } from '../../../../src/tasks/split/quotedHeldOut.js';
import { aSplit } from '../../../builders/aSplit.js';

const question = 'Which of the two ferries leaves first on Sundays?';

describe('held-out tasks that training can read', () => {
  const split = aSplit({ training: 3, heldOut: 3 });
  const [held] = split.heldOut;
  assert.ok(held !== undefined);
  const asked = { ...held, prompt: question };
  const [first, ...others] = split.training;
  assert.ok(first !== undefined);
  const heldOut = [asked, ...split.heldOut.slice(1)];

  it('are named where their words stand in a training task, however they are set', () => {
    const quoting = {
      ...first,
      context: `A passenger asked:\n  > WHICH of the two ferries — leaves first, on Sundays…`,
    };
    assert.deepEqual(quotedHeldOut({ training: [quoting, ...others], heldOut }, 'Answer.'), [
      `The words of the held-out task “${held.id}” stand in the training task “${first.id}”: the optimizer sees them.`,
    ]);
  });

  it('are named where the skill quotes them', () => {
    assert.deepEqual(quotedHeldOut({ training: split.training, heldOut }, `# Ferries\n\n- ${question} The blue one.`), [
      `The words of the held-out task “${held.id}” stand in the skill: it proves less than one that the skill does not quote.`,
    ]);
  });

  it('are none where only parts or a few words are the same', () => {
    const near = { ...first, prompt: 'Which of the two ferries leaves first on Sunday?' };
    assert.deepEqual(quotedHeldOut({ training: [near, ...others], heldOut }, 'Which of the two ferries?'), []);
    const short = [{ ...held, prompt: 'Say hello.' }];
    assert.deepEqual(quotedHeldOut({ training: split.training, heldOut: short }, 'Say hello. Be kind.'), []);
  });
});
