import type { ServerResponse } from 'node:http';

/** Why a request gets no answer, in the shape that OpenAI gives its errors. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export const expiredLogin: Refusal = {
  status: 401,
  type: 'invalid_request_error',
  code: 'invalid_api_key',
  message: 'The API key has expired.',
};

export const exhaustedQuota: Refusal = {
  status: 429,
  type: 'insufficient_quota',
  code: 'insufficient_quota',
  message: 'You exceeded your current quota, please check your plan and billing details.',
};

export const serverError: Refusal = {
  status: 500,
  type: 'server_error',
  code: null,
  message: 'The server had an error while processing your request.',
};

export function tooManyRequests(retryAfterSeconds: number): Refusal {
  const message = `Rate limit reached. Please try again in ${retryAfterSeconds}s.`;
  return { status: 429, type: 'requests', code: 'rate_limit_exceeded', message, retryAfterSeconds };
}

export function unknownModel(model: string): Refusal {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  return { status: 404, type: 'invalid_request_error', code: 'model_not_found', message };
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
