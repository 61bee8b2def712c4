import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { sha256 } from '../../../src/hash.js';
import type { ModelReply, ModelRequest } from '../../../src/ports/languageModel.js';
import { modelQuestion } from '../../../src/simulated/server/modelQuestion.js';
import { completionForm } from '../../../src/wire/completionForm.js';
import { isDelivered, sendReply } from '../../../src/wire/httpReply.js';
import { createSimulatedModel } from '../../../src/simulated/simulatedModel.js';

/** A call as the server saw it; `answeredAt` once the whole reply was handed to the network. */
export interface ServedCall {
  readonly key: string;
  readonly role: ModelRequest['role'];
  readonly body: string;
  answeredAt: number | undefined;
}

/** What the server says instead of the simulated model; undefined leaves the word to that. */
export type Twist = (question: Omit<ModelRequest, 'attempt'>, body: string) => string | undefined;

/**
 * A model server on this machine that writes down every call. The same request gets the same reply, whenever it is asked,
 * so that a run that was cut off and resumed asks for what an unbroken one asks for.
 */
export class SimulatedServer {
  readonly calls: ServedCall[] = [];
  twist: Twist = () => undefined;
  readonly #model = createSimulatedModel();
  readonly #latencyMs: number;
  readonly #server: Server;

  private constructor(latencyMs: number) {
    this.#latencyMs = latencyMs;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start({ latencyMs = 0 }: { readonly latencyMs?: number } = {}): Promise<SimulatedServer> {
    const server = new SimulatedServer(latencyMs);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** How a command names it. */
  get model(): string {
    const address = this.#server.address();
    if (!(address instanceof Object)) throw new Error('The server does not listen.');
    return `http://127.0.0.1:${address.port}/v1#simulated-1`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    if (request.method !== 'POST') return void response.writeHead(404).end();
    const asked = completionForm.read(JSON.parse(body));
    if (typeof asked === 'string') throw new Error(asked);
    const question = modelQuestion(asked, request.headers);
    const call: ServedCall = { key: sha256(body), role: question.role, body, answeredAt: undefined };
    this.calls.push(call);
    const twisted = this.twist(question, body);
    const reply: ModelReply =
      twisted === undefined
        ? await this.#model.complete({ ...question, attempt: 1 }, new AbortController().signal)
        : said(twisted);
    if (this.#latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, this.#latencyMs));
    sendReply(response, { ...asked, reply });
    if (await isDelivered(response)) call.answeredAt = Date.now();
  }
}

function said(text: string): ModelReply {
  const usage = { inputTokens: 100, outputTokens: 100, exact: true } as const;
  return { text, toolCalls: [], finish: 'stop', usage, cached: false };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}
