import assert from 'node:assert/strict';
import { askServedModel, isSelfServed, servedWhenAsked } from '../../../../src/models/local/servedModel.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import type { Fetch } from '../../../../src/models/openai/openaiClient.js';

const signal = new AbortController().signal;

/** A server that has these answers, by path, and no others. */
function saying(answers: Readonly<Record<string, unknown>>): Fetch {
  return (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    const answer = answers[pathname];
    if (answer === undefined) return Promise.resolve(new Response('none', { status: 404 }));
    return Promise.resolve(new Response(typeof answer === 'string' ? answer : JSON.stringify(answer)));
  };
}

function served(provider: string, answers: Readonly<Record<string, unknown>>, model = 'm:1b') {
  const baseUrl = 'http://localhost:9/v1';
  return askServedModel({ provider, baseUrl, model, apiKey: undefined }, saying(answers), signal);
}

/** What is known before a call that asks for this, of a model that is loaded with 4,096 and could have 32,768. */
async function contextAhead(
  extraBody: Readonly<Record<string, unknown>>,
  where: Pick<Endpoint, 'provider' | 'baseUrl'> = { provider: 'ollama', baseUrl: 'http://localhost:9/v1' },
): Promise<number | undefined> {
  const says = {
    '/api/ps': { models: [{ name: 'm:1b', context_length: 4096 }] },
    '/api/show': { model_info: { 'qwen2.context_length': 32768 } },
  };
  const endpoint = { ...where, model: 'm:1b', apiKey: undefined };
  return (await servedWhenAsked({ ...endpoint, extraBody }, saying(says), signal))?.contextTokens;
}

function at(provider: string, baseUrl: string): boolean {
  return isSelfServed({ provider, baseUrl });
}

describe('what a server says of the model that it serves', () => {
  it('is the context that Ollama loaded it with', async () => {
    const said = await served('ollama', {
      '/api/ps': {
        models: [
          { name: 'other', context_length: 9 },
          { name: 'm:1b', context_length: 8192 },
        ],
      },
      '/api/show': { details: { parameter_size: '1.5B' }, model_info: { 'qwen2.context_length': 32768 } },
    });
    assert.ok(said !== undefined);
    const { longerContext, ...facts } = said;
    assert.deepEqual(facts, {
      contextTokens: 8192,
      isSure: true,
      mostContextTokens: 32768,
      atOnce: undefined,
      size: '1.5B',
      cutsSilently: true,
    });
    assert.match(longerContext(16384), /OLLAMA_CONTEXT_LENGTH=16384.*num_ctx 16384.*\?num_ctx=16384/);
  });

  it('is what its page sets where Ollama has not loaded it, and what is usual where that sets nothing', async () => {
    const page = await served('ollama', {
      '/api/ps': { models: [] },
      '/api/show': { parameters: 'stop "x"\nnum_ctx                        2048' },
    });
    assert.deepEqual([page?.contextTokens, page?.isSure], [2048, true]);
    const usual = await served('ollama', { '/api/ps': { models: [] }, '/api/show': {} });
    assert.deepEqual([usual?.contextTokens, usual?.isSure], [4096, false]);
  });

  it('is before a call the context that the call asks Ollama for, at most what the model has', async () => {
    assert.equal(await contextAhead({ num_ctx: 16384 }), 16384);
    assert.equal(await contextAhead({ num_ctx: 65536 }), 32768);
    assert.equal(await contextAhead({}), 4096);
    assert.equal(await contextAhead({ num_ctx: 'long' }), 4096);
    const address = { provider: 'custom', baseUrl: 'http://gpu.lan:11434/v1' };
    assert.equal(await contextAhead({ num_ctx: 16384 }, address), 16384);
  });

  it('is found under the name with its tag left out', async () => {
    const said = await served('ollama', { '/api/ps': { models: [{ name: 'm:latest', context_length: 2048 }] } }, 'm');
    assert.equal(said?.contextTokens, 2048);
  });

  it('is said by LM Studio, llama.cpp and vLLM where each says it', async () => {
    const studio = await served('lmstudio', {
      '/api/v0/models': {
        data: [{ id: 'm:1b', state: 'loaded', loaded_context_length: 4096, max_context_length: 131072 }],
      },
    });
    assert.deepEqual([studio?.contextTokens, studio?.mostContextTokens], [4096, 131072]);
    const llama = await served('llamacpp', {
      '/props': { default_generation_settings: { n_ctx: 2048 }, total_slots: 4 },
    });
    assert.deepEqual([llama?.contextTokens, llama?.atOnce, llama?.cutsSilently], [2048, 4, false]);
    assert.match(llama?.longerContext(8192) ?? '', /--ctx-size 32768/);
    const vllm = await served('vllm', { '/v1/models': { data: [{ id: 'm:1b', max_model_len: 40960 }] } });
    assert.equal(vllm?.contextTokens, 40960);
  });

  it('is nothing where the server is none of them, or answers what nobody can read', async () => {
    for (const provider of ['ollama', 'lmstudio', 'llamacpp', 'vllm'])
      for (const answers of [
        {},
        { '/api/ps': '<html>', '/props': 'no', '/api/v0/models': [], '/v1/models': { data: 'x' } },
      ])
        assert.equal(await served(provider, answers), undefined, provider);
    assert.equal(await served('openai', { '/v1/models': { data: [{ id: 'm:1b', max_model_len: 1 }] } }), undefined);
    const odd = await served('ollama', { '/api/ps': { models: [{ name: 'm:1b', context_length: -4 }] } });
    assert.equal(odd?.isSure, false);
  });

  it('is asked of servers that people run themselves alone', () => {
    assert.deepEqual(
      [
        at('ollama', 'http://gpu.lan:1/v1'),
        at('custom', 'http://gpu.lan:11434/v1'),
        at('custom', 'http://127.0.0.1:4000/v1'),
      ],
      [true, true, false],
    );
    assert.equal(at('openai', 'https://api.openai.com/v1'), false);
  });
});
