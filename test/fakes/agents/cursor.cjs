#!/usr/bin/env node
// The events of Cursor's agent as its vendor documents them (`--print --output-format stream-json`).
const { say, standIn } = require('./standIn.cjs');

const assistant = (text) => ({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
const failed = (result) => {
  say({ type: 'result', subtype: 'error', is_error: true, result });
  process.exitCode = 1;
};

standIn('2025.10.01-abcdef0', {
  begin: () => say({ type: 'system', subtype: 'init', apiKeySource: 'env', model: 'stand-in' }),
  answer: (text, told) => {
    const usage = told === undefined ? undefined : { inputTokens: told.input, outputTokens: told.output };
    say(assistant(text), { type: 'result', subtype: 'success', is_error: false, result: text, usage });
  },
  tool: () => say({ type: 'tool_call', subtype: 'started', call_id: 't1', tool_call: {} }),
  half: (text) => say(assistant(text)),
  failed: (status, message) => failed(`Request failed with status ${status}: ${message}`),
  notLoggedIn: () => {
    process.stderr.write("Error: Authentication required. Please run 'cursor-agent login' first.\n");
    process.exitCode = 1;
  },
  dropped: () => failed('The connection was lost.'),
  badFlag: () => {
    process.stderr.write("error: unknown option '--frobnicate'\n");
    process.exitCode = 1;
  },
});
