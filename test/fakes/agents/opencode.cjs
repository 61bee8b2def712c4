#!/usr/bin/env node
// OpenCode's events (1.18.33, `run --format json --print-logs --log-level ERROR`).
const { say, standIn } = require('./standIn.cjs');

const sessionID = 'ses_e15caa7f8ffeW6OU8Rme6aoYlB';
const event = (type, more) => ({ type, timestamp: 1, sessionID, ...more });
const text = (words) => event('text', { part: { type: 'text', text: words } });
const finish = (reason = 'stop', { input, output } = { input: 240, output: 12 }) => {
  const read = input > 100 ? 40 : 0;
  const tokens = { total: input + output, input: input - read, output, reasoning: 0, cache: { write: 0, read } };
  return event('step_finish', { part: { type: 'step-finish', reason, tokens, cost: 0 } });
};
const log = (message) =>
  process.stderr.write(
    `timestamp=1 level=ERROR message="stream error" agent=whetstone error.error="AI_APICallError: ${message}"\n`,
  );
/** What may pass is tried again for ever. */
const retrying = (message) => {
  log(message);
  setInterval(() => log(message), 20);
};
const failed = (message, statusCode) => {
  log(message);
  say(event('error', { error: { name: 'APIError', data: { message, statusCode, isRetryable: false } } }));
  process.exitCode = 1;
};

standIn('1.18.33', {
  answer: (words, told) =>
    say(event('step_start', { part: {} }), ...(words === '' ? [] : [text(words)]), finish('stop', told)),
  tool: () => say(event('step_start', { part: {} }), event('tool_use', { part: { type: 'tool', tool: 'shell' } })),
  limit: (words) => say(event('step_start', { part: {} }), text(words), finish('length')),
  half: (words) => say(event('step_start', { part: {} }), text(words)),
  failed: (status, message) => {
    if (status === 429) return retrying('Too many requests, slow down.');
    if (status === 500) return retrying('Internal server error.');
    failed(message, status);
  },
  notLoggedIn: () => failed('Incorrect API key provided.', 401),
  dropped: () => retrying('Cannot connect to API: The socket connection was closed unexpectedly.'),
  badFlag: () => {
    process.stderr.write('opencode run [message..]\n\nrun opencode with a message\n');
    process.exitCode = 1;
  },
});
