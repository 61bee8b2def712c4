import type {
  LanguageModel,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ToolDeclaration,
} from '../../ports/languageModel.js';
import type { Redactor } from '../../redaction/redactor.js';

/**
 * Nothing secret leaves, and what comes back names the secrets again: a reply that quotes a placeholder quotes the
 * secret, so that anchors match the person's text. Everything inside of this wrapper, the store included, sees
 * placeholders only.
 */
export function withRedaction(model: LanguageModel, redactor: Redactor): LanguageModel {
  return {
    identity: model.identity,
    async complete(request, signal) {
      const reply = await model.complete(await redactRequest(request, redactor), signal);
      return restoreReply(reply, redactor);
    },
  };
}

/** Exactly what would be sent: for the preview as well. */
export async function redactRequest(request: ModelRequest, redactor: Redactor): Promise<ModelRequest> {
  const clean: Clean = async (text) => (await redactor.redact(text)).text;
  const { tools, replySchema } = request;
  return {
    ...request,
    messages: await Promise.all(request.messages.map((message) => redactMessage(message, clean))),
    ...(tools === undefined ? {} : { tools: await Promise.all(tools.map((tool) => redactTool(tool, clean))) }),
    ...(replySchema === undefined
      ? {}
      : { replySchema: { ...replySchema, schema: await cleanSchema(replySchema.schema, clean) } }),
  };
}

type Clean = (text: string) => Promise<string>;

async function redactMessage(message: ModelMessage, clean: Clean): Promise<ModelMessage> {
  const content = await clean(message.content);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  const toolCalls = message.toolCalls.map(async (call) => ({ ...call, arguments: await clean(call.arguments) }));
  return { ...message, content, toolCalls: await Promise.all(toolCalls) };
}

async function redactTool(tool: ToolDeclaration, clean: Clean): Promise<ToolDeclaration> {
  return {
    ...tool,
    description: await clean(tool.description),
    parameters: await cleanSchema(tool.parameters, clean),
  };
}

type Properties = Readonly<Record<string, unknown>>;

/** The same schema with every string in it changed; property names stay. */
async function cleanSchema(schema: Properties, clean: Clean): Promise<Properties> {
  const walk = async (item: unknown): Promise<unknown> => {
    if (typeof item === 'string') return clean(item);
    if (Array.isArray(item)) return Promise.all(item.map(walk));
    return item instanceof Object ? cleanSchema(Object.fromEntries(Object.entries(item)), clean) : item;
  };
  const entries = Object.entries(schema).map(async ([name, part]) => [name, await walk(part)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function restoreReply(reply: ModelReply, redactor: Redactor): ModelReply {
  return {
    ...reply,
    text: restoreText(reply.text, redactor),
    toolCalls: reply.toolCalls.map((call) => ({ ...call, arguments: redactor.restore(call.arguments, 'json') })),
  };
}

/** JSON in a reply (all of it, or a fence) takes secrets back escaped, everything else as they are. */
function restoreText(text: string, redactor: Redactor): string {
  if (/^\s*[[{]/.test(text)) return redactor.restore(text, 'json');
  return text
    .split(/(```\w*\s*[[{][\s\S]*?```)/)
    .map((part, index) => redactor.restore(part, index % 2 === 1 ? 'json' : 'text'))
    .join('');
}
