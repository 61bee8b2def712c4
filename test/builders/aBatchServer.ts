// A server with OpenAI's Batch API before the simulated model: files, batches, their answers and errors.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { SimulatedOptions } from '../../src/simulated/options.js';
import { startSimulatedServer } from '../../src/simulated/server/serveSimulated.js';

/** What becomes of a batch. A line that is not answered fails, or its turn never comes. */
export interface BatchFate {
  /** How often it is looked at before it has ended; `never` until it is cancelled. */
  readonly looks?: number | 'never';
  readonly status?: 'completed' | 'expired' | 'failed';
  readonly line?: (index: number, count: number) => LineFate;
}

type LineFate = 'answered' | 'failed' | 'untouched';

export interface BatchServerOptions {
  readonly model?: SimulatedOptions;
  /** Answers in place of the simulated model. */
  readonly answer?: (body: Readonly<Record<string, unknown>>) => Promise<object> | object;
  /** Of the batch with this number, from 1. */
  readonly fate?: (number: number) => BatchFate;
  /** False for a server without the interface. */
  readonly hasBatches?: boolean;
  /** Called once a request has had its effect, before whoever made it hears of it; `POST /batches` and the like, and the how many-th it is. */
  readonly done?: (asked: string, number: number) => void | Promise<void>;
}

export interface SeenBatch {
  readonly id: string;
  readonly input: string;
  /** The names of its lines. */
  readonly lines: readonly string[];
  status: string;
  answered: number;
}

interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

interface Running extends SeenBatch {
  readonly fate: BatchFate;
  looks: number;
  output: string | undefined;
  errors: string | undefined;
}

export class BatchServer {
  readonly url: string;
  /** Requests by method and path, without ids. */
  readonly asked: string[] = [];
  /** Bodies of ordinary calls that were answered. */
  ordinary = 0;
  /** All that was uploaded, also what was removed since. */
  readonly uploaded: string[] = [];
  readonly #files = new Map<string, StoredFile>();
  readonly #batches: Running[] = [];
  readonly #answered: string[] = [];
  readonly #inner: string;
  readonly #options: BatchServerOptions;
  readonly #stop: () => Promise<void>;
  #count = 0;

  private constructor(parts: {
    readonly url: string;
    readonly inner: string;
    readonly options: BatchServerOptions;
    readonly stop: () => Promise<void>;
  }) {
    this.url = parts.url;
    this.#inner = parts.inner;
    this.#options = parts.options;
    this.#stop = parts.stop;
  }

