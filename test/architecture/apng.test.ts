import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { readPng, writeApng, writeIndexedPng, type Picture } from '../../scripts/apng.mjs';
import { withFewColours } from '../../scripts/fewColours.mjs';

/** The picture at the top of the README is written by hand: a first frame that every viewer shows, then what changes. */
describe('a picture that moves', () => {
  const still = pictureOf((x, y) => [x, y, 7]);
  const changed = pictureOf((x, y) => (x === 3 && y >= 2 && y < 5 ? [255, 0, 0] : [x, y, 7]));

  it('shows its first frame where only still pictures are known', () => {
    const bytes = writeApng([
      { picture: still, shownMs: 500 },
      { picture: changed, shownMs: 1_500 },
    ]);
    assert.deepEqual(readPng(bytes), still);
  });

  it('holds of each further frame only what changed, and for how long it stays', () => {
    const bytes = writeApng([
      { picture: still, shownMs: 500 },
      { picture: changed, shownMs: 1_500 },
      { picture: changed, shownMs: 20 },
    ]);
    const [, second, third] = controlsIn(bytes);
    assert.deepEqual(second, { sequence: 1, width: 1, height: 3, x: 3, y: 2, shownMs: 1_500 });
    assert.deepEqual(third, { sequence: 3, width: 1, height: 1, x: 0, y: 0, shownMs: 20 });
    const data = bytes.subarray(bytes.indexOf('fdAT') + 8);
    assert.deepEqual([...inflateSync(data)], [0, 255, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0]);
  });

  it('reads what a browser writes: every filter, with and without transparency', () => {
    const icon = readPng(readFileSync('media/icon.png'));
    assert.equal(icon.pixels.length, icon.width * icon.height * 3);
    const rows = [0, 1, 2, 3, 4].flatMap((filter) => [filter, 10, 20, 30, 255, 1, 2, 3, 0]);
    const drawn = readPng(pngOf({ width: 2, height: 5, kind: 6, rows }));
    assert.deepEqual([...drawn.pixels.subarray(0, 6)], [10, 20, 30, 1, 2, 3], 'none');
    assert.deepEqual([...drawn.pixels.subarray(6, 12)], [10, 20, 30, 11, 22, 33], 'left');
    assert.deepEqual([...drawn.pixels.subarray(12, 18)], [20, 40, 60, 12, 24, 36], 'above');
    assert.deepEqual([...drawn.pixels.subarray(18, 24)], [20, 40, 60, 17, 34, 51], 'mean of both');
    assert.deepEqual([...drawn.pixels.subarray(24, 30)], [30, 60, 90, 31, 62, 93], 'the nearest of three');
  });

  it('refuses what it does not read', () => {
    assert.throws(() => readPng(Buffer.from('GIF89a  ')), /no PNG/);
    assert.throws(() => readPng(pngOf({ width: 1, height: 1, kind: 3, rows: [0, 0] })), /not read/);
  });
});

describe('a picture with few colours', () => {
  it('keeps every colour where there are few', () => {
    const picture = pictureOf((x) => [x, 0, 255]);
    const { colours, indices } = withFewColours(picture);
    assert.deepEqual(
      [...indices].map((index) => colours[index]),
      Array.from({ length: 48 }, (_, at) => ((at % 6) << 16) + 255),
    );
  });

  it('keeps the colours of most pixels exactly where there are many, and others nearly', () => {
    const picture = pictureOf((x, y) => (y < 6 ? [200, 200, 200] : [x, y, 9]));
    const { colours, indices } = withFewColours(picture, 3);
    assert.equal(colours.length, 3);
    assert.equal(colours[indices[0] ?? -1], 0xc8c8c8);
    assert.ok((colours[indices[47] ?? -1] ?? 0) < 0x060709, 'a dark one stays dark');
  });

  it('is written with its table of colours, row by row', () => {
    const bytes = writeIndexedPng({
      width: 2,
      height: 2,
      colours: [0x010203, 0xff0000],
      indices: Buffer.from([0, 1, 1, 0]),
    });
    const [table, data] = [bytes.indexOf('PLTE'), bytes.indexOf('IDAT')];
    assert.deepEqual([...bytes.subarray(table + 4, table + 10)], [1, 2, 3, 255, 0, 0]);
    assert.deepEqual([...inflateSync(bytes.subarray(data + 4))], [0, 0, 1, 0, 1, 0]);
  });
});

function pictureOf(colour: (x: number, y: number) => readonly number[]): Picture {
  const [width, height] = [6, 8];
  const bytes = Array.from({ length: width * height }, (_, at) => colour(at % width, Math.floor(at / width))).flat();
  return { width, height, pixels: Buffer.from(bytes) };
}

function controlsIn(bytes: Buffer): readonly object[] {
  const found = [];
  for (let at = bytes.indexOf('fcTL'); at >= 0; at = bytes.indexOf('fcTL', at + 4)) {
    const [sequence, width, height, x, y] = [4, 8, 12, 16, 20].map((offset) => bytes.readUInt32BE(at + offset));
    found.push({ sequence, width, height, x, y, shownMs: bytes.readUInt16BE(at + 24) });
  }
  return found;
}

interface PlainPng {
  readonly width: number;
  readonly height: number;
  readonly kind: number;
  readonly rows: readonly number[];
}

/** A PNG without checksums, which the reader does not look at. */
function pngOf({ width, height, kind, rows }: PlainPng): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, kind], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, part('IHDR', header), part('IDAT', deflateSync(Buffer.from(rows)))]);
}

function part(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}
