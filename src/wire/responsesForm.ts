import * as z from 'zod';
import { sha256 } from '../hash.js';
import type { ModelMessage, ModelReply } from '../ports/languageModel.js';
import { piecesOf, type WireEvent, type WireForm } from './wireForm.js';

const Text = z.union([
  z.string(),
  z.array(z.looseObject({ text: z.string().default('') })).transform((parts) => parts.map(({ text }) => text).join('')),
]);
const Item = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  content: Text.nullish(),
  call_id: z.string().optional(),
  name: z.string().optional(),
  arguments: z.string().optional(),
  output: Text.nullish(),
});
type Item = z.infer<typeof Item>;
const Schema = z.record(z.string(), z.unknown());

/** The body of `POST /v1/responses`, as far as it is used. */
const ResponsesBody = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.union([z.string().transform((content): Item[] => [{ role: 'user', content }]), z.array(Item).min(1)]),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        description: z.string().nullish(),
        parameters: Schema.nullish(),
      }),
    )
    .nullish(),
  text: z
    .looseObject({ format: z.looseObject({ name: z.string().optional(), schema: Schema.optional() }).nullish() })
    .nullish(),
  max_output_tokens: z.int().positive().nullish(),
  temperature: z.number().nullish(),
  stream: z.boolean().nullish(),
});
type ResponsesBody = z.infer<typeof ResponsesBody>;

/** OpenAI's `POST /v1/responses`, which Codex speaks. */
export const responsesForm: WireForm = {
  read(body) {
    const parsed = ResponsesBody.safeParse(body);
    if (!parsed.success) return z.prettifyError(parsed.error);
    const { model, max_output_tokens: most, temperature, stream } = parsed.data;
    return {
      model,
      question: questionOf(parsed.data),
      maxOutputTokens: most ?? undefined,
      temperature: temperature ?? undefined,
      seed: undefined,
      stream: stream === true,
      withUsage: true,
    };
  },
  whole: (model, reply) => ({ ...head(model, reply), ...ended(reply) }),
  events: eventsOf,
  refusal: ({ message, type, code }) => ({ error: { message, type, param: null, code } }),
};

function questionOf({ instructions, input, tools, text }: ResponsesBody): ReturnType<typeof withSchema> {
  const opening: readonly ModelMessage[] = instructions ? [{ role: 'system', content: instructions }] : [];
  const offered = (tools ?? []).flatMap(({ type, name, description, parameters }) =>
    type === 'function' && name !== undefined
      ? [{ name, description: description ?? '', parameters: parameters ?? {} }]
      : [],
  );
  const messages = [...opening, ...input.flatMap(messagesOf)];
  return withSchema({ messages, ...(offered.length === 0 ? {} : { tools: offered }) }, text);
}

function withSchema(
  question: { readonly messages: readonly ModelMessage[]; readonly tools?: readonly OfferedTool[] },
  text: ResponsesBody['text'],
): typeof question & { readonly replySchema?: { readonly name: string; readonly schema: OfferedTool['parameters'] } } {
  const { name, schema } = text?.format ?? {};
  return name === undefined || schema === undefined ? question : { ...question, replySchema: { name, schema } };
}

interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Reasoning and other items that are no words to a model are left out. */
function messagesOf({ type, role, content, ...call }: Item): readonly ModelMessage[] {
  const said = content ?? '';
  const id = call.call_id ?? '';
  switch (type === 'function_call' || type === 'function_call_output' ? type : (role ?? '')) {
    case 'function_call':
      return [{ role: 'assistant', content: '', toolCalls: [{ id, ...calledWith(call) }] }];
    case 'function_call_output':
      return [{ role: 'tool', toolCallId: id, content: call.output ?? '' }];
    case 'system':
    case 'developer':
      return [{ role: 'system', content: said }];
    case 'user':
      return [{ role: 'user', content: said }];
    case 'assistant':
      return [{ role: 'assistant', content: said }];
    default:
      return [];
  }
}

function calledWith({ name = '', arguments: given = '' }: Partial<Item>): { name: string; arguments: string } {
  return { name, arguments: given };
}

function idOf(prefix: string, { text, toolCalls }: ModelReply): string {
  return `${prefix}_${sha256(JSON.stringify([text, toolCalls])).slice(0, 24)}`;
}

function head(model: string, reply: ModelReply): object {
  return {
    id: idOf('resp', reply),
    object: 'response',
    created_at: 0,
    status: 'in_progress',
    model,
    output: [],
    parallel_tool_calls: true,
    tools: [],
    usage: null,
  };
}

function ended(reply: ModelReply): object {
  const { inputTokens, outputTokens } = reply.usage;
  const cut = reply.finish === 'length';
  return {
    status: cut ? 'incomplete' : 'completed',
    ...(cut ? { incomplete_details: { reason: 'max_output_tokens' } } : {}),
    output: itemsOf(reply),
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
  };
}

type OutputItem =
  | { readonly type: 'message'; readonly id: string; readonly content: readonly [{ readonly text: string }] }
  | { readonly type: 'function_call'; readonly id: string; readonly arguments: string };

function itemsOf(reply: ModelReply): readonly OutputItem[] {
  const message = {
    id: idOf('msg', reply),
    type: 'message' as const,
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: reply.text, annotations: [] }] as const,
  };
  const calls = reply.toolCalls.map((call) => ({
    id: `fc_${call.id}`,
    type: 'function_call' as const,
    status: 'completed',
    call_id: call.id,
    name: call.name,
    arguments: call.arguments,
  }));
  return [...(reply.text === '' ? [] : [message]), ...calls];
}

function eventsOf(model: string, reply: ModelReply): readonly WireEvent[] {
  const start = head(model, reply);
  const end = { ...start, ...ended(reply) };
  const last = reply.finish === 'length' ? 'response.incomplete' : 'response.completed';
  const all: readonly (readonly [string, object])[] = [
    ['response.created', { response: start }],
    ['response.in_progress', { response: start }],
    ...itemsOf(reply).flatMap(itemEvents),
    [last, { response: end }],
  ];
  return all.map(([type, more], number) => ({
    name: type,
    data: JSON.stringify({ type, sequence_number: number, ...more }),
  }));
}

function itemEvents(item: OutputItem, at: number): readonly (readonly [string, object])[] {
  const place = { item_id: item.id, output_index: at };
  const within = item.type === 'message' ? textEvents(item, place) : callEvents(item, place);
  const begun = item.type === 'message' ? { ...item, content: [] } : { ...item, arguments: '' };
  return [
    ['response.output_item.added', { output_index: at, item: { ...begun, status: 'in_progress' } }],
    ...within,
    ['response.output_item.done', { output_index: at, item }],
  ];
}

function textEvents(
  { content: [part] }: OutputItem & { readonly type: 'message' },
  place: object,
): readonly (readonly [string, object])[] {
  const here = { ...place, content_index: 0 };
  return [
    ['response.content_part.added', { ...here, part: { ...part, text: '' } }],
    ...piecesOf(part.text).map((delta) => ['response.output_text.delta', { ...here, delta }] as const),
    ['response.output_text.done', { ...here, text: part.text }],
    ['response.content_part.done', { ...here, part }],
  ];
}

function callEvents(
  item: OutputItem & { readonly type: 'function_call' },
  place: object,
): readonly (readonly [string, object])[] {
  return [
    ['response.function_call_arguments.delta', { ...place, delta: item.arguments }],
    ['response.function_call_arguments.done', { ...place, arguments: item.arguments }],
  ];
}
