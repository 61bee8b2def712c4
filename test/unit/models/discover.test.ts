import assert from 'node:assert/strict';
import { discoverModels, type ModelOffer } from '../../../src/models/discover.js';
import type { Fetch } from '../../../src/models/openai/openaiClient.js';
import { brokenFetch, silentFetch } from '../../fakes/brokenFetch.js';
import { ChatServer, json } from '../../fakes/ChatServer.js';

const { signal } = new AbortController();

describe('discover', () => {
  it('offers everything that could be set up, and the simulated model, where nothing is there', async () => {
    const found = await discoverModels({ environment: {}, fetch: nobody }, signal);
    assert.equal(found[0]?.kind, 'simulated');
    assert.ok(found.slice(1).every(({ kind }) => kind === 'preset'));
    for (const id of [
      'openai',
      'azure',
      'openrouter',
      'deepseek',
      'qwen',
      'minimax',
      'vllm',
      'lmstudio',
      'ollama',
      'llamacpp',
      'anthropic',
      'gemini',
    ]) {
      assert.ok(
        found.some((entry) => 'preset' in entry && entry.preset.id === id),
        id,
      );
    }
  });

  it('finds keys in the environment by name, and tells no value', async () => {
    const environment = {
      OPENAI_API_KEY: 'sk-planted',
      GOOGLE_API_KEY: 'planted',
      AZURE_OPENAI_API_KEY: 'planted',
      AZURE_OPENAI_ENDPOINT: 'https://x.openai.azure.com',
      DEEPSEEK_API_KEY: '',
    };
    const found = await discoverModels({ environment, fetch: nobody }, signal);
    assert.deepEqual(summaries(found).slice(0, 4), [
      'key openai OPENAI_API_KEY https://api.openai.com/v1',
      'key azure AZURE_OPENAI_API_KEY https://x.openai.azure.com',
      'key gemini GOOGLE_API_KEY https://generativelanguage.googleapis.com/v1beta/openai',
      'simulated',
    ]);
    assert.doesNotMatch(JSON.stringify(found), /planted/);
  });

  it('finds a server on this machine, with its models, and puts it first', async () => {
    const server = await ChatServer.start({ withList: true });
    try {
      server.answers(json(200, { data: [{ id: 'qwen3:8b' }, { id: 'gemma3' }] }));
      const host = server.baseUrl.replace(/^http:\/\/|\/v1$/g, '');
      const onlyOllama: Fetch = (input, init) =>
        String(input instanceof Request ? input.url : input).includes(host) ? fetch(input, init) : nobody(input, init);
      const found = await discoverModels({ environment: { OLLAMA_HOST: host }, fetch: onlyOllama }, signal);
      assert.deepEqual(summaries(found)[0], `running ollama ${server.baseUrl} qwen3:8b,gemma3`);
      assert.equal(server.requests[0]?.path, '/v1/models');
      assert.equal(found.filter((entry) => 'preset' in entry && entry.preset.id === 'ollama').length, 1);
    } finally {
      await server.stop();
    }
  });

  it('does not wait for a server that never answers', async () => {
    const start = performance.now();
    const found = await discoverModels({ environment: {}, fetch: silentFetch }, signal);
    assert.equal(found[0]?.kind, 'simulated');
    assert.ok(performance.now() - start < 3000);
  });

  it('stops when told to', async () => {
    const reason = new Error('stop');
    await assert.rejects(
      discoverModels({ environment: {}, fetch: nobody }, AbortSignal.abort(reason)),
      (error) => error === reason,
    );
  });
});

const nobody = brokenFetch('ECONNREFUSED');

function summaries(found: readonly ModelOffer[]): readonly string[] {
  return found.map((entry) => {
    switch (entry.kind) {
      case 'running':
        return `running ${entry.preset.id} ${entry.baseUrl} ${entry.models.join()}`;
      case 'key':
        return `key ${entry.preset.id} ${entry.variable} ${entry.baseUrl}`;
      case 'preset':
        return `preset ${entry.preset.id}`;
      case 'simulated':
        return 'simulated';
    }
  });
}
