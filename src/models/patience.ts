import { setMaxListeners } from 'node:events';

/** Watches one call: aborts it when nothing has come for too long, and knows afterwards that it was the one. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Something came: the wait starts afresh, from now on with the shorter limit between bytes. */
  readonly beat: () => void;
  /** Somebody is there: the wait starts afresh, with the limit that it has. */
  readonly alive: () => void;
  /** Which limit ran out, in words; undefined while none has. */
  readonly ranOut: () => string | undefined;
  /** To be called in any case: stops the clocks and lets go of the caller's signal. */
  readonly end: () => void;
}

/** How long a call may be waited for. */
export interface PatienceLimits {
  /** Until the first byte: a local model reads a long prompt for minutes. */
  readonly firstByteMs: number;
  /** Between two bytes of a running answer. */
  readonly idleMs: number;
  /** For the whole call, however busy the stream looks. */
  readonly totalMs: number;
}

/** A model that thinks may be silent for minutes before its first word. */
export const usualLimits: PatienceLimits = { firstByteMs: 240_000, idleMs: 90_000, totalMs: 900_000 };

/** The same where the person says how long an answer may take in all: they wait that long for its beginning too. */
export function limitsWithin(limits: PatienceLimits, totalMs: number | undefined): PatienceLimits {
  return totalMs === undefined ? limits : { firstByteMs: totalMs, idleMs: Math.min(limits.idleMs, totalMs), totalMs };
}

/** The same where no more than this is left in all. */
export function limitsUntil(limits: PatienceLimits, restMs = Infinity): PatienceLimits {
  const [firstByteMs = 0, idleMs = 0, totalMs = 0] = [limits.firstByteMs, limits.idleMs, limits.totalMs].map((ms) =>
    Math.min(ms, restMs),
  );
  return { firstByteMs, idleMs, totalMs };
}

/** The client's own time limit ends once the headers are in; a stream that stalls afterwards would hang for ever. */
export function startPatience(limits: PatienceLimits, signal: AbortSignal): Patience {
  const controller = new AbortController();
  let reason: string | undefined;
  const giveUp = (what: string): void => {
    reason ??= what;
    controller.abort(new Error(what));
  };
  const stop = (): void => controller.abort(signal.reason);
  const total = setTimeout(() => giveUp(`no complete answer within ${seconds(limits.totalMs)}`), limits.totalMs);
  let idle = setTimeout(() => giveUp(`no answer within ${seconds(limits.firstByteMs)}`), limits.firstByteMs);
  let begun = false;
  if (signal.aborted) stop();
  setMaxListeners(0, signal); // every call under way listens to the run's one signal
  signal.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    beat: () => {
      if (begun) return void idle.refresh(); // for millions of lines a new one each takes longer than reading them
      clearTimeout(idle);
      idle = setTimeout(() => giveUp(`the answer stalled for ${seconds(limits.idleMs)}`), limits.idleMs);
      begun = true;
    },
    alive: () => void idle.refresh(),
    ranOut: () => reason,
    end: () => {
      clearTimeout(total);
      clearTimeout(idle);
      signal.removeEventListener('abort', stop);
    },
  };
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
