import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { createGzip, gzipSync } from 'node:zlib';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import { ChatServer, json, stream, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';
import { few } from '../../../builders/few.js';

const { signal } = new AbortController();
const request = aRequest({ maxOutputTokens: 1000 });
/** Nothing in it repeats itself: what does is stopped long before. */
const kilobyte = Array.from({ length: 256 }, (_, number) => String(number).padStart(4, '0')).join('');
const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

describe('an answer that does not end', () => {
  let server: ChatServer;
  before(async () => {
    server = await ChatServer.start();
  });
  after(() => server.stop());

  const floods: readonly [name: string, answer: ChatAnswer][] = [
    ['JSON', pouring('application/json', '{"choices":[{"message":{"content":"', kilobyte)],
    ['a stream of text', pouring('text/event-stream', '', delta(kilobyte))],
    ['a packed stream', packed(delta(kilobyte).repeat(64))],
    ['white space before JSON', pouring('application/json', '', ' '.repeat(1024))],
    ['a stream of thinking', pouring('text/event-stream', '', delta(kilobyte).replace('content', 'reasoning_content'))],
    ['a stream of one event', pouring('text/event-stream', 'data: ', kilobyte)],
    ['a stream of comments', pouring('text/event-stream', '', `: ${kilobyte}\n\n`)],
    ['a stream of empty pieces', pouring('text/event-stream', '', delta('').repeat(20))],
    ['a stream of tool calls', pouring('text/event-stream', '', toolCall().repeat(20))],
    ['a packed body', packed(`{"choices":[{"message":{"content":"${kilobyte.repeat(64)}`)],
  ];
  for (const [name, answer] of few(floods, 3)) {
    it(`of ${name} is cut off, and says so`, async () => {
      await assert.rejects(ask(answer), {
        kind: 'malformed',
        charged: true,
        message: 'The answer is longer than 1000 tokens can be, and was not read to its end.',
      });
    });
  }

  it('is known before a packed one of gigabytes is unpacked', async () => {
    const member = gzipSync(Buffer.alloc(20 * 1024 * 1024, 32), { level: 1 });
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => member));
    const before = process.memoryUsage.rss();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    await assert.rejects(
      ask((response) => void response.writeHead(200, headers).end(bomb)),
      { kind: 'malformed' },
    );
    const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
    assert.ok(grown < 100, `${Math.round(grown)} MB more`);
  });

  it('is told from an honest one that is as long as it may be', async () => {
    // Each as long as the longest token in use.
    const deltas = Array.from({ length: 1000 }, (_, number) => ({ content: ' '.repeat(124) + String(1000 + number) }));
    const content = deltas.map((each) => each.content).join('');
    assert.equal((await ask(stream({ deltas }))).text, content);
    const choices = [{ message: { content }, finish_reason: 'length' }];
    assert.equal((await ask(json(200, { choices }))).text, content);
  });

  const loops: readonly (readonly [name: string, piece: string])[] = [
    ['a word', ' and'],
    ['a line', '- Check the log of the server again.\n'],
    ['a paragraph', `${kilobyte.slice(0, 800)}\n\n`],
    ['white space', '\n'],
  ];
  for (const [name, piece] of few(loops, 2)) {
    it(`is stopped where it says ${name} over and over, and is kept as far as it came`, async () => {
      const start = 'Severity: high\n';
      const reply = await ask(pouring('text/event-stream', delta(start), delta(piece)));
      assert.equal(reply.finish, 'length');
      assert.ok(reply.text.startsWith(start + piece.repeat(5)));
      assert.ok(reply.text.length < 8_000, `${reply.text.length} characters were read`);
      assert.equal(reply.usage.exact, false);
    });
  }

  it('is stopped where it thinks the same over and over, as thinking that used up its room', async () => {
    const thought = delta('Wait, let me check that again. ').replace('content', 'reasoning_content');
    const reply = await ask(pouring('text/event-stream', '', thought));
    assert.deepEqual([reply.text, reply.finish], ['', 'length']);
  });

  it('is whole where it ended by itself, whatever it repeats', async () => {
    const choices = [{ message: { content: '| 0 | 0 | 0 | 0 |\n'.repeat(300) }, finish_reason: 'stop' }];
    assert.equal((await ask(json(200, { choices }))).finish, 'stop');
  });

  function ask(answer: ChatAnswer): ReturnType<ReturnType<typeof createOpenAIModel>['complete']> {
    server.answers(answer);
    const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
    return createOpenAIModel(endpoint, { fetch, learned: createLearnedCapabilities() }).complete(request, signal);
  }
});

/** The start, and then the same for ever. */
function pouring(type: string, start: string, again: string): ChatAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': type });
    response.write(start);
    pour(response, again.repeat(Math.ceil(65_536 / again.length)));
  };
}

function pour(response: ServerResponse, text: string): void {
  const more = (): void => {
    while (!response.destroyed && response.write(text));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

function packed(text: string): ChatAnswer {
  return (response) => {
    const type = text.startsWith('data:') ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
    const gzip = createGzip({ level: 1 });
    gzip.pipe(response);
    const more = (): void => {
      while (!response.destroyed && gzip.write(text));
      if (response.destroyed) gzip.destroy();
      else gzip.once('drain', more);
    };
    more();
  };
}

function toolCall(): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ function: { name: 'x', arguments: '' } }] } }] })}\n\n`;
}
