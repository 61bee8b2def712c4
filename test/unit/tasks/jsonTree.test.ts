import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { JsonSyntaxError, nearestNode, parseJsonTree, valueOf } from '../../../src/tasks/json/jsonTree.js';
import { positionsIn } from '../../../src/tasks/json/textPosition.js';

describe('parseJsonTree', () => {
  it('reads every JSON value as JSON.parse does, in any spacing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(valueOf(parseJsonTree(text)), JSON.parse(text));
        assert.deepEqual(valueOf(parseJsonTree(`\uFEFF \r\n${text}\n`)), JSON.parse(text));
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts', () => {
    const unit = fc.constantFrom(...'{}[]",:01-.eE+ \n\\utrufalsn'.split(''));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
        assert.equal(
          accepts(() => void parseJsonTree(text)),
          accepts(() => void JSON.parse(text)),
          JSON.stringify(text),
        );
      }),
      { numRuns: process.env['WHETSTONE_FULL'] === '1' ? 100_000 : 1000 },
    );
  });

  it('knows where a value stands, or the nearest one around it', () => {
    const text = '{ "a": [1, { "b": "x" }] }';
    const root = parseJsonTree(text);
    const node = nearestNode(root, ['a', 1, 'b']);
    assert.equal(text.slice(node.start, node.end), '"x"');
    const around = nearestNode(root, ['a', 1, 'none', 'deeper']);
    assert.equal(text.slice(around.start, around.end), '{ "b": "x" }');
  });

  it('takes the last of members with the same name, as JSON.parse does', () => {
    const text = '{"a": 1, "b": 2, "a": 3}';
    const root = parseJsonTree(text);
    assert.deepEqual(valueOf(root), JSON.parse(text));
    assert.equal(nearestNode(root, ['a']).start, text.lastIndexOf('3'));
  });

  it('keeps a key named __proto__ a key', () => {
    const value = valueOf(parseJsonTree('{"__proto__": {"polluted": true}}'));
    assert.deepEqual(Object.keys(value ?? {}), ['__proto__']);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('refuses nesting that would break the stack', () => {
    assert.throws(() => parseJsonTree('['.repeat(100_000)), /nested too deeply/);
  });

  const faults: readonly (readonly [string, number, RegExp])[] = [
    ['{"a": 1,}', 8, /name in double quotes/],
    ['{"a" 1}', 5, /Expected “:”/],
    ['[1 2]', 3, /“,” or “]”/],
    ['[1, // x\n2]', 4, /Expected a value/],
    ['{"a": "x', 6, /no closing quote/],
    ['{"a": "x\ny"}', 8, /must be escaped/],
    ['{"a": "\\x"}', 6, /escape/],
    ['{} x', 3, /Nothing may follow/],
    ['', 0, /ends where a value/],
  ];
  for (const [text, offset, what] of faults) {
    it(`says where ${JSON.stringify(text)} stops being JSON`, () => {
      assert.throws(
        () => parseJsonTree(text),
        (error) => error instanceof JsonSyntaxError && error.offset === offset && what.test(error.message),
      );
    });
  }
});

describe('positionsIn', () => {
  it('counts lines and columns from one, and leaves a byte order mark out', () => {
    const positionOf = positionsIn('\uFEFFab\r\ncd\n');
    assert.deepEqual(positionOf(1), { offset: 0, line: 1, column: 1 });
    assert.deepEqual(positionOf(6), { offset: 5, line: 2, column: 2 });
    assert.deepEqual(positionOf(8), { offset: 7, line: 3, column: 1 });
  });
});

function accepts(read: () => void): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
