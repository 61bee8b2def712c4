import assert from 'node:assert/strict';
import { diffText } from '../../../src/cli/editText.js';

const plain = (_style: string, text: string): string => text;

describe('the diff of two texts on the terminal', () => {
  it('shows what leads from one to the other', () => {
    assert.equal(diffText('a\nb\nc\n', 'a\nx\nc\n', plain), '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c');
  });

  it('is given up for texts with almost nothing in common, which are shown as far as a person reads', function () {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const mixed = lines.map((_, index) => lines[(index * 7_919) % lines.length]);
    const shown = diffText(lines.join('\n'), mixed.join('\n'), plain).split('\n');
    assert.equal(shown[0], 'They have too little in common for a diff.');
    assert.equal(shown[1], '-line 0');
    assert.equal(shown.length, 1 + 2 * 201);
    assert.equal(shown.at(-1), '(19800 more lines)');
  });
});
