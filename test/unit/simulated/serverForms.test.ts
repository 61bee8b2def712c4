import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { startSimulatedServer, type SimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { searchDocs } from './asking.js';

const model = 'simulated-1';
const system = 'Use at most 60 words. End with the line “Over.”';
const task = 'Why does the export of checkout-service fail?';
const toolSystem = 'Call `search_docs` before answering.';
const found = 'The limit is 40 MB.';

/** A form as a client speaks it: how it asks, and what it reads out of an answer. */
interface Client {
  readonly path: string;
  body(asked: Asked): object;
  read(answer: Json): Read;
  /** The same out of the events of a stream. */
  readStream(events: readonly Json[]): Read;
  readonly streamed: string;
  errorOf(answer: Json): readonly unknown[];
}

interface Asked {
  readonly system: string;
  readonly model?: string;
  readonly stream?: boolean;
  /** The call of an earlier answer, whose result is given. */
  readonly called?: Call;
  readonly tools?: boolean;
  readonly most?: number;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

interface Read {
  readonly text: string;
  readonly calls: readonly Call[];
  readonly finish: unknown;
  readonly tokens: readonly unknown[];
}

// oxlint-disable-next-line typescript/no-explicit-any -- what a stranger's JSON looks like is what is tested
type Json = any;

const anthropic: Client = {
  path: '/messages',
  streamed: '/messages',
  body: ({ system: said, model: name = model, stream = false, called, tools = false, most = 4096 }) => ({
    model: name,
    max_tokens: most,
    stream,
    system: [{ type: 'text', text: said }],
    ...(tools ? { tools: [{ ...searchDocs, parameters: undefined, input_schema: searchDocs.parameters }] } : {}),
    messages: [
      { role: 'user', content: task },
      ...(called === undefined
        ? []
        : [
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: called.id, name: called.name, input: JSON.parse(called.arguments) }],
            },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: called.id, content: found }] },
          ]),
    ],
  }),
  read: ({ content, stop_reason: finish, usage }) => ({
    text: content.map((block: Json) => block.text ?? '').join(''),
    calls: content
      .filter((block: Json) => block.type === 'tool_use')
      .map((block: Json) => ({ id: block.id, name: block.name, arguments: JSON.stringify(block.input) })),
    finish,
    tokens: [usage.input_tokens, usage.output_tokens],
  }),
  readStream(events) {
    const message = events.find(({ type }) => type === 'message_start').message;
    const blocks: Json[] = [];
    for (const { type, index, content_block: block, delta } of events) {
      if (type === 'content_block_start') blocks[index] = { ...block, json: '' };
      if (delta?.type === 'text_delta') blocks[index].text += delta.text;
      if (delta?.type === 'input_json_delta') blocks[index].json += delta.partial_json;
    }
    const content = blocks.map((block) =>
      block.type === 'tool_use' ? { ...block, input: JSON.parse(block.json) } : block,
    );
    const { delta, usage } = events.find(({ type }) => type === 'message_delta');
    assert.equal(events.at(-1).type, 'message_stop');
    return this.read({ ...message, content, ...delta, usage });
  },
  errorOf: ({ type, error }) => [type, error.type],
};

const gemini: Client = {
  path: `beta/models/${model}:generateContent`,
  streamed: `beta/models/${model}:streamGenerateContent?alt=sse`,
  body: ({ system: said, called, tools = false, most = 4096 }) => ({
    systemInstruction: { parts: [{ text: said }] },
    generationConfig: { maxOutputTokens: most },
    ...(tools ? { tools: [{ functionDeclarations: [searchDocs] }] } : {}),
    contents: [
      { role: 'user', parts: [{ text: task }] },
      ...(called === undefined
        ? []
        : [
            { role: 'model', parts: [{ functionCall: { name: called.name, args: JSON.parse(called.arguments) } }] },
            { role: 'user', parts: [{ functionResponse: { name: called.name, response: { output: found } } }] },
          ]),
    ],
  }),
  read: ({ candidates: [{ content, finishReason: finish }], usageMetadata: usage }) => ({
    text: content.parts.map((part: Json) => part.text ?? '').join(''),
    calls: content.parts
      .filter((part: Json) => part.functionCall !== undefined)
      .map(({ functionCall }: Json) => ({ ...functionCall, arguments: JSON.stringify(functionCall.args) })),
    finish,
    tokens: [usage.promptTokenCount, usage.candidatesTokenCount],
  }),
  readStream(events) {
    const parts = events.flatMap(({ candidates: [{ content }] }) => content.parts);
    const last = events.at(-1);
    return this.read({ ...last, candidates: [{ ...last.candidates[0], content: { parts } }] });
  },
  errorOf: ({ error }) => [error.code, error.status],
};

