import assert from 'node:assert/strict';
import { readEdits } from '../../../../src/prompts/replies/editReply.js';
import { mergeReply, rankReply } from '../../../../src/prompts/edits/mergeEdits.js';
import { parseReply } from '../../../../src/prompts/replies/parseReply.js';
import {
  reflectionReply,
  reflectionReplySchema,
  mergeReplySchema,
} from '../../../../src/prompts/reflection/reflection.js';

describe('the edits of a reply', () => {
  const lawful: readonly (readonly [name: string, value: unknown, edit: Readonly<Record<string, unknown>>])[] = [
    ['an append', { op: 'append', content: 'x', rationale: 'y' }, { op: 'append', content: 'x', rationale: 'y' }],
    ['an add, which is an append', { op: 'add', content: 'x' }, { op: 'append', content: 'x', rationale: '' }],
    [
      'a target, which is an anchor',
      { op: 'replace', target: 'a', content: 'x' },
      { op: 'replace', anchor: 'a', content: 'x', rationale: '' },
    ],
    ['a delete without content', { op: 'delete', anchor: 'a' }, { op: 'delete', anchor: 'a', rationale: '' }],
    [
      'a replacement by nothing',
      { op: 'replace', anchor: 'a', content: '' },
      { op: 'replace', anchor: 'a', content: '', rationale: '' },
    ],
    [
      'nulls where text could be',
      { op: 'insert_after', anchor: 'a', content: 'x', rationale: null, tasks: null },
      { op: 'insert_after', anchor: 'a', content: 'x', rationale: '' },
    ],
  ];
  for (const [name, value, edit] of lawful) {
    it(`may be ${name}`, () =>
      assert.deepEqual(
        readEdits([value]).edits.map((read) => read.edit),
        [edit],
      ));
  }

  const malformed: readonly (readonly [name: string, value: unknown, says: RegExp])[] = [
    ['an op nobody knows', { op: 'upsert', content: 'x' }, /not an edit/],
    ['a text', 'append “x”', /not an edit/],
    ['nothing', null, /not an edit/],
    ['an append of nothing', { op: 'append', content: '  ' }, /appends nothing/],
    ['a replace without an anchor', { op: 'replace', content: 'x' }, /without an anchor/],
    ['an insert of nothing', { op: 'insert_after', anchor: 'a', content: '' }, /inserts nothing/],
    ['a delete without an anchor', { op: 'delete' }, /without an anchor/],
  ];
  for (const [name, value, says] of malformed) {
    it(`are read on past ${name}, which is counted with the reason`, () => {
      const { edits, malformed: reasons } = readEdits([value, { op: 'append', content: 'good' }]);
      assert.equal(edits.length, 1);
      assert.match(reasons.join(), says);
    });
  }

  it('keep the tasks and the support that the reply states, numbers as text', () => {
    const [read] = readEdits([{ op: 'append', content: 'x', tasks: ['a', 7], support_count: 3 }]).edits;
    assert.deepEqual([read?.tasks, read?.support], [['a', '7'], 3]);
  });
});

describe('a reply of the optimizer', () => {
  const hostile: readonly (readonly [name: string, text: string, readable: boolean])[] = [
    ['nothing at all', '', false],
    ['a refusal', 'I cannot help with that.', false],
    ['another language', 'Ich würde die Anleitung kürzen.', false],
    ['prose around JSON', 'Sure!\n\n```json\n{"edits": []}\n```\nHope this helps.', true],
    ['JSON that breaks off', '{"failure_summary": [], "edits": [{"op": "append", "content": "x"', true],
    ['a trailing comma', '{"edits": [],}', true],
    ['a list instead of an object', '[{"op": "append"}]', false],
    ['edits that are a text', '{"edits": "none"}', false],
    ['a failure summary that is a text', '{"failure_summary": "all bad", "edits": []}', true],
    ['a count that is no number', '{"failure_summary": [{"count": "many"}], "edits": []}', true],
  ];
  for (const [name, text, readable] of hostile) {
    it(`that is ${name} ${readable ? 'can be read' : 'cannot be read'}`, () => {
      assert.equal(parseReply(text, reflectionReply).kind, readable ? 'parsed' : 'malformed');
    });
  }

  it('to a merge needs no reasoning, and to a ranking needs a list of numbers', () => {
    assert.equal(parseReply('{"edits": []}', mergeReply).kind, 'parsed');
    assert.equal(parseReply('{"selected_indices": [1, 0]}', rankReply).kind, 'parsed');
    assert.equal(parseReply('{"selected_indices": ["first"]}', rankReply).kind, 'malformed');
  });

  it('is asked for by a schema in which every field is required and nothing else is allowed', () => {
    for (const { schema } of [reflectionReplySchema, mergeReplySchema]) {
      assert.equal(schema.additionalProperties, false);
      assert.deepEqual([...schema.required].sort(), Object.keys(schema.properties).sort());
      const item = schema.properties.edits.items;
      assert.equal(item.additionalProperties, false);
      assert.deepEqual([...item.required].sort(), Object.keys(item.properties).sort());
    }
  });
});
