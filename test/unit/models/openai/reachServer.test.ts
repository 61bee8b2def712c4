import assert from 'node:assert/strict';
import { reachServer } from '../../../../src/models/openai/reachServer.js';
import { ChatServer, json, refusal, type ChatAnswer } from '../../../fakes/ChatServer.js';

const { signal } = new AbortController();

describe('whether a server is there', () => {
  const cases: readonly { readonly name: string; readonly answer: ChatAnswer; readonly knows: boolean }[] = [
    { name: 'lists the model', answer: json(200, { data: [{ id: 'other' }, { id: 'm' }] }), knows: true },
    { name: 'lists others', answer: json(200, { data: [{ id: 'other' }] }), knows: false },
    { name: 'has another form of list', answer: json(200, ['m']), knows: false },
    { name: 'answers with no JSON', answer: (response) => response.writeHead(200).end('<html>m</html>'), knows: false },
    { name: 'refuses the key', answer: refusal(401, { message: 'no', code: 'invalid_api_key' }), knows: false },
    { name: 'has no list', answer: refusal(404, { message: 'no' }), knows: false },
    { name: 'is busy', answer: refusal(503, { message: 'later' }), knows: false },
  ];
  for (const { name, answer, knows } of cases) {
    it(`is so where it ${name}, which ${knows ? 'makes' : 'does not make'} the model known`, async () => {
      const server = (await ChatServer.start({ withList: true })).answers(answer);
      try {
        const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
        assert.equal(await reachServer(endpoint, { fetch, model: 'm' }, signal), knows);
      } finally {
        await server.stop();
      }
    });
  }

  it('is not so where nobody listens', async () => {
    const server = await ChatServer.start();
    const endpoint = { provider: 'custom', baseUrl: server.baseUrl, model: 'm', apiKey: undefined };
    await server.stop();
    await assert.rejects(reachServer(endpoint, { fetch, model: 'm' }, signal), { kind: 'unavailable' });
  });
});
