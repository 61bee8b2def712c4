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
    ['API Error: Server is temporarily limiting requests (not your usage limit)', undefined],
  ] as const)
    it(`tells “${said}” as ${error}, though its subtype is success`, () => {
      const outcome = read(assistant, { ...result, is_error: true, result: said });
      assert.equal(outcome.kind === 'failed' ? outcome.error : undefined, error);
    });
});

const start = (input_tokens: number): AgentEvent => ({
  type: 'stream_event',
  event: { type: 'message_start', message: { usage: { input_tokens, output_tokens: 1 } } },
});
const end = (stop_reason: string, output_tokens: number): AgentEvent => ({
  type: 'stream_event',
  event: { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens } },
});

describe('what Claude Code says on its way', () => {
  it('tells what was used over all that it asked', () => {
    const used = claudeCode.used?.([start(800), end('max_tokens', 32_000), start(900), end('end_turn', 20)]);
    assert.deepEqual(used, { inputTokens: 1_700, outputTokens: 32_020, exact: true });
  });

  it('ends it at once where it tells that it failed: it may linger after its last line', () => {
    const last = {
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 401,
      result: 'API Error: 401',
    };
    const stop = claudeCode.stops?.(last, { events: [], words: '', written: '' });
    assert.deepEqual(stop, { kind: 'failed', said: 'API Error: 401', status: 401 });
    const good = { ...last, is_error: false };
    assert.equal(claudeCode.stops?.(good, { events: [], words: '', written: '' }), undefined);
  });

  it('ends it where it would ask again, with nothing to be seen', () => {
    const user = { type: 'user', isSynthetic: true, message: { role: 'user', content: [] } };
    const before = { events: [start(800), end('end_turn', 5_000)], words: '', written: '' };
    assert.equal(claudeCode.stops?.(user, before)?.kind, 'failed');
    assert.equal(claudeCode.stops?.(end('end_turn', 5_000), before), undefined);
  });

  for (const [input, output] of [
    [1.5, 0.25],
    [1e15, 1e15],
    [-1e6, -5e5],
  ] as const)
    it(`is not believed where it tells ${input} and ${output} tokens`, () => {
      assert.equal(claudeCode.used?.([start(input), end('end_turn', output)]), undefined);
    });
});

function read(...events: readonly AgentEvent[]): AgentOutcome {
  return claudeCode.read({ events, words: '', written: '', code: 0, left: {} });
}
