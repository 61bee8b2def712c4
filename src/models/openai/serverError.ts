import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import * as z from 'zod';
import type { Refusal } from './capabilities.js';
import type { ModelErrorKind } from '../../errors.js';

/** What is known of a failed call, in one shape for every server. */
export interface ServerError extends Refusal {
  /** Codes and types the server named, lower case: `insufficient_quota`, `model_not_found`. */
  readonly codes: readonly string[];
  readonly retryAfterMs: number | undefined;
  /** A connection that was never made or broke: the system's word for it, such as `ECONNREFUSED`. */
  readonly connection: string | undefined;
  /** Said with status 200: in place of an answer, or after a part of one. Undefined where the status itself is the error. */
  readonly instead: 'of-answer' | 'of-its-rest' | undefined;
}

/** An error that a server says with status 200. Some name the status that it would have had. */
export class ErrorInAnswer extends APIError {
  readonly instead: NonNullable<ServerError['instead']>;

  constructor(error: object, headers: Headers, instead: NonNullable<ServerError['instead']>) {
    super(undefined, error, undefined, headers);
    this.instead = instead;
  }
}

/** Reads an error of the SDK, or of an address that is none; undefined for anything else. */
export function readServerError(error: unknown, now: number): ServerError | undefined {
  const connection = brokenConnection(error);
  if (connection !== undefined) return connection;
  if (!(error instanceof APIError)) return undefined;
  const body = ErrorBody.safeParse(error.error).data ?? {};
  const message = body.message ?? error.message;
  return {
    status: error.status ?? statusIn(body),
    message,
    parameter: body.param ?? undefined,
    codes: codesOf(body),
    retryAfterMs: retryAfter(error.headers, JSON.stringify(error.error ?? message), now),
    connection: undefined,
    instead: error instanceof ErrorInAnswer ? error.instead : undefined,
  };
}

/** `{"code": 502}`: resellers pass the status of whoever failed them on in words. */
function statusIn({ code, status }: z.infer<typeof ErrorBody>): number | undefined {
  return [code, status].map(Number).find((number) => number >= 400 && number < 600);
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

const nothingSaid = {
  status: undefined,
  parameter: undefined,
  codes: [],
  retryAfterMs: undefined,
  instead: undefined,
};

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

/**
 * What kind of failure a server's words amount to. `answeredBefore` tells a server that does not understand us at all
 * from one that choked on this one request.
 */
export function errorKind(error: ServerError, answeredBefore: boolean): ModelErrorKind {
  if (error.connection !== undefined) return connectionKind(error.connection);
  const said = `${error.codes.join(' ')} ${error.message}`.toLowerCase();
  const rule = rules.find(({ statuses, words }) => fits(statuses, error.status) && (words?.test(said) ?? true));
  if (rule !== undefined) return rule.kind;
  if (error.status === undefined || error.status >= 500) return 'unavailable';
  return answeredBefore ? 'malformed' : 'endpoint';
}

/**
 * A status is an answer without work done, but for those that a gateway gives while the model works on; an answer that
 * breaks off was worked on. A connection that was never made costs nothing. In doubt the server has charged.
 */
export function wasCharged({ status, connection, instead }: ServerError): boolean {
  if (instead === 'of-its-rest') return true;
  if (status !== undefined) return workedOn.has(status);
  return instead === undefined && wasSent(connection);
}

/** False where the request never left this machine. */
export function wasSent(connection: string | undefined): boolean {
  return connection === undefined || !(isNotConnected(connection) || untrusted.test(connection));
}

/** Whether the system says that no connection was made at all. */
export function isNotConnected(connection: string): boolean {
  return neverSent.test(connection);
}

/** Timed out, or lost behind the gateway. */
const workedOn: ReadonlySet<number> = new Set([408, 502, 504, 524]);

const neverSent = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;
/** Certificates, and addresses that are none. */
const untrusted = /CERT|SSL|TLS|ISSUER|VERIFY|EPROTO|INVALID_URL/;

function connectionKind(code: string): ModelErrorKind {
  if (untrusted.test(code)) return 'endpoint';
  return /TIMEDOUT|TIMEOUT/.test(code) ? 'timeout' : 'unavailable';
}

function fits(statuses: readonly number[] | undefined, status: number | undefined): boolean {
  return statuses === undefined || statuses.includes(status ?? 0);
}

interface Rule {
  readonly kind: ModelErrorKind;
  readonly statuses?: readonly number[];
  readonly words?: RegExp;
}

/** The first that fits. Words come before statuses where servers misuse a status. */
const rules: readonly Rule[] = [
  {
    kind: 'content-filter',
    words:
      /content_filter|responsibleaipolicy|content management policy|data_inspection_failed|flagged_input|moderation/,
  },
  {
    kind: 'quota',
    words:
      /insufficient_quota|billing_(?:hard_limit|not_active)|insufficient balance|credit balance is too low|perday|requires more credits|arrearage/,
  },
  { kind: 'quota', statuses: [402] },
  { kind: 'rate-limit', statuses: [429] },
  { kind: 'rate-limit', statuses: [0, 503, 529], words: /rate_limit|overloaded|too many requests/ },
  { kind: 'auth', statuses: [401] },
  {
    kind: 'auth',
    words: /invalid_api_key|api key not valid|incorrect api key|invalid x-api-key|invalid authentication/,
  },
  {
    kind: 'context-length',
    words:
      /context_length_exceeded|context length|context window|maximum context|prompt is too long|too many (?:input )?tokens|exceeds the available context|input is too long|string_above_max_length/,
  },
  { kind: 'context-length', statuses: [413] },
  {
    kind: 'model-not-found',
    words:
      /model_not_found|deploymentnotfound|model(?:[^.]|\.(?=\S)){0,80}(?:not found|does not exist|not exist|is not available)|no such model|not a valid model|try pulling it|no endpoints found|no models? loaded/,
  },
  { kind: 'auth', statuses: [403] },
  { kind: 'timeout', statuses: [408, 504, 524] },
  { kind: 'endpoint', statuses: [301, 302, 303, 307, 308, 404, 405, 410, 501] },
];
