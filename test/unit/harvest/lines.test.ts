import assert from 'node:assert/strict';
import fc from 'fast-check';
import { entriesOf, type Line, linesOf, longestLineBytes } from '../../../src/harvest/lines.js';

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
    assert.deepEqual(await all(linesOf(inPieces(Buffer.from('a\nb'), [2]))), [text('a'), text('b')]);
    assert.deepEqual(await all(linesOf(inPieces(Buffer.alloc(0), [1]))), []);
  });

  it('are skipped where they are over the limit, and only those', async () => {
    const longest = Buffer.alloc(longestLineBytes, 'x');
    const bytes = Buffer.concat([longest, Buffer.from('\n'), longest, Buffer.from('x\nlast')]);
    const kinds = (await all(linesOf(inPieces(bytes, [1_000_003])))).map((line) =>
      line.kind === 'text' ? line.text.length : line.kind,
    );
    assert.deepEqual(kinds, [longestLineBytes, 'too-long', 4]);
  });

  it('are objects, or counted', async () => {
    const counts = { broken: 0, tooLong: 0 };
    async function* lines(): AsyncGenerator<Line> {
      yield* [
        text('{"a":1}'),
        text(''),
        text('  '),
        text('[]'),
        text('null'),
        text('{"a"'),
        { kind: 'too-long' as const },
      ];
    }
    assert.deepEqual(await all(entriesOf(lines(), counts)), [{ a: 1 }]);
    assert.deepEqual(counts, { broken: 3, tooLong: 1 });
  });
});

function text(line: string): Line {
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
