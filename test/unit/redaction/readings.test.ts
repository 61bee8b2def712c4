import assert from 'node:assert/strict';
import { readings } from '../../../src/redaction/readings.js';
import { createRedactor } from '../../../src/redaction/redactor.js';
import { isFull } from '../../builders/few.js';

const secret = `ghp_${'a1B2'.repeat(8)}c3D4`;
const text = `PORT=80\nGITHUB_TOKEN=${secret}\n`;
const wide = Buffer.from(text, 'utf16le');

describe('the texts that bytes can be read as', () => {
  const forms: Readonly<Record<string, Uint8Array>> = {
    'UTF-8': Buffer.from(text),
    'with a NUL byte': Buffer.from(`${text}\0`),
    'right behind a NUL byte': Buffer.from(`\0${secret}\0`),
    'among other bytes': Buffer.concat([Buffer.from([0, 255, 254, 1]), Buffer.from(text), Buffer.from([200, 0, 3])]),
    'UTF-16, little end first': wide,
    'UTF-16, big end first': Buffer.from(wide).swap16(),
    'UTF-16 with its mark': Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
    'UTF-16 with its mark, big end first': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]),
  };
  for (const [form, bytes] of Object.entries(forms))
    it(`show a secret in ${form}`, () => {
      const redactor = createRedactor({ key: 'k' });
      assert.ok(readings(bytes).some((each) => redactor.redact(each).found.length > 0));
    });

  it('are read however long they are', () => {
    assert.ok(
      readings(Buffer.from('x = total;\n'.repeat(isFull ? 200_000 : 30_000), 'utf16le'))
        .join('')
        .includes('x = total;'),
    );
    assert.deepEqual(readings(Buffer.alloc(isFull ? 2_000_000 : 400_000)), ['', '']);
  });
});
