import assert from 'node:assert/strict';
import * as z from 'zod';
import { assertLinear } from '../../../builders/linearTime.js';
import { parseReply } from '../../../../src/prompts/replies/parseReply.js';

const schema = z.object({ edits: z.array(z.string()) });
const wanted = { edits: ['a'] };

describe('parseReply', () => {
  const read: readonly (readonly [string, string, { edits: string[] }])[] = [
    ['plain JSON', '{"edits":["a"]}', wanted],
    ['a fence', 'Here:\n```json\n{"edits":["a"]}\n```\nDone.', wanted],
    ['a fence without a name', '```\n{"edits":["a"]}\n```', wanted],
    ['prose around it', 'I think {"edits":["a"]} is right.', wanted],
    ['a trailing comma', '{"edits":["a",],}', wanted],
    ['single quotes', "{'edits':['a']}", wanted],
    ['an unclosed end', 'Sure: {"edits":["a"', wanted],
    ['a comment inside', '{"edits":["a"] /* one */}', wanted],
    ['a fence inside a string', '{"edits":["```json\\n{}\\n```"]}', { edits: ['```json\n{}\n```'] }],
    ['braces inside a string', 'x {"edits":["}]{"]} y', { edits: ['}]{'] }],
    ['an escaped quote', 'x {"edits":["\\"}"]} y', { edits: ['"}'] }],
    ['text before a fence that opens a brace', 'In {x} I say\n```json\n{"edits":["a"]}\n```', wanted],
    ['another language around it', '答案如下：{"edits":["a"]}。', wanted],
  ];
  for (const [name, text, value] of read) {
    it(`reads ${name}`, () => assert.deepEqual(parseReply(text, schema), { kind: 'parsed', value }));
  }

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['an empty reply', '', /no JSON/],
    ['a refusal', 'I cannot help with that.', /no JSON/],
    ['another shape', '{"edits":"a"}', /edits/],
    ['a number', '7', /no JSON/],
  ];
  for (const [name, text, reason] of refused) {
    it(`calls ${name} malformed`, () => {
      const parsed = parseReply(text, schema);
      assert.equal(parsed.kind, 'malformed');
      assert.match(parsed.kind === 'malformed' ? parsed.reason : '', reason);
    });
  }

  it('does not look into a reply that is far longer than any that is asked for', () => {
    for (const text of ['word '.repeat(2_000_000), '{'.repeat(1_000_000), `{"edits":["${'a'.repeat(1_000_000)}"]}`]) {
      assert.deepEqual(parseReply(text, schema), {
        kind: 'malformed',
        reason: 'the reply is far longer than was asked for',
      });
    }
  });

  /** Each of them took, or takes in other readers, time that grows faster than the text, or the whole stack. */
  const shapes: readonly (readonly [name: string, part: string, before: string])[] = [
    ['one word', 'a', ''],
    ['words', 'word ', ''],
    ['openers of fences', '```a\n', ''],
    ['empty fences', '```\n```\n', ''],
    ['ticks', '`', ''],
    ['open braces', '{', ''],
    ['open brackets', '[', ''],
    ['open objects', '{"a":', ''],
    ['quotes and words', '"x" y ', '{"a": '],
    ['single quotes', "a' b'", "{'"],
    ['escaped quotes', '\\"', '{"a": "'],
    ['backslashes', '\\', '{"a": "'],
    ['commas', ',', '['],
    ['remarks', '/* x */', '{'],
    ['blanks', ' ', '{"a": "b"'],
    ['blanks and quotes', '"      ', '{"a": '],
    ['texts that are joined', '+"b"', '["a"'],
    ['edits without end', '{"op":"append","content":"x"},', '{"edits": ['],
  ];
  for (const [name, part, before] of shapes) {
    it(`takes time by its length for a reply of ${name}`, () => {
      assertLinear((length) => {
        parseReply(before + part.repeat(Math.floor(length / part.length)), schema);
      }, 10_000);
    });
  }

  for (const [name, text] of [
    ['fences that are never closed', '```a\n'.repeat(80_000)],
    ['fences without JSON', '```a\nno\n```\n'.repeat(30_000)],
    ['fences whose ends are too short', '````a\n```\n'.repeat(40_000)],
  ] as const) {
    it(`takes a reply of ${name} without stalling`, () => {
      assert.equal(parseReply(text, schema).kind, 'malformed');
    });
  }
});
