import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { endedWith } from '../../src/environments/badEnd.js';
import { blocksOf } from '../../src/simulated/reading/blocks.js';
import { carriesMarker } from '../../src/skill/document/protectedRegions.js';
import { slipsAmong } from '../../src/tasks/split/slips.js';
import { atOnce } from '../../src/tasks/steps.js';
import { aTask } from '../builders/aTask.js';

const long = 100_000;

/** Each took from ten seconds to minutes while an expression started anew at each place of the row. */
const rows: readonly (readonly [name: string, read: () => unknown])[] = [
  ['slashes in what a program says', () => ended('/'.repeat(long))],
  ['digits in a task', () => atOnce(slipsAmong([aTask({ prompt: `${'1'.repeat(long)}a` })]))],
  ['marks on one letter of a task', () => atOnce(slipsAmong([aTask({ prompt: `x${'\u0301'.repeat(long)}` })]))],
  ['spaces in a comment of a skill', () => carriesMarker(`<!--${' '.repeat(long)}`)],
  ['spaces before a line of a skill', () => blocksOf(`${' '.repeat(long)}x`)],
];

describe('a long row of one character is read in time in proportion to it', () => {
  for (const [name, read] of rows) {
    it(name, () => {
      const began = performance.now();
      read();
      assert.ok(performance.now() - began < 2_000, `${performance.now() - began} ms`);
    });
  }

  it('and the folder of a program is taken out of its words as one expression would', () => {
    const copied = /(?:file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s'"()]*?[\\/]?whetstone-[A-Za-z0-9]{6}[\\/]/gu;
    const pieces = fc.constantFrom(
      '/',
      '\\',
      'file://',
      'C:',
      'tmp',
      'whetstone-abc123',
      'whetstone-',
      ' ',
      '"',
      'x.py',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = `x ${parts.join('')}.`;
        assert.equal(ended(text), `The program ended with 1: ${text.replaceAll(copied, '')}`);
      }),
      { numRuns: 2000 },
    );
  });
});

function ended(errorOutput: string): string {
  return endedWith({ kind: 'exited', code: 1, output: '', errorOutput });
}
