import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import OpenAI, { APIConnectionError, APIError } from 'openai';
import * as z from 'zod';
import {
  startSimulatedServer,
  type SimulatedServer,
  type SimulatedServerOptions,
} from '../../../src/simulated/server/serveSimulated.js';
import { faultOf, readFaults } from '../../../src/simulated/server/faults.js';
import { searchDocs } from './asking.js';

const model = 'simulated-1';
const messages = [
  { role: 'system' as const, content: 'Use at most 60 words. End with the line “Over.”' },
  { role: 'user' as const, content: 'Why does the export of checkout-service fail?' },
];

let running: SimulatedServer[] = [];

describe('the simulated model over HTTP', () => {
  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    running = [];
  });

  it('answers whole, with usage', async () => {
    const { client, server } = await start({});
    const reply = await client.chat.completions.create({ model, messages });
    assert.match(reply.choices[0]?.message.content ?? '', /\nOver\.$/);
    assert.equal(reply.choices[0]?.finish_reason, 'stop');
    assert.ok((reply.usage?.prompt_tokens ?? 0) > 20 && (reply.usage?.completion_tokens ?? 0) > 10);
    assert.deepEqual(server.counts(), { requests: 1, answered: 1 });
  });

  it('streams the same answer in pieces, with usage where it is asked for', async () => {
    const { client } = await start({});
    const whole = await client.chat.completions.create({ model, messages, seed: 5 });
    const stream = await client.chat.completions.create({
      model,
      messages,
      seed: 5,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collected(stream);
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    assert.ok(chunks.length > 4);
    assert.equal(text, whole.choices[0]?.message.content);
    assert.deepEqual(
      chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? []),
      ['stop'],
    );
    assert.deepEqual(chunks.at(-1)?.usage, whole.usage);
  });

  for (const stream of [false, true]) {
    it(`calls tools and uses their results, ${stream ? 'streamed' : 'whole'}`, async () => {
      const { client } = await start({});
      const tools = [{ type: 'function' as const, function: searchDocs }];
      const asked = [
        { role: 'system' as const, content: 'Call `search_docs` before answering.' },
        ...messages.slice(1),
      ];
      const call = stream
        ? await client.chat.completions.stream({ model, messages: asked, tools }).finalMessage()
        : (await client.chat.completions.create({ model, messages: asked, tools })).choices[0]?.message;
      const [first] = call?.tool_calls ?? [];
      assert.ok(first?.type === 'function');
      assert.equal(first.function.name, 'search_docs');
      assert.match(z.object({ query: z.string() }).parse(JSON.parse(first.function.arguments)).query, /export/);
      const reply = await client.chat.completions.create({
        model,
        tools,
        messages: [
          ...asked,
          { role: 'assistant', content: null, tool_calls: [first] },
          { role: 'tool', tool_call_id: first.id, content: 'The limit is 40 MB.' },
        ],
      });
      assert.match(reply.choices[0]?.message.content ?? '', /The limit is 40 MB/);
    });
  }

  it('reads the role from the reply schema, from the shape in the prompt, or from a header', async () => {
    const { client } = await start({});
    const prompt =
      'Propose at most 2 edits.\n\n```skill\n# Notes\n```\n\n```criteria\n- 3 of 3: The answer has at most 90 words.\n```';
    const shape = '\n\nReply with: {"failure_summary": [], "edits": []}';
    const asked = [
      { messages: [{ role: 'user' as const, content: prompt }], response_format: reflectionFormat },
      { messages: [{ role: 'user' as const, content: prompt + shape }] },
    ];
    for (const request of asked) {
      const reply = await client.chat.completions.create({ model, ...request });
      assert.match(reply.choices[0]?.message.content ?? '', /at most 90 words/);
    }
    const stated = await client.chat.completions.create(
      { model, messages: [{ role: 'user', content: `${prompt}\n\nIn German.` }] },
      { headers: { 'x-whetstone-role': 'judge' } },
    );
    assert.match(stated.choices[0]?.message.content ?? '', /"results"/);
  });

  it('samples the same question anew each time, and again the same after a restart', async () => {
    const first = await answersOf((await start({})).client, 3);
    assert.equal(new Set(first).size, 3);
    assert.deepEqual(await answersOf((await start({})).client, 3), first);
  });

  it('lists its model and refuses others', async () => {
    const { client } = await start({});
    const listed = await collected(await client.models.list());
    assert.deepEqual(
      listed.map(({ id }) => id),
      [model],
    );
    assert.equal((await client.models.retrieve(model)).id, model);
    const error = await failureOf(client.chat.completions.create({ model: 'gpt-9', messages }));
    assert.deepEqual([error.status, error.code], [404, 'model_not_found']);
  });

  it('answers to its plain name whatever its options are', async () => {
    const { client } = await start({ model: { seed: 4 } });
    const listed = await collected(await client.models.list());
    assert.deepEqual(
      listed.map(({ id }) => id),
      [model, 'simulated-1;seed=4'],
    );
    const [plain, full] = await Promise.all(
      listed.map(({ id }) => client.chat.completions.create({ model: id, messages, seed: 1 })),
    );
    assert.equal(plain?.choices[0]?.message.content, full?.choices[0]?.message.content);
  });

  it('refuses what is not a request', async () => {
    const { server } = await start({});
    const bodies = [
      'not json',
      '{}',
      JSON.stringify({ model, messages: [] }),
      JSON.stringify({ model, messages, n: 2 }),
    ];
    const replies = await Promise.all(
      bodies.map((body) => fetch(`${server.url}/chat/completions`, { method: 'POST', body })),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [400, 400, 400, 400],
    );
    assert.equal((await fetch(`${server.url}/nothing`)).status, 404);
  });

  it('limits the rate, says how long to wait, and lets go after a minute', async () => {
    let now = 0;
    const { client, server } = await start({ requestsPerMinute: 2, now: () => now });
    await client.chat.completions.create({ model, messages });
    now = 20_000;
    await client.chat.completions.create({ model, messages });
    const error = await failureOf(client.chat.completions.create({ model, messages }));
    assert.deepEqual([error.status, error.code, error.headers?.get('retry-after')], [429, 'rate_limit_exceeded', '40']);
    now = 60_000;
    await client.chat.completions.create({ model, messages });
    assert.deepEqual(server.counts(), { requests: 4, answered: 3 });
  });

  it('takes its time when told to', async () => {
    const { client } = await start({ latencyMs: 80 });
    const before = performance.now();
    await client.chat.completions.create({ model, messages });
    assert.ok(performance.now() - before >= 79);
  });
});

