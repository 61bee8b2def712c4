import assert from 'node:assert/strict';
import { createLearnedCapabilities, learnFrom, withTold } from '../../../../src/models/openai/capabilities.js';
import { guessCapabilities } from '../../../../src/models/openai/presets.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import type { ModelRequest } from '../../../../src/ports/languageModel.js';
import { ChatServer, json, refusal, stream, type ChatAnswer, type ReceivedRequest } from '../../../fakes/ChatServer.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const schema = {
  name: 'verdict',
  schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
};

describe('capabilities', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await ChatServer.start();
  });
  afterEach(() => server.stop());

  /** Asks twice; gives the bodies of all requests. */
  const askTwice = async (
    answer: ChatAnswer,
    request: ModelRequest,
    endpoint: Partial<Endpoint> = {},
  ): Promise<readonly ReceivedRequest['body'][]> => {
    server.answers(answer);
    const model = createOpenAIModel(
      { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined, ...endpoint },
      { fetch, learned: createLearnedCapabilities() },
    );
    await model.complete(request, signal);
    await model.complete({ ...request, attempt: 1 }, signal);
    return server.requests.map(({ body }) => body);
  };
  it('max_completion_tokens is learnt from the refusal, once', async () => {
    const [first, second, third, ...more] = await askTwice(
      picky((body) =>
        'max_tokens' in body
          ? {
              message:
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
              param: 'max_tokens',
              code: 'unsupported_parameter',
            }
          : undefined,
      ),
      aRequest(),
    );
    assert.equal(first?.['max_tokens'], 100);
    assert.equal(second?.['max_completion_tokens'], 100);
    assert.equal(third?.['max_completion_tokens'], 100);
    assert.deepEqual(more, []);
  });

  it('max_tokens is learnt where only that is known', async () => {
    const bodies = await askTwice(
      picky((body) =>
        'max_completion_tokens' in body
          ? { message: 'Unrecognized request argument supplied: max_completion_tokens' }
          : undefined,
      ),
      aRequest(),
      { provider: 'openai' },
    );
    assert.deepEqual(
      bodies.map((body) => Object.keys(body).filter((name) => name.startsWith('max_'))),
      [['max_completion_tokens'], ['max_tokens'], ['max_tokens']],
    );
  });

  it('a fixed temperature is learnt, and no temperature is sent any more', async () => {
    const bodies = await askTwice(
      picky((body) =>
        'temperature' in body
          ? {
              message:
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
              param: 'temperature',
            }
          : undefined,
      ),
      aRequest({ temperature: 0.2 }),
    );
    assert.deepEqual(
      bodies.map((body) => body['temperature']),
      [0.2, undefined, undefined],
    );
  });

  const limits: readonly [who: string, message: string, limit: number][] = [
    [
      'OpenAI',
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
      16384,
    ],
    ['DeepSeek', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
    ['Anthropic', 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for m', 64000],
    [
      'vLLM',
      "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is 4096 tokens and your request has 1000 input tokens (100000 > 4096 - 1000).",
      3080,
    ],
    [
      'older servers',
      "This model's maximum context length is 8192 tokens. However, you requested 107000 tokens (7000 in the messages, 100000 in the completion).",
      1176,
    ],
  ];
  for (const [who, message, limit] of limits) {
    it(`the longest answer is learnt from the words of ${who}`, async () => {
      const bodies = await askTwice(
        picky((body) => (Number(body['max_tokens']) > limit ? { message } : undefined)),
        aRequest({ maxOutputTokens: 100_000 }),
      );
      assert.deepEqual(
        bodies.map((body) => body['max_tokens']),
        [100_000, limit, limit],
      );
    });
  }

  it('what a long prompt leaves of the context is the limit of no other prompt', async () => {
    const learned = createLearnedCapabilities();
    server.answers(
      picky((body) => {
        const input = JSON.stringify(body['messages']).length > 10_000 ? 7_900 : 50;
        return Number(body['max_tokens']) + input > 8_192
          ? {
              message: `This model's maximum context length is 8192 tokens and your request has ${input} input tokens.`,
            }
          : undefined;
      }),
    );
    const endpoint = { provider: 'vllm', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
    const model = createOpenAIModel(endpoint, { fetch, learned });
    const long = aRequest({ messages: [{ role: 'user', content: 'word '.repeat(6_000) }], maxOutputTokens: 4_096 });
    for (const request of [long, aRequest({ maxOutputTokens: 4_096 }), long]) await model.complete(request, signal);
    assert.deepEqual(
      server.requests.flatMap(({ body }) => body['max_tokens'] ?? []),
      [4_096, 276, 4_096, 276],
    );
    assert.deepEqual(withTold(guessCapabilities('vllm', 'm'), structuredClone(model.form?.tell())).counted.length, 1);
  });

  it('usage at the end of a stream, streaming at all, and strange options are given up when refused', async () => {
    const bodies = await askTwice(
      picky((body) => {
        if ('stream_options' in body) return { message: 'Unknown field: stream_options.include_usage' };
        if ('thinking' in body) return { message: 'Unrecognized request argument supplied: thinking' };
        if (body['stream'] === true)
          return { message: 'Your organization must be verified to stream this model.', param: 'stream' };
        return undefined;
      }),
      aRequest(),
      { extraBody: { thinking: { type: 'disabled' }, top_p: 0.9 } },
    );
    assert.deepEqual(
      bodies.map((body) => ['stream_options' in body, 'thinking' in body, body['stream'] === true]),
      [
        [true, true, true],
        [false, true, true],
        [false, false, true],
        [false, false, false],
        [false, false, false],
      ],
    );
    assert.equal(bodies.at(-1)?.['top_p'], 0.9);
  });

  it('a model without system messages hears them in the first question', async () => {
    const request = aRequest({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello.' },
      ],
    });
    const bodies = await askTwice(
      picky((body) =>
        JSON.stringify(body['messages']).includes('"system"') ? { message: 'System role not supported' } : undefined,
      ),
      request,
    );
    assert.deepEqual(bodies.at(-1)?.['messages'], [{ role: 'user', content: 'Be brief.\n\nHello.' }]);
  });

  describe('structured output', () => {
    it('is left to the server where it has it, strictly where the schema allows', async () => {
      const [body] = await askTwice(
        picky(() => undefined),
        aRequest({ replySchema: schema }),
      );
      assert.deepEqual(body?.['response_format'], { type: 'json_schema', json_schema: { ...schema, strict: true } });
      assert.deepEqual(body?.['messages'], [{ role: 'user', content: 'A question.' }]);
    });

    it('is not strict for a schema with optional properties', async () => {
      const loose = {
        name: 'loose',
        schema: { type: 'object', properties: { a: {}, b: {} }, required: ['a'], additionalProperties: false },
      };
      const [body] = await askTwice(
        picky(() => undefined),
        aRequest({ replySchema: loose }),
      );
      assert.deepEqual(body?.['response_format'], { type: 'json_schema', json_schema: { ...loose, strict: false } });
    });

    it('steps down to JSON, then to words alone, as the server refuses', async () => {
      const bodies = await askTwice(
        picky((body) =>
          'response_format' in body ? { message: 'This response_format type is unavailable now' } : undefined,
        ),
        aRequest({ replySchema: schema }),
      );
      assert.deepEqual(
        bodies.map((body) => formatOf(body)),
        ['json_schema', 'json_object', undefined, undefined],
      );
      for (const body of bodies.slice(1))
        assert.match(JSON.stringify(body['messages']), /JSON schema.*additionalProperties/s);
    });

    it('is asked for in words once a server took the schema and ignored it', async () => {
      const bodies = await askTwice(
        stream({ deltas: [{ content: 'Sure! It is fine.' }] }),
        aRequest({ replySchema: schema }),
      );
      assert.deepEqual(
        bodies.map((body) => 'response_format' in body),
        [true, false],
      );
    });

    it('of anything but an object is asked for in words', async () => {
      const [body] = await askTwice(
        stream({ deltas: [{ content: '[]' }] }),
        aRequest({ replySchema: { name: 'list', schema: { type: 'array' } } }),
      );
      assert.equal(body?.['response_format'], undefined);
      assert.match(JSON.stringify(body?.['messages']), /JSON schema/);
    });
  });

  it('are shared by models that share what is learned, and kept apart by endpoint and model', async () => {
    const learned = createLearnedCapabilities();
    server.answers(
      picky((body) =>
        'temperature' in body && body['model'] === 'm' ? { message: 'temperature is not supported' } : undefined,
      ),
    );
    const model = (name: string) =>
      createOpenAIModel(
        { provider: 'custom', baseUrl: server.baseUrl, model: name, apiKey: undefined },
        { fetch, learned },
      );
    for (const name of ['m', 'm', 'other']) await model(name).complete(aRequest({ temperature: 0 }), signal);
    assert.deepEqual(
      server.requests.map(({ body }) => [body['model'], 'temperature' in body]),
      [
        ['m', true],
        ['m', false],
        ['m', false],
        ['other', true],
      ],
    );
  });

  it('are told by Ollama with 500 where it makes no grammar of a schema', () => {
    const known = guessCapabilities('ollama', 'm');
    const asked = { promptTokens: 10, maxOutputTokens: 100, structured: true, extraNames: [] };
    for (const message of ['invalid JSON schema in format', 'unable to create sampling context']) {
      const said = { status: 500, message, parameter: undefined };
      assert.equal(learnFrom(known, said, asked)?.structured, 'json_object', message);
      assert.equal(learnFrom(known, said, { ...asked, structured: false }), undefined, message);
    }
  });

  it('are not guessed from refusals that have another cause', () => {
    const known = guessCapabilities('custom', 'm');
    const asked = { promptTokens: 10, maxOutputTokens: 100, structured: false, extraNames: [] };
    for (const [status, message] of [
      [401, 'temperature'],
      [429, 'max_tokens per minute'],
      [500, 'stream failed'],
      [400, 'Invalid image.'],
    ] as const) {
      assert.equal(learnFrom(known, { status, message, parameter: undefined }, asked), undefined, message);
    }
  });

  it('do not make a server that contradicts itself be asked for ever', async () => {
    server.answers(refusal(400, { message: 'max_tokens, max_completion_tokens: unsupported. Use the other instead.' }));
    const model = createOpenAIModel(
      { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined },
      { fetch, learned: createLearnedCapabilities() },
    );
    await assert.rejects(model.complete(aRequest(), signal), { kind: 'endpoint' });
    assert.ok(server.requests.length <= 12);
  });

  it('come with a server that answers whole although asked for a stream', async () => {
    const whole = json(200, { choices: [{ message: { content: '{"ok":true}' }, finish_reason: 'stop' }] });
    assert.equal((await askTwice(whole, aRequest())).length, 2);
  });
});

