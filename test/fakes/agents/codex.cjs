#!/usr/bin/env node
// Codex's events (0.166.0, `exec --json`).
const { say, standIn } = require('./standIn.cjs');

if (process.argv[2] === 'debug') {
  const model = {
    slug: 'stand-in',
    visibility: 'list',
    priority: 1,
    shell_type: 'unified_exec',
    tool_mode: 'code_mode_only',
  };
  say({ models: [model] });
  process.exit(0);
}

const failed = (message) => {
  say({ type: 'error', message }, { type: 'turn.failed', error: { message } });
  process.exitCode = 1;
};
const statusNames = { 401: 'Unauthorized', 402: 'Payment Required' };

standIn('codex-cli 0.166.0', {
  begin: () =>
    say({ type: 'thread.started', thread_id: '01a1ea1c-ef9d-7321-8c94-95dde30dc2ab' }, { type: 'turn.started' }),
  answer: (text, told = { input: 240, output: 12 }) => {
    if (text !== '') say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } });
    const { input: input_tokens, output: output_tokens } = told;
    const usage = { input_tokens, cached_input_tokens: 0, output_tokens, reasoning_output_tokens: 0 };
    say({ type: 'turn.completed', usage });
  },
  tool: () =>
    process.stderr.write('2026-01-01T00:00:00Z ERROR codex_core::tools::router: error=unsupported call: shell\n'),
  limit: (text) => {
    say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } });
    failed('Incomplete response returned, reason: max_output_tokens');
  },
  half: (text) => say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } }),
  failed: (status, message) => {
    if (status === 429) return failed('exceeded retry limit, last status: 429 Too Many Requests');
    if (status === 500) return failed('We’re currently experiencing high demand, which may cause temporary errors.');
    failed(`unexpected status ${status} ${statusNames[status]}: ${message}, url: http://127.0.0.1/v1/responses`);
  },
  // Not logged in it goes on trying: the first word of that is enough.
  notLoggedIn: () => {
    say({ type: 'error', message: 'Reconnecting... 1/5 (unexpected status 401 Unauthorized: Missing bearer)' });
    setInterval(() => undefined, 1000);
  },
  dropped: () => failed('stream disconnected before completion: error sending request'),
  badFlag: () => {
    process.stderr.write("error: unexpected argument '--frobnicate' found\n");
    process.exitCode = 2;
  },
});
