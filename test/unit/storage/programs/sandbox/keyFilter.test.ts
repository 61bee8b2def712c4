import assert from 'node:assert/strict';
import { keyFilter } from '../../../../../src/storage/programs/sandbox/keyFilter.js';
import { aScript, needsSandbox, saidIn, theSandbox } from '../../../../builders/aSandbox.js';
import { neverAborted } from '../../../../builders/storage.js';

const refused = 0x00050001;
const allowed = 0x7fff0000;

describe('the filter that closes the keys of the session', () => {
  const kinds = [
    { processor: 'x64', kind: 0xc000003e, keys: [248, 249, 250, 250 + 0x40000000], others: [0, 1, 59, 247, 251, 425] },
    { processor: 'x64', kind: 0x40000003, keys: [286, 287, 288], others: [1, 248, 249, 250, 285, 289] },
    { processor: 'arm64', kind: 0xc00000b7, keys: [217, 218, 219], others: [64, 216, 220, 221] },
    { processor: 'arm64', kind: 0x40000028, keys: [309, 310, 311], others: [1, 217, 308, 312] },
  ];
  for (const { processor, kind, keys, others } of kinds) {
    it(`refuses the three calls about keys and no other, on ${processor} as ${kind.toString(16)}`, () => {
      const filter = keyFilter(processor);
      for (const call of keys) assert.equal(outcome(filter, kind, call), refused, `${call}`);
      for (const call of others) assert.equal(outcome(filter, kind, call), allowed, `${call}`);
    });
  }

  it('refuses whatever calls in a way that it does not know', () => {
    assert.equal(outcome(keyFilter('x64'), 0x12345678, 1), refused);
    assert.throws(() => keyFilter('mips'), /not made for mips/u);
  });

  it('holds in the sandbox', async function () {
    await needsSandbox(this);
    const calls = process.arch === 'arm64' ? [217, 218, 219] : [248, 249, 250];
    const script = `python3 -c 'import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for call in ${JSON.stringify(calls)}: print(libc.syscall(call, 0, -3, 0, 0, 0), ctypes.get_errno())'`;
    assert.equal(saidIn(await theSandbox().run(aScript(script), neverAborted)), '-1 1\n'.repeat(3));
  });
});

/** What the kernel makes of it: only the steps that filters of ours have. */
function outcome(filter: Buffer, kind: number, call: number): number {
  let value = 0;
  for (let at = 0; ; at += 1) {
    const [code, operand] = [filter.readUInt16LE(at * 8), filter.readUInt32LE(at * 8 + 4)];
    if (code === 0x06) return operand;
    if (code === 0x20) value = operand === 4 ? kind : call;
    else if (code === 0x54) value = (value & operand) >>> 0;
    else at += filter.readUInt8(at * 8 + (value === operand ? 2 : 3));
  }
}
