import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModel, ModelMessage, ModelReply } from '../../src/ports/languageModel.js';
import { keyOf } from '../../src/simulated/chance.js';
import { AttemptBook } from '../../src/simulated/server/answerQuestion.js';
import { modelQuestion } from '../../src/simulated/server/modelQuestion.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { completionForm } from '../../src/wire/completionForm.js';
import { jsonBody, sendJson, sendReply } from '../../src/wire/httpReply.js';

interface OllamaParts {
  /** Tokens of prompt and answer together, where a call does not ask for others; 4,096 as the real one. */
  readonly context?: number;
  /** Requests that it works on at the same time; the others wait in its queue. */
  readonly slots?: number;
  /** How long a token of the answer takes. */
  readonly msPerToken?: number;
  /** Who answers; the simulated model, unless a test has its own. */
  readonly model?: LanguageModel;
  /** False: as versions before they told the context of a loaded model. */
  readonly tellsContext?: boolean;
}

/**
 * A server that behaves as Ollama does, over real HTTP: it cuts a prompt that exceeds its context from the front, without a
 * word, and counts only what is left; it works on one request at a time and lets the others wait; it tells of a model what
 * the real one tells. Its tokens are not ours: 3.5 characters each.
 */
export class OllamaServer {
  static readonly model = 'qwen2.5-coder:1.5b';
  /** Prompts that were cut. */
  cut = 0;
  /** What was asked, by path. */
  readonly paths: string[] = [];
  readonly #server: Server;
  readonly #parts: Required<Omit<OllamaParts, 'model'>>;
  readonly #model: LanguageModel;
  readonly #waiting: (() => void)[] = [];
  readonly #attempts = new AttemptBook();
  readonly #seen: number[] = [];
  #here = 0;
  #working = 0;
  #loaded: number | undefined;

  private constructor({ model = createSimulatedModel(), ...parts }: OllamaParts) {
    this.#parts = { context: 4_096, slots: 1, msPerToken: 0, tellsContext: true, ...parts };
    this.#model = model;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(parts: OllamaParts = {}): Promise<OllamaServer> {
    const server = new OllamaServer(parts);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  /** As the variable OLLAMA_HOST has it. */
  get host(): string {
    const address = this.#server.address();
    if (!(address instanceof Object)) throw new Error('The server does not listen.');
    return `127.0.0.1:${address.port}`;
  }

  /** How many requests were here at once, in the middle of all that came. */
  get usualAtOnce(): number {
    return this.#seen.toSorted((a, b) => a - b)[Math.floor(this.#seen.length / 2)] ?? 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    this.paths.push(path);
    if (path === '/v1/models') return sendJson(response, 200, { data: [{ id: OllamaServer.model }] });
    if (path === '/api/ps') return sendJson(response, 200, { models: this.#running() });
    if (path === '/api/show') return sendJson(response, 200, shown);
    const body = await jsonBody(request, 64 * 1024 * 1024);
    if (body.kind === 'refused') return sendJson(response, 400, { error: 'no JSON' });
    if (path === '/v1/chat/completions') return this.#completion(body.value, response);
    if (path === '/api/chat') return this.#chat(body.value, response);
    return sendJson(response, 404, { error: 'not found' });
  }

  #running(): readonly object[] {
    if (this.#loaded === undefined) return [];
    const context = this.#parts.tellsContext ? { context_length: this.#loaded } : {};
    return [{ name: OllamaServer.model, model: OllamaServer.model, ...context }];
  }

  async #completion(body: unknown, response: ServerResponse): Promise<void> {
    const reply = await this.#answer(body, this.#parts.context);
    const asked = completionForm.read(body);
    if (typeof asked === 'string') return sendJson(response, 400, { error: asked });
    return sendReply(response, { ...asked, reply });
  }

  /** Its own form: the options of a call apart, and a line of JSON for each piece. */
  async #chat(body: unknown, response: ServerResponse): Promise<void> {
    const { options, format, ...rest } = fields(body);
    const { num_ctx: context, num_predict: most } = fields(options);
    const schema = format instanceof Object ? { json_schema: { name: 'reply', schema: format } } : {};
    const asked = {
      ...rest,
      max_tokens: most,
      ...(format === undefined ? {} : { response_format: { type: 'json_schema', ...schema } }),
    };
    const reply = await this.#answer(asked, typeof context === 'number' ? context : this.#parts.context);
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const half = Math.ceil(reply.text.length / 2);
    for (const content of [reply.text.slice(0, half), reply.text.slice(half)])
      response.write(`${JSON.stringify({ message: { role: 'assistant', content }, done: false })}\n`);
    const { inputTokens, outputTokens } = reply.usage;
    const end = { done: true, done_reason: reply.finish, prompt_eval_count: inputTokens, eval_count: outputTokens };
    response.end(`${JSON.stringify({ message: { role: 'assistant', content: '' }, ...end })}\n`);
  }

  /** Waits for a place, reads as much as fits, and takes its time over the answer. */
  async #answer(body: unknown, context: number): Promise<ModelReply> {
    const asked = completionForm.read(body);
    if (typeof asked === 'string') throw new Error(asked);
    await this.#place();
    try {
      this.#loaded = context;
      const question = modelQuestion(asked, {});
      const read = withinContext(question.messages, context);
      if (read.isCut) this.cut += 1;
      const reply = await this.#model.complete(
        { ...question, messages: read.messages, attempt: this.#attempts.claim(keyOf(question.role, read.messages)) },
        new AbortController().signal,
      );
      const outputTokens = tokensOf(reply.text);
      if (this.#parts.msPerToken > 0) await pause(this.#parts.msPerToken * outputTokens);
      return { ...reply, usage: { inputTokens: read.tokens, outputTokens, exact: true } };
    } finally {
      this.#leave();
    }
  }

  async #place(): Promise<void> {
    this.#here += 1;
    this.#seen.push(this.#here);
    if (this.#working >= this.#parts.slots) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#working += 1;
  }

  #leave(): void {
    this.#here -= 1;
    this.#working -= 1;
    this.#waiting.shift()?.();
  }
}

const shown = {
  details: { parameter_size: '1.5B', quantization_level: 'Q4_K_M' },
  model_info: { 'general.architecture': 'qwen2', 'qwen2.context_length': 32_768 },
};

const charactersOfToken = 3.5;
const frame = 8; // tokens around each message

function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersOfToken);
}

/** The end of the prompt, as much of it as the context holds. */
function withinContext(
  messages: readonly ModelMessage[],
  context: number,
): { readonly messages: readonly ModelMessage[]; readonly tokens: number; readonly isCut: boolean } {
  const whole = messages.reduce((sum, { content }) => sum + tokensOf(content) + frame, 0);
  if (whole <= context) return { messages, tokens: whole, isCut: false };
  let over = Math.ceil((whole - context) * charactersOfToken);
  const left = messages.map((message) => {
    const dropped = Math.min(over, message.content.length);
    over -= dropped;
    return { ...message, content: message.content.slice(dropped) };
  });
  return { messages: left, tokens: context, isCut: true };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value instanceof Object ? value : {}));
}
