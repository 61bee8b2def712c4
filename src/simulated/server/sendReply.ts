import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { ModelReply, ToolCall } from '../../ports/languageModel.js';
import { type Fault, sendJson } from './faults.js';
import { keyOf } from '../chance.js';

export interface OutgoingReply {
  readonly model: string;
  readonly reply: ModelReply;
  readonly stream: boolean;
  readonly withUsage: boolean;
  readonly fault: Fault | undefined;
}

/** Sends the reply, whole or with its fault. Resolves to whether the whole of it was sent. */
export async function sendReply(response: ServerResponse, sending: OutgoingReply): Promise<boolean> {
  const { fault, reply } = sending;
  if (fault === 'empty') {
    deliver(response, { ...sending, reply: { ...reply, text: '', toolCalls: [], finish: 'stop' } });
    return false;
  }
  if (fault === undefined) {
    deliver(response, sending);
    return await isDelivered(response);
  }
  breakOff(response, sending);
  return false;
}

function deliver(response: ServerResponse, { model, reply, stream, withUsage }: OutgoingReply): void {
  if (!stream) return sendJson(response, 200, completionOf(model, reply));
  openStream(response);
  for (const chunk of chunksOf(model, reply, withUsage)) sendEvent(response, JSON.stringify(chunk));
  sendEvent(response, 'DONE', '[');
  response.end();
}

/** Half an answer, an answer that is not JSON, or one that never ends; each in its streamed and in its whole form. */
function breakOff(response: ServerResponse, { model, reply, stream, withUsage, fault }: OutgoingReply): void {
  const whole = JSON.stringify(completionOf(model, reply));
  if (stream) {
    openStream(response);
    const chunks = chunksOf(model, reply, withUsage);
    const half = Math.max(1, Math.floor((chunks.length - (withUsage ? 2 : 1)) / 2));
    for (const chunk of chunks.slice(0, half)) sendEvent(response, JSON.stringify(chunk));
    if (fault === 'malformed') sendEvent(response, '{"id":"chatcmpl-');
    if (fault !== 'stall') response.end();
    return;
  }
  const half = whole.slice(0, Math.floor(whole.length / 2));
  response.setHeader('Content-Type', 'application/json');
  if (fault === 'malformed') {
    response.end(half);
    return;
  }
  response.writeHead(200, { 'Content-Length': Buffer.byteLength(whole) });
  response.write(half, () => {
    if (fault !== 'stall') response.destroy();
  });
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
}

function sendEvent(response: ServerResponse, data: string, bracket = ''): void {
  response.write(`data: ${bracket}${data}${bracket === '' ? '' : ']'}\n\n`);
}

async function isDelivered(response: ServerResponse): Promise<boolean> {
  if (!response.writableFinished) await Promise.race([once(response, 'finish'), once(response, 'close')]);
  return response.writableFinished;
}

const chunkCharacters = 48;
const finishReasons = { stop: 'stop', length: 'length', 'tool-calls': 'tool_calls' } as const;

/** The answer in one piece. */
function completionOf(model: string, reply: ModelReply): object {
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
function chunksOf(model: string, reply: ModelReply, withUsage: boolean): readonly object[] {
  const start = head(model, reply, 'chat.completion.chunk');
  const piece = (delta: object, finish: string | null = null): object => ({
    ...start,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...(withUsage ? { usage: null } : {}),
  });
  const texts = reply.text.match(new RegExp(`[\\s\\S]{1,${chunkCharacters}}`, 'gu')) ?? [];
  return [
    piece({ role: 'assistant', content: '' }),
    ...texts.map((content) => piece({ content })),
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

function head(model: string, reply: ModelReply, object: string): object {
  return { id: `chatcmpl-${keyOf(reply.text, reply.toolCalls).slice(0, 24)}`, object, created: 0, model };
}

function usageOf({ usage }: ModelReply): object {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
