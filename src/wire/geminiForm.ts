import * as z from 'zod';
import { sha256 } from '../hash.js';
import { parseJson } from '../parseJson.js';
import type { ModelMessage, ModelReply } from '../ports/languageModel.js';
import { piecesOf, type WireForm } from './wireForm.js';

const Part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() }).optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string(), response: z.unknown().optional() })
    .optional(),
});
type Part = z.infer<typeof Part>;
const Content = z.looseObject({ role: z.string().optional(), parts: z.array(Part).default([]) });
const Schema = z.record(z.string(), z.unknown());
const Declared = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  parameters: Schema.optional(),
  parametersJsonSchema: Schema.optional(),
});

/** The body of `POST …/models/<model>:generateContent`, as far as it is used; `model` and `stream` out of the address. */
const GeminiBody = z.looseObject({
  model: z.string(),
  stream: z.boolean(),
  systemInstruction: Content.nullish(),
  contents: z.array(Content).min(1),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(Declared).optional() })).nullish(),
  generationConfig: z
    .looseObject({ maxOutputTokens: z.int().positive().optional(), temperature: z.number().optional() })
    .nullish(),
});

/** Google's `generateContent` and `streamGenerateContent`, which Gemini CLI speaks. */
export const geminiForm: WireForm = {
  read(body) {
    const parsed = GeminiBody.safeParse(body);
    if (!parsed.success) return z.prettifyError(parsed.error);
    const { model, stream, systemInstruction, contents, tools, generationConfig } = parsed.data;
    const system = textOf(systemInstruction?.parts ?? []);
    const opening: readonly ModelMessage[] = system === '' ? [] : [{ role: 'system', content: system }];
    const offered = (tools ?? [])
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name, description, parameters, parametersJsonSchema }) => ({
        name,
        description,
        parameters: parametersJsonSchema ?? parameters ?? {},
      }));
    return {
      model,
      question: {
        messages: [...opening, ...contents.flatMap(({ role, parts }) => messagesOf(role, parts))],
        ...(offered.length === 0 ? {} : { tools: offered }),
      },
      maxOutputTokens: generationConfig?.maxOutputTokens,
      temperature: generationConfig?.temperature,
      seed: undefined,
      stream,
      withUsage: true,
    };
  },
  whole: (model, reply) => answerOf(model, reply, partsOf(reply), true),
  events: (model, reply) => {
    const pieces = [...piecesOf(reply.text).map((text) => ({ text })), ...callsOf(reply)];
    const all = pieces.length === 0 ? [{ text: '' }] : pieces;
    return all.map((part, at) => ({
      data: JSON.stringify(answerOf(model, reply, [part], at === all.length - 1)),
    }));
  },
  refusal: ({ status, message, details }) => ({
    error: {
      code: status,
      message,
      status: statusNames[status] ?? 'INTERNAL',
      ...(details === undefined ? {} : { details }),
    },
  }),
};

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
};

/** The model and whether a stream is wanted, out of the address; undefined where it is another one. */
export function geminiAddress(path: string): { readonly model: string; readonly stream: boolean } | undefined {
  const found = /\/models\/([^/:]+):(stream)?generateContent$/i.exec(path);
  return found === null ? undefined : { model: found[1] ?? '', stream: found[2] !== undefined };
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ text = '' }) => text).join('');
}

function messagesOf(role: string | undefined, parts: readonly Part[]): readonly ModelMessage[] {
  const content = textOf(parts);
  const calls = parts.flatMap(({ functionCall: call }) =>
    call === undefined
      ? []
      : [{ id: call.id ?? call.name, name: call.name, arguments: JSON.stringify(call.args ?? {}) }],
  );
  if (role === 'model') return [{ role: 'assistant', content, ...(calls.length === 0 ? {} : { toolCalls: calls }) }];
  const results = parts.flatMap(({ functionResponse: result }): ModelMessage[] =>
    result === undefined
      ? []
      : [{ role: 'tool', toolCallId: result.id ?? result.name, content: JSON.stringify(result.response ?? {}) }],
  );
  return [...results, ...(content === '' ? [] : [{ role: 'user' as const, content }])];
}

function partsOf(reply: ModelReply): readonly object[] {
  return [...(reply.text === '' ? [] : [{ text: reply.text }]), ...callsOf(reply)];
}

function callsOf({ toolCalls }: ModelReply): readonly object[] {
  return toolCalls.map((call) => ({
    functionCall: { id: call.id, name: call.name, args: parseJson(call.arguments) ?? {} },
  }));
}

function answerOf(model: string, reply: ModelReply, parts: readonly object[], isLast: boolean): object {
  const { inputTokens, outputTokens } = reply.usage;
  const finish = { finishReason: reply.finish === 'length' ? 'MAX_TOKENS' : 'STOP' };
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast ? finish : {}) }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
    modelVersion: model,
    responseId: sha256(JSON.stringify([reply.text, reply.toolCalls])).slice(0, 24),
  };
}
