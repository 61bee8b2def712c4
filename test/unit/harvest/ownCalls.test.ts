import assert from 'node:assert/strict';
import { isOwnFolder, isOwnPrompt } from '../../../src/harvest/ownCalls.js';
import { promptOf } from '../../../src/models/agents/agentPrompt.js';
import { allPrompts } from '../../../src/prompts/allPrompts.js';
import { renderPrompt } from '../../../src/prompts/renderPrompt.js';

describe('our own calls among sessions', () => {
  it('are known by every prompt that carries data, whatever the data', () => {
    const withData = allPrompts.filter(({ template }) => /^\{\{\w+\}\}$/mu.test(template.text));
    assert.ok(withData.length > 15, `only ${withData.length} prompts`);
    for (const data of ['Say when the shop opens.', '', '```js\n1\n```', '四舍五入\n'])
      for (const { template } of withData) {
        const values = Object.fromEntries(template.placeholders.map((name) => [name, data]));
        assert.ok(isOwnPrompt(renderPrompt(template, values, new Map())), template.name);
      }
  });

  it('are known by a conversation that is told as one text', () => {
    const messages = (['user', 'assistant', 'user'] as const).map((role) => ({ role, content: 'Hello.' }));
    assert.ok(isOwnPrompt(promptOf({ role: 'target', messages, maxOutputTokens: 1, attempt: 0 }).prompt));
  });

  it('are known by prompts that are answered by hand, and by the folders that programs are started in', () => {
    assert.ok(isOwnPrompt('Answer what waits in C:\\shop\\.whetstone\\handoff\\20261117-152608-4e7d5f, please.'));
    for (const folder of [
      '/tmp/whetstone-agent-Ab12Cd/work',
      '/dev/shm/whetstone-place-000000/work/src',
      'C:\\Users\\user\\AppData\\Local\\Temp\\whetstone-run-a1b2c3',
    ])
      assert.ok(isOwnFolder(folder), folder);
  });

  it('are not what a person writes or works in', () => {
    for (const text of ['```ts\nconst a = 1;\n```', '```log-today\nx\n```', 'Tidy .whetstone/config.yaml.', ''])
      assert.ok(!isOwnPrompt(text), text);
    for (const folder of ['/home/user/whetstone-plugin', '/home/user/whetstone', '/tmp/whetstone-agent-notes/a', ''])
      assert.ok(!isOwnFolder(folder), folder);
  });
});
