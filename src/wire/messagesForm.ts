import * as z from 'zod';
import { sha256 } from '../hash.js';
import { parseJson } from '../parseJson.js';
import type { ModelMessage, ModelReply, ToolCall } from '../ports/languageModel.js';
import { piecesOf, type WireEvent, type WireForm } from './wireForm.js';

const Block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  content: z.unknown().optional(),
});
type Block = z.infer<typeof Block>;
const Blocks = z.union([z.string().transform((text): Block[] => [{ type: 'text', text }]), z.array(Block)]);
const Schema = z.record(z.string(), z.unknown());

/** The body of `POST /v1/messages`, as far as it is used. */
const MessagesBody = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive().nullish(),
  system: Blocks.nullish(),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Blocks })).min(1),
  tools: z
    .array(z.looseObject({ name: z.string(), description: z.string().default(''), input_schema: Schema.optional() }))
    .nullish(),
  temperature: z.number().nullish(),
  stream: z.boolean().nullish(),
});

/** Anthropic's `POST /v1/messages`, which Claude Code speaks. */
export const messagesForm: WireForm = {
  read(body) {
    const parsed = MessagesBody.safeParse(body);
    if (!parsed.success) return z.prettifyError(parsed.error);
    const { model, max_tokens: most, system, messages, tools, temperature, stream } = parsed.data;
    const said = system === undefined || system === null ? '' : textOf(system);
    const opening: readonly ModelMessage[] = said === '' ? [] : [{ role: 'system', content: said }];
    // A tool of the server itself has no schema of arguments: nothing here could be called.
    const offered = (tools ?? []).flatMap(({ name, description, input_schema: parameters }) =>
      parameters === undefined ? [] : [{ name, description, parameters }],
    );
    return {
      model,
      question: {
        messages: [...opening, ...messages.flatMap(({ role, content }) => messagesOf(role, content))],
        ...(offered.length === 0 ? {} : { tools: offered }),
      },
      maxOutputTokens: most ?? undefined,
      temperature: temperature ?? undefined,
      seed: undefined,
      stream: stream === true,
      withUsage: true,
    };
  },
  whole: (model, reply) => ({
    ...head(model, reply),
    content: [
      ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ...reply.toolCalls.map((call) => ({ ...toolUse(call), input: inputOf(call) })),
    ],
    stop_reason: stopReasons[reply.finish],
    usage: usageOf(reply),
  }),
  events: eventsOf,
  refusal: ({ status, message }) => ({ type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } }),
};

const stopReasons = { stop: 'end_turn', length: 'max_tokens', 'tool-calls': 'tool_use' } as const;

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
};

function textOf(blocks: readonly Block[]): string {
  return blocks.map(({ text = '' }) => text).join('\n');
}

/** One message of theirs is several of ours where it holds results of tools beside words. */
function messagesOf(role: 'user' | 'assistant' | 'system', blocks: readonly Block[]): readonly ModelMessage[] {
  const results = blocks.flatMap(({ type, tool_use_id: id, content }): ModelMessage[] =>
    type === 'tool_result' ? [{ role: 'tool', toolCallId: id ?? '', content: resultText(content) }] : [],
  );
  const calls = blocks.flatMap(({ type, id = '', name = '', input }) =>
    type === 'tool_use' ? [{ id, name, arguments: JSON.stringify(input ?? {}) }] : [],
  );
  const content = textOf(blocks.filter(({ type }) => type === 'text'));
  if (role === 'assistant') return [{ role, content, ...(calls.length === 0 ? {} : { toolCalls: calls }) }];
  return [...results, ...(content === '' ? [] : [{ role, content }])];
}

function resultText(content: unknown): string {
  const blocks = Blocks.safeParse(content);
  return blocks.success ? textOf(blocks.data) : JSON.stringify(content ?? '');
}

function head(model: string, { text, toolCalls }: ModelReply): object {
  const id = `msg_${sha256(JSON.stringify([text, toolCalls])).slice(0, 24)}`;
  return { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
}

function toolUse({ id, name }: ToolCall): object {
  return { type: 'tool_use', id, name };
}

function inputOf(call: ToolCall): unknown {
  return parseJson(call.arguments) ?? {};
}

function usageOf({ usage }: ModelReply): object {
  return { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens };
}

function event(name: string, more: object): WireEvent {
  return { name, data: JSON.stringify({ type: name, ...more }) };
}

function eventsOf(model: string, reply: ModelReply): readonly WireEvent[] {
  const block = (index: number, start: object, deltas: readonly object[]): readonly WireEvent[] => [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ];
  const words = reply.text === '' ? [] : [reply.text];
  const message = { ...head(model, reply), usage: { ...usageOf(reply), output_tokens: 1 } };
  return [
    event('message_start', { message }),
    ...words.flatMap((text, index) =>
      block(
        index,
        { type: 'text', text: '' },
        piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
      ),
    ),
    ...reply.toolCalls.flatMap((call, index) =>
      block(words.length + index, { ...toolUse(call), input: {} }, [
        { type: 'input_json_delta', partial_json: call.arguments },
      ]),
    ),
    event('message_delta', {
      delta: { stop_reason: stopReasons[reply.finish], stop_sequence: null },
      usage: usageOf(reply),
    }),
    event('message_stop', {}),
  ];
}
