import assert from 'node:assert/strict';
import { judgeReply } from '../../../../src/prompts/judge.js';
import { readEdits } from '../../../../src/prompts/replies/editReply.js';
import { mergeReply } from '../../../../src/prompts/edits/mergeEdits.js';
import { parseReply } from '../../../../src/prompts/replies/parseReply.js';
import { reflectionReply } from '../../../../src/prompts/reflection/reflection.js';

/** Written in the shapes that models of 0.5 to 8 billion parameters reply in; none is a recording. */

const short = '- Keep it short.';
const append = { op: 'append', content: short };
const replace = { op: 'replace', anchor: 'Be brief.', content: short };
const after = { op: 'insert_after', anchor: 'Be brief.', content: short };
const gone = { op: 'delete', anchor: 'Be brief.' };

type Row = readonly [name: string, reply: string, edits: readonly object[]];

describe('a reply with edits from a small model', () => {
  const read: readonly Row[] = [
    [
      'as it was asked for',
      '{"failure_summary": [], "edits": [{"op": "append", "content": "- Keep it short."}]}',
      [append],
    ],
    ['a list without its object', '[{"op": "append", "content": "- Keep it short."}]', [append]],
    ['an edit without its list', '{"op": "append", "content": "- Keep it short."}', [append]],
    [
      'edits line by line',
      '{"op": "append", "content": "- Keep it short."}\n{"op": "delete", "anchor": "Be brief."}',
      [append, gone],
    ],
    [
      'edits line by line, with commas',
      '{"op": "append", "content": "- Keep it short."},\n{"op": "delete", "anchor": "Be brief."}',
      [append, gone],
    ],
    ['one edit for the list', '{"edits": {"op": "delete", "anchor": "Be brief."}}', [gone]],
    [
      'edits by number',
      '{"edits": {"1": {"op": "delete", "anchor": "Be brief."}, "2": {"op": "append", "content": "- Keep it short."}}}',
      [gone, append],
    ],
    ['a list as a text', '{"edits": "[{\\"op\\": \\"delete\\", \\"anchor\\": \\"Be brief.\\"}]"}', [gone]],
    ['an object around it', '{"response": {"edits": [{"op": "delete", "anchor": "Be brief."}]}}', [gone]],
    ['the list twice', '{"edits": {"edits": [{"op": "delete", "anchor": "Be brief."}]}}', [gone]],
    ['each edit wrapped', '{"edits": [{"edit": {"op": "delete", "anchor": "Be brief."}}]}', [gone]],
    [
      'the kind as the key',
      '{"edits": [{"replace": {"anchor": "Be brief.", "content": "- Keep it short."}}]}',
      [replace],
    ],
    ['other case', '{"Edits": [{"Op": "REPLACE", "Anchor": "Be brief.", "Content": "- Keep it short."}]}', [replace]],
    [
      'camel case',
      '{"failureSummary": [], "edits": [{"op": "insertAfter", "anchor": "Be brief.", "content": "- Keep it short."}]}',
      [after],
    ],
    ['hyphens', '{"edits": [{"op": "insert-after", "anchor": "Be brief.", "content": "- Keep it short."}]}', [after]],
    ['spaces', '{"edits": [{"op": "Insert After", "anchor": "Be brief.", "content": "- Keep it short."}]}', [after]],
    [
      'target for anchor',
      '{"edits": [{"op": "replace", "target": "Be brief.", "content": "- Keep it short."}]}',
      [replace],
    ],
    ['action for op', '{"edits": [{"action": "delete", "anchor": "Be brief."}]}', [gone]],
    ['type for op', '{"edits": [{"type": "append", "text": "- Keep it short."}]}', [append]],
    ['remove for delete', '{"edits": [{"op": "remove", "anchor": "Be brief."}]}', [gone]],
    ['add for append', '{"edits": [{"op": "add", "content": "- Keep it short."}]}', [append]],
    [
      'the same under two names',
      '{"edits": [{"op": "replace", "anchor": "Be brief.", "old": "Be brief. ", "content": "- Keep it short.", "new": "- Keep it short."}]}',
      [replace],
    ],
    ['old and new', '{"edits": [{"old_text": "Be brief.", "new_text": "- Keep it short."}]}', [replace]],
    ['find and replace', '{"edits": [{"find": "Be brief.", "replace": "- Keep it short."}]}', [replace]],
    ['what is to go as its content', '{"edits": [{"op": "delete", "content": "Be brief."}]}', [gone]],
    [
      'lines in a list',
      '{"edits": [{"op": "append", "content": ["- Keep it", "  short."]}]}',
      [{ op: 'append', content: '- Keep it\n  short.' }],
    ],
    [
      'a rationale outside',
      '{"rationale": "too long", "edits": [{"op": "delete", "anchor": "Be brief."}]}',
      [{ ...gone, rationale: 'too long' }],
    ],
    [
      'a reason for a rationale',
      '{"edits": [{"op": "delete", "anchor": "Be brief.", "reason": "too long"}]}',
      [{ ...gone, rationale: 'too long' }],
    ],
    [
      'a task as a text',
      '{"edits": [{"op": "delete", "anchor": "Be brief.", "tasks": "t1, t2"}]}',
      [{ ...gone, tasks: ['t1', 't2'] }],
    ],
    [
      'a task as a number',
      '{"edits": [{"op": "delete", "anchor": "Be brief.", "task_id": 7}]}',
      [{ ...gone, tasks: ['7'] }],
    ],
    ['single quotes', "{'edits': [{'op': 'delete', 'anchor': 'Be brief.'}]}", [gone]],
    [
      'an apostrophe in single quotes',
      "{'edits': [{'op': 'append', 'content': 'Don\\'t guess.'}]}",
      [{ op: 'append', content: "Don't guess." }],
    ],
    ['words of Python', "{'edits': [{'op': 'delete', 'anchor': 'Be brief.', 'content': None}], 'done': True}", [gone]],
    [
      'three quotes of Python',
      '{"edits": [{"op": "append", "content": """- Keep it\n  short."""}]}',
      [{ op: 'append', content: '- Keep it\n  short.' }],
    ],
    ['commas too many', '{"edits": [{"op": "delete", "anchor": "Be brief.",},],}', [gone]],
    ['a comma too few', '{"edits": [{"op": "delete"\n"anchor": "Be brief."}]}', [gone]],
    ['keys without quotes', '{edits: [{op: "delete", anchor: "Be brief."}]}', [gone]],
    ['curly quotes', '{“edits”: [{“op”: “delete”, “anchor”: “Be brief.”}]}', [gone]],
    [
      'line breaks in a text',
      '{"edits": [{"op": "append", "content": "- Keep it\n  short."}]}',
      [{ op: 'append', content: '- Keep it\n  short.' }],
    ],
    [
      'quotes in a text',
      '{"edits": [{"op": "append", "content": "Write "Next step:" last."}]}',
      [{ op: 'append', content: 'Write "Next step:" last.' }],
    ],
    ['a remark', '{"edits": [ // one\n{"op": "delete", "anchor": "Be brief."}]}', [gone]],
    [
      'a fence',
      'Sure! Here is the JSON:\n```json\n{"edits": [{"op": "delete", "anchor": "Be brief."}]}\n```\nLet me know.',
      [gone],
    ],
    ['a fence of Python', '```python\n{"edits": [{"op": "delete", "anchor": "Be brief."}]}\n```', [gone]],
    ['a fence without an end', '```json\n{"edits": [{"op": "delete", "anchor": "Be brief."}]}', [gone]],
    [
      'prose around it',
      'The agent was wordy. {"edits": [{"op": "delete", "anchor": "Be brief."}]} That is all.',
      [gone],
    ],
    ['a name before it', 'json\n{"edits": [{"op": "delete", "anchor": "Be brief."}]}', [gone]],
    ['a variable', 'edits = [{"op": "delete", "anchor": "Be brief."}]', [gone]],
    ['no end', '{"edits": [{"op": "delete", "anchor": "Be brief."}, {"op": "append", "content": "- Keep', [gone]],
    [
      'a summary that is a text',
      '{"failure_summary": "wordy", "edits": [{"op": "delete", "anchor": "Be brief."}]}',
      [gone],
    ],
    [
      'a second reply behind the first',
      '{"edits": [{"op": "delete", "anchor": "Be brief."}]}\n{"edits": [{"op": "append", "content": "x"}]}',
      [gone],
    ],
    ['an edit behind the reply', '{"edits": []}\n{"op": "append", "content": "x"}', []],
    ['nothing to change', '{"failure_summary": [], "edits": []}', []],
  ];
  for (const [name, reply, edits] of read) {
    it(`is read: ${name}`, () => assert.deepEqual(editsIn(reply), { edits: edits.map(whole), malformed: 0 }));
  }

  const partly: readonly (readonly [name: string, reply: string, malformed: RegExp])[] = [
    [
      'every kind at once',
      '{"edits": [{"op": "append|insert_after|replace|delete", "anchor": "...", "content": "..."}]}',
      /not an edit/,
    ],
    [
      'a kind that says too little',
      '{"edits": [{"op": "update", "anchor": "Be brief.", "content": "- Keep it short."}]}',
      /not an edit/,
    ],
    [
      'an insertion before or after',
      '{"edits": [{"op": "insert", "anchor": "Be brief.", "content": "- Keep it short."}]}',
      /not an edit/,
    ],
    [
      'no kind, a place and a text',
      '{"edits": [{"anchor": "Be brief.", "content": "- Keep it short."}]}',
      /not an edit/,
    ],
    [
      'two kinds',
      '{"edits": [{"op": "replace", "action": "delete", "anchor": "Be brief.", "content": "x"}]}',
      /not an edit/,
    ],
    [
      'two texts',
      '{"edits": [{"op": "insert_after", "anchor": "Be brief.", "text": "- Keep it short.", "content": "- Ask."}]}',
      /not an edit/,
    ],
    [
      'two places',
      '{"edits": [{"op": "replace", "anchor": "Be brief.", "old_text": "Be kind.", "content": "- Ask."}]}',
      /not an edit/,
    ],
    [
      'a text that may be the old or the new one',
      '{"edits": [{"op": "replace", "anchor": "Be brief.", "text": "Be brief.", "new_text": "- Ask."}]}',
      /not an edit/,
    ],
    [
      'something added at a place, or behind it, or at the end',
      '{"edits": [{"op": "add", "anchor": "Be brief.", "content": "- Ask."}]}',
      /not an edit/,
    ],
    ['a replacement of nothing', '{"edits": [{"op": "replace", "content": "- Keep it short."}]}', /without an anchor/],
    ['a text that is an object', '{"edits": [{"op": "append", "content": {"rule": "short"}}]}', /not an edit/],
    ['words for an edit', '{"edits": ["Make the tone rule shorter."]}', /not an edit/],
    ['a comma too few on a line', '{"edits": [{"op": "delete" "anchor": "Be brief."}]}', /not an edit/],
  ];
  for (const [name, reply, says] of partly) {
    it(`holds no edit that could be read wrongly: ${name}`, () => {
      const parsed = parseReply(reply, reflectionReply);
      assert.equal(parsed.kind, 'parsed');
      const { edits, malformed } = readEdits(parsed.kind === 'parsed' ? parsed.value.edits : []);
      assert.match(malformed.join(), says);
      assert.deepEqual(edits, []);
    });
  }

  const refused: readonly (readonly [name: string, reply: string, reason: RegExp])[] = [
    ['nothing', '', /no JSON/],
    ['an empty list', '[]', /expected object/],
    ['an empty object', '{}', /edits/],
    ['words', 'The skill should tell the agent to be brief.', /no JSON/],
    ['words for the list', '{"edits": "none"}', /edits/],
    ['no list', '{"edits": null}', /edits/],
    ['bullets', '- replace "Be brief." with "Keep it short."', /no JSON/],
    ['YAML', 'edits:\n  - op: delete\n    anchor: Be brief.', /no JSON/],
    ['a difference', '--- SKILL.md\n+++ SKILL.md\n-Be brief.\n+Keep it short.', /no JSON/],
    ['XML', '<edit op="delete">Be brief.</edit>', /no JSON/],
    ['the skill itself', '# Tone\n\nKeep it short.', /no JSON/],
    ['a list of words', '["Keep it short.", "Never guess."]', /expected object/],
    ['an edit of no known kind', '[{"op": "append"}]', /expected object/],
    ['another question’s answer', '{"selected_indices": [0]}', /edits/],
    ['quotes of HTML', '{&quot;edits&quot;: []}', /no JSON/],
  ];
  for (const [name, reply, reason] of refused) {
    it(`is refused: ${name}`, () => {
      const parsed = parseReply(reply, reflectionReply);
      assert.match(parsed.kind === 'malformed' ? parsed.reason : JSON.stringify(parsed), reason);
      assert.equal(parsed.kind, 'malformed');
    });
  }

  it('is read by a merge as by an analyst', () => {
    const parsed = parseReply('[{"action": "remove", "target": "Be brief.", "support_count": "2"}]', mergeReply);
    const [edit] = readEdits(parsed.kind === 'parsed' ? parsed.value.edits : []).edits;
    assert.deepEqual([edit?.edit, edit?.support], [{ ...gone, rationale: '' }, 2]);
  });
});

