#!/usr/bin/env node
// Claude Code's events (2.1.325, `-p --output-format stream-json --verbose --include-partial-messages`).
const { say, standIn } = require('./standIn.cjs');

const session_id = '7f0c0000-0000-4000-8000-000000000001';
const result = (more) => ({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, session_id, ...more });
const assistant = (text, model = 'claude-stand-in') => ({
  type: 'assistant',
  message: { model, role: 'assistant', content: [{ type: 'text', text }] },
  session_id,
});
const delta = (text) => ({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  session_id,
});
const failed = (text, api_error_status) => {
  say(assistant(text, '<synthetic>'), result({ is_error: true, result: text, api_error_status }));
  process.exitCode = 1;
};

const stream = (event) => ({ type: 'stream_event', event, session_id });
const user = (content) => ({ type: 'user', message: { role: 'user', content: [content] }, session_id });

standIn('2.1.325 (Claude Code)', {
  begin: () => say({ type: 'system', subtype: 'init', session_id, tools: [], mcp_servers: [] }),
  answer: (text, told) => {
    const usual = {
      input_tokens: 40,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 100,
      output_tokens: 12,
    };
    const usage = told === undefined ? usual : { input_tokens: told.input, output_tokens: told.output };
    say(delta(text), assistant(text), result({ result: text, usage, total_cost_usd: 0.004 }));
  },
  tool: () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
    say(stream({ type: 'message_start', message: { usage: { input_tokens: 40_000, output_tokens: 1 } } }));
    say(stream({ type: 'content_block_start', index: 0, content_block: call }));
    say(user({ type: 'tool_result', is_error: true, tool_use_id: call.id, content: 'No such tool available.' }));
  },
  // It asks its model to go on by itself, and gives what came then.
  limit: (text) => {
    say(stream({ type: 'message_start', message: { usage: { input_tokens: 800, output_tokens: 1 } } }), delta(text));
    say(stream({ type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 32_000 } }));
    say(user({ type: 'text', text: 'Output token limit hit. Resume directly.' }));
    say(stream({ type: 'message_start', message: { usage: { input_tokens: 900, output_tokens: 1 } } }));
    say(delta('Part two.'), assistant('Part two.'), result({ result: 'Part two.' }));
  },
  half: (text) => say(delta(text), assistant(text)),
  failed: (status, message) => failed(`API Error: ${status} ${message}`, status),
  notLoggedIn: () => failed('Not logged in · Please run /login', null),
  dropped: () => failed('API Error: Connection error.', null),
  badFlag: () => {
    process.stderr.write("error: unknown option '--tools'\n");
    process.exitCode = 1;
  },
});
