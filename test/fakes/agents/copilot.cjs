#!/usr/bin/env node
// The events of GitHub's Copilot CLI (1.0.102, `--output-format json --stream on`).
const { writeFileSync } = require('node:fs');
const { say, standIn } = require('./standIn.cjs');

const event = (type, data) => ({ type, data, id: '861913ba-cf27-4198-be1d-3b78ec98746b' });
const message = (content) => event('assistant.message', { model: 'gpt-5', content, toolRequests: [] });
const leaveUsage = (told = { input: 240, output: 12 }) => {
  const at = process.argv.indexOf('--usage-output-file');
  const usage = { inputTokens: told.input, outputTokens: told.output, cacheReadTokens: 0 };
  if (at > 0) writeFileSync(process.argv[at + 1], JSON.stringify({ modelMetrics: { 'gpt-5': { usage } } }));
};
const failing = (data) => {
  say(event('model.call_failure', { model: 'gpt-5', retryAttempt: 0, ...data }));
  // It would try again.
  setInterval(() => undefined, 1000);
};

standIn('GitHub Copilot CLI 1.0.102.', {
  begin: () => say(event('session.tools_updated', { model: 'gpt-5' }), event('model.call_start', { turnId: '0' })),
  answer: (text, told) => {
    if (text === '') {
      say(
        event('session.error', {
          errorType: 'query',
          message: 'No response was returned. Send your message again to retry.',
        }),
      );
      process.exitCode = 1;
      return;
    }
    leaveUsage(told);
    say(event('assistant.message_delta', { deltaContent: text }), message(text), {
      type: 'result',
      exitCode: 0,
      usage: { premiumRequests: 0 },
    });
  },
  tool: () => {
    const call = { toolCallId: 't1', toolName: 'bash' };
    say(event('assistant.tool_call_delta', call), event('tool.execution_start', call));
  },
  limit: (text) => {
    say(event('assistant.turn_start', { turnId: '0' }), event('assistant.message_delta', { deltaContent: text }));
    say(event('assistant.turn_end', { turnId: '0' }), event('assistant.turn_start', { turnId: '1' }));
    say(event('assistant.message_delta', { deltaContent: 'Part two.' }), message('Part two.'));
    say({ type: 'result', exitCode: 0, usage: { premiumRequests: 0 } });
  },
  half: (text) => say(event('assistant.message_delta', { deltaContent: text }), message(text)),
  failed: (statusCode, text) =>
    failing({ statusCode, failureKind: 'api', errorMessage: JSON.stringify({ code: 'fake_failure', message: text }) }),
  notLoggedIn: () => {
    process.stderr.write('Error: No authentication information found.\n');
    process.exitCode = 1;
  },
  dropped: () =>
    failing({
      failureKind: 'transport',
      errorMessage: '"Failed native model HTTP request: connection closed before message completed"',
    }),
  badFlag: () => {
    process.stderr.write("error: unknown option '--frobnicate'\n");
    process.exitCode = 1;
  },
});
