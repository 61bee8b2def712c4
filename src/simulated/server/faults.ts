import * as z from 'zod';
import { UserError } from '../../errors.js';
import { chanceOf, keyOf } from '../chance.js';
import { geminiForm } from '../../wire/geminiForm.js';
import { messagesForm } from '../../wire/messagesForm.js';
import type { Refusal, WireForm } from '../../wire/wireForm.js';

const rate = z.number().min(0).max(1).optional();

const Faults = z
  .strictObject({
    rate429: rate,
    rate500: rate,
    reset: rate,
    truncatedStream: rate,
    stall: rate,
    malformed: rate,
    empty: rate,
    auth: z.literal('expired').optional(),
    quota: z.boolean().optional(),
    wrongModel: z.boolean().optional(),
  })
  .readonly();

/**
 * What goes wrong. The rates are shares of the requests: too many requests, a server error, a connection reset before
 * any answer, an answer that breaks off, one that never ends, one that is not JSON, one without text. The last three
 * answer every request: an expired login, an exhausted quota, a model that does not exist.
 */
export type SimulatedFaults = z.infer<typeof Faults>;

export type Fault = 'rate429' | 'rate500' | 'reset' | 'truncatedStream' | 'stall' | 'malformed' | 'empty';

const byRate: readonly Fault[] = ['rate429', 'rate500', 'reset', 'truncatedStream', 'stall', 'malformed', 'empty'];

export function readFaults(faults: unknown): SimulatedFaults {
  const parsed = Faults.safeParse(faults ?? {});
  const sum = parsed.success ? byRate.reduce((all, name) => all + (parsed.data[name] ?? 0), 0) : 0;
  if (parsed.success && sum <= 1) return parsed.data;
  const what = parsed.success ? 'they add up to more than 1' : z.prettifyError(parsed.error);
  throw new UserError(
    'options-malformed',
    `The faults are not valid: ${what}.`,
    'Give each fault a share between 0 and 1.',
  );
}

/** The fault of the request with this number, by the seed alone: the same storm every time. */
export function faultOf(faults: SimulatedFaults, seed: number, number: number): Fault | undefined {
  let at = chanceOf(keyOf('faults', seed)).fraction(String(number));
  return byRate.find((name) => {
    const share = faults[name] ?? 0;
    if (at < share) return true;
    at -= share;
    return false;
  });
}

export const expiredLogin: Refusal = {
  status: 401,
  type: 'invalid_request_error',
  code: 'invalid_api_key',
  message: 'The API key has expired.',
};

/** As the server of each form says it: Anthropic that the credit is gone, Google that it is the day's quota. */
export function usedUp(form: WireForm): Refusal {
  if (form === messagesForm) {
    const message = 'Your credit balance is too low to ask this simulated model. Add credit to go on.';
    return { status: 400, type: 'invalid_request_error', code: null, message };
  }
  return form === geminiForm ? { ...exhaustedQuota, details: [dailyQuota] } : exhaustedQuota;
}

const dailyQuota = {
  '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
  violations: [{ quotaMetric: 'simulated/requests', quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }],
};

const exhaustedQuota: Refusal = {
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
