import type { ServerResponse } from 'node:http';
import { isDelivered, openStream, sendEvent, sendReply, type ReplyToSend } from '../../wire/httpReply.js';
import type { WireForm } from '../../wire/wireForm.js';
import type { Fault } from './faults.js';

interface OutgoingReply extends ReplyToSend {
  readonly form: WireForm;
  readonly fault: Fault | undefined;
}

/** Sends the reply, whole or with its fault. Resolves to whether the whole of it was sent. */
export async function sendFaulty(response: ServerResponse, sending: OutgoingReply): Promise<boolean> {
  const { fault, reply, form } = sending;
  if (fault === 'empty') {
    sendReply(response, { ...sending, reply: { ...reply, text: '', toolCalls: [], finish: 'stop' } }, form);
    return false;
  }
  if (fault === undefined) {
    sendReply(response, sending, form);
    return await isDelivered(response);
  }
  breakOff(response, sending);
  return false;
}

/** Half an answer, an answer that is not JSON, or one that never ends; each in its streamed and in its whole form. */
function breakOff(response: ServerResponse, { model, reply, stream, withUsage, form, fault }: OutgoingReply): void {
  if (stream) {
    openStream(response);
    const events = form.events(model, reply, withUsage);
    const half = Math.max(1, Math.floor((events.length - 2) / 2));
    for (const event of events.slice(0, half)) sendEvent(response, event);
    if (fault === 'malformed') sendEvent(response, { data: '{"id":"chatcmpl-' });
    if (fault !== 'stall') response.end();
    return;
  }
  const whole = JSON.stringify(form.whole(model, reply));
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
