import * as z from 'zod';
import type { WireRequest } from '../../ports/languageModel.js';
import type { Endpoint } from '../openai/endpoint.js';
import type { Fetch } from '../openai/openaiClient.js';
import { localKind } from './localKind.js';

type OllamaEndpoint = Pick<Endpoint, 'provider' | 'baseUrl' | 'extraBody'>;

/**
 * Ollama takes the length of its context through its own interface alone: what it has of OpenAI leaves it out. Where a
 * person asks for one (`ollama/<model>?num_ctx=16384`, or an address with its port), calls are made there, and its answers
 * come in OpenAI's form to everyone behind: one reader, one set of errors.
 */
export function asksForContext(endpoint: OllamaEndpoint): boolean {
  return localKind(endpoint) === 'ollama' && endpoint.extraBody?.['num_ctx'] !== undefined;
}

/** How long a context every call asks for; undefined where none does, or what is asked for is no length. */
export function askedContext(endpoint: OllamaEndpoint): number | undefined {
  if (!asksForContext(endpoint)) return undefined;
  const asked = Number(endpoint.extraBody?.['num_ctx']);
  return Number.isSafeInteger(asked) && asked > 0 ? asked : undefined;
}

/** The same request as Ollama's own interface takes it. */
export function ollamaRequest({ url, body }: WireRequest): WireRequest {
  return { url: url.replace(/(?:\/v1)?\/chat\/completions$/, '/api/chat'), body: ollamaBody(OpenAIBody.parse(body)) };
}

/** A fetch that makes every chat completion through Ollama's own interface. */
export function throughOllama(fetch: Fetch): Fetch {
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.endsWith('/chat/completions') || typeof init?.body !== 'string') return fetch(input, init);
    const own = ollamaRequest({ url, body: JSON.parse(init.body) });
    const { headers } = new Request(url, { ...init, body: null });
    headers.delete('content-length');
    const response = await fetch(own.url, { ...init, headers, body: JSON.stringify(own.body) });
    if (!response.ok || response.body === null) return response;
    return new Response(streamOf(asEvents(response.body)), {
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}

/** What is not read any more is not asked for. */
function streamOf(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await pieces.return();
    },
  });
}

const WireCall = z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) });

const OpenAIBody = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({ role: z.string(), content: z.string().nullish(), tool_calls: z.array(WireCall).optional() }),
  ),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  tools: z.array(z.unknown()).optional(),
  response_format: z
    .looseObject({ type: z.string(), json_schema: z.looseObject({ schema: z.unknown() }).optional() })
    .optional(),
});

/** What stands beside `options` there; everything else that a person asks of the server is one of them. */
const besideOptions: readonly string[] = ['keep_alive', 'think'];

function ollamaBody(body: z.infer<typeof OpenAIBody>): Readonly<Record<string, unknown>> {
  const { model, messages, max_tokens, max_completion_tokens, tools, response_format: format, ...rest } = body;
  const { stream: _, stream_options: __, ...asked } = rest;
  const entries = Object.entries(asked);
  return {
    model,
    messages: messages.map(ollamaMessage),
    stream: true,
    ...Object.fromEntries(entries.filter(([name]) => besideOptions.includes(name))),
    options: {
      ...Object.fromEntries(entries.filter(([name]) => !besideOptions.includes(name))),
      num_predict: max_tokens ?? max_completion_tokens,
    },
    ...(tools === undefined ? {} : { tools }),
    ...(format === undefined ? {} : { format: format.json_schema?.schema ?? 'json' }),
  };
}

/** It takes the arguments of tools parsed; what does not parse is no call that could be repeated to it. */
function ollamaMessage({ role, content, tool_calls: calls }: z.infer<typeof OpenAIBody>['messages'][number]): unknown {
  const said = { role, content: content ?? '' };
  if (calls === undefined) return said;
  return {
    ...said,
    tool_calls: calls.map((call) => ({ function: { ...call.function, arguments: parsed(call.function.arguments) } })),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const OllamaPiece = z.looseObject({
  message: z
    .looseObject({
      content: z.string().optional(),
      thinking: z.string().optional(),
      tool_calls: z
        .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.unknown() }) }))
        .optional(),
    })
    .optional(),
  done: z.boolean().optional(),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
  error: z.unknown().optional(),
});

/** One line is one piece of the answer. */
async function* asEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let calls = 0;
  for await (const line of lines(body)) {
    const piece = OllamaPiece.parse(JSON.parse(line));
    if (piece.error !== undefined) yield event({ error: piece.error });
    else yield event(openaiPiece(piece, calls));
    calls += piece.message?.tool_calls?.length ?? 0;
  }
  yield 'data: [DONE]\n\n';
}

async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let pieces: string[] = []; // of a line that has not ended yet: it may come in very many
  for await (const bytes of body) {
    const [end = '', ...more] = decoder.decode(bytes, { stream: true }).split('\n');
    pieces.push(end);
    for (const next of more) {
      yield* written(pieces);
      pieces = [next];
    }
  }
  yield* written([...pieces, decoder.decode()]);
}

function written(pieces: readonly string[]): readonly string[] {
  const line = pieces.join('').trim();
  return line === '' ? [] : [line];
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function openaiPiece(piece: z.infer<typeof OllamaPiece>, callsBefore: number): unknown {
  const { message, done, done_reason: reason, prompt_eval_count: input, eval_count: output } = piece;
  const calls = message?.tool_calls?.map(({ function: { name, arguments: given } }, index) => ({
    index: callsBefore + index,
    id: `call_${callsBefore + index}`,
    function: { name, arguments: JSON.stringify(given ?? {}) },
  }));
  return {
    choices: [
      {
        delta: { content: message?.content, reasoning: message?.thinking, tool_calls: calls },
        finish_reason: done === true ? (reason ?? 'stop') : null,
      },
    ],
    ...(done === true ? { usage: { prompt_tokens: input, completion_tokens: output } } : {}),
  };
}
