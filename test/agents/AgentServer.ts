import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { wireFormats, type WireAnswer, type WireCall } from './wireFormats.js';

/** What the server does when a model is asked for an answer. */
export type ServerBehaviour =
  | { readonly kind: 'text'; readonly text: string }
  /** Says back the last `word-N` of the question. */
  | { readonly kind: 'echo' }
  | { readonly kind: 'late'; readonly ms: number; readonly text: string }
  | { readonly kind: 'status'; readonly status: number; readonly code?: string; readonly message?: string }
  /** Ends the connection before, or in the middle of, an answer. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'malformed' }
  /** Asks for these tools once for each question, then says the text; `forever` asks for nothing but tools. */
  | {
      readonly kind: 'calls';
      readonly calls: readonly WireCall[];
      readonly text: string;
      readonly forever?: boolean;
    }
  /** Works as an agent's model does: the answer to each question is up to whoever plays it. */
  | { readonly kind: 'works'; readonly next: (request: AskedRequest) => WireAnswer; readonly ms?: number }
  /** Answers that the model's own limit cuts: the first, then the second for everything that is asked after it. */
  | { readonly kind: 'limit'; readonly first: string; readonly second: string };

export interface AskedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A server that every agent program can be pointed at, in its own form, and that does what a test says. */
export class AgentServer {
  /** Those that ask a model for an answer. */
  readonly asked: AskedRequest[] = [];
  /** Everything else that came: addresses, and hosts where it was taken for a proxy. */
  readonly others: string[] = [];
  readonly #server: Server;
  #behaviour: ServerBehaviour = { kind: 'text', text: 'Hello.' };

  private constructor() {
    this.#server = createServer((message, response) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('error', () => undefined);
      message.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        this.#take({ url: message.url ?? '', headers: message.headers, text, body: objectIn(text) }, response);
      });
    });
    this.#server.on('connect', (request, socket) => {
      this.others.push(request.url ?? '');
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    this.#server.on('upgrade', (_request, socket) => {
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    });
  }

  static async start(): Promise<AgentServer> {
    const server = new AgentServer();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    const address = this.#server.address();
    if (!(address instanceof Object)) throw new Error('The server does not listen.');
    return `http://127.0.0.1:${address.port}`;
  }

  behaves(behaviour: ServerBehaviour): void {
    this.#behaviour = behaviour;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(request: AskedRequest, response: ServerResponse): void {
    const format = wireFormats.find(({ path }) => path.test(request.url));
    if (format === undefined) {
      this.others.push(request.url);
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
      return;
    }
    this.asked.push(request);
    this.#answer(request, response, (answer) => format.write(answer, response, request));
  }

  #answer(request: AskedRequest, response: ServerResponse, write: (answer: WireAnswer) => void): void {
    const behaviour = this.#behaviour;
    switch (behaviour.kind) {
      case 'text':
        return write(behaviour);
      case 'echo':
        return write({ text: request.text.match(/word-\d+/g)?.at(-1) ?? 'nothing' });
      case 'late':
        setTimeout(() => write(behaviour), behaviour.ms).unref();
        return;
      case 'status':
        return refuse(response, behaviour);
      case 'drop':
        response.destroy();
        return;
      case 'hang':
        return;
      case 'malformed':
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {"oops"\n\n');
        return;
      case 'calls':
        if (behaviour.forever === true) return this.#firstAtOnce(() => write({ text: '', calls: behaviour.calls }));
        return write(holdsResults(request.text) ? { text: behaviour.text } : { text: '', calls: behaviour.calls });
      case 'works':
        setTimeout(() => write(behaviour.next(request)), behaviour.ms ?? 0).unref();
        return;
      case 'limit': {
        const text = this.asked.length === 1 ? behaviour.first : behaviour.second;
        return this.#firstAtOnce(() => write({ text, cut: true }));
      }
    }
  }

  /** The first answer comes at once, later ones take as long as a model does: whoever ends the program has that time. */
  #firstAtOnce(answer: () => void): void {
    if (this.asked.length === 1) answer();
    else setTimeout(answer, thinkingMs).unref();
  }
}

const thinkingMs = 5_000;

/** As servers say it: some programs pass on the words alone. */
const messages: Readonly<Record<number, string>> = {
  401: 'Incorrect API key provided.',
  402: 'The account has no credit left.',
  429: 'Too many requests, slow down.',
  500: 'Internal server error.',
};

function refuse(
  response: ServerResponse,
  {
    status,
    code = 'fake_failure',
    message = messages[status] ?? `status ${status}`,
  }: ServerBehaviour & { kind: 'status' },
): void {
  const error = { type: code, code, message, status: code };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }));
}

/** Whether a question tells what tools gave. */
function holdsResults(text: string): boolean {
  return /"tool_result"|"function_call_output"|"custom_tool_call_output"|"role":"tool"|"functionResponse"/.test(text);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    return {};
  }
}
