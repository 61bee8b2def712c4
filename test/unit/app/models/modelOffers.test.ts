import assert from 'node:assert/strict';
import { listOf, type ModelList } from '../../../../src/app/models/modelOffers.js';
import { ChatServer, json, refusal, type ChatAnswer } from '../../../fakes/ChatServer.js';

const { signal } = new AbortController();
const storedKey = (): Promise<string> => Promise.resolve('sk-stored');

describe('the models that a provider names', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await ChatServer.start({ withList: true });
  });
  afterEach(() => server.stop());

  const listed = (answer: ChatAnswer): Promise<ModelList> => {
    server.answers(answer);
    const host = new URL(server.baseUrl).host;
    return listOf('ollama', { environment: { OLLAMA_HOST: host }, fetch, storedKey }, signal);
  };

  it('are asked for with the key that is there, and given by their plain names', async () => {
    const { models, trouble } = await listed(json(200, { data: [{ id: 'models/gemini-pro' }, { id: 'llama3.2' }] }));
    assert.deepEqual([models, trouble], [['gemini-pro', 'llama3.2'], undefined]);
    const keys = server.requests.map(({ headers }) => headers.authorization);
    assert.ok(keys.includes('Bearer sk-stored'), `it was asked with ${keys.join(', ')}`); // a stranger may ask too
  });

  const silent: readonly [name: string, answer: ChatAnswer, said: RegExp][] = [
    ['refuses the key', refusal(401, { message: 'no' }), /Ollama refused the API key: no\. Set the API key again\./],
    ['lists in another form', json(200, ['a', 'b']), /does not list what it serves/],
    ['answers in prose', (response) => response.writeHead(200).end('hello'), /does not list what it serves/],
  ];
  for (const [name, answer, said] of silent) {
    it(`are none where the server ${name}, which is said: the person types one`, async () => {
      const { models, trouble } = await listed(answer);
      assert.deepEqual(models, []);
      assert.match(trouble ?? '', said);
    });
  }

  it('are those whose prices are known where there is no key, which is said', async () => {
    const { models, trouble } = await listOf('openai', { environment: {}, fetch }, signal);
    assert.ok(models.includes('gpt-5-mini'));
    assert.match(trouble ?? '', /^There is no API key for OpenAI\./);
  });

  it('are asked for at any address', async () => {
    server.answers(json(200, { data: [{ id: 'mine' }] }));
    const { models } = await listOf(server.baseUrl, { environment: {}, fetch }, signal);
    assert.deepEqual(models, ['mine']);
    assert.ok(server.requests.some(({ path }) => path === '/v1/models'));
  });

  it('are none at an address where nobody answers, which is said', async () => {
    const { baseUrl } = server;
    await server.stop();
    const { models, trouble } = await listOf(baseUrl, { environment: {}, fetch }, signal);
    server = await ChatServer.start();
    assert.deepEqual(models, []);
    assert.match(trouble ?? '', /^No server answers at /);
  });
});
