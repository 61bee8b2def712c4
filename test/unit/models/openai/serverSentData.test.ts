import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { serverSentData } from '../../../../src/models/openai/readAnswer.js';

describe('server-sent data', () => {
  const streams: readonly [name: string, text: string, data: readonly string[]][] = [
    ['events one by one', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['carriage returns', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['no space after the colon', 'data:a\n\n', ['a']],
    ['several lines of one event', 'data: a\ndata: b\n\n', ['a\nb']],
    ['no comments, names or ids', ': alive\n\nevent: x\nid: 1\ndata: a\n\nevent: y\n\n', ['a']],
    ['a last event without its end', 'data: a\n\ndata: b', ['a', 'b']],
    ['nothing of nothing', '', []],
    ['letters of every script', 'data: 技能 🔑\n\n', ['技能 🔑']],
  ];
  for (const [name, text, data] of streams) {
    it(`gives ${name}`, async () => assert.deepEqual(await collect([Buffer.from(text)]), data));
  }

  it('is the same however the bytes are cut', async () => {
    const text = ': alive\r\n\r\ndata: {"a":"技能"}\r\n\r\ndata: 🔑\n\ndata: [DONE]\n\n';
    const whole = await collect([Buffer.from(text)]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 12 }), async (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), Buffer.byteLength(text)];
        const pieces = edges.slice(1).map((end, index) => Buffer.from(text).subarray(edges[index], end));
        assert.deepEqual(await collect(pieces), whole);
      }),
    );
  });

  it('takes one event in very many pieces without stalling', async () => {
    const pieces = [Buffer.from('data: '), ...Array.from({ length: 20_000 }, () => Buffer.from('x'.repeat(100)))];
    const [data] = await collect([...pieces, Buffer.from('\n\n')]);
    assert.equal(data?.length, 2_000_000);
  });

  it('reports every arrival of bytes, comments included', async () => {
    let beats = 0;
    const pieces = [': alive\n\n', ': alive\n\n', 'data: a\n\n'].map((text) => Buffer.from(text));
    await collect(pieces, () => (beats += 1));
    assert.equal(beats, 3);
  });
});

async function collect(
  pieces: readonly Uint8Array[],
  onBytes: () => void = () => undefined,
): Promise<readonly string[]> {
  const data: string[] = [];
  for await (const item of serverSentData(pieces, onBytes)) data.push(item);
  return data;
}
