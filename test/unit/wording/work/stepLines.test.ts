import assert from 'node:assert/strict';
import type { WorkEvent } from '../../../../src/ports/agentWork.js';
import { english } from '../../../../src/wording/translate.js';
import { stepLines, stepText } from '../../../../src/wording/work/stepLines.js';

const place = '/tmp/whetstone-place-Xy1/3/work';

/** What each program calls it, and what a person reads. */
const tools: readonly (readonly [name: string, input: string, line: string, command?: string])[] = [
  ['Bash', '{"command":"npm test"}', 'Command: npm test', 'npm test'],
  ['shell', 'ls', 'Command: ls', 'ls'],
  ['run_shell_command', '{}', 'Command: a && b', 'a &&\nb'],
  ['Edit', `{"file_path":"${place}/docs/a.md","old_string":"x"}`, 'File changed: docs/a.md'],
  ['edit', '{"path":"prices.csv","from":"1","to":"2"}', 'File changed: prices.csv'],
  ['edit', '{"filePath":"./a b.md","oldString":"x"}', 'File changed: a b.md'],
  ['replace', '{"file_path":"a\\"b.md"}', 'File changed: a"b.md'],
  ['Write', `{"file_path":"${place}/new.md","content":"\\"path\\": 1"}`, 'File written: new.md'],
  ['create', '{"path":"/elsewhere/new.md"}', 'File written: /elsewhere/new.md'],
  ['Read', '{"file_path":"a.md"}', 'File read: a.md'],
  ['read_file', '{"absolute_path":"/x/a.md"}', 'File read: /x/a.md'],
  ['view', '{"path":"a.md"}', 'File read: a.md'],
  ['file_change', '[{"path":"a.md","kind":"add"}]', 'File added: a.md'],
  ['file_change', '[{"path":"a.md","kind":"update"},{"path":"b.md","kind":"update"}]', 'File changed: a.md, b.md'],
  ['file_change', '[{"path":"a.md","kind":"add"},{"path":"b.md","kind":"delete"}]', 'Files changed: a.md, b.md'],
  ['apply_patch', '{"patchText":"*** Begin Patch\\n*** Delete File: old.md\\n*** End Patch"}', 'File deleted: old.md'],
  ['list_directory', `{"path":"${place}"}`, 'Folder listed: .'],
  ['LS', '{}', 'Folder listed: .'],
  ['Grep', '{"pattern":"price","path":"."}', 'Search: price'],
  ['web_search', 'what it costs', 'Search: what it costs'],
  ['WebFetch', '{"url":"https://x.example","deep":true}', 'Tool WebFetch: url: https://x.example, deep: true'],
  ['mystery', '{"a":{"b":1}}', 'Tool mystery: {"a":{"b":1}}'],
  ['Edit', '{"changes":1}', 'Tool Edit: changes: 1'],
  ['Write', '{"file_path":"a.md","content":"lo\n… 99 letters are left out …\nng"', 'File written: a.md'],
];

describe('a step of an agent in a line', () => {
  for (const [name, input, line, command] of tools)
    it(`${name} ${input} is “${line}”`, () => {
      const event = {
        kind: 'tool' as const,
        name,
        input,
        output: 'said',
        ...(command === undefined ? {} : { command }),
      };
      const [step] = stepLines([event], english);
      assert.equal(step === undefined ? '' : stepText(step, english), line);
      assert.equal(step?.output, 'said');
    });

  const others: readonly (readonly [WorkEvent, string])[] = [
    [{ kind: 'user', text: 'Do it.\nNow.' }, 'Request: Do it. Now.'],
    [{ kind: 'assistant', text: 'On it.' }, 'Said: On it.'],
    [{ kind: 'skill', name: 'greeter', how: 'tool' }, 'Skill: greeter, loaded'],
    [{ kind: 'skill', name: 'greeter', how: 'read' }, 'Skill: greeter, its file was read'],
    [{ kind: 'skill', name: 'greeter', how: 'prompt' }, 'Skill: greeter, as the prompt said'],
    [{ kind: 'usage', inputTokens: 1200, outputTokens: 7 }, 'Tokens: 1,200 read, 7 written'],
    [{ kind: 'end', ok: true, reason: 'done' }, 'End: by itself'],
    [{ kind: 'end', ok: false, reason: 'The server broke.' }, 'End (failed): The server broke.'],
    [{ kind: 'tool', name: 'Bash', input: '', output: '', ok: false, command: 'x' }, 'Command (failed): x'],
    [
      { kind: 'tool', name: 'shell', input: 'x', output: '', ok: true, command: 'x', onlyTold: true },
      'Command told, not run: x',
    ],
  ];
  for (const [event, line] of others)
    it(`says “${line}”`, () =>
      assert.deepEqual(
        stepLines([event], english).map((step) => stepText(step, english)),
        [line],
      ));

  it('leaves out words that say nothing', () =>
    assert.deepEqual(stepLines([{ kind: 'assistant', text: ' \n' }], english), []));
});
