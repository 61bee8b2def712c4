import { APIError, type OpenAI } from 'openai';
import * as z from 'zod';
import { ModelError, messageOf } from '../../errors.js';
import { parseJson } from '../../parseJson.js';
import type { BatchServer, BatchState, CountedInput, LineOutcome } from '../../ports/batches.js';
import type { ModelReply, ModelRequest } from '../../ports/languageModel.js';
import { bookedAfterwards } from '../bookedUsage.js';
import { bounded } from '../openai/boundedBody.js';
import type { Endpoint } from '../openai/endpoint.js';
import { describeFailure } from '../openai/errorWords.js';
import { gather, nothingYet, receivedIn, replyWith, WireAnswer } from '../openai/gatherAnswer.js';
import { errorKind, readServerError } from '../openai/serverError.js';
import { FailedCall } from '../wrappers/failedCall.js';

interface OpenAIBatchParts {
  readonly client: OpenAI;
  readonly endpoint: Endpoint;
  /** The request in the words of this server, not streamed. */
  readonly bodyOf: (request: ModelRequest) => object;
  /** Takes out of a reply what must not be in it. */
  readonly clean: (reply: ModelReply) => ModelReply;
}

/**
 * OpenAI's Batch API: a file of requests is uploaded, a batch made of it, and what comes of it read from a file of answers
 * and one of errors. Servers without it refuse the upload, which costs nothing.
 */
export function openaiBatches({ client, endpoint, bodyOf, clean }: OpenAIBatchParts): BatchServer {
  const asked = async <T>(
    work: (options: { signal: AbortSignal; timeout: number }) => Promise<T>,
    signal: AbortSignal,
  ) => {
    try {
      return await work({ signal, timeout: longestRequest });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, endpoint);
    }
  };
  const read: BatchServer['read'] = (file, inputs, signal) =>
    asked(async (options) => {
      const response = await client.files.content(file, options);
      const text = await wholeText(response.body ?? []);
      return new Map(text.split('\n').flatMap((line) => outcomeOf(line, { endpoint, inputs, clean })));
    }, signal);
  return {
    line: (name, request) =>
      JSON.stringify({ custom_id: name, method: 'POST', url: completions, body: bodyOf(request) }),
    upload: ({ name, text }, signal) =>
      asked(async (options) => {
        const file = new File([text], name, { type: 'application/jsonl' });
        return idIn(await client.files.create({ file, purpose: 'batch' }, options));
      }, signal),
    create: (file, signal) =>
      asked(async (options) => {
        const asking = { input_file_id: file, endpoint: completions, completion_window: '24h' } as const;
        return idIn(await client.batches.create(asking, options));
      }, signal),
    find: (name, signal) => asked((options) => found(client, name, options), signal),
    look: (batch, signal) => asked(async (options) => stateOf(await client.batches.retrieve(batch, options)), signal),
    cancel: (batch, signal) => asked(async (options) => void (await client.batches.cancel(batch, options)), signal),
    read,
    remove: (file, signal) => asked(async (options) => void (await client.files.delete(file, options)), signal),
  };
}

const completions = '/v1/chat/completions';
const longestRequest = 10 * 60_000; // a file of answers may be long, and the line slow
const longestAnswers = 512 * 1024 * 1024; // the most that the server lets be uploaded, some times over

function failureOf(error: unknown, endpoint: Endpoint): ModelError {
  if (error instanceof ModelError) return error;
  const read = readServerError(error, Date.now());
  if (read !== undefined) return describeFailure(read, endpoint, errorKind(read, false));
  return new FailedCall('unavailable', `The connection broke: ${messageOf(error)}`, { charged: false });
}

const Named = z.looseObject({ id: z.string().min(1) });

/** What has no id is no file and no batch: some server that takes everything. */
function idIn(answer: unknown): string {
  const { success, data } = Named.safeParse(answer);
  if (success) return data.id;
  throw new FailedCall('endpoint', 'The server did not name what it was given.', { charged: false });
}

