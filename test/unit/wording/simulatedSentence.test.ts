import assert from 'node:assert/strict';
import { simulatedSentence } from '../../../src/wording/amounts.js';
import { english } from '../../../src/wording/translate.js';

describe('that a result is one of the simulated model', () => {
  const simulated = 'simulated-1 (simulated)';
  const rows: readonly [name: string, target: string, optimizer: string, says: boolean][] = [
    ['is said where it played every part', simulated, simulated, true],
    ['is not said where a real model answered the tasks', 'ollama/qwen3:8b', simulated, false],
    ['is not said where a real model proposed the edits', simulated, 'ollama/qwen3:8b', false],
  ];
  for (const [name, target, optimizer, says] of rows) {
    it(name, () => {
      const said = simulatedSentence({ target, optimizer, simulated: true }, english);
      assert.equal(said !== undefined, says);
    });
  }

  it('is not said of real models', () =>
    assert.equal(simulatedSentence({ target: 'a', optimizer: 'a', simulated: false }, english), undefined));
});
