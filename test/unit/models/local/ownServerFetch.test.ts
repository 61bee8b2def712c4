import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { chooseModels } from '../../../../src/app/models/chooseModels.js';
import { ownServerFetch } from '../../../../src/models/local/ownServerFetch.js';
import type { LanguageModel } from '../../../../src/ports/languageModel.js';
import type { Fetch } from '../../../../src/models/openai/openaiClient.js';
import { ChatServer, json, stream, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { inFull } from '../../../builders/few.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const signal = new AbortController().signal;

describe('how a server on the person’s own machine is asked', () => {
  const ways: readonly [name: string, isOwn: boolean][] = [
    ['the server of a preset that people run themselves', true],
    ['a server at another address', false],
  ];
  for (const [name, isOwn] of ways) {
    it(`${isOwn ? 'goes around' : 'is'} the global fetch, which gives up after five minutes, for ${name}`, () =>
      withServer(stream(), async (server) => {
        let asked = 0;
        const globalFetch: Fetch = (input, init) => {
          asked += 1;
          return fetch(input, init);
        };
        const target = await modelAt(isOwn ? 'ollama/m' : `${server.baseUrl}#m`, server, globalFetch);
        assert.equal((await target.complete(aRequest(), signal)).text, 'An answer.');
        assert.equal(asked > 0, !isOwn);
      }));
  }

  inFull('waits longer for the first byte, and between two, than the global fetch does', async function () {
    this.timeout(60_000);
    const restore = withShortGlobalLimits(500);
    try {
      await withServer(
        (response) => void answerLate(response, 3_000),
        async (server) => {
          const ask = { method: 'POST', body: '{}' };
          await assert.rejects(fetch(server.baseUrl, ask), ({ cause }) => codeOf(cause) === 'UND_ERR_HEADERS_TIMEOUT');
          const target = await modelAt('ollama/m', server, fetch);
          assert.equal((await target.complete(aRequest(), signal)).text, 'An answer.');
        },
      );
    } finally {
      restore();
    }
  });
});

describe('the fetch for servers on the person’s own machine', () => {
  it('sends method, headers and body as they are, and gives back status, headers and body', () =>
    withServer(json(418, { said: 'Grüße' }, { 'x-more': 'yes' }), async (server) => {
      const headers = { 'content-type': 'application/json', authorization: 'Bearer k' };
      const body = JSON.stringify({ text: 'Straße' });
      const response = await ownServerFetch(`${server.baseUrl}/a?b=c`, { method: 'POST', headers, body });
      assert.deepEqual([response.status, response.ok, response.headers.get('x-more')], [418, false, 'yes']);
      assert.deepEqual(await response.json(), { said: 'Grüße' });
      const [asked] = server.requests;
      assert.deepEqual([asked?.method, asked?.path, asked?.body], ['POST', '/v1/a?b=c', { text: 'Straße' }]);
      assert.deepEqual([asked?.headers.authorization, asked?.headers['accept-encoding']], ['Bearer k', 'identity']);
      assert.equal(asked?.headers['content-length'], String(Buffer.byteLength(body)));
    }));

  it('sends no call on a connection that the server closes after its answer without a word of that', async () => {
    const { port, close, connections } = await aServerThatClosesUnsaid();
    const ask = async (): Promise<string> =>
      (await ownServerFetch(`http://127.0.0.1:${port}/v1`, { method: 'POST', body: '{}' })).text();
    for (let calls = 0; calls < 20; calls += 1) assert.equal(await ask(), 'An answer.');
    assert.equal(connections(), 20);
    await close();
  });

  it('gives a redirect back and does not follow it', async () => {
    await withServer(
      (answer) => answer.writeHead(307, { location: '/v1/other' }).end(),
      async (server) => {
        const response = await ownServerFetch(server.baseUrl, { method: 'POST', body: '{}' });
        assert.deepEqual([response.status, server.requests.length], [307, 1]);
      },
    );
  });

  it('gives pieces as they come', () =>
    withServer(stream({ ending: 'stall' }), async (server) => {
      const { body } = await ownServerFetch(server.baseUrl, { method: 'POST', body: '{}' });
      const reader = body?.getReader();
      const first = await reader?.read();
      assert.match(new TextDecoder().decode(first?.value), /An/);
      await reader?.cancel();
    }));

  it('ends the connection where nobody reads on', async () => {
    let closed: Promise<unknown> | undefined;
    const endless: ChatAnswer = (response) => {
      closed = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200).write('a');
    };
    await withServer(endless, async (server) => {
      const { body } = await ownServerFetch(server.baseUrl, { method: 'POST', body: '{}' });
      for await (const _ of body ?? []) break;
      await closed;
    });
  });

  const moments: readonly [when: string, answer: ChatAnswer][] = [
    ['before an answer', () => undefined],
    ['in the middle of one', stream({ ending: 'stall' })],
  ];
  for (const [when, answer] of moments) {
    it(`stops ${when} with the reason that was given`, () =>
      withServer(answer, async (server) => {
        const controller = new AbortController();
        const reason = new Error('the person said stop');
        setTimeout(() => controller.abort(reason), 30);
        const asked = ownServerFetch(server.baseUrl, { method: 'POST', body: '{}', signal: controller.signal });
        await assert.rejects(
          asked.then((response) => response.text()),
          (error) => error === reason,
        );
      }));
  }

  it('asks nobody when aborted before', () =>
    withServer(stream(), async (server) => {
      await assert.rejects(ownServerFetch(server.baseUrl, { method: 'POST', body: '{}', signal: AbortSignal.abort() }));
      assert.equal(server.requests.length, 0);
    }));

  it('throws where an answer breaks off, and never gives half of one', () =>
    withServer(stream({ ending: 'reset' }), async (server) => {
      const response = await ownServerFetch(server.baseUrl, { method: 'POST', body: '{}' });
      await assert.rejects(response.text());
    }));

  it('fails as the global fetch does where nobody listens, and for what is no address', async () => {
    const { port, close } = await aPort();
    await close();
    for (const address of [`http://127.0.0.1:${port}/v1`, 'no address']) {
      const [own, usual] = await Promise.all([failureOf(ownServerFetch, address), failureOf(fetch, address)]);
      assert.deepEqual(own, usual);
    }
  });
});

