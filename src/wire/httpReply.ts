import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { parseJson } from '../parseJson.js';
import type { ModelReply } from '../ports/languageModel.js';
import { completionForm } from './completionForm.js';
import type { Refusal, WireEvent, WireForm, WireQuestion } from './wireForm.js';

export function badRequest(message: string, status = 400): Refusal {
  return { status, type: 'invalid_request_error', code: null, message };
}

export function refuse(response: ServerResponse, refusal: Refusal, form: WireForm = completionForm): void {
  const { status, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
  sendJson(response, status, form.refusal(refusal));
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
export function sendReply(
  response: ServerResponse,
  { model, reply, stream, withUsage }: ReplyToSend,
  form: WireForm = completionForm,
): void {
  if (!stream) return sendJson(response, 200, form.whole(model, reply));
  openStream(response);
  for (const event of form.events(model, reply, withUsage)) sendEvent(response, event);
  response.end();
}

export function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
}

export function sendEvent(response: ServerResponse, { name, data }: WireEvent): void {
  response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`);
}

/** A request's body, or why there is none. */
export type JsonBody =
  | { readonly kind: 'body'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** The body as a JSON value; what is not JSON has no value. */
export async function jsonBody(request: IncomingMessage, mostBytes: number): Promise<JsonBody> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > mostBytes) return { kind: 'refused', refusal: badRequest('The request is too large.', 413) };
    parts.push(bytes);
  }
  return { kind: 'body', value: parseJson(Buffer.concat(parts).toString('utf8')) };
}

/** What a request asks for, or why it cannot be told. */
export type QuestionResult =
  | { readonly kind: 'asked'; readonly value: WireQuestion }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export function questionOf(form: WireForm, body: unknown): QuestionResult {
  const value = form.read(body);
  return typeof value === 'string' ? { kind: 'refused', refusal: badRequest(value) } : { kind: 'asked', value };
}

/** Resolves to whether the whole of a response was sent. */
export async function isDelivered(response: ServerResponse): Promise<boolean> {
  if (!response.writableFinished) await Promise.race([once(response, 'finish'), once(response, 'close')]);
  return response.writableFinished;
}
