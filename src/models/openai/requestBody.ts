import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { ModelMessage, ModelRequest } from '../../ports/languageModel.js';
import { foldSystem, withSchemaRequest } from '../inWords.js';
import { answerLimit, type Capabilities } from './capabilities.js';
import { mayBeServeSimulated, type Endpoint } from './endpoint.js';
import { thinkingOptions } from './presets.js';
import * as z from 'zod';

/** The request in the words that this server takes. */
export function requestBody(
  request: ModelRequest,
  endpoint: Endpoint,
  known: Capabilities,
): ChatCompletionCreateParams {
  const limit = answerLimit(request, known);
  const { temperature, tools, replySchema } = request;
  return {
    ...extraOptions(request, endpoint, { known, limit }),
    model: endpoint.model,
    messages: messagesFor(request, known),
    // Our own simulated server draws by it; to a real one the attempt is nobody's business.
    ...(mayBeServeSimulated(endpoint) ? { seed: request.attempt } : {}),
    [known.limitParameter]: limit,
    ...(temperature !== undefined && known.temperature ? { temperature } : {}),
    ...(tools !== undefined && tools.length > 0
      ? { tools: tools.map((tool) => ({ type: 'function' as const, function: { ...tool } })) }
      : {}),
    ...(replySchema === undefined ? {} : responseFormat(replySchema, known)),
    ...(known.streaming
      ? { stream: true, ...(known.streamUsage ? { stream_options: { include_usage: true } } : {}) }
      : {}),
  };
}

/**
 * What the person asks of this server, which comes before how long to think; a limit in there is part of the request
 * already. Thinking must leave room for an answer, or servers refuse it.
 */
function extraOptions(
  { thinkingTokens }: ModelRequest,
  { provider, extraBody }: Endpoint,
  { known, limit }: { readonly known: Capabilities; readonly limit: number },
): Record<string, unknown> {
  const isTooLong = thinkingTokens !== undefined && thinkingTokens >= limit;
  const thinking = thinkingOptions(provider, isTooLong ? Math.floor(limit / 2) : thinkingTokens);
  const left = Object.entries({ ...thinking, ...extraBody }).filter(
    ([name]) => !known.refused.includes(name) && !limits.has(name),
  );
  return Object.fromEntries(left);
}

const limits: ReadonlySet<string> = new Set<Capabilities['limitParameter']>(['max_tokens', 'max_completion_tokens']);

function messagesFor(request: ModelRequest, known: Capabilities): ChatCompletionMessageParam[] {
  const asked = needsPrompting(request, known) ? withSchemaRequest(request) : request.messages;
  return (known.systemRole === 'system' ? asked : foldSystem(asked)).map(messageParam);
}

/** True where the schema must be stated in words: the server knows none, or only "some JSON". */
function needsPrompting({ replySchema }: ModelRequest, known: Capabilities): boolean {
  return replySchema !== undefined && formatFor(replySchema.schema, known) !== 'json_schema';
}

function messageParam(message: ModelMessage): ChatCompletionMessageParam {
  const content = wellFormed(message.content);
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content };
    case 'tool':
      return { role: 'tool', content, tool_call_id: message.toolCallId };
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ id, name, arguments: text }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: text },
      }));
      return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    }
  }
}

/** Half a surrogate pair cannot be sent as UTF-8; servers answer 400 to the whole request. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

type Schema = Readonly<Record<string, unknown>>;

function responseFormat(
  { name, schema }: NonNullable<ModelRequest['replySchema']>,
  known: Capabilities,
): Pick<ChatCompletionCreateParams, 'response_format'> {
  switch (formatFor(schema, known)) {
    case 'json_schema':
      return {
        response_format: {
          type: 'json_schema',
          json_schema: { name, schema: { ...schema }, strict: isStrictSchema(schema) },
        },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'prompt':
      return {};
  }
}

/** Servers hold a reply to objects only; anything else is asked for in words. */
function formatFor(schema: Schema, { structured }: Capabilities): Capabilities['structured'] {
  return schema['type'] === 'object' ? structured : 'prompt';
}

/** Strict mode wants every object closed and every property required; a schema with options is sent without it. */
function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  const node = Node.safeParse(schema).data;
  if (node === undefined) return true;
  return (node.type !== 'object' || isClosed(node)) && Object.values(node).every(isStrictSchema);
}

const Node = z.looseObject({
  type: z.unknown(),
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  required: z.array(z.unknown()).optional().catch(undefined),
  additionalProperties: z.unknown(),
});

function isClosed({ properties = {}, required = [], additionalProperties }: z.infer<typeof Node>): boolean {
  return additionalProperties === false && Object.keys(properties).every((name) => required.includes(name));
}
