import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { parseJson } from '../../parseJson.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { keyOf } from '../chance.js';
import { pause } from '../simulatedModel.js';
import { CompletionBody } from '../../wire/completionBody.js';
import { badRequest, bodyText, refuse, type Refusal } from '../../wire/httpReply.js';
import { questionOf } from './completionRequest.js';
import {
  faultOf,
  type Fault,
  type SimulatedFaults,
  exhaustedQuota,
  expiredLogin,
  serverError,
  tooManyRequests,
  unknownModel,
} from './faults.js';
import { sendReply, type OutgoingReply } from './sendReply.js';

/** What one server knows. The two counts are the only things that change. */
export interface ServerState {
  readonly model: LanguageModel;
  /** The names it answers to: `simulated-1`, and the one that says its options. */
  readonly names: readonly string[];
  readonly faults: SimulatedFaults;
  readonly seed: number;
  readonly latencyMs: number;
  readonly retryAfterSeconds: number;
  readonly rate: RateLimit | undefined;
  readonly attempts: AttemptBook;
  requests: number;
  answered: number;
}

const mostBodyBytes = 64 * 1024 * 1024;

/** One request for a completion: refused, broken by a fault, or answered. */
export async function answerCompletion(
  state: ServerState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  state.requests += 1;
  const fault = faultOf(state.faults, state.seed, state.requests);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await readBody(request);
  const refusal = refusalFor(state, body, fault);
  if (refusal !== undefined) return refuse(response, refusal);
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (body.kind === 'body') await answer(state, { request, response, body: body.value, fault }, gone.signal);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: CompletionBody;
  readonly fault: Fault | undefined;
}

async function answer(
  state: ServerState,
  { request, response, body, fault }: Exchange,
  signal: AbortSignal,
): Promise<void> {
  const question = questionOf(body, request.headers);
  const key = keyOf(question.role, question.messages, question.tools ?? [], question.replySchema ?? null);
  const claimed = body.seed ?? undefined;
  const attempt = claimed ?? state.attempts.claim(key);
  let whole = false;
  try {
    if (state.latencyMs > 0) await pause(state.latencyMs, signal);
    const reply = await state.model.complete({ ...question, attempt }, signal);
    whole = await sendReply(response, { reply, fault, ...formOf(body) });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (whole) state.answered += 1;
    else if (claimed === undefined) state.attempts.release(key, attempt);
  }
}

function formOf(body: CompletionBody): Pick<OutgoingReply, 'model' | 'stream' | 'withUsage'> {
  return { model: body.model, stream: body.stream === true, withUsage: body.stream_options?.include_usage === true };
}

/** What stands in the way of an answer, the gravest first. */
function refusalFor(state: ServerState, body: Body, fault: Fault | undefined): Refusal | undefined {
  const { faults, names } = state;
  if (faults.auth === 'expired') return expiredLogin;
  if (faults.quota === true) return exhaustedQuota;
  if (body.kind === 'refused') return body.refusal;
  if (faults.wrongModel === true || !names.includes(body.value.model)) return unknownModel(body.value.model);
  const waitMs = state.rate?.take();
  if (waitMs !== undefined) return tooManyRequests(Math.ceil(waitMs / 1000));
  if (fault === 'rate429') return tooManyRequests(state.retryAfterSeconds);
  return fault === 'rate500' ? serverError : undefined;
}

type Body =
  | { readonly kind: 'body'; readonly value: CompletionBody }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

async function readBody(request: IncomingMessage): Promise<Body> {
  const text = await bodyText(request, mostBodyBytes);
  if (text === undefined) return { kind: 'refused', refusal: badRequest('The request is too large.', 413) };
  const parsed = CompletionBody.safeParse(parseJson(text));
  return parsed.success
    ? { kind: 'body', value: parsed.data }
    : { kind: 'refused', refusal: badRequest(z.prettifyError(parsed.error)) };
}

/**
 * Which sample of a question a request is, since nobody sends that: the first of its kind is attempt 1, the next one 2.
 * A request that got no whole answer gives its number back, so that a retry gets the answer that was lost.
 */
export class AttemptBook {
  readonly #taken = new Map<string, Set<number>>();

  claim(key: string): number {
    const taken = this.#taken.get(key) ?? new Set<number>();
    this.#taken.set(key, taken);
    let attempt = 1;
    while (taken.has(attempt)) attempt += 1;
    taken.add(attempt);
    return attempt;
  }

  release(key: string, attempt: number): void {
    this.#taken.get(key)?.delete(attempt);
  }
}

const minute = 60_000;

/** A sliding window of one minute. Asks the clock that it is given, so that tests need not wait. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  #times: readonly number[] = [];

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Undefined where there is room, else how many milliseconds until there is. A refused request takes no room. */
  take(): number | undefined {
    const now = this.#now();
    this.#times = this.#times.filter((time) => now - time < minute);
    const [oldest] = this.#times;
    if (oldest !== undefined && this.#times.length >= this.#perMinute) return minute - (now - oldest);
    this.#times = [...this.#times, now];
    return undefined;
  }
}
