import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import * as z from 'zod';
import type { Refusal } from './learnCapabilities.js';

/** What a failed call told us, in one shape for every server. */
export interface ServerError extends Refusal {
  /** Codes and types the server named, lower case: `insufficient_quota`, `model_not_found`. */
  readonly codes: readonly string[];
  readonly retryAfterMs: number | undefined;
  /** A connection that was never made or broke: the system's word for it, such as `ECONNREFUSED`. */
  readonly connection: string | undefined;
}

/** Reads an error of the SDK, or of an address that is none; undefined for anything else. */
export function readServerError(error: unknown, now: number): ServerError | undefined {
  const connection = brokenConnection(error);
  if (connection !== undefined) return connection;
  if (!(error instanceof APIError)) return undefined;
  const body = ErrorBody.safeParse(error.error).data ?? {};
  const message = body.message ?? error.message;
  return {
    status: error.status,
    message,
    parameter: body.param ?? undefined,
    codes: codesOf(body),
    retryAfterMs: retryAfter(error.headers, JSON.stringify(error.error ?? message), now),
    connection: undefined,
  };
}

function brokenConnection(error: unknown): ServerError | undefined {
  if (error instanceof APIConnectionTimeoutError) {
    return { ...nothingSaid, connection: 'ETIMEDOUT', message: error.message };
  }
  if (error instanceof APIConnectionError) {
    return { ...nothingSaid, connection: connectionCode(error), message: innermost(error) };
  }
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL') {
    return { ...nothingSaid, connection: error.code, message: error.message };
  }
  return undefined;
}

const nothingSaid = { status: undefined, parameter: undefined, codes: [], retryAfterMs: undefined };

const Code = z.union([z.string(), z.number()]).nullish();
const ErrorBody = z.looseObject({
  message: z.string().optional().catch(undefined),
  param: z.string().nullish().catch(undefined),
  code: Code.catch(undefined),
  type: Code.catch(undefined),
  status: Code.catch(undefined),
  innererror: z
    .looseObject({ code: Code.catch(undefined) })
    .nullish()
    .catch(undefined),
});

function codesOf({ code, type, status, innererror }: z.infer<typeof ErrorBody>): readonly string[] {
  return [code, type, status, innererror?.code].flatMap((name) =>
    name === undefined || name === null ? [] : [String(name).toLowerCase()],
  );
}

/** Headers first; then what some servers only say in the body. */
function retryAfter(headers: Headers | undefined, body: string, now: number): number | undefined {
  const wait = headerWait(headers, now) ?? bodyWait(body);
  return wait === undefined || !Number.isFinite(wait) ? undefined : Math.max(0, wait);
}

function headerWait(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = headers?.get('retry-after-ms');
  if (typeof milliseconds === 'string') return Number(milliseconds);
  const header = headers?.get('retry-after');
  if (typeof header !== 'string') return undefined;
  return /^[\d.]+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
}

function bodyWait(body: string): number | undefined {
  const said = /(?:"retryDelay":\s*"|(?:try again|retry) in )([\d.]+)(m?s)\b/i.exec(body);
  return said === null ? undefined : Number(said[1]) * (said[2] === 'ms' ? 1 : 1000);
}

/** The code lies at the bottom of a chain of causes. */
function connectionCode(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    if (at instanceof AggregateError) {
      const inner: unknown = at.errors[0];
      if (inner instanceof Error && 'code' in inner && typeof inner.code === 'string') return inner.code;
    }
  }
  return 'unknown';
}

function innermost(error: Error): string {
  let at: Error = error;
  while (at.cause instanceof Error) at = at.cause;
  return at.message || error.message;
}
