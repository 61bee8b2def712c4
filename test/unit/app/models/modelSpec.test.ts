import assert from 'node:assert/strict';
import { identityOf } from '../../../../src/models/openai/endpoint.js';
import { presets } from '../../../../src/models/openai/presets.js';
import { chooseModels, endpointFor } from '../../../../src/app/models/chooseModels.js';
import { keyAddressOf, readModelSpec, type NamedModel } from '../../../../src/app/models/modelSpec.js';

const environment = {
  AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com',
  AZURE_OPENAI_API_VERSION: '2024-10-21',
  OLLAMA_HOST: '0.0.0.0:9999',
};

describe('a model named as text', () => {
  const specs: readonly [spec: string, endpoint: Partial<NamedModel['endpoint']>][] = [
    ['openai/gpt-5-mini', { provider: 'openai', baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-mini' }],
    ['openrouter/meta/llama-3:free', { provider: 'openrouter', model: 'meta/llama-3:free' }],
    ['ollama/qwen3:8b', { provider: 'ollama', baseUrl: 'http://localhost:9999/v1', model: 'qwen3:8b' }],
    ['openai/gpt-5?reasoning_effort=low', { model: 'gpt-5', extraBody: { reasoning_effort: 'low' } }],
    ['ollama/qwen3?think=false&num_ctx=8192', { model: 'qwen3', extraBody: { think: false, num_ctx: 8192 } }],
    ['qwen/qwen3?thinking={"type":"enabled"}', { extraBody: { thinking: { type: 'enabled' } } }],
    ['https://host/v1#m', { provider: 'custom', baseUrl: 'https://host/v1', model: 'm' }],
    ['https://host/v1#m?effort=high', { model: 'm', extraBody: { effort: 'high' } }],
    [
      'azure/dep',
      { provider: 'azure', baseUrl: 'https://mine.openai.azure.com', model: 'dep', apiVersion: '2024-10-21' },
    ],
    [
      'https://r.openai.azure.com?api-version=2025-01-01#dep',
      { provider: 'azure', baseUrl: 'https://r.openai.azure.com', model: 'dep', apiVersion: '2025-01-01' },
    ],
    [
      'https://r.openai.azure.com/openai/deployments/dep/chat/completions?api-version=2025-01-01',
      { provider: 'azure', baseUrl: 'https://r.openai.azure.com', model: 'dep', apiVersion: '2025-01-01' },
    ],
    ['https://r.openai.azure.com/openai/deployments/100%/chat/completions', { provider: 'azure', model: '100%' }],
    ['http://127.0.0.1:1?api-version=x#dep', { provider: 'azure', baseUrl: 'http://127.0.0.1:1', apiVersion: 'x' }],
  ];
  for (const [spec, endpoint] of specs) {
    it(`reads ${spec}`, () => {
      const read = readModelSpec(spec, environment).endpoint;
      assert.deepEqual({ ...read, ...endpoint }, read);
    });
  }

  const broken: readonly [spec: string, says: RegExp][] = [
    ['gpt-5', /names no model/],
    ['openai/', /names no model/],
    ['https://host/v1', /names no model/],
    ['https://host/v1#', /names no model/],
  ];
  for (const [spec, says] of broken) {
    it(`refuses “${spec}”, and says how to write one`, () =>
      assert.throws(() => readModelSpec(spec, {}), { message: says, code: 'model-not-chosen', cure: /\w/ }));
  }

  for (const context of ['-1', '1e30', 'abc', '0', '4096.5', '']) {
    it(`refuses a context of “${context}” tokens, with which Ollama would fail each call`, () => {
      for (const name of ['ollama/m', 'http://gpu.lan:11434/v1#m'])
        assert.throws(() => readModelSpec(`${name}?num_ctx=${context}`, {}), {
          message: /num_ctx is how many tokens.*a whole number/,
          code: 'usage',
        });
    });
  }

  it('wants an address for Azure where neither spec nor environment has one', () =>
    assert.throws(() => readModelSpec('azure/dep', {}), { cure: /api-version.*AZURE_OPENAI_ENDPOINT/ }));

  it('says what is missing where a server wants a key', async () =>
    assert.rejects(endpointFor('deepseek/deepseek-chat', { environment: {}, fetch }), {
      code: 'model-key-missing',
      cure: /Set API Key.*DEEPSEEK_API_KEY/,
    }));

  it('is another model with other options: they change the answers', async () => {
    const around = { environment: {}, fetch };
    const plain = await chooseModels(
      { target: 'ollama/m', optimizer: 'ollama/m?think=false', judge: undefined },
      around,
    );
    assert.equal(plain.target.identity.options, undefined);
    assert.equal(plain.optimizer.identity.options, 'think=false');
    const endpoint = { provider: 'custom', baseUrl: 'https://h', model: 'm', apiKey: 'k', extraBody: { b: 1, a: 'x' } };
    assert.equal(identityOf(endpoint).options, 'a=x&b=1');
  });
});

describe('the addresses that the editor asks keys for', () => {
  it('are those of the presets that take one', () => {
    const asked = presets.filter(({ id }) => keyAddressOf(`${id}/m`, environment) !== undefined);
    assert.deepEqual(
      asked.map(({ id }) => id),
      presets.filter(({ keyVariables }) => keyVariables.length > 0).map(({ id }) => id),
    );
    assert.ok(asked.length > 5);
  });

  it('are read off the chosen model', () => {
    assert.equal(keyAddressOf('minimax/m', {}), 'https://api.minimax.io/v1');
    assert.equal(keyAddressOf('https://host/v1#m', {}), 'https://host/v1');
    assert.equal(keyAddressOf('azure/dep', environment), 'https://mine.openai.azure.com');
    assert.equal(keyAddressOf('ollama/m', {}), undefined);
    assert.equal(keyAddressOf('simulated', {}), undefined);
  });
});
