#!/usr/bin/env node
// Gemini CLI's events (0.61.0, `-o stream-json`).
const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { say, standIn } = require('./standIn.cjs');

const stats = { total_tokens: 252, input_tokens: 240, output_tokens: 12, cached: 0, tool_calls: 0 };
const message = (content) => ({ type: 'message', role: 'assistant', content, delta: true });
const failed = (text, code, status) => {
  if (status !== undefined)
    process.stderr.write(`Error when talking to Gemini API _ApiError {\n  status: ${status}\n}\n`);
  say({ type: 'result', status: 'error', error: { type: 'unknown', message: text }, stats });
  process.exitCode = code;
};

standIn('0.61.0', {
  begin: () => say({ type: 'init', session_id: '4914d39c-13ba-4268-af08-40ab4787f4d0', model: 'gemini-stand-in' }),
  answer: (text, told) => {
    if (text === '') return failed('The model returned an empty response with no text or thoughts.', 1);
    const counted = told === undefined ? stats : { ...stats, input_tokens: told.input, output_tokens: told.output };
    say(message(text), { type: 'result', status: 'success', stats: counted });
  },
  tool: () => say({ type: 'tool_use', tool_name: 'run_shell_command', tool_id: 't1', parameters: {} }),
  limit: (text) => {
    const { telemetry } = JSON.parse(readFileSync(path.join(process.env.HOME, '.gemini', 'settings.json'), 'utf8'));
    writeFileSync(telemetry.outfile, JSON.stringify({ attributes: { finish_reasons: ['length'] } }, undefined, 2));
    say(message(text), { type: 'result', status: 'success', stats });
  },
  half: (text) => say(message(text)),
  failed: (status, text) =>
    failed(`[API Error: ${JSON.stringify({ error: { code: 'fake_failure', message: text } })}]`, status % 256, status),
  notLoggedIn: () => {
    process.stderr.write('Please set an Auth method in your settings.json or specify GEMINI_API_KEY\n');
    process.exitCode = 41;
  },
  dropped: () => failed('[API Error: exception TypeError: fetch failed sending request]', 1),
  badFlag: () => {
    process.stderr.write('Unknown argument: frobnicate\n');
    process.exitCode = 1;
  },
});