describe('the faults of the simulated server', () => {
  afterEach(async () => {
    await Promise.all(running.map((server) => server.stop()));
    running = [];
  });

  const refusals: readonly (readonly [SimulatedServerOptions['faults'], number, string | null])[] = [
    [{ rate429: 1 }, 429, 'rate_limit_exceeded'],
    [{ rate500: 1 }, 500, null],
    [{ auth: 'expired' }, 401, 'invalid_api_key'],
    [{ quota: true }, 429, 'insufficient_quota'],
    [{ wrongModel: true }, 404, 'model_not_found'],
  ];
  for (const [faults, status, code] of refusals) {
    it(`${JSON.stringify(faults)} answers ${status}`, async () => {
      const { client } = await start({ faults, retryAfterSeconds: 7 });
      const error = await failureOf(client.chat.completions.create({ model, messages }));
      assert.deepEqual([error.status, error.code], [status, code]);
      assert.equal(error.headers?.get('retry-after') ?? undefined, faults?.rate429 === 1 ? '7' : undefined);
    });
  }

  for (const stream of [false, true]) {
    const form = stream ? 'streamed' : 'whole';
    it(`reset breaks the connection before an answer, ${form}`, async () => {
      const { client } = await start({ faults: { reset: 1 } });
      await assert.rejects(textOf(client, stream), APIConnectionError);
    });

    it(`truncatedStream breaks off, ${form}`, async () => {
      const { client } = await start({ faults: { truncatedStream: 1 } });
      if (!stream) await assert.rejects(textOf(client, stream));
      else assert.deepEqual(await finishesOf(client), []);
    });

    it(`malformed is no JSON, ${form}`, async () => {
      const { client } = await start({ faults: { malformed: 1 } });
      await assert.rejects(textOf(client, stream), SyntaxError);
    });

    it(`empty has no text, ${form}`, async () => {
      const { client } = await start({ faults: { empty: 1 } });
      assert.equal(await textOf(client, stream), '');
    });

    it(`stall never ends, and stops with the server, ${form}`, async () => {
      const { client, server } = await start({ faults: { stall: 1 } });
      const outcome = textOf(client, stream).then(
        () => 'answered',
        () => 'broken',
      );
      assert.equal(await Promise.race([outcome, wait(60, 'waiting')]), 'waiting');
      await server.stop();
      assert.equal(await outcome, 'broken');
    });
  }

  it('fall by seed and number alone, as often as they were asked for', () => {
    const faults = readFaults({ rate429: 0.1, stall: 0.05 });
    const storm = (seed: number): readonly (string | undefined)[] =>
      Array.from({ length: 4000 }, (_, number) => faultOf(faults, seed, number));
    assert.deepEqual(storm(3), storm(3));
    assert.notDeepEqual(storm(3), storm(4));
    const count = (name: string): number => storm(3).filter((fault) => fault === name).length;
    assert.ok(Math.abs(count('rate429') - 400) < 80, `${count('rate429')} of 4000`);
    assert.ok(Math.abs(count('stall') - 200) < 60, `${count('stall')} of 4000`);
  });

  it('are refused where they make no sense', () => {
    assert.throws(() => readFaults({ rate429: 0.6, reset: 0.6 }), { code: 'options-malformed' });
    assert.throws(() => readFaults({ lightning: 1 }), { code: 'options-malformed' });
  });

  it('cost no answer: a client that retries gets what a quiet server says', async () => {
    const faults = { rate429: 0.1, rate500: 0.1, reset: 0.05, malformed: 0.05, empty: 0.05, truncatedStream: 0.05 };
    const [quiet, storm] = [await start({}), await start({ faults, retryAfterSeconds: 0, seed: 2 })];
    assert.deepEqual(await answersOf(storm.client, 12), await answersOf(quiet.client, 12));
    assert.ok(storm.server.counts().requests > 12);
  });
});

