import assert from 'node:assert/strict';
import { claudeCode } from '../../../../src/models/agents/claudeCode.js';
import type { AgentEvent, AgentOutcome } from '../../../../src/models/agents/agentKind.js';

describe('what Claude Code says at its end', () => {
  const assistant = { type: 'assistant', message: { model: 'claude-sonnet-5', content: [] } };
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'Hello.' };

  it('holds what it used and what that costs', () => {
    const usage = {
      input_tokens: 40,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 100,
      output_tokens: 12,
    };
    assert.deepEqual(read(assistant, { ...result, usage, total_cost_usd: 0.004 }), {
      kind: 'answered',
      text: 'Hello.',
      usage: { inputTokens: 240, outputTokens: 12, exact: true, usd: 0.004 },
    });
  });

  it('is no answer where only the program itself spoke', () => {
    const synthetic = { type: 'assistant', message: { model: '<synthetic>', content: [] } };
    assert.equal(read(synthetic, result).kind, 'failed');
    assert.equal(read(result).kind, 'failed');
  });

  for (const [said, error] of [
    ['Claude usage limit reached. Your limit will reset at 3pm.', 'quota'],
    ['Not logged in · Please run /login', 'auth'],
    ["There's an issue with the selected model (xyz).", 'model-not-found'],
  ] as const)
    it(`tells “${said}” as ${error}, though its subtype is success`, () => {
      const outcome = read(assistant, { ...result, is_error: true, result: said });
      assert.equal(outcome.kind === 'failed' ? outcome.error : undefined, error);
    });
});

function read(...events: readonly AgentEvent[]): AgentOutcome {
  return claudeCode.read({ events, words: '', written: '', code: 0, left: {} });
}
