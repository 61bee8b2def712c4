import type { ServerResponse } from 'node:http';
import { chunksOf, completionOf } from '../../wire/completionReply.js';
import { isDelivered, openStream, sendCompletion, sendEvent, type ReplyToSend } from '../../wire/httpReply.js';
import type { Fault } from './faults.js';

export interface OutgoingReply extends ReplyToSend {
  readonly fault: Fault | undefined;
}

/** Sends the reply, whole or with its fault. Resolves to whether the whole of it was sent. */
export async function sendReply(response: ServerResponse, sending: OutgoingReply): Promise<boolean> {
  const { fault, reply } = sending;
  if (fault === 'empty') {
    sendCompletion(response, { ...sending, reply: { ...reply, text: '', toolCalls: [], finish: 'stop' } });
    return false;
  }
  if (fault === undefined) {
    sendCompletion(response, sending);
    return await isDelivered(response);
  }
  breakOff(response, sending);
  return false;
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