/** A server that refuses what `objects` finds fault with. */
function picky(objects: (body: ReceivedRequest['body']) => Readonly<Record<string, unknown>> | undefined): ChatAnswer {
  return (response, request) => {
    const fault = objects(request.body);
    (fault === undefined ? stream({ deltas: [{ content: '{"ok":true}' }] }) : refusal(400, fault))(response, request);
  };
}

function formatOf(body: ReceivedRequest['body']): unknown {
  const format = body['response_format'];
  return format instanceof Object && 'type' in format ? format.type : undefined;
}

describe('what another process has learnt of a server', () => {
  const own = guessCapabilities('openai', 'gpt-5-mini');

  it('takes away what either was refused', () => {
    const told = { ...own, temperature: false, structured: 'json_object', longestAnswer: 900, refused: ['top_k'] };
    const both = withTold({ ...own, streaming: false, longestAnswer: 4_000, refused: ['seed'] }, structuredClone(told));
    assert.deepEqual(
      [both.temperature, both.streaming, both.structured, both.longestAnswer, both.refused],
      [false, false, 'json_object', 900, ['seed', 'top_k']],
    );
  });

  it('teaches nothing where it is no form', () => {
    for (const form of [undefined, null, 'known', {}, { temperature: 1 }]) assert.equal(withTold(own, form), own);
  });
});
