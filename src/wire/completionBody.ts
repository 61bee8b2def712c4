import * as z from 'zod';
import type { ModelMessage, ModelRequest, ToolDeclaration } from '../ports/languageModel.js';

const Text = z.union([
  z.string(),
  z.array(z.looseObject({ text: z.string().default('') })).transform((parts) => parts.map(({ text }) => text).join('')),
]);
const Content = z
  .union([Text, z.null()])
  .optional()
  .transform((text) => text ?? '');
const Call = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: Content }),
  z.looseObject({ role: z.literal('user'), content: Content }),
  z.looseObject({ role: z.literal('assistant'), content: Content, tool_calls: z.array(Call).optional() }),
  z.looseObject({ role: z.literal('tool'), content: Content, tool_call_id: z.string() }),
]);
const Schema = z.record(z.string(), z.unknown());
const Tool = z.looseObject({
  function: z.looseObject({ name: z.string(), description: z.string().default(''), parameters: Schema.default({}) }),
});

/** The body of `POST /v1/chat/completions`, as far as it is used. */
export const CompletionBody = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  temperature: z.number().nullish(),
  seed: z.int().nullish(),
  n: z.literal(1).nullish(),
  tools: z.array(Tool).optional(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ name: z.string(), schema: Schema.default({}) }).optional(),
    })
    .nullish(),
});
export type CompletionBody = z.infer<typeof CompletionBody>;

/** What a body asks for, in our own words. */
export type BodyQuestion = Pick<ModelRequest, 'messages' | 'tools' | 'replySchema'>;

export function bodyQuestion(body: CompletionBody): BodyQuestion {
  const format = body.response_format?.json_schema;
  return {
    messages: body.messages.map(messageOf),
    ...(body.tools === undefined ? {} : { tools: body.tools.map(toolOf) }),
    ...(format === undefined ? {} : { replySchema: { name: format.name, schema: format.schema } }),
  };
}

function messageOf(message: CompletionBody['messages'][number]): ModelMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: message.content };
    case 'tool':
      return { role: 'tool', toolCallId: message.tool_call_id, content: message.content };
    case 'assistant': {
      const calls = message.tool_calls?.map((call) => ({
        id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      }));
      return { role: 'assistant', content: message.content, ...(calls === undefined ? {} : { toolCalls: calls }) };
    }
  }
}

function toolOf({ function: declared }: z.infer<typeof Tool>): ToolDeclaration {
  return { name: declared.name, description: declared.description, parameters: declared.parameters };
}
