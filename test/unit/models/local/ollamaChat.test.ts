import assert from 'node:assert/strict';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import { ModelError } from '../../../../src/errors.js';
import type { LanguageModel, ModelRequest } from '../../../../src/ports/languageModel.js';
import { ChatServer } from '../../../fakes/ChatServer.js';
import { OllamaServer } from '../../../fakes/OllamaServer.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';

const signal = new AbortController().signal;

function modelAt(host: string, extraBody?: Readonly<Record<string, unknown>>): LanguageModel {
  const endpoint = { provider: 'ollama', baseUrl: `http://${host}/v1`, model: OllamaServer.model, apiKey: undefined };
  return createOpenAIModel({ ...endpoint, extraBody }, { fetch, learned: createLearnedCapabilities() });
}

function request(words: number): ModelRequest {
  const content = Array.from({ length: words }, () => 'rule').join(' ');
  return { role: 'target', messages: [{ role: 'user', content }], maxOutputTokens: 64, attempt: 1 };
}

/** The same with room for a long answer. */
function asked(words: number): ModelRequest {
  return { ...request(words), maxOutputTokens: 4_096 };
}

/** A line for each piece of an answer. */
function lines(...pieces: readonly object[]): string {
  return pieces.map((piece) => `${JSON.stringify(piece)}\n`).join('');
}

describe('a model of Ollama', () => {
  let server: OllamaServer;
  before(async () => void (server = await OllamaServer.start({ context: 512 })));
  after(() => server.stop());

  it('gives no answer to half a prompt, names what to set, and is given up after the second', async () => {
    const model = modelAt(server.host);
    assert.notEqual((await model.complete(request(50), signal)).text, '');
    await assert.rejects(model.complete(request(900), signal), (error: unknown) => {
      assert.ok(error instanceof ModelError);
      assert.equal(error.kind, 'cut-prompt');
      assert.match(error.message, /read 512 tokens of a prompt of about 1\d{3}/u);
      assert.match(error.cure, /OLLAMA_CONTEXT_LENGTH=2048/u);
      return true;
    });
    await assert.rejects(model.complete(request(800), signal), { kind: 'endpoint' });
  });

  it('reads the same prompt whole where a longer context is asked for, through its own interface', async () => {
    const before = server.cut;
    const reply = await modelAt(server.host, { num_ctx: 4_096 }).complete(request(900), signal);
    assert.equal(server.cut, before);
    assert.notEqual(reply.text, '');
    assert.ok(reply.usage.exact && reply.usage.inputTokens > 1_000);
  });
});

describe('a context that is asked for', () => {
  const extraBody = { num_ctx: 16_384 };
  const rows: readonly (readonly [provider: string, baseUrl: string, path: string])[] = [
    ['ollama', 'http://gpu.lan:8080/v1', '/api/chat'],
    ['custom', 'http://gpu.lan:11434/v1', '/api/chat'],
    ['custom', 'http://gpu.lan:11434', '/api/chat'],
    ['custom', 'http://gpu.lan:4000/v1', '/v1/chat/completions'],
  ];
  for (const [provider, baseUrl, path] of rows) {
    it(`goes to ${path} of ${provider} at ${baseUrl}`, () => {
      const endpoint = { provider, baseUrl, model: 'm', apiKey: undefined, extraBody };
      const model = createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
      assert.equal(new URL(model.wire?.(request(3)).url ?? '').pathname, path);
    });
  }
});

