import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LanguageModel } from '../../ports/languageModel.js';
import { keyOf } from '../chance.js';
import { pause } from '../simulatedModel.js';
import { jsonBody, questionOf, refuse, type QuestionResult } from '../../wire/httpReply.js';
import type { Refusal, WireForm, WireQuestion } from '../../wire/wireForm.js';
import {
  faultOf,
  type Fault,
  type SimulatedFaults,
  expiredLogin,
  serverError,
  tooManyRequests,
  unknownModel,
  usedUp,
} from './faults.js';
import { sendFaulty } from './sendFaulty.js';
import { modelQuestion } from './modelQuestion.js';

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

/** A request, the form that it is in, and what its address says beside its body. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly form: WireForm;
  readonly addressed?: object | undefined;
}

/** One request for an answer: refused, broken by a fault, or answered. */
export async function answerQuestion(state: ServerState, exchange: Exchange): Promise<void> {
  const { request, response, form } = exchange;
  state.requests += 1;
  const fault = faultOf(state.faults, state.seed, state.requests);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const asked = await questionIn(exchange);
  const refusal = refusalFor(state, { asked, form }, fault);
  if (refusal !== undefined) return refuse(response, refusal, form);
  if (fault === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (asked.kind === 'asked') await answer(state, exchange, { asked: asked.value, fault }, gone.signal);
}

async function answer(
  state: ServerState,
  { request, response, form }: Exchange,
  { asked, fault }: { readonly asked: WireQuestion; readonly fault: Fault | undefined },
  signal: AbortSignal,
): Promise<void> {
  const question = modelQuestion(asked, request.headers);
  const key = keyOf(question.role, question.messages, question.tools ?? [], question.replySchema ?? null);
  const attempt = asked.seed ?? state.attempts.claim(key);
  let whole = false;
  try {
    if (state.latencyMs > 0) await pause(state.latencyMs, signal);
    const reply = await state.model.complete({ ...question, attempt }, signal);
    whole = await sendFaulty(response, { reply, fault, form, ...asked });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    if (whole) state.answered += 1;
    else if (asked.seed === undefined) state.attempts.release(key, attempt);
  }
}

/** What stands in the way of an answer, the gravest first. */
function refusalFor(
  state: ServerState,
  { asked, form }: Pick<Exchange, 'form'> & { readonly asked: QuestionResult },
  fault: Fault | undefined,
): Refusal | undefined {
  const { faults, names } = state;
  if (faults.auth === 'expired') return expiredLogin;
  if (faults.quota === true) return usedUp(form);
  if (asked.kind === 'refused') return asked.refusal;
  if (faults.wrongModel === true || !names.includes(asked.value.model)) return unknownModel(asked.value.model);
  const waitMs = state.rate?.take();
  if (waitMs !== undefined) return tooManyRequests(Math.ceil(waitMs / 1000));
  if (fault === 'rate429') return tooManyRequests(state.retryAfterSeconds);
  return fault === 'rate500' ? serverError : undefined;
}

async function questionIn({ request, form, addressed }: Exchange): Promise<QuestionResult> {
  const body = await jsonBody(request, mostBodyBytes);
  if (body.kind === 'refused') return body;
  const { value } = body;
  const merged = addressed !== undefined && typeof value === 'object' ? { ...value, ...addressed } : value;
  return questionOf(form, merged);
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
