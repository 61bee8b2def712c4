import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { ModelReply } from '../ports/languageModel.js';
import { chunksOf, completionOf } from './completionReply.js';

/** Why a request is not answered, as OpenAI-compatible servers say it. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export function badRequest(message: string, status = 400): Refusal {
  return { status, type: 'invalid_request_error', code: null, message };
}

export function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, type, code, message, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  sendJson(response, status, { error: { message, type, param: null, code } });
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

/** A reply, and the form that was asked for. */
export interface ReplyToSend {
  readonly model: string;
  readonly reply: ModelReply;
  readonly stream: boolean;
  readonly withUsage: boolean;
}

/** Sends a whole reply, streamed or in one piece. */
export function sendCompletion(response: ServerResponse, { model, reply, stream, withUsage }: ReplyToSend): void {
  if (!stream) return sendJson(response, 200, completionOf(model, reply));
  openStream(response);
  for (const chunk of chunksOf(model, reply, withUsage)) sendEvent(response, JSON.stringify(chunk));
  sendEvent(response, '[DONE]');
  response.end();
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
}

export function sendEvent(response: ServerResponse, data: string): void {
  response.write(`data: ${data}\n\n`);
}

/** The body as text; undefined where it is longer than this. */
export async function bodyText(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > mostBytes) return undefined;
    parts.push(bytes);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Resolves to whether the whole of a response was sent. */
export async function isDelivered(response: ServerResponse): Promise<boolean> {
  if (!response.writableFinished) await Promise.race([once(response, 'finish'), once(response, 'close')]);
  return response.writableFinished;
}