describe('an answer that does not end before the context of Ollama is full', () => {
  const numbers = Array.from({ length: 9_000 }, (_, at) => String(at)).join(' ');
  const wordy = new ScriptedModel().when(() => true, numbers);
  let server: OllamaServer;
  before(async () => void (server = await OllamaServer.start({ context: 2_048, model: wordy })));
  after(() => server.stop());

  it('counts as cut, for the model forgot there what it was asked, and later ones are not asked for more', async () => {
    const model = modelAt(server.host);
    const first = await model.complete(asked(200), signal);
    assert.equal(server.forgot, 1);
    assert.equal(first.finish, 'length');
    const second = await model.complete(asked(210), signal);
    assert.equal(second.finish, 'length');
    assert.ok(second.usage.outputTokens < 2_048, `${second.usage.outputTokens} tokens`);
    assert.ok(second.usage.inputTokens + second.usage.outputTokens >= 2_048, 'it had less room than there is');
  });

  it('is none where the prompt left hardly any room: a longer context is asked for', async () => {
    const model = modelAt(server.host);
    await assert.rejects(model.complete(asked(1_200), signal), (error: unknown) => {
      assert.ok(error instanceof ModelError);
      assert.equal(error.kind, 'cut-prompt');
      assert.match(error.message, /^The prompt left 3\d\d tokens of the server’s context for an answer/u);
      assert.match(error.cure, /OLLAMA_CONTEXT_LENGTH=4096/u);
      return true;
    });
    await assert.rejects(model.complete(asked(1_210), signal), { kind: 'endpoint' });
  });

  it('is one like any other where it ends before', async () => {
    const brief = await OllamaServer.start({ context: 2_048, model: new ScriptedModel().when(() => true, 'Done.') });
    const reply = await modelAt(brief.host).complete(asked(1_200), signal);
    assert.equal(reply.finish, 'stop');
    await brief.stop();
  });
});

describe('Ollama’s own interface', () => {
  let server: ChatServer;
  before(async () => void (server = await ChatServer.start()));
  after(() => server.stop());
  const hostOf = (): string => new URL(server.baseUrl).host;

  it('is sent what OpenAI’s would be, in its own words, as the preview shows it', async () => {
    server.answers((response) =>
      response.end(
        lines(
          { message: { content: '{"a":' } },
          { message: { content: '1}' }, done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 4 },
        ),
      ),
    );
    const model = modelAt(hostOf(), { num_ctx: 4_096, top_k: 5, keep_alive: '1h' });
    const schema = {
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    };
    const question: ModelRequest = { ...request(3), temperature: 0, replySchema: { name: 'r', schema } };
    const reply = await model.complete(question, signal);
    assert.equal(reply.text, '{"a":1}');
    const sent = server.requests.find(({ path }) => path === '/api/chat')?.body;
    assert.deepEqual(sent, {
      model: OllamaServer.model,
      messages: [{ role: 'user', content: 'rule rule rule' }],
      stream: true,
      keep_alive: '1h',
      options: { num_ctx: 4_096, top_k: 5, temperature: 0, num_predict: 64 },
      format: schema,
    });
    assert.deepEqual(model.wire?.(question), { url: `http://${hostOf()}/api/chat`, body: sent });
  });

  it('gives tool calls and thinking as others give them', async () => {
    server.answers((response) =>
      response.end(
        lines(
          { message: { content: '', thinking: 'hm' } },
          { message: { content: '', tool_calls: [{ function: { name: 'look', arguments: { at: 'x' } } }] } },
          { done: true, done_reason: 'stop' },
        ),
      ),
    );
    const reply = await modelAt(hostOf(), { num_ctx: 4_096 }).complete(request(3), signal);
    assert.deepEqual(
      [reply.finish, reply.toolCalls],
      ['tool-calls', [{ id: 'call_0', name: 'look', arguments: '{"at":"x"}' }]],
    );
  });

  it('is no answer where it breaks off, fails in the middle, or says no JSON', async () => {
    const model = modelAt(hostOf(), { num_ctx: 4_096 });
    for (const [said, kind] of [
      [lines({ message: { content: 'half' } }), 'unavailable'],
      [lines({ message: { content: 'half' } }, { error: 'llama runner process has terminated' }), 'unavailable'],
      ['<html>', 'malformed'],
    ] as const) {
      server.answers((response) => response.end(said));
      await assert.rejects(model.complete(request(3), signal), { kind }, said);
    }
  });
});
