import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createLearnedCapabilities } from '../../../../src/models/openai/capabilities.js';
import type { Endpoint } from '../../../../src/models/openai/endpoint.js';
import { createOpenAIModel } from '../../../../src/models/openai/openaiModel.js';
import { ChatServer, type ChatAnswer } from '../../../fakes/ChatServer.js';
import { aRequest } from '../../../fakes/ScriptedModel.js';

const signal = new AbortController().signal;
const timeouts = { firstByteMs: 30_000, idleMs: 60, totalMs: 60_000 };
const longerThanIdle = 250;
const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** What servers on a person's own machine send before they have read the prompt. */
const early: readonly [name: string, sent: string][] = [
  ['its headers', ''],
  ['a comment', ': ping\n\n'],
  ['a piece that says who speaks', event({ role: 'assistant', content: '' })],
  ['a piece with nothing in it', event({})],
  ['how far it has read', `data: ${JSON.stringify({ choices: [], prompt_progress: { total: 9, processed: 1 } })}\n\n`],
  ['a line break', '\n'],
];

describe('a server on the person’s own machine that reads a long prompt', () => {
  for (const [name, sent] of early) {
    it(`is waited for as for a first byte after ${name}`, () =>
      asked({ provider: 'ollama' }, readsAfter(sent, event({ content: 'Read.' }, 'stop')), async (answer) => {
        assert.equal((await answer).text, 'Read.');
      }));
  }

  it('may send an answer in one piece after its headers', () =>
    asked(
      { provider: 'ollama' },
      readsAfter('', JSON.stringify({ choices: [{ message: { content: 'Read.' }, finish_reason: 'stop' }] })),
      async (answer) => {
        assert.equal((await answer).text, 'Read.');
      },
    ));

  it('is waited for no longer than that', () =>
    asked(
      { provider: 'ollama', timeouts: { ...timeouts, firstByteMs: 400 } },
      (response) => begin(response, ': ping\n\n'),
      async (answer) => {
        await assert.rejects(answer, { kind: 'timeout', message: /no answer within 400 ms/ });
      },
    ));

  const begun: readonly [name: string, delta: object][] = [
    ['its first word', { content: 'An' }],
    ['its first thought', { reasoning_content: 'Hm' }],
    ['its first tool call', { tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }] }],
  ];
  for (const [name, delta] of begun) {
    it(`shows that it has died by its silence after ${name}`, () =>
      asked(
        { provider: 'ollama' },
        (response) => begin(response, event(delta)),
        async (answer) => {
          await assert.rejects(answer, { kind: 'timeout', message: /stalled for 60 ms/ });
        },
      ));
  }

  it('is no provider, whose headers are the beginning of an answer', () =>
    asked({ provider: 'custom' }, readsAfter('', event({ content: 'Read.' }, 'stop')), async (answer) => {
      await assert.rejects(answer, { kind: 'timeout', message: /stalled for 60 ms/ });
    }));
});

function begin(response: ServerResponse, sent: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  if (sent !== '') response.write(sent);
}

function readsAfter(sent: string, answer: string): ChatAnswer {
  return (response) => {
    begin(response, sent);
    void wait(longerThanIdle).then(() => response.end(answer));
  };
}

async function asked(
  parts: Partial<Endpoint>,
  answer: ChatAnswer,
  look: (answer: ReturnType<ReturnType<typeof createOpenAIModel>['complete']>) => Promise<void>,
): Promise<void> {
  const server = (await ChatServer.start()).answers(answer);
  const own = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined, timeouts };
  try {
    const model = createOpenAIModel({ ...own, ...parts }, { fetch, learned: createLearnedCapabilities() });
    await look(model.complete(aRequest(), signal));
  } finally {
    await server.stop();
  }
}
