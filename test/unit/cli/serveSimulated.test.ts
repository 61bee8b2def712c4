import assert from 'node:assert/strict';
import { Command } from 'commander';
import { addServeSimulated, type ServeRequest } from '../../../src/cli/commands/serveSimulated.js';
import { openTerminal } from '../../../src/cli/terminal.js';

describe('the flags of the simulated server', () => {
  const spellings = [
    ['--rate-429', '--truncated-stream', '--wrong-model'],
    ['--rate429', '--truncatedStream', '--wrongModel'], // as they were spelt before
  ] as const;
  for (const [rate, stream, model] of spellings) {
    it(`are read: ${rate}`, async () => {
      const { program, started } = aProgram();
      await program.parseAsync(['serve-simulated', rate, '0.5', stream, '0.25', model], { from: 'user' });
      assert.deepEqual(started[0]?.faults, { rate429: 0.5, truncatedStream: 0.25, wrongModel: true });
    });
  }

  it('say which failure each of them is, in one spelling', () => {
    const help = aProgram().program.commands[0]?.helpInformation() ?? '';
    assert.match(help, /--truncated-stream <share> +how often a streamed answer breaks off/);
    assert.match(help, /--wrong-model +every call is refused: the model is not known/);
    assert.doesNotMatch(help, /truncatedStream|rate429|wrongModel|this way/);
  });

  it('are followed by the address that each agent program wants', async () => {
    const { program, said } = aProgram();
    await program.parseAsync(['serve-simulated'], { from: 'user' });
    assert.match(said.join(''), /claude-code\/simulated-1 +ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:4010 /);
    for (const name of ['COPILOT_PROVIDER_BASE_URL', 'GOOGLE_GEMINI_BASE_URL', 'OPENCODE_CONFIG_CONTENT'])
      assert.ok(said.join('').includes(`${name}=`), name);
    assert.match(said.join(''), /WHETSTONE_CODEX_BASE_URL=http:\/\/127\.0\.0\.1:4010\/v1 /);
  });
});

function aProgram() {
  const started: ServeRequest[] = [];
  const said: string[] = [];
  const terminal = openTerminal({
    out: ignored,
    err: (text) => said.push(text),
    color: false,
    live: false,
    columns: 80,
  });
  const interrupted = new AbortController();
  const program = new Command();
  addServeSimulated(program, { terminal, signal: interrupted.signal }, (request) => {
    started.push(request);
    setImmediate(() => interrupted.abort());
    return Promise.resolve({ url: 'http://127.0.0.1:4010/v1', stop: () => Promise.resolve() });
  });
  return { program, started, said };
}

function ignored(): void {}
