// Deflates every entry of a zip file once more, as tightly as zlib can: vsce takes its usual level, and the file has a limit.
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const deflated = 8;
const sizesBehind = 0x8; // a flag: what the sizes are stands behind the data, because it was not known before it

/** @param {string} file */
export function packTighter(file) {
  const zip = readFileSync(file);
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const parts = [];
  const directory = [];
  let [at, offset] = [zip.readUInt32LE(end + 16), 0];
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const { entry, local, data } = entryAt(zip, at);
    at += entry.length;
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(offset, 42);
    local.writeUInt32LE(entry.readUInt32LE(16), 14);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(entry.readUInt32LE(24), 22);
    parts.push(local, data);
    directory.push(entry);
    offset += local.length + data.length;
  }
  const ending = Buffer.from(zip.subarray(end));
  ending.writeUInt32LE(Buffer.concat(directory).length, 12);
  ending.writeUInt32LE(offset, 16);
  writeFileSync(file, Buffer.concat([...parts, ...directory, ending]));
}

/** An entry of the directory, what stands before its data, and the data as short as it gets. */
function entryAt(zip, at) {
  const length = 46 + [28, 30, 32].reduce((sum, place) => sum + zip.readUInt16LE(at + place), 0);
  const entry = Buffer.from(zip.subarray(at, at + length));
  const start = entry.readUInt32LE(42);
  const begin = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28);
  const local = Buffer.from(zip.subarray(start, begin));
  const data = zip.subarray(begin, begin + entry.readUInt32LE(20));
  entry.writeUInt16LE(entry.readUInt16LE(8) & ~sizesBehind, 8);
  local.writeUInt16LE(local.readUInt16LE(6) & ~sizesBehind, 6);
  return { entry, local, data: entry.readUInt16LE(10) === deflated ? tightest(data) : data };
}

/** Texts are shortest in long blocks, programs in shorter ones. */
function tightest(data) {
  const whole = inflateRawSync(data);
  const again = [6, 7, 8].map((memLevel) => deflateRawSync(whole, { level: 9, memLevel }));
  return [data, ...again].reduce((least, each) => (each.length < least.length ? each : least));
}
