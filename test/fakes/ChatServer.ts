import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How one request is answered; what it leaves open stays open until the server stops. */
export type ChatAnswer = (response: ServerResponse, request: ReceivedRequest) => void;

/**
 * A server of chat completions that does exactly what a test says, faults included. It has no list of models and does not
 * count who asks for one, unless it is started `withList`: then it answers that as everything else.
 */
export class ChatServer {
  readonly requests: ReceivedRequest[] = [];
  readonly #server: Server;
  #answers: ChatAnswer[] = [];

  private constructor({ withList }: { readonly withList: boolean }) {
    this.#server = createServer((message, response) => {
      if (message.method === 'GET' && !withList) {
        response.writeHead(404).end();
        return;
      }
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body: unknown = text === '' ? {} : JSON.parse(text);
        const request = {
          method: message.method ?? '',
          path: message.url ?? '',
          headers: message.headers,
          body: Object.fromEntries(Object.entries(body instanceof Object ? body : {})),
        };
        this.requests.push(request);
        const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
        if (answer === undefined) response.writeHead(500).end('The test has no answer.');
        else answer(response, request);
      });
    });
  }

  static async start({ withList = false } = {}): Promise<ChatServer> {
    const server = new ChatServer({ withList });
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get baseUrl(): string {
    const address = this.#server.address();
    if (!(address instanceof Object)) throw new Error('The server does not listen.');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  /** Answers in turn; the last one stays. */
  answers(...answers: readonly ChatAnswer[]): this {
    this.#answers = [...answers];
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A whole completion as JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): ChatAnswer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** An error in OpenAI's form. */
export function refusal(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): ChatAnswer {
  return json(status, { error }, headers);
}

export interface StreamScript {
  readonly deltas?: readonly Readonly<Record<string, unknown>>[];
  /** Null: the stream ends without one, as a broken one does. */
  readonly finish?: string | null;
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** What happens after the last chunk. */
  readonly ending?: 'end' | 'stall' | 'reset';
}

/** A stream of chunks as servers send them. */
export function stream({
  deltas = [{ content: 'An ' }, { content: 'answer.' }],
  finish = 'stop',
  usage = null,
  ending = 'end',
}: StreamScript = {}): ChatAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const delta of deltas) response.write(event({ choices: [{ index: 0, delta, finish_reason: null }] }));
    if (finish !== null) response.write(event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }));
    if (usage !== null) response.write(event({ choices: [], usage }));
    if (ending === 'end') response.end(finish === null ? undefined : 'data: [DONE]\n\n');
    if (ending === 'reset') setImmediate(() => response.destroy());
  };
}

/** A stream of exactly these lines. */
export function rawStream(...lines: readonly string[]): ChatAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(lines.map((line) => `${line}\n\n`).join(''));
  };
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
