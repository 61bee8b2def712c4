import assert from 'node:assert/strict';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import { usageOfFailure } from '../../../../src/models/wrappers/failedCall.js';
import { guessInputTokens, guessTokens, worstUsage } from '../../../../src/models/tokens.js';
import type { ModelUsage } from '../../../../src/ports/languageModel.js';
import { ChatServer, json, rawStream, stream, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const { signal } = new AbortController();
const request = aRequest({
  messages: [{ role: 'user', content: 'Tell me what the harbour looks like at dawn. '.repeat(20) }],
  maxOutputTokens: 1000,
});
const text = 'The harbour is quiet, and the boats lie side by side. '.repeat(4);
const ours = { input: guessInputTokens(request), output: guessTokens(text) };
const estimated: ModelUsage = { inputTokens: ours.input, outputTokens: ours.output, exact: false };

function piece(more: object): string {
  return `data: ${JSON.stringify({ choices: [], ...more })}\n\n`;
}

describe('what a call is booked at', () => {
  let server: ChatServer;
  before(async () => {
    server = await ChatServer.start();
  });
  after(() => server.stop());

  const honest = { prompt_tokens: 190, completion_tokens: 45 };
  const said: readonly [name: string, usage: unknown, booked: ModelUsage][] = [
    ['what the server says', honest, { inputTokens: 190, outputTokens: 45, exact: true }],
    [
      'what it says as text',
      { prompt_tokens: '190', completion_tokens: '45' },
      { inputTokens: 190, outputTokens: 45, exact: true },
    ],
    [
      'what it says in money as well',
      { ...honest, cost: 0.25 },
      { inputTokens: 190, outputTokens: 45, exact: true, usd: 0.25 },
    ],
    [
      'no money that nobody asks for one answer',
      { ...honest, cost: 1e9 },
      { inputTokens: 190, outputTokens: 45, exact: true },
    ],
    [
      'the total where thinking is left out of the parts',
      { ...honest, total_tokens: 900 },
      { inputTokens: 190, outputTokens: 710, exact: false },
    ],
    [
      'the total where it is all that is said',
      { total_tokens: 900 },
      { inputTokens: ours.input, outputTokens: 900 - ours.input, exact: false },
    ],
    [
      'the parts where the total is less',
      { ...honest, total_tokens: 1 },
      { inputTokens: 190, outputTokens: 45, exact: true },
    ],
    ['our own count where it says zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, estimated],
    ['our own count where it says one', { prompt_tokens: 1, completion_tokens: 1 }, estimated],
    [
      'our own count where it says a third',
      { prompt_tokens: ours.input / 3, completion_tokens: ours.output / 3 },
      estimated,
    ],
    [
      'our own count of the part that is left out',
      { prompt_tokens: 190 },
      { inputTokens: 190, outputTokens: ours.output, exact: false },
    ],
    ['our own count where it says less than nothing', { prompt_tokens: -190, completion_tokens: -45 }, estimated],
    [
      'our own count where it says more than any model reads',
      { prompt_tokens: 1e12, completion_tokens: 1e300 },
      estimated,
    ],
    ['our own count where it says an array', [190, 45], estimated],
    ['our own count where it says a text', '235 tokens', estimated],
    ['our own count where it says yes', true, estimated],
    ['our own count where the figures are objects', { prompt_tokens: {}, completion_tokens: [45] }, estimated],
    ['our own count where it says nothing', undefined, estimated],
    ['our own count where it says null', null, estimated],
  ];
  for (const [name, usage, booked] of said) {
    it(name, async () => {
      assert.deepEqual(await bookedFor(whole(JSON.stringify(usage))), booked, 'a whole completion');
      assert.deepEqual(await bookedFor(streamed(JSON.stringify(usage))), booked, 'a stream');
    });
  }

  it('our own count where it says NaN, which is no JSON: the answer is paid for', async () => {
    const usage = '{"prompt_tokens": NaN, "completion_tokens": -Infinity, "note": "NaN"}';
    assert.deepEqual(await bookedFor(whole(usage)), estimated);
    assert.deepEqual(await bookedFor(streamed(usage)), estimated);
  });

  it('the figures that count, where zeros are streamed around them', async () => {
    const zero = '{"prompt_tokens":0,"completion_tokens":0}';
    assert.deepEqual(await bookedFor(streamed(zero, JSON.stringify(honest), zero)), {
      inputTokens: 190,
      outputTokens: 45,
      exact: true,
    });
  });

  it('thinking that is sent beside the text and counted nowhere', async () => {
    const thinking = 'First I look at the boats. '.repeat(40);
    const usage = { prompt_tokens: 190, completion_tokens: 45 };
    const { outputTokens, exact } = await bookedFor(
      stream({ deltas: [{ reasoning_content: thinking }, { content: text }], usage }),
    );
    assert.equal(outputTokens, guessTokens(thinking + text));
    assert.equal(exact, false);
  });

  const charged = { prompt_tokens: 400_000, completion_tokens: 3_000, total_tokens: 503_000 };
  const failing: readonly [name: string, answer: ChatAnswer][] = [
    ['with its error and status 200', json(200, { error: { message: 'Sorry.' }, usage: charged })],
    ['with an error status', json(500, { error: { message: 'Sorry.' }, usage: charged })],
    ['with a refusal of the form', json(400, { error: { message: 'Unsupported: temperature.' }, usage: charged })],
    ['before an error in the stream', rawStream(piece({ usage: charged }), piece({ error: { message: 'Sorry.' } }))],
    ['with an error in the stream', rawStream(piece({ error: { message: 'Sorry.' }, usage: charged }))],
    ['before an answer that breaks off', rawStream(piece({ usage: charged }))],
  ];
  for (const [name, answer] of failing) {
    it(`what the server says that it charges ${name}`, async () => {
      server.answers(answer);
      const error: unknown = await theModel()
        .complete(request, signal)
        .catch((reason: unknown) => reason);
      const { inputTokens = 0, outputTokens = 0, exact } = usageOfFailure(error, worstUsage(request)) ?? {};
      assert.equal(inputTokens + outputTokens, charged.total_tokens);
      assert.equal(exact, false);
    });
  }

  it('nothing where a refusal says of no charge', async () => {
    server.answers(json(500, { error: { message: 'Sorry.' } }));
    const error: unknown = await theModel()
      .complete(request, signal)
      .catch((reason: unknown) => reason);
    assert.deepEqual(usageOfFailure(error, worstUsage(request)), { inputTokens: 0, outputTokens: 0, exact: true });
  });

  function theModel(): ReturnType<typeof createOpenAIModel> {
    const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
    return createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() });
  }

  async function bookedFor(answer: ChatAnswer): Promise<ModelUsage> {
    server.answers(answer);
    const reply = await theModel().complete(request, signal);
    assert.equal(reply.text, text);
    return reply.usage;
  }
});

function whole(usage: string | undefined): ChatAnswer {
  const choices = JSON.stringify([{ message: { content: text }, finish_reason: 'stop' }]);
  const body = `{"choices":${choices}${usage === undefined ? '' : `,"usage":${usage}`}}`;
  return (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

function streamed(...usages: readonly (string | undefined)[]): ChatAnswer {
  const choices = [{ delta: { content: text }, finish_reason: 'stop' }];
  const pieces = usages.map((usage) => `data: {"choices":[]${usage === undefined ? '' : `,"usage":${usage}`}}`);
  return rawStream(`data: ${JSON.stringify({ choices })}`, ...pieces, 'data: [DONE]');
}
