import assert from 'node:assert/strict';
import { endedWith } from '../../../src/environments/badEnd.js';

describe('how a program ended badly', () => {
  const told = ['The sandbox kept the program from the host a.example:443: add "hosts": ["a.example:443"].'];
  const traceback = `Traceback (most recent call last):\n  File "post.py", line 3, in <module>\n    open("x")\n${'OSError: '.repeat(200)}`;
  for (const errorOutput of ['', 'short', 'x'.repeat(9_000), traceback]) {
    it(`is told with all that the sandbox says, whatever is cut of ${errorOutput.length} characters`, () => {
      const said = endedWith({ kind: 'exited', code: 1, output: '', errorOutput, told });
      assert.ok(said.startsWith('The program ended with 1') && said.endsWith(` ${told[0]}`), said);
      assert.ok(said.length < 1_000);
    });
  }
});