const reflectionFormat = {
  type: 'json_schema' as const,
  json_schema: { name: 'reflection', schema: { type: 'object' }, strict: true },
};

async function start(
  options: Omit<SimulatedServerOptions, 'port'>,
): Promise<{ readonly client: OpenAI; readonly server: SimulatedServer }> {
  const server = await startSimulatedServer({ port: 0, ...options });
  running.push(server);
  return { server, client: new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 }) };
}

async function textOf(client: OpenAI, stream: boolean): Promise<string> {
  if (!stream) return (await client.chat.completions.create({ model, messages })).choices[0]?.message.content ?? '';
  const chunks = await collected(await client.chat.completions.create({ model, messages, stream }));
  return chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
}

async function finishesOf(client: OpenAI): Promise<readonly string[]> {
  const chunks = await collected(await client.chat.completions.create({ model, messages, stream: true }));
  return chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? []);
}

async function persistently(client: OpenAI): Promise<string> {
  for (;;) {
    const text = await textOf(client, false).catch(() => '');
    if (text !== '') return text;
  }
}

async function failureOf(call: Promise<unknown>): Promise<APIError> {
  const error: unknown = await call.then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof APIError, String(error));
  return error;
}

async function collected<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function answersOf(client: OpenAI, count: number): Promise<readonly string[]> {
  const answers: string[] = [];
  while (answers.length < count) answers.push(await persistently(client));
  return answers;
}