for (const [name, client] of Object.entries({ 'Anthropic’s form': anthropic, 'Google’s form': gemini })) {
  describe(`the simulated model in ${name}`, () => {
    let server: SimulatedServer;
    before(async () => {
      server = await startSimulatedServer({ port: 0 });
    });
    after(() => server.stop());

    it('gives the same answer whole and streamed, with usage', async () => {
      const whole = client.read(await post(server, client.path, client.body({ system })));
      assert.match(whole.text, /\nOver\.$/);
      assert.ok(whole.tokens.every((count) => typeof count === 'number' && count > 10));
      const again = await startSimulatedServer({ port: 0 });
      const events = await postStream(again, client.streamed, client.body({ system, stream: true }));
      await again.stop();
      assert.ok(events.length > 4);
      assert.deepEqual(client.readStream(events), whole);
    });

    it('calls a tool and uses its result', async () => {
      const events = await postStream(
        server,
        client.streamed,
        client.body({ system: toolSystem, stream: true, tools: true }),
      );
      const [called] = client.readStream(events).calls;
      assert.ok(called !== undefined);
      assert.equal(called.name, 'search_docs');
      assert.match(called.arguments, /export/);
      const answer = await post(server, client.path, client.body({ system: toolSystem, tools: true, called }));
      assert.match(client.read(answer).text, /The limit is 40 MB/);
    });

    it('says where an answer was cut at its length', async () => {
      const cut = client.read(await post(server, client.path, client.body({ system, most: 5 })));
      assert.match(String(cut.finish), /max_tokens/i);
    });

    it('refuses in its own words', async () => {
      const faulty = await startSimulatedServer({ port: 0, faults: { auth: 'expired' } });
      const refused = await postRaw(faulty, client.path, client.body({ system }));
      await faulty.stop();
      assert.equal(refused.status, 401);
      assert.match(JSON.stringify(client.errorOf(await refused.json())), /authentication_error|UNAUTHENTICATED/);
      const broken = await postRaw(server, client.path, { contents: 1, messages: 1 });
      assert.equal(broken.status, 400);
      assert.match(JSON.stringify(await broken.json()), /INVALID_ARGUMENT|invalid_request_error/);
    });
  });
}

describe('the simulated model in the form of OpenAI’s responses', () => {
  let server: SimulatedServer;
  let client: OpenAI;
  before(async () => {
    server = await startSimulatedServer({ port: 0 });
    client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
  });
  after(() => server.stop());

  it('gives the same answer whole and streamed, with usage', async () => {
    const asked = { model, instructions: system, input: task };
    const whole = await client.responses.create(asked);
    assert.match(whole.output_text, /\nOver\.$/);
    const again = await startSimulatedServer({ port: 0 });
    const streaming = new OpenAI({ baseURL: again.url, apiKey: 'none', maxRetries: 0 });
    const streamed = await streaming.responses.stream(asked).finalResponse();
    await again.stop();
    assert.equal(streamed.output_text, whole.output_text);
    assert.deepEqual(streamed.usage, whole.usage);
    assert.equal(streamed.status, 'completed');
  });

  it('calls a tool and uses its result', async () => {
    const tools = [{ type: 'function' as const, strict: false, ...searchDocs }];
    const asked = { model, instructions: toolSystem, tools };
    const first = await client.responses.stream({ ...asked, input: task }).finalResponse();
    const call = first.output.find(({ type }) => type === 'function_call');
    assert.ok(call?.type === 'function_call');
    assert.match(call.arguments, /export/);
    const input = [
      { role: 'user' as const, content: task },
      { type: 'function_call' as const, call_id: call.call_id, name: call.name, arguments: call.arguments },
      { type: 'function_call_output' as const, call_id: call.call_id, output: found },
    ];
    assert.match((await client.responses.create({ ...asked, input })).output_text, /The limit is 40 MB/);
  });

  it('holds to a schema, says where an answer was cut, and refuses', async () => {
    const format = {
      type: 'json_schema' as const,
      name: 'sky',
      strict: false,
      schema: { type: 'object', properties: { blue: { type: 'boolean' } }, required: ['blue'] },
    };
    const asked = { model, input: 'Is it?', text: { format } };
    const answered = await client.responses.create(asked, { headers: { 'x-whetstone-role': 'optimizer' } });
    assert.equal(typeof JSON.parse(answered.output_text).blue, 'boolean');
    const cut = await client.responses.create({ model, input: task, max_output_tokens: 5 });
    assert.deepEqual([cut.status, cut.incomplete_details?.reason], ['incomplete', 'max_output_tokens']);
    await assert.rejects(client.responses.create({ model: 'gpt-9', input: task }), { status: 404 });
  });
});

it('a used-up quota is told as the server of each form tells it', async () => {
  const server = await startSimulatedServer({ port: 0, faults: { quota: true } });
  const messages = await postRaw(server, '/messages', {
    model,
    max_tokens: 9,
    messages: [{ role: 'user', content: 'x' }],
  });
  const { error }: Json = await messages.json();
  assert.deepEqual([messages.status, error.type], [400, 'invalid_request_error']);
  assert.match(error.message, /credit balance is too low/);
  const google = await postRaw(server, `/models/${model}:generateContent`, { contents: [{ parts: [{ text: 'x' }] }] });
  const said: Json = await google.json();
  assert.deepEqual([google.status, said.error.status], [429, 'RESOURCE_EXHAUSTED']);
  assert.match(said.error.details[0].violations[0].quotaId, /PerDay/);
  const completions = await postRaw(server, '/chat/completions', { model, messages: [{ role: 'user', content: 'x' }] });
  assert.equal(completions.status, 429);
  await server.stop();
});

function postRaw(server: SimulatedServer, path: string, body: object): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

async function post(server: SimulatedServer, path: string, body: object): Promise<Json> {
  const response = await postRaw(server, path, body);
  assert.equal(response.status, 200);
  return response.json();
}

async function postStream(server: SimulatedServer, path: string, body: object): Promise<readonly Json[]> {
  const text = await (await postRaw(server, path, body)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
