import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { ModelReply } from '../../ports/languageModel.js';
import { chunksOf, completionOf } from './completionReply.js';
import type { Fault } from './faults.js';
import { sendJson } from './refusals.js';

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
