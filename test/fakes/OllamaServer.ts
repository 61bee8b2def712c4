import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModel, ModelMessage, ModelReply, ModelRequest } from '../../src/ports/languageModel.js';
import { keyOf } from '../../src/simulated/chance.js';
import { AttemptBook } from '../../src/simulated/server/answerQuestion.js';
import { modelQuestion } from '../../src/simulated/server/modelQuestion.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { completionForm } from '../../src/wire/completionForm.js';
import { jsonBody, openStream, sendEvent, sendJson, sendReply } from '../../src/wire/httpReply.js';

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
  /** What becomes of a JSON schema: the reply keeps to it, as the simulated model does anyway, has prose around it, or is refused. */
  readonly schema?: 'kept' | 'ignored' | 'refused';
  /** Whether a prompt sets the model off to say the same over and over, until it is stopped or its room is used up. */
  readonly isEndless?: (prompt: string) => boolean;
}

/**
 * A server that behaves as Ollama does, over real HTTP: of a prompt that exceeds its context it leaves out the oldest
 * messages, cuts the last one from the front, and counts only what is left, without a word; once prompt and answer fill the
 * context it forgets half of it and writes on; it works on one request at a time and lets the others wait; it tells of a
 * model what the real one tells. Its tokens are not ours: 3.5 characters each.
 */
export class OllamaServer {
  static readonly model = 'qwen2.5-coder:1.5b';
  /** Prompts that were cut. */
  cut = 0;
  /** Answers in the middle of which it forgot what it was asked. */
  forgot = 0;
  /** Answers without an end that somebody stopped, and the most tokens that one of them came to. */
  stopped = 0;
  longest = 0;
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
    this.#parts = {
      context: 4_096,
      slots: 1,
      msPerToken: 0,
      tellsContext: true,
      schema: 'kept',
      isEndless: () => false,
      ...parts,
    };
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
    const asked = completionForm.read(body);
    if (typeof asked === 'string') return sendJson(response, 400, { error: asked });
    const isFormed = fields(body)['response_format'] !== undefined;
    if (isFormed && this.#parts.schema === 'refused')
      return sendJson(response, 400, { error: { message: 'response_format is not supported by this model' } });
    const { messages, maxOutputTokens } = modelQuestion(asked, {});
    if (this.#parts.isEndless(messages.at(-1)?.content ?? '')) return this.#goOn(maxOutputTokens, response);
    const reply = await this.#answer(body, this.#parts.context);
    const text = isFormed && this.#parts.schema === 'ignored' ? `Sure, here it is: ${reply.text}` : reply.text;
    return sendReply(response, { ...asked, reply: { ...reply, text } });
  }

  /** A place is taken as long as somebody reads. */
  async #goOn(most: number, response: ServerResponse): Promise<void> {
    await this.#place();
    openStream(response);
    let tokens = 0;
    for (; tokens < most && !response.destroyed; tokens += 3) {
      sendEvent(response, { data: JSON.stringify({ choices: [{ delta: { content: 'and so on ' } }] }) });
      await pause(Math.floor(3 * this.#parts.msPerToken));
    }
    if (response.destroyed) this.stopped += 1;
    this.longest = Math.max(this.longest, tokens);
    response.end();
    this.#leave();
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
      const attempt = this.#attempts.claim(keyOf(question.role, read.messages));
      const reply = await this.#written({ ...question, messages: read.messages, attempt }, context - read.tokens);
      const outputTokens = tokensOf(reply.text);
      if (this.#parts.msPerToken > 0) await pause(this.#parts.msPerToken * outputTokens);
      return { ...reply, usage: { inputTokens: read.tokens, outputTokens, exact: true } };
    } finally {
      this.#leave();
    }
  }

  /** Writes until the answer ends or has its length; once there is no room left, on without the older half of the prompt. */
  async #written(question: ModelRequest, room: number): Promise<ModelReply> {
    const { signal } = new AbortController();
    const reply = await this.#model.complete(question, signal);
    if (tokensOf(reply.text) <= room) return atMost(question.maxOutputTokens, reply);
    this.forgot += 1;
    const begun = reply.text.slice(0, Math.floor(room * charactersOfToken));
    const half = question.messages.map(({ content }) => content).join('');
    const left: ModelMessage = { role: 'user', content: half.slice(half.length / 2) };
    const rest = await this.#model.complete({ ...question, messages: [left] }, signal);
    return atMost(question.maxOutputTokens, { ...rest, text: begun + rest.text });
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

function atMost(tokens: number, reply: ModelReply): ModelReply {
  if (tokensOf(reply.text) <= tokens) return reply;
  return { ...reply, text: reply.text.slice(0, Math.floor(tokens * charactersOfToken)), finish: 'length' };
}

function tokensIn(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + tokensOf(content) + frame, 0);
}

/** What the context holds of a prompt: what a system message says and the last one always, the others as far as they fit. */
function withinContext(
  messages: readonly ModelMessage[],
  context: number,
): { readonly messages: readonly ModelMessage[]; readonly tokens: number; readonly isCut: boolean } {
  let kept = messages;
  while (tokensIn(kept) > context) {
    const oldest = kept.findIndex(({ role }) => role !== 'system');
    if (oldest < 0 || oldest === kept.length - 1) break;
    kept = kept.toSpliced(oldest, 1);
  }
  const tokens = tokensIn(kept);
  if (tokens <= context) return { messages: kept, tokens, isCut: kept.length < messages.length };
  let over = Math.ceil((tokens - context) * charactersOfToken);
  const left = kept.map((message) => {
    const dropped = Math.min(over, message.content.length);
    over -= dropped;
    return { ...message, content: message.content.slice(dropped) };
  });
  return { messages: left, tokens: context, isCut: true };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value instanceof Object ? value : {}));
}
