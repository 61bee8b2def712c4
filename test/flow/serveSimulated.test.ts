import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createLearnedCapabilities } from '../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../src/models/openai/openaiModel.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { aRequest } from '../fakes/ScriptedModel.js';
import { modelContract, type Behaviour, type ContractHost, type Fault } from '../unit/models/modelContract.js';
import { builtProgram } from './children/builtProgram.js';

const { signal } = new AbortController();

describe('whetstone serve-simulated', () => {
  it('serves an OpenAI-compatible model on a port of its own, and fails as its flags say', async function () {
    const host = await asProcess();
    const { model } = host;
    try {
      const { text, usage } = await model.complete(aRequest({ maxOutputTokens: 2000 }), signal);
      assert.notEqual(text.trim(), '');
      assert.equal(usage.exact, true);
      await host.arrange({ kind: 'fault', fault: 'rate-limit' });
      await assert.rejects(model.complete(aRequest(), signal), { kind: 'rate-limit' });
      await host.arrange({ kind: 'answer', text: '' });
      assert.equal(
        (await model.complete(aRequest({ maxOutputTokens: 2000 }), signal)).text,
        text,
        'the same answer again',
      );
      assert.equal(host.calls(), 3);
    } finally {
      await host.stop();
    }
  });
});

if (process.env['WHETSTONE_FULL'] === '1') {
  modelContract('OpenAI-compatible on the process “whetstone serve-simulated”', asProcess, {
    beyond: ['answer', 'tool-call', 'cut', 'echo'],
  });
}

const flags: Readonly<Record<Fault, string>> = {
  'rate-limit': '--rate-429',
  'server-error': '--rate-500',
  malformed: '--malformed',
  disconnect: '--truncated-stream',
  empty: '--empty',
};

/** The command as it ships, in a process of its own; what it is to do is told by its flags, so it is started anew. */
async function asProcess(): Promise<ContractHost> {
  const { cli } = await builtProgram();
  let running = await started(cli, '0', []);
  const { port } = new URL(running.url);
  let asked = 0;
  const counting: typeof fetch = (...given) => {
    asked += 1;
    return fetch(...given);
  };
  const endpoint = { provider: 'custom', baseUrl: running.url, model: 'simulated-1', apiKey: 'sk-planted-key-0123' };
  const model: LanguageModel = createOpenAIModel(endpoint, { fetch: counting, learned: createLearnedCapabilities() });
  return {
    model,
    calls: () => asked,
    arrange: async (behaviour) => {
      await ended(running.child);
      running = await started(cli, port, flagsOf(behaviour));
    },
    stop: () => ended(running.child),
  };
}

function flagsOf(behaviour: Behaviour): readonly string[] {
  if (behaviour.kind === 'fault') return [flags[behaviour.fault], '1'];
  return behaviour.kind === 'late' ? ['--latency', String(behaviour.ms)] : [];
}

async function started(
  cli: string,
  port: string,
  words: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const child = spawn(process.execPath, [cli, 'serve-simulated', '--port', port, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = await once(child.stdout, 'data');
  return { child, url: String(said).trim() };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'close');
}
