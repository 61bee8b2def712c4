import assert from 'node:assert/strict';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import type { LanguageModel, ModelReply } from '../../../../src/ports/languageModel.js';
import { ChatServer, json, rawStream, refusal, stream, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();

describe('OpenAI-compatible model', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await ChatServer.start();
  });
  afterEach(() => server.stop());

  const modelOf = (parts: Partial<Endpoint> = {}): LanguageModel =>
    createOpenAIModel(
      { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: 'sk-test-0123456789', ...parts },
      { fetch, learned: createLearnedCapabilities() },
    );
  const ask = (answer: ChatAnswer, request = aRequest()): Promise<ModelReply> => {
    server.answers(answer);
    return modelOf().complete(request, signal);
  };

  describe('asks', () => {
    it('with the request in OpenAI’s words, streaming, with usage', async () => {
      server.answers(stream());
      await modelOf().complete(
        aRequest({
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hello.' },
            { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'look', arguments: '{"a":1}' }] },
            { role: 'tool', toolCallId: '1', content: 'found' },
          ],
          temperature: 0.3,
          tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
        }),
        signal,
      );
      const [request] = server.requests;
      assert.equal(request?.path, '/v1/chat/completions');
      assert.equal(request?.headers.authorization, 'Bearer sk-test-0123456789');
      assert.deepEqual(request?.body, {
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hello.' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: '1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
          },
          { role: 'tool', content: 'found', tool_call_id: '1' },
        ],
        max_tokens: 100,
        temperature: 0.3,
        tools: [
          { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
        ],
        stream: true,
        stream_options: { include_usage: true },
      });
    });

    it('without what the SDK would tell or take by itself', async () => {
      const variables = {
        OPENAI_ORG_ID: 'org',
        OPENAI_PROJECT_ID: 'proj',
        OPENAI_BASE_URL: 'http://127.0.0.1:9',
        OPENAI_API_KEY: 'sk-other',
      };
      const before = { ...process.env };
      Object.assign(process.env, variables);
      try {
        server.answers(stream());
        await modelOf({ apiKey: undefined }).complete(aRequest(), signal);
      } finally {
        for (const name of Object.keys(variables)) {
          if (before[name] === undefined) delete process.env[name];
          else process.env[name] = before[name];
        }
      }
      const names = Object.keys(server.requests[0]?.headers ?? {});
      assert.deepEqual(
        names.filter((name) => /stainless|openai-/.test(name)),
        [],
      );
      assert.equal(server.requests[0]?.headers.authorization, 'Bearer none');
    });

    it('for Azure at the deployment, with the key in its own header', async () => {
      server.answers(stream());
      const resource = server.baseUrl.replace(/\/v1$/, '');
      const azure = { provider: 'azure', baseUrl: resource, model: 'my-gpt', apiKey: 'azure-key' };
      await modelOf({ ...azure, apiVersion: '2024-10-21' }).complete(aRequest(), signal);
      await modelOf({ ...azure, baseUrl: `${resource}/openai/v1/` }).complete(aRequest(), signal);
      assert.deepEqual(
        server.requests.map(({ path }) => path),
        ['/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21', '/openai/v1/chat/completions'],
      );
      for (const { headers } of server.requests) {
        assert.equal(headers['api-key'], 'azure-key');
        assert.equal(headers.authorization, undefined);
      }
    });

    it('with half a surrogate pair mended, which no server would take', async () => {
      server.answers(stream());
      await modelOf().complete(aRequest({ messages: [{ role: 'user', content: 'a\uD83D b' }] }), signal);
      assert.deepEqual(server.requests[0]?.body['messages'], [{ role: 'user', content: 'a\uFFFD b' }]);
    });

    it('with options that only this server knows', async () => {
      server.answers(stream());
      await modelOf({ extraBody: { reasoning_effort: 'low' } }).complete(aRequest(), signal);
      assert.equal(server.requests[0]?.body['reasoning_effort'], 'low');
    });

    it('with the limit of the request alone, which holds the one in the address', async () => {
      server.answers(stream());
      await modelOf({ extraBody: { max_tokens: 9_000, max_completion_tokens: 8_000 } }).complete(aRequest(), signal);
      const { max_tokens: limit, max_completion_tokens: other } = server.requests[0]?.body ?? {};
      assert.deepEqual([limit, other], [100, undefined]);
    });

    const thinkers: readonly (readonly [provider: string, said: Readonly<Record<string, unknown>>])[] = [
      ['anthropic', { thinking: { type: 'enabled', budget_tokens: 40 } }],
      ['openrouter', { reasoning: { max_tokens: 40 } }],
      ['qwen', { enable_thinking: true, thinking_budget: 40 }],
      ['gemini', { extra_body: { google: { thinking_config: { thinking_budget: 40 } } } }],
      ['custom', {}],
    ];
    for (const [provider, said] of thinkers) {
      it(`${provider} for so much thinking in its own words`, async () => {
        server.answers(stream());
        await modelOf({ provider }).complete(aRequest({ thinkingTokens: 40 }), signal);
        const { body = {} } = server.requests[0] ?? {};
        for (const [name, value] of Object.entries(said)) assert.deepEqual(body[name], value);
        assert.equal(JSON.stringify(body).includes('thinking'), provider !== 'custom' && provider !== 'openrouter');
      });
    }

    it('for thinking as the person says behind the model’s name, and for less than the whole answer', async () => {
      server.answers(stream());
      const thinking = { type: 'disabled' };
      await modelOf({ provider: 'anthropic', extraBody: { thinking } }).complete(
        aRequest({ thinkingTokens: 40 }),
        signal,
      );
      await modelOf({ provider: 'anthropic' }).complete(aRequest({ thinkingTokens: 100 }), signal);
      assert.deepEqual(
        server.requests.map(({ body }) => body['thinking']),
        [thinking, { type: 'enabled', budget_tokens: 50 }],
      );
    });

    it('the simulated server with role and attempt, so that a retry draws the same answer', async () => {
      server.answers(stream());
      await modelOf({ model: 'simulated-1' }).complete(aRequest({ role: 'judge', attempt: 3 }), signal);
      await modelOf().complete(aRequest({ role: 'judge', attempt: 3 }), signal);
      assert.deepEqual(
        server.requests.map(({ body, headers }) => [body['seed'], headers['x-whetstone-role']]),
        [
          [3, 'judge'],
          [undefined, undefined],
        ],
      );
    });

    it('nobody else: a redirect is refused, and the key stays here', async () => {
      const other = await ChatServer.start();
      try {
        server.answers((response) => response.writeHead(307, { location: `${other.baseUrl}/chat/completions` }).end());
        await assert.rejects(modelOf().complete(aRequest(), signal), { kind: 'endpoint', cure: /redirects/ });
        assert.equal(other.requests.length, 0);
      } finally {
        await other.stop();
      }
    });
  });

  describe('reads', () => {
    it('a stream piece by piece, with the usage at its end', async () => {
      const reply = await ask(stream({ usage: { prompt_tokens: 12, completion_tokens: 4 } }));
      assert.deepEqual(reply, {
        text: 'An answer.',
        finish: 'stop',
        toolCalls: [],
        usage: { inputTokens: 12, outputTokens: 4, exact: true },
        cached: false,
      });
    });

    it('a whole completion from a server that does not stream', async () => {
      const reply = await ask(
        json(200, {
          choices: [{ message: { role: 'assistant', content: 'Whole.' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 3, completion_tokens: 2 },
        }),
      );
      assert.equal(reply.text, 'Whole.');
      assert.equal(reply.usage.exact, true);
    });

    it('usage that nobody reports as an estimate', async () => {
      const { usage } = await ask(stream());
      assert.equal(usage.exact, false);
      assert.ok(usage.inputTokens > 0 && usage.outputTokens > 0);
    });

    it('an answer that claims to be another kind of answer', async () => {
      const whole = JSON.stringify({ choices: [{ message: { content: 'Whole.' }, finish_reason: 'stop' }] });
      assert.equal((await ask(bodyOf('text/event-stream', whole))).text, 'Whole.');
      const streamed = 'data: {"choices":[{"delta":{"content":"Streamed."},"finish_reason":"stop"}]}\n\n';
      assert.equal((await ask(bodyOf('application/json', streamed))).text, 'Streamed.');
    });

    const toolStreams: readonly [
      name: string,
      deltas: readonly Readonly<Record<string, unknown>>[],
      ids: readonly string[],
    ][] = [
      [
        'in pieces by index',
        [
          { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }] },
          { tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] },
          { tool_calls: [{ index: 1, id: 'b', function: { name: 'look', arguments: '{"x":2}' } }] },
          { tool_calls: [{ index: 0, function: { arguments: '1}' } }] },
        ],
        ['a', 'b'],
      ],
      [
        'whole, without index',
        [
          { tool_calls: [{ id: 'a', function: { name: 'look', arguments: '{"x":1}' } }] },
          { tool_calls: [{ id: 'b', function: { name: 'look', arguments: '{"x":2}' } }] },
        ],
        ['a', 'b'],
      ],
      [
        'without ids, arguments as an object',
        [
          {
            tool_calls: [
              { function: { name: 'look', arguments: { x: 1 } } },
              { function: { name: 'look', arguments: { x: 2 } } },
            ],
          },
        ],
        ['call_0', 'call_1'],
      ],
    ];
    for (const [name, deltas, ids] of toolStreams) {
      it(`tool calls ${name}, whatever the finish reason`, async () => {
        const reply = await ask(stream({ deltas, finish: 'stop' }));
        assert.equal(reply.finish, 'tool-calls');
        assert.deepEqual(
          reply.toolCalls,
          ids.map((id, index) => ({ id, name: 'look', arguments: `{"x":${index + 1}}` })),
        );
      });
    }

    it('an answer that says the key back without the key', async () => {
      const { text } = await ask(stream({ deltas: [{ content: 'You are sk-test-' }, { content: '0123456789.' }] }));
      assert.equal(text, 'You are ***.');
    });

    it('a key that is a word as the word that it is', async () => {
      server.answers(stream({ deltas: [{ content: 'Run ollama pull.' }] }));
      assert.equal((await modelOf({ apiKey: 'ollama' }).complete(aRequest(), signal)).text, 'Run ollama pull.');
    });

    for (const apiKey of ['s3cr3t', 'swordfish', 'p4ss', 'sk-short-12345']) {
      it(`an answer that says the short key ${apiKey} back without it`, async () => {
        server.answers(stream({ deltas: [{ content: `Key: ${apiKey}, “${apiKey}”; x${apiKey}x.` }] }));
        const { text } = await modelOf({ apiKey }).complete(aRequest(), signal);
        assert.equal(text, `Key: ***, “***”; x${apiKey}x.`);
      });
    }

    it('an answer cut at its limit as cut', async () => {
      assert.equal((await ask(stream({ finish: 'length' }))).finish, 'length');
    });

    const onlyThought: readonly (readonly [name: string, delta: Readonly<Record<string, string>>])[] = [
      ['in the text', { content: '<think>Hm, let me' }],
      ['beside it', { reasoning_content: 'Hm, let me' }],
      ['that nobody sees', { content: '' }],
    ];
    for (const [name, delta] of onlyThought) {
      it(`nothing but thinking ${name}, cut at the limit, as a reply without text`, async () => {
        const { text, finish, toolCalls } = await ask(stream({ deltas: [delta], finish: 'length' }));
        assert.deepEqual([text, finish, toolCalls], ['', 'length', []]);
      });
    }

    it('thinking in the text as no part of the answer', async () => {
      const { text } = await ask(stream({ deltas: [{ content: '<think>\nHm.' }, { content: '</think>\n\nYes.' }] }));
      assert.equal(text, 'Yes.');
    });

    it('reasoning beside the text as no part of the answer', async () => {
      const { text } = await ask(stream({ deltas: [{ reasoning_content: 'Hm.' }, { content: 'Yes.' }] }));
      assert.equal(text, 'Yes.');
    });

    it('a refusal as the answer that it is', async () => {
      assert.equal(
        (await ask(stream({ deltas: [{ refusal: 'I cannot help with that.' }] }))).text,
        'I cannot help with that.',
      );
    });
  });

  describe('never takes for an answer', () => {
    const broken: readonly [name: string, answer: ChatAnswer, kind: string][] = [
      ['a stream that ends without a finish reason', stream({ finish: null }), 'unavailable'],
      ['a stream that breaks off', stream({ finish: null, ending: 'reset' }), 'unavailable'],
      [
        'tool calls that break off',
        stream({
          deltas: [{ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{"a' } }] }],
          finish: null,
        }),
        'unavailable',
      ],
      ['a stream with broken JSON', rawStream('data: {"choices": [{"delta": {"content": "x"'), 'malformed'],
      [
        'a body that is no JSON',
        (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": ['),
        'malformed',
      ],
      ['JSON of another form', json(200, { choices: 'none' }), 'malformed'],
      ['an empty text', stream({ deltas: [{ content: '' }] }), 'malformed'],
      ['white space', stream({ deltas: [{ content: ' \n' }] }), 'malformed'],
      ['an answer that the server withheld', stream({ finish: 'content_filter' }), 'content-filter'],
      [
        'an error in the middle of a stream',
        rawStream(
          'data: {"choices":[{"delta":{"content":"An"}}]}',
          'data: {"error":{"message":"Overloaded","type":"overloaded_error"}}',
        ),
        'rate-limit',
      ],
      ['a stream that the server gave up', stream({ finish: 'error' }), 'unavailable'],
      ['a connection that is closed at once', (response) => void response.destroy(), 'unavailable'],
    ];
    for (const [name, answer, kind] of broken) {
      it(name, async () => {
        await assert.rejects(ask(answer), { name: 'ModelError', kind, charged: true });
      });
    }

    const said = { code: 'insufficient_quota', message: 'You exceeded your current quota.' };
    const page = '<!DOCTYPE html><title>Sign in</title>';
    const instead: readonly [name: string, answer: ChatAnswer, kind: string][] = [
      ['an error with status 200', json(200, { error: said }), 'quota'],
      ['an error in an array, as Gemini sends it', json(200, [{ error: said }]), 'quota'],
      ['an error as the first piece of a stream', rawStream(`data: ${JSON.stringify({ error: said })}`), 'quota'],
      [
        'an error in a body that claims to be a stream',
        bodyOf('text/event-stream', `{"error":${JSON.stringify(said)}}`),
        'quota',
      ],
      ['an error that is a text', json(200, { error: 'Insufficient balance' }), 'quota'],
      ['an error in the form of vLLM', json(200, { object: 'error', message: 'x', code: 401 }), 'auth'],
      ['an error in the form of FastAPI', json(200, { detail: 'Invalid authentication' }), 'auth'],
      ['an error with the status that it would have had', json(200, { error: { code: 402, message: 'x' } }), 'quota'],
      ['an error of no known kind', json(200, { error: { message: 'Something went wrong' } }), 'unavailable'],
      ['a page', bodyOf('text/html', page), 'endpoint'],
      ['a page that claims to be JSON', bodyOf('application/json', `\n${page}`), 'endpoint'],
      ['a page that claims to be a stream', bodyOf('text/event-stream', page), 'endpoint'],
    ];
    for (const [name, answer, kind] of instead) {
      it(`${name}, which is what it is and free of charge`, async () => {
        await assert.rejects(ask(answer), { name: 'ModelError', kind, charged: false });
      });
    }

    it('an error with the status of a gateway whose model may have worked on', async () => {
      await assert.rejects(ask(json(200, { error: { code: 504, message: 'x' } })), { kind: 'timeout', charged: true });
    });

    it('a stream that stalls, which the SDK’s own time limit does not cover', async () => {
      server.answers(stream({ finish: null, ending: 'stall' }));
      const timeouts = { firstByteMs: 5000, idleMs: 40, totalMs: 10_000 };
      await assert.rejects(modelOf({ timeouts }).complete(aRequest(), signal), {
        kind: 'timeout',
        message: /stalled for 40 ms/,
      });
    });

    it('a server that accepts and says nothing', async () => {
      server.answers(() => undefined);
      const timeouts = { firstByteMs: 40, idleMs: 40, totalMs: 10_000 };
      await assert.rejects(modelOf({ timeouts }).complete(aRequest(), signal), {
        kind: 'timeout',
        message: /no answer within 40 ms/,
      });
    });

    it('a server that says nothing for as long as the person waits for this role', async () => {
      server.answers(() => undefined);
      await assert.rejects(modelOf({}).complete(aRequest({ timeoutMs: 40 }), signal), {
        kind: 'timeout',
        message: /no (?:complete )?answer within 40 ms/,
      });
    });

    it('a stream that drips for ever', async () => {
      server.answers((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const drip = setInterval(() => response.write(': thinking\n\n'), 5);
        response.on('close', () => clearInterval(drip));
      });
      const timeouts = { firstByteMs: 1000, idleMs: 1000, totalMs: 60 };
      await assert.rejects(modelOf({ timeouts }).complete(aRequest(), signal), {
        kind: 'timeout',
        message: /complete answer within 60 ms/,
      });
    });

    it('half an answer after an abort, which ends the stream without an error', async () => {
      const controller = new AbortController();
      const reason = new Error('the person said stop');
      server.answers((response, request) => {
        stream({ finish: null, ending: 'stall' })(response, request);
        setTimeout(() => controller.abort(reason), 20);
      });
      await assert.rejects(modelOf().complete(aRequest(), controller.signal), (error) => error === reason);
    });

    it('an answer after an abort that came first', async () => {
      const reason = new Error('stop');
      await assert.rejects(modelOf().complete(aRequest(), AbortSignal.abort(reason)), (error) => error === reason);
      assert.equal(server.requests.length, 0);
    });
  });

  it('stays patient while a server sends signs of life', async () => {
    server.answers((response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let left = 6; // together longer than its patience, each far shorter
      const drip = setInterval(() => {
        response.write(': still thinking\n\n');
        left -= 1;
        if (left > 0) return;
        clearInterval(drip);
        response.write('data: {"choices":[{"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\n');
        response.end();
      }, 150);
      assert.equal(request.body['stream'], true);
    });
    const timeouts = { firstByteMs: 1000, idleMs: 700, totalMs: 5000 };
    assert.equal((await modelOf({ timeouts }).complete(aRequest(), signal)).text, 'Done.');
  });

  it('asks once: the SDK’s own retries are off', async () => {
    server.answers(refusal(500, { message: 'oops' }));
    await assert.rejects(modelOf().complete(aRequest(), signal), { kind: 'unavailable' });
    assert.equal(server.requests.length, 1);
  });

  it('says who it is without anything secret', () => {
    const { identity } = modelOf({ baseUrl: 'https://user:secret@llm.example/v1/?key=abc' });
    assert.deepEqual(identity, {
      provider: 'custom',
      endpoint: 'https://llm.example/v1',
      model: 'm',
      simulated: false,
    });
  });
});

/** Exactly this text, under the name of this type. */
function bodyOf(type: string, text: string): ChatAnswer {
  return (response) => void response.writeHead(200, { 'content-type': type }).end(text);
}
