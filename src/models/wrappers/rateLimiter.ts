import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { isFatal, ModelError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import {
  Breaker,
  givesUpAfter,
  givesUpElsewhere,
  givesUpOwnServer,
  waitsTooLong,
  type GiveUpLimits,
} from './breaker.js';
import { ownServerWidth, type Width } from './measuredWidth.js';
import { ServerPlaces } from './serverPlaces.js';
import type { CallWork } from './widthRound.js';

/** Limits the calls to one backend; shared by every role that uses it. */
export interface RateLimiter {
  /** Runs `call` when there is room, with a signal that ends it once the backend is given up. Rejects with the signal's reason, without running it, if aborted before that. */
  run<T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** How many calls may be under way now. */
  readonly width: () => number;
}

interface RateLimiterOptions {
  readonly clock: Clock;
  /** The most calls under way at once. */
  readonly concurrency: number;
  /** The server has just answered what costs nothing, and knows the model: no call has to go first. */
  readonly isOpen?: boolean | undefined;
  /** What the run shares with others that ask the same server; places of its own without it. */
  readonly places?: ServerPlaces | undefined;
  /** It is a server on a person's own machines: asked how many requests it works on at once, where it says so. */
  readonly ownServer?: ((signal: AbortSignal) => Promise<number | undefined>) | undefined;
  /** Workers on other machines make the calls: waiting for one is no silence. */
  readonly isElsewhere?: boolean | undefined;
}

/**
 * The first call goes alone, unless the server is known to answer: a wrong key or model costs one call, not thirty. Then all at once, as far as
 * the server's places go, which are shared with other runs. What no retry mends (login, quota, a model that is not there, no
 * answer for minutes, a wait of hours) fails every call of the run that waits, and no further call is made. On a person's own
 * server as many are under way as it works on: see {@link ownServerWidth}.
 */
export function createRateLimiter({
  clock,
  concurrency,
  isOpen = false,
  places = new ServerPlaces(),
  ownServer,
  isElsewhere,
}: RateLimiterOptions): RateLimiter {
  let isOpened = isOpen;
  const measured = ownServer === undefined ? undefined : ownServerWidth({ clock, most: concurrency, ask: ownServer });
  const most = (): number => measured?.current ?? (isOpened ? concurrency : 1);
  const lane = { most };
  const queue = new PQueue({ concurrency: most() });
  const breaker = new Breaker(clock, limitsOf({ ownServer, isElsewhere }));
  let ended: ModelError | undefined;

  const failed = (error: ModelError, startedIn: number): void => {
    if (endsAll(error)) ended = error;
    if (error.kind !== 'rate-limit') return;
    places.closeUntil(clock.now() + (error.retryAfterMs ?? 0));
    measured?.refused();
    if (isOpened) places.refused(startedIn);
  };

  const pass = async <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    while (clock.now() < places.closedUntil) await clock.sleep(places.closedUntil - clock.now(), signal);
    if (ended !== undefined) throw ended;
    const startedIn = places.generation;
    try {
      const result = await counted(measured, () => breaker.run(call, signal));
      if (isOpened) places.answered();
      isOpened = true;
      return result;
    } catch (caught) {
      const error = last(caught);
      if (error instanceof ModelError) failed(error, startedIn);
      throw error;
    } finally {
      queue.concurrency = most();
    }
  };

  return {
    width: () => Math.min(most(), places.width),
    async run(call, signal) {
      signal.throwIfAborted();
      setMaxListeners(0, signal); // every call that waits listens to the run's one signal
      await measured?.look(signal);
      queue.concurrency = most();
      return inTurn(queue, () => places.run(lane, () => pass(call, signal), signal), signal);
    },
  };
}

function limitsOf({ ownServer, isElsewhere }: Pick<RateLimiterOptions, 'ownServer' | 'isElsewhere'>): GiveUpLimits {
  if (isElsewhere === true) return givesUpElsewhere;
  return ownServer === undefined ? givesUpAfter : givesUpOwnServer;
}

/** Tells the width when the call begins and ends. */
async function counted<T>(width: Pick<Width, 'begun'> | undefined, call: () => Promise<T>): Promise<T> {
  const end = width?.begun();
  try {
    const result = await call();
    end?.(workOf(result));
    return result;
  } catch (error) {
    end?.();
    throw error;
  }
}

/** What the call asked of the server; undefined where nobody can tell. */
function workOf(result: unknown): CallWork | undefined {
  if (!(result instanceof Object && 'usage' in result && result.usage instanceof Object)) return undefined;
  const { inputTokens: promptTokens, outputTokens: answerTokens }: { inputTokens?: unknown; outputTokens?: unknown } =
    result.usage;
  return typeof promptTokens === 'number' && typeof answerTokens === 'number'
    ? { promptTokens, answerTokens }
    : undefined;
}

/** Does the work when there is room; whoever is gone by then is told why. */
async function inTurn<T>(queue: PQueue, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await queue.add(work, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** A cap may leave room for a smaller call, and other prompts are still to be asked; the others are the backend's last word. */
function endsAll({ kind }: ModelError): boolean {
  return isFatal(kind) && kind !== 'cap' && kind !== 'waiting';
}

/** What a server that asks for a long wait says is its last word too: nobody is held for hours. */
function last(error: unknown): unknown {
  if (!(error instanceof ModelError) || (error.retryAfterMs ?? 0) <= longestHold) return error;
  return isFatal(error.kind) ? error : waitsTooLong(error, error.retryAfterMs ?? 0);
}

const longestHold = 120_000;