  static async start(options: BatchServerOptions = {}): Promise<BatchServer> {
    const inner = await startSimulatedServer({ port: 0, model: options.model });
    let server: BatchServer | undefined;
    const http = createServer((request, response) => {
      server?.handle(request, response).catch((error: unknown) => {
        if (!response.headersSent) send(response, 500, { error: { message: String(error) } });
      });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const address = http.address();
    if (!(address instanceof Object)) throw new Error('The server does not listen.');
    const stop = async (): Promise<void> => {
      http.close();
      http.closeAllConnections();
      await inner.stop();
    };
    server = new BatchServer({ url: `http://127.0.0.1:${address.port}/v1`, inner: inner.url, options, stop });
    return server;
  }

  get batches(): readonly SeenBatch[] {
    return this.#batches;
  }

  /** Files that nobody removed. */
  get files(): readonly string[] {
    return [...this.#files.values()].map(({ name }) => name);
  }

  /** Lines that were answered in more than one batch: paid for twice. */
  get answeredTwice(): readonly string[] {
    return this.#answered.filter((name, at) => this.#answered.indexOf(name) < at);
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const path = url.replace(/\?.*$/, '').replace(/^\/v1/, '');
    const kind = (['files', 'batches', 'chat'] as const).find((each) => path.split('/')[1] === each);
    const body = await bytesOf(request);
    if (kind === 'files' || kind === 'batches') {
      const [, , id = '', action = ''] = path.split('/');
      const type = String(headers['content-type']);
      return send(response, ...(await this.#stored(kind, { method, type, id, action, body })));
    }
    const answer = await this.#forward(path, { method, body, headers });
    if (kind === 'chat' && answer.status === 200) this.ordinary += 1;
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.text);
  }

  async #stored(kind: 'files' | 'batches', part: Part): Promise<Answer> {
    const asked = [`${part.method} /${kind}`, ...(part.id === '' ? [] : ['…']), part.action]
      .filter((each) => each !== '')
      .join('/');
    this.asked.push(asked);
    const answer = kind === 'files' ? await this.#fileRequest(part) : await this.#batchRequest(part);
    await this.#options.done?.(asked, this.asked.filter((each) => each === asked).length);
    return this.#options.hasBatches === false ? [404, refusal('Not Found')] : answer;
  }

  async #forward(path: string, asked: Asked): Promise<{ status: number; type: string; text: string }> {
    const { answer: own } = this.#options;
    if (own !== undefined && path === '/chat/completions') {
      const text = JSON.stringify(await own(JSON.parse(asked.body.toString())));
      return { status: 200, type: 'application/json', text };
    }
    const role = asked.headers?.['x-whetstone-role'];
    const answer = await fetch(`${this.#inner}${path}`, {
      method: asked.method,
      headers: {
        'content-type': 'application/json',
        ...(typeof role === 'string' ? { 'x-whetstone-role': role } : {}),
      },
      ...(asked.method === 'GET' ? {} : { body: asked.body.toString() }),
    });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  }

  async #fileRequest({ method, type, id, action, body }: Part): Promise<Answer> {
    const file = this.#files.get(id);
    if (method === 'POST') {
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
      const given = form.get('file');
      if (!(given instanceof File) || form.get('purpose') !== 'batch') return [400, refusal('no file')];
      const text = await given.text();
      this.uploaded.push(text);
      return [200, shownFile(this.#keep(given.name, text))];
    }
    if (id === '') return [200, list([...this.#files.values()].map(shownFile).toReversed())];
    if (file === undefined) return [404, refusal('No such File object')];
    if (method === 'DELETE') {
      this.#files.delete(id);
      return [200, { id, object: 'file', deleted: true }];
    }
    return [200, action === 'content' ? file.text : shownFile(file)];
  }

  async #batchRequest({ method, id, action, body }: Part): Promise<Answer> {
    if (method === 'POST' && id === '') return [200, shownBatch(this.#make(JSON.parse(body.toString())))];
    if (id === '') return [200, list(this.#batches.map(shownBatch).toReversed())];
    const batch = this.#batches.find((each) => each.id === id);
    if (batch === undefined) return [404, refusal('No such batch')];
    if (action === 'cancel' && batch.status === 'in_progress') batch.status = 'cancelling';
    else await this.#look(batch);
    return [200, shownBatch(batch)];
  }

  #make({ input_file_id: input }: { input_file_id: string }): Running {
    const lines = linesOf(this.#files.get(input)?.text ?? '');
    const fate = this.#options.fate?.(this.#batches.length + 1) ?? {};
    const batch = {
      id: `batch_${this.#batches.length + 1}`,
      input,
      lines,
      fate,
      status: 'in_progress',
      answered: 0,
      looks: 0,
      output: undefined,
      errors: undefined,
    };
    this.#batches.push(batch);
    return batch;
  }

  async #look(batch: Running): Promise<void> {
    batch.looks += 1;
    const { looks = 1, status = 'completed' } = batch.fate;
    if (batch.status === 'cancelling') await this.#end(batch, 'cancelled');
    else if (batch.status === 'in_progress' && looks !== 'never' && batch.looks > looks) await this.#end(batch, status);
  }

  async #end(batch: Running, status: string): Promise<void> {
    const asked = (this.#files.get(batch.input)?.text ?? '').split('\n').filter((text) => text !== '');
    const lines: (readonly [fate: LineFate, text: string])[] = [];
    for (const [index, text] of status === 'failed' ? [] : asked.entries()) {
      const fate = batch.fate.line?.(index, asked.length) ?? 'answered';
      lines.push([fate, await this.#lineOf(JSON.parse(text), fate, status)]);
    }
    const answers = lines.flatMap(([fate, text]) => (fate === 'answered' ? [text] : []));
    const errors = lines.flatMap(([fate, text]) => (fate === 'answered' || text === '' ? [] : [text]));
    batch.answered = answers.length;
    if (answers.length > 0) batch.output = this.#keep('output.jsonl', `${answers.join('\n')}\n`).id;
    if (errors.length > 0) batch.errors = this.#keep('errors.jsonl', `${errors.join('\n')}\n`).id;
    batch.status = status;
  }

  /** Empty where the server says nothing of it. */
  async #lineOf(
    { custom_id: name, body }: { readonly custom_id: string; readonly body: unknown },
    fate: LineFate,
    status: string,
  ): Promise<string> {
    if (fate === 'answered') this.#answered.push(name);
    const outcome = fate === 'answered' ? await this.#answeredLine(body) : unansweredLine(fate, status);
    return outcome === undefined ? '' : JSON.stringify({ custom_id: name, ...outcome });
  }

  async #answeredLine(body: unknown): Promise<object> {
    const given = { method: 'POST', body: Buffer.from(JSON.stringify(body)) };
    const { status, text } = await this.#forward('/chat/completions', given);
    return { response: { status_code: status, body: JSON.parse(text) }, error: null };
  }

  #keep(name: string, text: string): StoredFile {
    const file = { id: `file-${(this.#count += 1)}`, name, text };
    this.#files.set(file.id, file);
    return file;
  }
}

/** A server says of lines that it never came to only where the batch expired. */
function unansweredLine(fate: 'failed' | 'untouched', status: string): object | undefined {
  if (fate === 'failed')
    return { response: { status_code: 500, body: refusal('The server had an error.') }, error: null };
  const error = { code: 'batch_expired', message: 'This request could not be executed before it expired.' };
  return status === 'expired' ? { response: null, error } : undefined;
}

type Answer = readonly [status: number, body: unknown];

interface Part {
  readonly method: string;
  /** Of its content. */
  readonly type: string;
  readonly id: string;
  readonly action: string;
  readonly body: Buffer;
}

interface Asked {
  readonly method: string;
  readonly body: Buffer;
  readonly headers?: IncomingMessage['headers'];
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(isText ? body : JSON.stringify(body));
}

function refusal(message: string) {
  return { error: { message, type: 'invalid_request_error' } };
}

function list(data: readonly unknown[]) {
  return { object: 'list', data, has_more: false };
}

function shownFile({ id, name, text }: StoredFile) {
  return { id, object: 'file', bytes: text.length, created_at: 0, filename: name, purpose: 'batch' };
}

function shownBatch({ id, input, status, output, errors, lines }: Running) {
  return {
    id,
    object: 'batch',
    endpoint: '/v1/chat/completions',
    input_file_id: input,
    status,
    output_file_id: output ?? null,
    error_file_id: errors ?? null,
    errors: status === 'failed' ? { data: [{ message: 'The file could not be read.' }] } : null,
    request_counts: { total: lines.length, completed: 0, failed: 0 },
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => String(JSON.parse(line).custom_id));
}
