import { sha256 } from '../../hash.js';
import { mapTexts } from '../../mapTexts.js';
import type {
  LanguageModel,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ToolDeclaration,
} from '../../ports/languageModel.js';
import { placeholdersIn, type Redactor, type Restoring } from '../../redaction/redactor.js';

/**
 * Nothing secret leaves, and what comes back names the secrets again: a reply that quotes a placeholder of its request
 * quotes the secret, so that anchors match the person's text. The optimizer, whose words go into documents, gets back
 * only what the `documents` themselves hold, and that in the texts of its edits alone: its reasons are shown, stored and
 * exported. What it wrote of its own is redacted: no secret of a task comes into a skill. Everything inside of this
 * wrapper, the store included, sees placeholders only.
 */
export function withRedaction(
  model: LanguageModel,
  redactor: Redactor,
  documents: readonly string[] = [],
): LanguageModel {
  return {
    identity: model.identity,
    async complete(request, signal) {
      const clean = redactRequest(request, redactor);
      const reply = await model.complete(clean, signal);
      if (request.role !== 'optimizer') return restoreReply(reply, redactor, saidIn(clean));
      return restoreEdits(redactReply(reply, redactor), redactor, heldBy(documents));
    },
  };
}

type May = NonNullable<Restoring['only']>;

/** A secret of another request is not for this one to know. */
function saidIn({ messages, tools = [], replySchema }: ModelRequest): May {
  const texts = messages.flatMap((message) => [
    message.content,
    ...(message.role === 'assistant' ? (message.toolCalls ?? []).flatMap((call) => [call.name, call.arguments]) : []),
  ]);
  const said = new Set([...texts, JSON.stringify([tools, replySchema])].flatMap(placeholdersIn));
  return (placeholder) => said.has(placeholder);
}

function heldBy(documents: readonly string[]): May {
  return (_placeholder, secret) => documents.some((document) => document.includes(secret));
}

/** Exactly what would be sent: for the preview as well. */
export function redactRequest(request: ModelRequest, redactor: Redactor): ModelRequest {
  const clean: Clean = (text) => redactor.redact(text).text;
  const once = onceEach(clean);
  const { tools, replySchema } = request;
  return {
    ...request,
    messages: request.messages.map((message) => redactMessage(message, clean, once)),
    ...(tools === undefined ? {} : { tools: tools.map((tool) => redactTool(tool, clean, once)) }),
    ...(replySchema === undefined
      ? {}
      : { replySchema: { name: once(replySchema.name), schema: redactSchema(replySchema.schema, clean, once) } }),
  };
}

type Clean = (text: string) => string;

/** The same text comes out the same all through a request, whatever was found in between. */
function onceEach(clean: Clean): Clean {
  const cleaned = new Map<string, string>();
  return (text) => {
    const found = cleaned.get(text) ?? clean(text);
    cleaned.set(text, found);
    return found;
  };
}

function redactMessage(message: ModelMessage, clean: Clean, once: Clean): ModelMessage {
  const content = clean(message.content);
  if (message.role === 'tool') return { ...message, content, toolCallId: redactId(message.toolCallId, once) };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  const toolCalls = message.toolCalls.map((call) => ({
    id: redactId(call.id, once),
    name: once(call.name),
    arguments: clean(call.arguments),
  }));
  return { ...message, content, toolCalls };
}

/** Servers take short ids alone; a call and its result have the same one. */
function redactId(id: string, once: Clean): string {
  const cleaned = once(id);
  return cleaned === id ? id : sha256(cleaned).slice(0, 9);
}

function redactTool({ name, description, parameters }: ToolDeclaration, clean: Clean, once: Clean): ToolDeclaration {
  return { name: once(name), description: clean(description), parameters: redactSchema(parameters, clean, once) };
}

type Schema = ToolDeclaration['parameters'];

/** The names of its fields are sent as well. */
function redactSchema(schema: Schema, clean: Clean, once: Clean): Schema {
  const named = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(named);
    if (!(value instanceof Object)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [once(name), named(part)]));
  };
  const texts = mapTexts(schema, clean);
  return Object.fromEntries(Object.entries(texts).map(([name, part]) => [once(name), named(part)]));
}

function redactReply(reply: ModelReply, redactor: Redactor): ModelReply {
  const clean: Clean = (text) => redactor.redact(text).text;
  return {
    ...reply,
    text: clean(reply.text),
    toolCalls: reply.toolCalls.map((call) => ({ ...call, arguments: clean(call.arguments) })),
  };
}

function restoreReply(reply: ModelReply, redactor: Redactor, only: May): ModelReply {
  return {
    ...reply,
    text: restoreText(reply.text, redactor, only),
    toolCalls: reply.toolCalls.map((call) => ({
      ...call,
      name: redactor.restore(call.name, { only }),
      arguments: redactor.restore(call.arguments, { form: 'json', only }),
    })),
    ...(reply.work === undefined ? {} : { work: mapTexts(reply.work, (text) => redactor.restore(text, { only })) }),
  };
}

/** What an edit looks for in a document, what it writes there, and a whole document, as members of JSON. */
const editTexts = /"(?:anchor|target|content|new_skill)"\s*:\s*"[^"\\]*(?:\\.[^"\\]*)*"/gs;

function restoreEdits(reply: ModelReply, redactor: Redactor, only: May): ModelReply {
  const restored = (text: string): string =>
    text.replaceAll(editTexts, (member) => redactor.restore(member, { form: 'json', only }));
  return {
    ...reply,
    text: restored(reply.text),
    toolCalls: reply.toolCalls.map((call) => ({ ...call, arguments: restored(call.arguments) })),
  };
}

/** JSON in a reply (all of it, or a fence) takes secrets back escaped, everything else as they are. */
function restoreText(text: string, redactor: Redactor, only: May): string {
  if (/^\s*[[{]/.test(text)) return redactor.restore(text, { form: 'json', only });
  return text
    .split(/(```\w*\s*[[{][\s\S]*?```)/)
    .map((part, index) => redactor.restore(part, { form: index % 2 === 1 ? 'json' : 'text', only }))
    .join('');
}
