import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { entriesOf, type Line, linesOf, longestLineBytes, wholeOf } from '../../../src/harvest/lines.js';
import { few } from '../../builders/few.js';

describe('lines of a file that comes in pieces', () => {
  it('are the same wherever the pieces end, within a sign too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\n\uFEFF]/gu, ''))),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        async (texts, sizes) => {
          const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
          const lines = await all(linesOf(inPieces(bytes, sizes)));
          assert.deepEqual(
            lines,
            texts.map((text) => ({ kind: 'text', text })),
          );
        },
      ),
    );
  });

  it('end without a line break at the end of the file', async () => {
    assert.deepEqual(await all(linesOf(inPieces(Buffer.from('a\nb'), [2]))), [aLine('a'), aLine('b')]);
    assert.deepEqual(await all(linesOf(inPieces(Buffer.alloc(0), [1]))), []);
  });

  it('are skipped where they are over the limit, and only those', async () => {
    assert.equal(longestLineBytes, 16 * 1024 * 1024);
    for (const [most, piece] of few([
      [100_000, 7_001],
      [longestLineBytes, 1_000_003],
    ] as const)) {
      const longest = Buffer.alloc(most, 'x');
      const bytes = Buffer.concat([longest, Buffer.from('\n'), longest, Buffer.from('x\nlast')]);
      const lines = await all(linesOf(inPieces(bytes, [piece]), most));
      const kinds = lines.map((line) => (line.kind === 'text' ? line.text.length : line.kind));
      assert.deepEqual(kinds, [most, 'too-long', 4]);
    }
  });

  it('are not looked for in a file that is read whole, up to its limit', async () => {
    const read = (text: string, most: number) => wholeOf(inPieces(Buffer.from(text), [3]), most);
    assert.deepEqual(await read('{"a":\n1}', 8), aLine('{"a":\n1}'));
    assert.deepEqual(await read('{"a":\n1}', 7), { kind: 'too-long' });
    assert.deepEqual(await wholeOf(inPieces(Buffer.from('四舍五入'), [1])), aLine('四舍五入'));
  });

  it('are objects, or counted', async () => {
    const counts = { broken: 0, tooLong: 0 };
    const lines = [
      aLine('{"a":1}'),
      aLine(''),
      aLine('  '),
      aLine('[]'),
      aLine('null'),
      aLine('{"a"'),
      { kind: 'too-long' as const },
    ];
    assert.deepEqual(await all(entriesOf(Readable.from(lines), counts)), [{ a: 1 }]);
    assert.deepEqual(counts, { broken: 3, tooLong: 1 });
  });
});

function aLine(line: string): Line {
  return { kind: 'text', text: line };
}

async function all<T>(found: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const each of found) list.push(each);
  return list;
}

/** One buffer is used for all of them, as whoever reads a file may do. */
async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(Math.max(...sizes));
  for (let from = 0, turn = 0; from < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    const length = bytes.copy(buffer, 0, from, from + size);
    yield buffer.subarray(0, length);
    from += size;
  }
}