async function failureOf(asking: Fetch, address: string): Promise<readonly unknown[]> {
  const error: unknown = await asking(address).then(
    () => undefined,
    (failed: unknown) => failed,
  );
  return [
    error instanceof TypeError,
    error instanceof Error && error.message,
    error instanceof Error && codeOf(error.cause),
  ];
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

async function withServer(answer: ChatAnswer, work: (server: ChatServer) => Promise<void>): Promise<void> {
  const server = (await ChatServer.start()).answers(answer);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

async function modelAt(target: string, { baseUrl }: ChatServer, globalFetch: Fetch): Promise<LanguageModel> {
  const specs = { target, optimizer: undefined, judge: undefined };
  const environment = { OLLAMA_HOST: new URL(baseUrl).host };
  return (await chooseModels(specs, { environment, fetch: globalFetch }, signal)).target;
}

async function answerLate(response: ServerResponse, ms: number): Promise<void> {
  await wait(ms);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'An ' } }] })}\n\n`);
  await wait(ms);
  const last = { choices: [{ delta: { content: 'answer.' }, finish_reason: 'stop' }] };
  response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
}

async function aPort(): Promise<{ readonly port: number; readonly close: () => Promise<unknown> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address instanceof Object ? address.port : 0;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** As the HTTP server of Python does: told to close, it closes, and its answer says nothing of it. */
async function aServerThatClosesUnsaid(): Promise<
  Awaited<ReturnType<typeof aPort>> & { readonly connections: () => number }
> {
  let connections = 0;
  const server = createNetServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nAn answer.');
      setTimeout(() => socket.end(), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address instanceof Object ? address.port : 0;
  return { port, close: () => new Promise((resolve) => server.close(resolve)), connections: () => connections };
}

/** The limits of the global fetch, which are five minutes, made short; gives how they become what they were. */
function withShortGlobalLimits(ms: number): () => void {
  const place = Symbol.for('undici.globalDispatcher.1');
  const usual: unknown = Reflect.get(globalThis, place);
  assert.ok(usual instanceof Object && typeof usual.constructor === 'function');
  const short: unknown = Reflect.construct(usual.constructor, [{ headersTimeout: ms, bodyTimeout: ms }]);
  Reflect.set(globalThis, place, short);
  return () => void Reflect.set(globalThis, place, usual);
}