describe('a grading by a small model', () => {
  const yes = { index: 0, pass: true, score: 1, reason: 'r' };
  const no = { index: 1, pass: false, score: 0, reason: 'r' };
  const read: readonly (readonly [name: string, reply: string, results: readonly object[]])[] = [
    ['a list without its object', '[{"index":0,"pass":true,"score":1,"reason":"r"}]', [yes]],
    ['a grade without its list', '{"index":0,"pass":true,"score":1,"reason":"r"}', [yes]],
    ['one grade for the list', '{"results":{"index":0,"pass":true,"score":1,"reason":"r"}}', [yes]],
    [
      'grades by number',
      '{"results":{"0":{"pass":true,"score":1,"reason":"r"},"1":{"pass":false,"score":0,"reason":"r"}}}',
      [yes, no],
    ],
    [
      'grades by name',
      '{"results":{"Criterion 0":{"pass":true,"score":1,"reason":"r"},"Criterion 1":{"pass":false,"score":0,"reason":"r"}}}',
      [yes, no],
    ],
    [
      'grades in order',
      '{"results":[{"pass":true,"score":1,"reason":"r"},{"pass":false,"score":0,"reason":"r"}]}',
      [yes, no],
    ],
    ['numbers as texts', '{"results":[{"index":"0","pass":true,"score":"1.0","reason":"r"}]}', [yes]],
    [
      'words for yes and no',
      '{"results":[{"index":0,"pass":"yes","score":1,"reason":"r"},{"index":1,"pass":"False","score":0,"reason":"r"}]}',
      [yes, no],
    ],
    ['other names', '{"grades":[{"criterion":0,"passed":true,"score":1,"explanation":"r"}]}', [yes]],
    ['no score', '{"results":[{"index":0,"pass":true,"reason":"r"},{"index":1,"pass":false,"reason":"r"}]}', [yes, no]],
    [
      'no pass, all or nothing',
      '{"results":[{"index":0,"score":1,"reason":"r"},{"index":1,"score":0,"reason":"r"}]}',
      [yes, no],
    ],
    ['no reason', '{"results":[{"index":0,"pass":true,"score":1}]}', [{ ...yes, reason: '' }]],
    ['words of Python', "{'results': [{'index': 0, 'pass': True, 'score': 1, 'reason': 'r'}]}", [yes]],
    ['an object around it', '{"judgement":{"results":[{"index":0,"pass":true,"score":1,"reason":"r"}]}}', [yes]],
    ['prose around it', 'It is fine.\n{"results":[{"index":0,"pass":true,"score":1,"reason":"r"}]}\nDone.', [yes]],
  ];
  for (const [name, reply, results] of read) {
    it(`is read: ${name}`, () =>
      assert.deepEqual(parseReply(reply, judgeReply), { kind: 'parsed', value: { results } }));
  }

  const refused: readonly (readonly [name: string, reply: string])[] = [
    ['half a score and no pass', '{"results":[{"index":0,"score":0.5,"reason":"r"}]}'],
    ['a score in words', '{"results":[{"index":0,"pass":true,"score":"high","reason":"r"}]}'],
    ['a score that is no number', '{"results":[{"index":0,"pass":true,"score":NaN,"reason":"r"}]}'],
    ['a score of another scale', '{"results":[{"index":0,"pass":true,"score":"8/10","reason":"r"}]}'],
    ['maybe', '{"results":[{"index":0,"pass":"partly","score":1,"reason":"r"}]}'],
    [
      'a number for one of two',
      '{"results":[{"index":0,"pass":true,"score":1,"reason":"r"},{"pass":true,"score":1,"reason":"r"}]}',
    ],
    ['a verdict on everything', '{"verdict":"good"}'],
    ['words', 'The answer meets both criteria.'],
  ];
  for (const [name, reply] of refused) {
    it(`is refused: ${name}`, () => assert.equal(parseReply(reply, judgeReply).kind, 'malformed'));
  }
});

function editsIn(reply: string): { readonly edits: readonly object[]; readonly malformed: number } {
  const parsed = parseReply(reply, reflectionReply);
  if (parsed.kind === 'malformed') throw new Error(parsed.reason);
  const { edits, malformed } = readEdits(parsed.value.edits);
  return { edits: edits.map(({ edit, tasks }) => ({ ...edit, tasks })), malformed: malformed.length };
}

function whole(edit: object): object {
  return { rationale: '', tasks: [], ...edit };
}
