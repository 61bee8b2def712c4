import assert from 'node:assert/strict';
import { ModelError, type ModelErrorKind } from '../../../../src/errors.js';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import type { Fetch } from '../../../../src/models/openai/openaiClient.js';
import { brokenFetch } from '../../../fakes/brokenFetch.js';
import { ChatServer, refusal, stream } from '../../../fakes/ChatServer.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const key = 'sk-planted-key-0123456789abcdef';

describe('errors of OpenAI-compatible servers', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await ChatServer.start();
  });
  afterEach(() => server.stop());

  const ask = (endpoint: Partial<Endpoint> = {}, through: Fetch = fetch): Promise<unknown> =>
    createOpenAIModel(
      { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: key, ...endpoint },
      { fetch: through, learned: createLearnedCapabilities() },
    ).complete(aRequest(), signal);

  const said: readonly [who: string, status: number, error: Readonly<Record<string, unknown>>, kind: ModelErrorKind][] =
    [
      [
        'OpenAI: wrong key',
        401,
        { message: 'Incorrect API key provided: sk-abc***xyz.', code: 'invalid_api_key' },
        'auth',
      ],
      [
        'Gemini: wrong key',
        400,
        { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
        'auth',
      ],
      ['Anthropic: wrong key', 401, { message: 'invalid x-api-key', type: 'authentication_error' }, 'auth'],
      ['not allowed', 403, { message: 'Country, region, or territory not supported' }, 'auth'],
      [
        'OpenAI: no credit',
        429,
        {
          message: 'You exceeded your current quota, please check your plan and billing details.',
          code: 'insufficient_quota',
        },
        'quota',
      ],
      ['DeepSeek: no credit', 402, { message: 'Insufficient Balance' }, 'quota'],
      [
        'Anthropic: no credit',
        400,
        { message: 'Your credit balance is too low to access the Anthropic API.' },
        'quota',
      ],
      ['OpenRouter: no credit', 402, { message: 'This request requires more credits', code: 402 }, 'quota'],
      [
        'Gemini: day’s allowance spent',
        429,
        { message: 'Quota exceeded for metric GenerateRequestsPerDayPerProjectPerModel-FreeTier' },
        'quota',
      ],
      ['too many', 429, { message: 'Rate limit reached for gpt-4o', code: 'rate_limit_exceeded' }, 'rate-limit'],
      [
        'Gemini: too many a minute',
        429,
        { message: 'You exceeded your current quota. Please retry in 12s.', status: 'RESOURCE_EXHAUSTED' },
        'rate-limit',
      ],
      ['Anthropic: overloaded', 529, { message: 'Overloaded', type: 'overloaded_error' }, 'rate-limit'],
      [
        'OpenAI: no such model',
        404,
        { message: 'The model `m` does not exist or you do not have access to it.', code: 'model_not_found' },
        'model-not-found',
      ],
      ['a model with a dot in its name', 400, { message: 'The model gpt-5.9-xl does not exist.' }, 'model-not-found'],
      [
        'Azure: no such deployment',
        404,
        { message: 'The API deployment for this resource does not exist.', code: 'DeploymentNotFound' },
        'model-not-found',
      ],
      [
        'Ollama: no such model',
        404,
        { message: 'model "m" not found, try pulling it first', type: 'api_error' },
        'model-not-found',
      ],
      ['OpenRouter: no such model', 400, { message: 'm is not a valid model ID', code: 400 }, 'model-not-found'],
      [
        'LM Studio: nothing loaded',
        404,
        { message: 'No models loaded. Please load a model in the developer page.' },
        'model-not-found',
      ],
      [
        'OpenAI: too long',
        400,
        {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
          code: 'context_length_exceeded',
        },
        'context-length',
      ],
      ['Anthropic: too long', 400, { message: 'prompt is too long: 250000 tokens > 200000 maximum' }, 'context-length'],
      [
        'llama.cpp: too long',
        400,
        { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' },
        'context-length',
      ],
      ['too large', 413, { message: 'Request Entity Too Large' }, 'context-length'],
      [
        'Azure: filtered',
        400,
        {
          message: 'The response was filtered due to the prompt triggering content management policy.',
          code: 'content_filter',
        },
        'content-filter',
      ],
      [
        'Qwen: filtered',
        400,
        { message: 'Input data may contain inappropriate content.', code: 'data_inspection_failed' },
        'content-filter',
      ],
      [
        'OpenRouter: flagged',
        403,
        { message: 'Input was flagged', metadata: { reasons: ['x'] }, code: 'moderation' },
        'content-filter',
      ],
      ['wrong address', 404, { message: 'Not Found' }, 'endpoint'],
      ['wrong method', 405, { message: 'Method Not Allowed' }, 'endpoint'],
      ['a request it does not understand at all', 400, { message: 'Bad request.' }, 'endpoint'],
      ['broken', 500, { message: 'The server had an error while processing your request.' }, 'unavailable'],
      ['busy', 503, { message: 'Service unavailable' }, 'unavailable'],
    ];
  for (const [who, status, error, kind] of said) {
    it(`${who} → ${kind}, free of charge`, async () => {
      server.answers(refusal(status, error));
      await assert.rejects(ask(), { name: 'ModelError', kind, charged: false });
      assert.equal(server.requests.length, 1);
    });
  }

  /** The model behind a gateway works on, and is paid for, while the gateway has given up. */
  const workedOn: readonly [status: number, message: string, kind: ModelErrorKind][] = [
    [408, 'Request timeout', 'timeout'],
    [502, 'Bad gateway', 'unavailable'],
    [504, 'upstream request timeout', 'timeout'],
    [524, 'A timeout occurred', 'timeout'],
  ];
  for (const [status, message, kind] of workedOn) {
    it(`${status} → ${kind}, which may have been charged`, async () => {
      server.answers(refusal(status, { message }));
      await assert.rejects(ask(), { name: 'ModelError', kind, charged: true });
    });
  }

  it('reads the start of a refusal that does not end', async () => {
    server.answers((response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    await assert.rejects(ask(), { kind: 'unavailable', message: /^.{0,400}$/ });
  });

  it('a single request that a server does not take is no reason to end the run', async () => {
    server.answers(stream(), refusal(400, { message: 'Bad request.' }));
    const model = createOpenAIModel(
      { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: key },
      { fetch, learned: createLearnedCapabilities() },
    );
    await model.complete(aRequest(), signal);
    await assert.rejects(model.complete(aRequest(), signal), { kind: 'malformed' });
  });

  const waits: readonly [
    name: string,
    headers: Readonly<Record<string, string>>,
    message: string,
    low: number,
    high: number,
  ][] = [
    ['seconds', { 'retry-after': '7' }, 'x', 7000, 7000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '2' }, 'x', 1500, 1500],
    ['a date', { 'retry-after': 'in a minute' }, 'x', 50_000, 61_000],
    ['words of OpenAI', {}, 'Rate limit reached. Please try again in 1.5s.', 1500, 1500],
    ['words in milliseconds', {}, 'Please try again in 250ms.', 250, 250],
  ];
  for (const [name, headers, message, low, high] of waits) {
    it(`read how long to wait from ${name}`, async () => {
      // Said when it is sent: a date made while the tests load has passed when the last of them run.
      const soon = new Date(Date.now() + 60_000).toUTCString();
      const sent = headers['retry-after'] === 'in a minute' ? { 'retry-after': soon } : headers;
      server.answers(refusal(429, { message }, sent));
      const error: unknown = await ask().catch((reason: unknown) => reason);
      assert.ok(error instanceof ModelError);
      const { retryAfterMs = -1 } = error;
      assert.ok(retryAfterMs >= low && retryAfterMs <= high, String(retryAfterMs));
    });
  }

  it('never repeat the key, whole or as the server quotes it', async () => {
    server.answers(refusal(401, { message: `Incorrect API key provided: ${key}. Also sk-plant***cdef.` }));
    const error: unknown = await ask().catch((reason: unknown) => reason);
    assert.ok(error instanceof Error);
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`, /planted|sk-plant|cdef/);
    assert.match(error.message, /refused the API key/);
  });

  it('never repeat the key as a header or an address holds it', async () => {
    const header = Buffer.from(`user:${key}`).toString('base64');
    const odd = 'a key/with signs & spaces';
    server.answers(refusal(401, { message: `Got Basic ${header} and ?key=${encodeURIComponent(odd)}.` }));
    await assert.rejects(ask(), { message: /Got Basic \*\*\* and/ });
    await assert.rejects(ask({ apiKey: odd }), { message: /\?key=\*\*\*\./ });
  });

  it('say that a key is wanted where none is set', async () => {
    server.answers(refusal(401, { message: 'No.' }));
    const error: unknown = await ask({ apiKey: undefined }).catch((reason: unknown) => reason);
    assert.ok(error instanceof ModelError);
    assert.match(error.message, /wants an API key, and none is set/);
    assert.match(error.cure ?? '', /^Set the API key\./);
  });

  const cures: readonly [name: string, endpoint: Partial<Endpoint>, status: number, error: string, cure: RegExp][] = [
    ['a wrong key', { provider: 'openai' }, 401, 'no', /Set the API key again.*platform\.openai\.com/],
    ['no credit', {}, 402, 'no', /Add credit/],
    ['a missing model of Ollama', { provider: 'ollama' }, 404, 'model "m" not found', /ollama pull m/],
    ['a missing model', {}, 404, 'model m does not exist', /Choose a model that the server lists/],
    ['a wrong path', { baseUrl: '' }, 404, 'Not Found', /usually ends in \/v1/],
  ];
  for (const [name, endpoint, status, message, cure] of cures) {
    it(`tell what to do about ${name}`, async () => {
      server.answers(refusal(status, { message }));
      const baseUrl = endpoint.baseUrl === '' ? server.baseUrl.replace(/\/v1$/, '') : server.baseUrl;
      await assert.rejects(ask({ ...endpoint, baseUrl }), { cure });
    });
  }

  const connections: readonly [code: string, kind: ModelErrorKind, charged: boolean, cure: RegExp][] = [
    ['ECONNREFUSED', 'unavailable', false, /ollama serve/],
    ['ENOTFOUND', 'unavailable', false, /^$/],
    ['ECONNRESET', 'unavailable', true, /^$/],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', false, /^$/],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'endpoint', false, /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'endpoint', false, /NODE_EXTRA_CA_CERTS/],
    ['ERR_INVALID_URL', 'endpoint', false, /address/],
  ];
  for (const [code, kind, charged, cure] of connections) {
    it(`${code} → ${kind}`, async () => {
      await assert.rejects(ask({ provider: 'ollama' }, brokenFetch(code)), {
        kind,
        charged,
        cure,
        message: /inner words/,
      });
    });
  }

  it('a server that is not there is really not there', async () => {
    const { baseUrl } = server;
    await server.stop();
    server = await ChatServer.start();
    await assert.rejects(ask({ provider: 'lmstudio', baseUrl }), {
      kind: 'unavailable',
      charged: false,
      cure: /Developer/,
    });
  });

  it('an address that is none is said so', async () => {
    await assert.rejects(ask({ baseUrl: 'not an address' }), { kind: 'endpoint' });
  });
});
