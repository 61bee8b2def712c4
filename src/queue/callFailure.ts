import * as z from 'zod';
import { ModelError, UserError, messageOf, type ModelErrorKind } from '../errors.js';
import { FailedCall, RefusedForm } from '../models/wrappers/failedCall.js';

const kinds = [
  'auth',
  'quota',
  'model-not-found',
  'endpoint',
  'rate-limit',
  'timeout',
  'content-filter',
  'context-length',
  'malformed',
  'unavailable',
  'given-up',
] as const satisfies readonly ModelErrorKind[];

/** A call that failed on a worker, as it travels: what the coordinator books and whether it asks again depend on it. */
export const CallFailure = z.object({
  /** `form`: the server refused the form of the request; `user`: what only a person mends. */
  of: z.enum(['call', 'form', 'user']),
  kind: z.enum(kinds),
  message: z.string(),
  cure: z.string(),
  retryAfterMs: z.number().optional(),
  charged: z.boolean(),
  sent: z.boolean(),
  said: z.number(),
  /** Where the server refused the form of the request: what was learnt of it. */
  form: z.unknown().optional(),
  /** True where asking again would only cost the same again. */
  lasting: z.boolean().optional(),
  /** Who made it, as a window is told. */
  worker: z.string().optional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number(), exact: z.boolean() }).optional(),
});
export type CallFailure = z.infer<typeof CallFailure>;

/** Said before any work was done; as everywhere. */
const refusedBefore = new Set<ModelErrorKind>([
  'auth',
  'quota',
  'model-not-found',
  'endpoint',
  'rate-limit',
  'context-length',
]);

/** What was thrown on the worker. What nobody foresaw may have been charged. */
export function failureOf(error: unknown): CallFailure {
  const nothing = { cure: '', charged: true, sent: true, said: 0 };
  if (error instanceof RefusedForm) {
    return { ...nothing, of: 'form', kind: 'malformed', message: error.message, charged: false, said: error.said };
  }
  if (error instanceof UserError) {
    return { ...nothing, of: 'user', kind: 'endpoint', message: error.message, cure: error.cure, sent: false };
  }
  if (!(error instanceof ModelError)) {
    return { ...nothing, of: 'call', kind: 'unavailable', message: messageOf(error) };
  }
  const { message, cure, retryAfterMs } = error;
  const kind = kinds.find((each) => each === error.kind) ?? 'unavailable';
  const told = { of: 'call', kind, message, cure, retryAfterMs } as const;
  if (!(error instanceof FailedCall)) return { ...told, charged: !refusedBefore.has(kind), sent: true, said: 0 };
  const { charged, sent, said, usage, lasting, worker } = error;
  return { ...told, charged, sent, said, usage, lasting, worker };
}

/** The same on the machine that asked, with where it happened; in another process of that machine without. */
export function errorOf(failure: CallFailure, worker?: string): Error {
  const { of, kind, cure, retryAfterMs, charged, sent, said, usage } = failure;
  const message = worker === undefined ? failure.message : `${failure.message} (worker ${worker})`;
  if (of === 'form') return new RefusedForm(said);
  if (of === 'user') return new UserError('environment-refused', message, cure);
  return new FailedCall(kind, message, {
    cure,
    charged,
    sent,
    said,
    lasting: failure.lasting ?? false,
    worker: worker ?? failure.worker,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(usage === undefined ? {} : { usage }),
  });
}
