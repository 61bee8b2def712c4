import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sealedJson } from '../../../../src/storage/files/sealedJson.js';

describe('sealedJson', () => {
  const table: readonly { name: string; value: unknown; text: string }[] = [
    {
      name: 'orders keys at every depth',
      value: { b: 1, a: { d: [], c: null } },
      text: '{"a":{"c":null,"d":[]},"b":1}',
    },
    { name: 'leaves out what is undefined', value: { a: undefined, b: 1 }, text: '{"b":1}' },
    { name: 'writes null where a list has a hole', value: [undefined, 1], text: '[null,1]' },
    { name: 'keeps a field named __proto__', value: JSON.parse('{"__proto__":1}'), text: '{"__proto__":1}' },
    { name: 'orders by code unit, not by locale', value: { ä: 1, z: 2, Z: 3 }, text: '{"Z":3,"z":2,"ä":1}' },
  ];
  for (const { name, value, text } of table) {
    it(name, () => assert.equal(sealedJson(value), text));
  }

  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1]) {
    it(`refuses ${typeof value} ${String(value)}`, () => assert.throws(() => sealedJson({ value }), TypeError));
  }

  it('gives the same text for a value and for what its text reads back as', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = sealedJson(value);
        assert.equal(sealedJson(JSON.parse(text)), text);
      }),
    );
  });
});
