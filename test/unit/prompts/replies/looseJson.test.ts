import assert from 'node:assert/strict';
import * as z from 'zod';
import { readLooseJson } from '../../../../src/prompts/replies/looseJson.js';

const rows: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ['commas too many', '{"a":[1,,2,],}', { a: [1, 2] }],
  ['commas too few', '{"a":"x"\n"b":"y"\n"c":[1 \n]}', { a: 'x', b: 'y', c: [1] }],
  ['a comma too few before a bare key', '{a: "x"\nb: 2}', { a: 'x', b: 2 }],
  ['single quotes', "{'a':'it is'}", { a: 'it is' }],
  ['curly quotes', '{“a”: “b”, ‘c’: ‘d’}', { a: 'b', c: 'd' }],
  ['bare keys and words', '{a: one, b_2: two words}', { a: 'one', b_2: 'two words' }],
  ['words of Python', '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
  ['words of JavaScript', '{"a": undefined, "b": NaN}', { a: null, b: null }],
  ['numbers', '[-1, 2.5, 3e2]', [-1, 2.5, 300]],
  ['remarks', '{ // one\n"a": 1, /* two */ "b": 2 /* three', { a: 1, b: 2 }],
  ['raw line breaks in a text', '{"a": "x\ny"}', { a: 'x\ny' }],
  ['quotes in a text', '{"a": "say "hi", then "bye" to all", "b": 1}', { a: 'say "hi", then "bye" to all', b: 1 }],
  ['quotes around the last word', '{"a": "say "hi""}', { a: 'say "hi"' }],
  ['escapes', '{"a": "\\n\\t\\u00e9\\"\\\\"}', { a: '\n\té"\\' }],
  ['escapes that JSON does not know', '{"a": "\\d+\\.", }', { a: '\\d+\\.' }],
  ['what was left out', '{"a": [1, ..., 3], ...}', { a: [1, 3] }],
  ['a cut in a text', '{"a": ["x", "yz', { a: ['x'] }],
  ['a cut in a number', '{"a": [1, 2', { a: [1] }],
  ['a cut in an entry', '{"a": [{"b": 1}, {"b": 2, "c": [3]', { a: [{ b: 1 }] }],
  ['a cut behind an entry', '{"a": [{"b": 1}, {"b": 2}', { a: [{ b: 1 }, { b: 2 }] }],
  ['a cut behind a key', '{"a": 1, "b"', { a: 1 }],
  ['a cut before a value', '{"a": 1, "b": ', { a: 1 }],
  ['a bracket that is missing', '{"a": [1, 2}', { a: [1, 2] }],
  ['a reply that was written as a text', '{\\"a\\": \\"x\\"}', { a: 'x' }],
  ['a name that objects have', '{"__proto__": {"x": 1},}', JSON.parse('{"__proto__": {"x": 1}}')],
  ['no value at all', '{"a": }', undefined],
  ['signs alone', '{:::', undefined],
  ['more levels than anybody asks for', '['.repeat(1_000), undefined],
];

describe('JSON as models write it', () => {
  for (const [what, text, value] of rows) {
    it(`${value === undefined ? 'is not' : 'may have'} ${what}`, () =>
      assert.deepEqual(readLooseJson(text)?.value, value));
  }

  it('never holds half an entry of a list, wherever it was cut off', () => {
    const edits = [
      { op: 'append', content: 'say "x", y\u00e9 {"a": [1]} to all', tasks: ['t1', 'long name'] },
      { op: 'delete', anchor: 'all, of "it"', tasks: [] },
    ];
    const whole = JSON.stringify({ failure_summary: [], edits });
    for (let end = 1; end < whole.length; end += 1) {
      for (const isKnownCut of [false, true]) {
        const read = z
          .object({ edits: z.array(z.unknown()).default([]) })
          .parse(readLooseJson(whole.slice(0, end), isKnownCut)?.value);
        assert.deepEqual(read.edits, edits.slice(0, read.edits.length), whole.slice(0, end));
      }
    }
  });

  it('loses the last entry before a cut that is known: a quote inside it may look like its end', () => {
    const text = '{"edits": [{"a": 1}, {"a": "write {"b": "c"}';
    assert.deepEqual(readLooseJson(text, true), { value: { edits: [{ a: 1 }] }, dropped: true });
  });

  it('is read wherever a reply was cut off', () => {
    const whole = '{"edits": [{"op": "append", "content": "say \\"x\\", y\\u00e9", "tasks": ["t1", 2, true]}]}';
    for (let end = 1; end <= whole.length; end += 1) {
      assert.equal(typeof readLooseJson(whole.slice(0, end))?.value, 'object', whole.slice(0, end));
    }
  });
});
