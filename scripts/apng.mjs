// Reads PNGs as a browser takes them, and writes them: several as one that moves, in which frames after the first hold
// only what changed, or one with few colours.
import { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const channels = 3; // red, green, blue

/** The pixels of a PNG with 8 bits a channel that is not interlaced; what it says of transparency is dropped. */
export function readPng(bytes) {
  if (!bytes.subarray(0, signature.length).equals(signature)) throw new Error('This is no PNG.');
  const parts = [...chunksOf(bytes)];
  const facts = parts.find(({ type }) => type === 'IHDR').data;
  const [width, height] = [facts.readUInt32BE(0), facts.readUInt32BE(4)];
  const given = { 2: 3, 6: 4 }[facts[9]];
  if (facts[8] !== 8 || given === undefined || facts[12] !== 0) throw new Error('This kind of PNG is not read.');
  const packed = Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  return { width, height, pixels: withoutAlpha(unfiltered(inflateSync(packed), width * given, given), given) };
}

/** `frames`: pictures of one size, each with how long it stays. It begins anew at the end. */
export function writeApng(frames) {
  const [first] = frames;
  const { width, height } = first.picture;
  const parts = [chunk('IHDR', header({ width, height })), chunk('acTL', numbers(frames.length, 0))];
  let sequence = 0;
  for (const [at, { picture, shownMs }] of frames.entries()) {
    const box = at === 0 ? { x: 0, y: 0, width, height } : changedBox(frames[at - 1].picture, picture);
    const place = numbers(sequence++, box.width, box.height, box.x, box.y);
    const time = Buffer.from([shownMs >> 8, shownMs & 255, 1000 >> 8, 1000 & 255, 0, 0]); // stays, and is drawn over
    parts.push(chunk('fcTL', Buffer.concat([place, time])));
    const packed = deflateSync(filtered(picture, box), { level: 9 });
    parts.push(at === 0 ? chunk('IDAT', packed) : chunk('fdAT', Buffer.concat([numbers(sequence++), packed])));
  }
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** A still picture whose pixels are numbers of its colours (see fewColours.mjs). */
export function writeIndexedPng({ width, height, colours, indices }) {
  const rows = Buffer.alloc((width + 1) * height); // each begins with a zero: unfiltered
  for (let row = 0; row < height; row += 1) {
    indices.copy(rows, row * (width + 1) + 1, row * width, (row + 1) * width);
  }
  const parts = [
    chunk('IHDR', header({ width, height, kind: 3 })),
    chunk('PLTE', Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
  ];
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

/** The smallest rectangle outside of which two pictures agree; of two that agree one pixel. */
function changedBox(before, after) {
  const { width, height } = after;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < after.pixels.length; at += channels) {
    if (before.pixels.readUIntBE(at, channels) === after.pixels.readUIntBE(at, channels)) continue;
    const [x, y] = [(at / channels) % width, Math.floor(at / channels / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), y];
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Each row as its difference to the row above it, which of flat colours leaves nothing. */
function filtered({ width, pixels }, box) {
  const length = box.width * channels;
  const rows = Buffer.alloc((length + 1) * box.height);
  for (let row = 0; row < box.height; row += 1) {
    const from = ((box.y + row) * width + box.x) * channels;
    const to = row * (length + 1);
    rows[to] = row === 0 ? 0 : 2;
    for (let at = 0; at < length; at += 1) {
      const above = row === 0 ? 0 : pixels[from - width * channels + at];
      rows[to + 1 + at] = pixels[from + at] - above;
    }
  }
  return rows;
}

function unfiltered(rows, length, step) {
  const height = rows.length / (length + 1);
  const pixels = Buffer.alloc(length * height);
  for (let row = 0; row < height; row += 1) {
    const kind = rows[row * (length + 1)];
    for (let at = 0; at < length; at += 1) {
      const to = row * length + at;
      const left = at < step ? 0 : pixels[to - step];
      const above = row === 0 ? 0 : pixels[to - length];
      const corner = at < step || row === 0 ? 0 : pixels[to - length - step];
      pixels[to] = rows[row * (length + 1) + 1 + at] + foretold(kind, { left, above, corner });
    }
  }
  return pixels;
}

/** What the five filters of the format expect of a byte by those around it. */
function foretold(kind, { left, above, corner }) {
  switch (kind) {
    case 0:
      return 0;
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    default:
      return nearest(left + above - corner, [left, above, corner]);
  }
}

function nearest(guess, candidates) {
  const distances = candidates.map((each) => Math.abs(guess - each));
  return candidates[distances.indexOf(Math.min(...distances))];
}

function withoutAlpha(pixels, given) {
  if (given === channels) return pixels;
  const kept = Buffer.alloc((pixels.length / given) * channels);
  for (let from = 0, to = 0; from < pixels.length; from += given, to += channels) {
    pixels.copy(kept, to, from, from + channels);
  }
  return kept;
}

function header({ width, height, kind = 2 }) {
  return Buffer.concat([numbers(width, height), Buffer.from([8, kind, 0, 0, 0])]);
}

function* chunksOf(bytes) {
  for (let at = signature.length; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    yield { type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc(body))]);
}

function numbers(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

const crcTable = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = crcTable[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
