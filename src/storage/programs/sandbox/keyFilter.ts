/**
 * A filter of the kernel's that refuses every call about keys. Keys that the person's session holds belong to no
 * namespace: without it whatever runs in the sandbox could use them. It is a program of the classic packet filter, which
 * `bwrap` takes as bytes and sets before anything in the sandbox starts.
 */
export function keyFilter(processor: string): Buffer {
  const ways = callsAboutKeys[processor];
  if (ways === undefined) throw new Error(`The sandbox is not made for ${processor} processors.`);
  const blocks = ways.map(({ kind, calls }) => {
    const refusals = calls.map((call, index) => ifEqual(call, calls.length - index, 0));
    const looked = [load(callAt), and(~otherNumbers >>> 0), ...refusals, give(allowed), give(refused)];
    return [ifEqual(kind, 0, looked.length), ...looked];
  });
  // Whatever calls in a way that we do not know is refused.
  return Buffer.concat([load(kindAt), ...blocks.flat(), give(refused)]);
}

/** By the kind of calls, as the kernel names them, the numbers of add_key, request_key and keyctl. */
const callsAboutKeys: Readonly<
  Record<string, readonly { readonly kind: number; readonly calls: readonly number[] }[]>
> = {
  x64: [
    { kind: 0xc000003e, calls: [248, 249, 250] },
    { kind: 0x40000003, calls: [286, 287, 288] }, // programs of 32 bits
  ],
  arm64: [
    { kind: 0xc00000b7, calls: [217, 218, 219] },
    { kind: 0x40000028, calls: [309, 310, 311] },
  ],
};

const callAt = 0;
const kindAt = 4;
const otherNumbers = 0x40000000; // the same calls with pointers of 32 bits have this bit
const allowed = 0x7fff0000;
const refused = 0x00050001; // as an error: not permitted

function load(at: number): Buffer {
  return step(0x20, at);
}

function and(bits: number): Buffer {
  return step(0x54, bits);
}

/** Goes on as many steps further as the value says. */
function ifEqual(value: number, then: number, otherwise: number): Buffer {
  return step(0x15, value, [then, otherwise]);
}

function give(value: number): Buffer {
  return step(0x06, value);
}

function step(code: number, value: number, [then, otherwise]: readonly [number, number] = [0, 0]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(then, 2);
  bytes.writeUInt8(otherwise, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
