import assert from 'node:assert/strict';
import { groupedNotes } from '../../../src/wording/noteText.js';

describe('the notes of a run', () => {
  it('say once what was noted often, and in which steps', () => {
    const notes = [
      'Step 1: no reply',
      'A cap ended it.',
      'Step 1: no reply',
      'Step 3: no reply',
      'Step 2: cut',
      'Once.',
    ];
    assert.deepEqual(groupedNotes([...notes, 'A cap ended it.']), [
      'Steps 1, 3: no reply (3 times)',
      'A cap ended it. (2 times)',
      'Step 2: cut',
      'Once.',
    ]);
  });
});
