import assert from 'node:assert/strict';
import { listOf } from '../../../../src/app/models/modelOffers.js';
import { ChatServer, json, refusal, type ChatAnswer } from '../../../fakes/ChatServer.js';

const { signal } = new AbortController();
const storedKey = (): Promise<string> => Promise.resolve('sk-stored');

describe('the models that a provider names', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await ChatServer.start();
  });
  afterEach(() => server.stop());

  const listed = (answer: ChatAnswer): Promise<readonly string[]> => {
    server.answers(answer);
    const host = new URL(server.baseUrl).host;
    return listOf('ollama', { environment: { OLLAMA_HOST: host }, fetch, storedKey }, signal);
  };

  it('are asked for with the key that is there, and given by their plain names', async () => {
    const models = await listed(json(200, { data: [{ id: 'models/gemini-pro' }, { id: 'llama3.2' }] }));
    assert.deepEqual(models, ['gemini-pro', 'llama3.2']);
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer sk-stored');
  });

  const silent: readonly [name: string, answer: ChatAnswer][] = [
    ['refuses the key', refusal(401, { message: 'no' })],
    ['lists in another form', json(200, ['a', 'b'])],
    ['answers in prose', (response) => response.writeHead(200).end('hello')],
  ];
  for (const [name, answer] of silent) {
    it(`are none where the server ${name}: the person types one`, async () =>
      assert.deepEqual(await listed(answer), []));
  }

  it('are none where there is no key', async () =>
    assert.deepEqual(await listOf('openai', { environment: {}, fetch }, signal), []));
});