async function found(
  client: OpenAI,
  name: string,
  options: { readonly signal: AbortSignal; readonly timeout: number },
): ReturnType<BatchServer['find']> {
  const files = client.files.list({ purpose: 'batch', order: 'desc', limit: pageSize }, options);
  const file = await firstOf(files, ({ filename }) => filename === name);
  if (file === undefined) return {};
  const batches = client.batches.list({ limit: pageSize }, options);
  const batch = await firstOf(batches, ({ input_file_id: input }) => input === file.id);
  return { file: file.id, ...(batch === undefined ? {} : { batch: batch.id }) };
}

const pageSize = 100;
const mostListed = 2_000; // newest first: whoever was cut off comes back within days

async function firstOf<T>(items: AsyncIterable<T>, fits: (item: T) => boolean): Promise<T | undefined> {
  let looked = 0;
  for await (const item of items) {
    if (fits(item)) return item;
    if ((looked += 1) >= mostListed) return undefined;
  }
  return undefined;
}

const Batch = z.looseObject({
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z
    .looseObject({ data: z.array(z.looseObject({ message: z.string().nullish() })).nullish() })
    .nullish()
    .catch(undefined),
});

function stateOf(answer: unknown): BatchState {
  const batch = Batch.parse(answer);
  const ended = (['completed', 'failed', 'expired', 'cancelled'] as const).find((each) => each === batch.status);
  const files = [batch.output_file_id, batch.error_file_id].filter((id) => typeof id === 'string' && id !== '');
  return {
    status: ended ?? 'running',
    files: files.map(String),
    why: batch.errors?.data?.[0]?.message ?? undefined,
  };
}

async function wholeText(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const bytes of bounded(body, longestAnswers, tooLong)) pieces.push(bytes);
  return new TextDecoder().decode(Buffer.concat(pieces));
}

function tooLong(): Error {
  return new FailedCall('malformed', 'The answers of a batch are longer than any could be.', { charged: true });
}

const Line = z.looseObject({
  custom_id: z.string(),
  response: z.looseObject({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.looseObject({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
});

interface LineParts extends Pick<OpenAIBatchParts, 'endpoint' | 'clean'> {
  readonly inputs: (name: string) => CountedInput | undefined;
}

/** None for a line that is broken or that nobody asked for. */
function outcomeOf(text: string, { endpoint, inputs, clean }: LineParts): readonly (readonly [string, LineOutcome])[] {
  const line = Line.safeParse(parseJson(text)).data;
  const input = line && inputs(line.custom_id);
  if (line === undefined || input === undefined) return [];
  const { custom_id: name, response, error } = line;
  if (response === undefined || response === null) return [[name, withoutResponse(error ?? {})]];
  return [[name, withResponse(response, input, { endpoint, clean })]];
}

function withResponse(
  { status_code: status, body }: { readonly status_code: number; readonly body?: unknown },
  input: CountedInput,
  { endpoint, clean }: Pick<LineParts, 'endpoint' | 'clean'>,
): LineOutcome {
  if (status < 200 || status > 299) {
    const said = APIError.generate(status, body instanceof Object ? body : {}, undefined, new Headers());
    return { kind: 'failed', error: failureOf(said, endpoint) };
  }
  try {
    const answer = gather(nothingYet, WireAnswer.parse(body));
    const reply = replyWith(answer, bookedAfterwards(answer.usage, input, receivedIn(answer)));
    return { kind: 'answered', reply: clean(reply) };
  } catch (thrown) {
    const malformed = 'The server’s answer is not in the expected form.';
    const failed = thrown instanceof ModelError ? thrown : new FailedCall('malformed', malformed, { charged: true });
    return { kind: 'failed', error: failed };
  }
}

/** The server says of lines that it never came to that the batch expired, or was cancelled. */
function withoutResponse({ code, message }: NonNullable<z.infer<typeof Line>['error']>): LineOutcome {
  if (code === 'batch_expired' || code === 'batch_cancelled') return { kind: 'untouched' };
  const what = `A line of a batch was not answered: ${message ?? code ?? 'no reason was given'}`;
  return { kind: 'failed', error: new FailedCall('unavailable', what, { charged: false }) };
}
