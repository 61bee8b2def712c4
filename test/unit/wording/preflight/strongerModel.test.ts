import assert from 'node:assert/strict';
import { withOwnWay } from '../../../../src/wording/preflight/strongerModel.js';

const note =
  'A stronger model for that (“Choose Model”, or --optimizer and --judge) and this one as the target: usually about 10 calls and 49,290 tokens a run, with openai/gpt-5.4 about 0.26 USD.';

describe('the note that a stronger model would do better', () => {
  it('names no flag in a window, and no command of a window in a terminal', () => {
    assert.equal(withOwnWay(note, 'editor'), note.replace(', or --optimizer and --judge', ''));
    assert.equal(withOwnWay(note, 'terminal'), note.replace('“Choose Model”, or ', ''));
  });

  it('is told from every other note, which stays as it is', () => {
    assert.equal(withOwnWay('The skill is long.', 'editor'), 'The skill is long.');
  });
});
