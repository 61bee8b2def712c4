import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** Stands before a server of models, and counts what is asked of it by the words of the question. */
export interface CountingDoor {
  readonly url: string;
  counted(words: string): number;
  all(): number;
  dispose(): Promise<void>;
}

export async function aCountingDoor(url: string): Promise<CountingDoor> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = await text(request);
      const [words = ''] = /Say something about harbour \d+\./.exec(body) ?? [];
      if (request.method === 'POST') counts.set(words, (counts.get(words) ?? 0) + 1);
      const target = `${new URL(url).origin}${request.url}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(target, request.method === 'POST' ? { method: 'POST', headers, body } : {});
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
      response.end(Buffer.from(await answer.arrayBuffer()));
    };
    pass().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    counted: (words) => counts.get(words) ?? 0,
    all: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    dispose: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
