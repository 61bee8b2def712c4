import { sha256 } from '../hash.js';
import type { ModelReply, ToolCall } from '../ports/languageModel.js';
import { piecesOf } from './wireForm.js';

const finishReasons = { stop: 'stop', length: 'length', 'tool-calls': 'tool_calls' } as const;

/** The answer in one piece. */
export function completionOf(model: string, reply: ModelReply): object {
  const calls = reply.toolCalls.map(wireCall);
  return {
    ...head(model, reply, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: calls.length > 0 && reply.text === '' ? null : reply.text,
          refusal: null,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishReasons[reply.finish],
      },
    ],
    usage: usageOf(reply),
  };
}

/** The answer piece by piece; the last piece holds the usage where it was asked for. */
export function chunksOf(model: string, reply: ModelReply, withUsage: boolean): readonly object[] {
  const start = head(model, reply, 'chat.completion.chunk');
  const piece = (delta: object, finish: string | null = null): object => ({
    ...start,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(withUsage ? { usage: null } : {}),
  });
  return [
    piece({ role: 'assistant', content: '' }),
    ...piecesOf(reply.text).map((content) => piece({ content })),
    ...reply.toolCalls.flatMap((call, index) => callPieces(call, index).map((part) => piece({ tool_calls: [part] }))),
    piece({}, finishReasons[reply.finish]),
    ...(withUsage ? [{ ...start, choices: [], usage: usageOf(reply) }] : []),
  ];
}

/** A call as servers stream it: its name first, its arguments in pieces. */
function callPieces(call: ToolCall, index: number): readonly object[] {
  const middle = Math.ceil(call.arguments.length / 2);
  return [
    { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
    { index, function: { arguments: call.arguments.slice(0, middle) } },
    { index, function: { arguments: call.arguments.slice(middle) } },
  ];
}

function wireCall(call: ToolCall): object {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function head(model: string, { text, toolCalls }: ModelReply, object: string): object {
  const id = `chatcmpl-${sha256(JSON.stringify([text, toolCalls])).slice(0, 24)}`;
  return { id, object, created: 0, model };
}

function usageOf({ usage }: ModelReply): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
