import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { UserError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import {
  keepBeating,
  type LockHolder,
  type LockName,
  type LockState,
  makeGeneration,
  newestGeneration,
  type OwnGeneration,
  readLock,
  removeGeneration,
  removeOlder,
} from './lockFile.js';
import type { Probe } from './durableWrite.js';
import { livenessOf, type ProcessIdentity } from './runningProcess.js';

/** How often a holder shows that it lives, and after which silence it may be dead. */
export interface LockPace {
  readonly beatMs: number;
  readonly staleMs: number;
}

/** For what takes minutes or hours: a run. */
export const runPace: LockPace = { beatMs: 10_000, staleMs: 60_000 };
/** For what takes milliseconds: replacing files. A kill in between must not block the person for long. */
export const filePace: LockPace = { beatMs: 1_000, staleMs: 5_000 };

/** Which lock, by whom and for what. */
export interface LockRequest extends LockName {
  readonly what: string;
  readonly pace: LockPace;
  readonly self: ProcessIdentity;
  readonly clock: Clock;
  readonly probe: Probe;
}

/** A lock in hand. Whoever holds one releases it, or nobody else gets it before the stale time. */
export interface HeldLock {
  /** Aborted with a `busy` error once somebody took the lock over: stop writing at once. */
  readonly lost: AbortSignal;
  /** Asks the file system, not the memory. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/** To find a lock taken is an ordinary outcome. */
export type LockAttempt =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  /** `holder` is undefined while it is not known yet. */
  | { readonly kind: 'busy'; readonly holder: LockHolder | undefined };

/**
 * Tries once to take a lock that every process of this user respects. A holder that is known to be dead loses it at
 * once; one that only looks dead from here may run in another container, or on a machine of the same name, that shares
 * this folder: it loses it after the stale time and never before. A holder known to be alive keeps it however long it
 * is silent (a sleeping laptop).
 */
export async function tryLock(request: LockRequest, signal: AbortSignal): Promise<LockAttempt> {
  signal.throwIfAborted();
  await mkdir(request.folder, { recursive: true, mode: 0o700 });
  const state = await readLock(request);
  if (!(await mayTake(request, state, signal))) return busy(state);
  const holder = holderOf(request);
  request.probe('lock');
  const own = await makeGeneration(request, state.generation + 1, holder);
  if (own === undefined) return busy(await readLock(request));
  request.probe('locked');
  // A slow reader may have made a generation that was given out and cleared away long ago: the newest alone counts.
  if ((await newestGeneration(request)) !== own.generation) {
    await own.close();
    await removeGeneration(request, own.generation);
    return busy(await readLock(request));
  }
  if (state.generation > 0) await removeOlder(request, own.generation);
  return { kind: 'held', lock: hold(request, own) };
}

const retryMs = 25;

/** Waits for a lock, at most `waitMs`; throws `busy` with the holder's name after that. */
export async function waitForLock(request: LockRequest, waitMs: number, signal: AbortSignal): Promise<HeldLock> {
  const deadline = request.clock.now() + waitMs;
  for (;;) {
    const attempt = await tryLock(request, signal);
    if (attempt.kind === 'held') return attempt.lock;
    if (request.clock.now() >= deadline) throw busyError(request.what, attempt.holder);
    await request.clock.sleep(retryMs, signal);
  }
}

/** Does `work` under the lock and releases it however the work ends. */
export async function withLock<T>(
  request: LockRequest,
  waitMs: number,
  signal: AbortSignal,
  work: (lock: HeldLock) => Promise<T>,
): Promise<T> {
  const lock = await waitForLock(request, waitMs, signal);
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

/** The error of somebody who cannot wait. */
export function busyError(what: string, holder: LockHolder | undefined): UserError {
  return new UserError(
    'busy',
    `Cannot start ${what}: ${describeHolder(holder)}.`,
    'Wait until it is done, or cancel it there.',
  );
}

/** The second half of a sentence, for people. */
export function describeHolder(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'another process is at work on it';
  return `process ${holder.pid} on ${plain(holder.host)} is at work on it (${plain(holder.what)})`;
}

/** The holder in a few words, for a list. */
export function holderText({ pid, host, what }: LockHolder): string {
  return `process ${pid} on ${plain(host)} (${plain(what)})`;
}

/** Anybody may have written the lock file: nothing in it begins a line of its own. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

async function mayTake(request: LockRequest, state: LockState, signal: AbortSignal): Promise<boolean> {
  if (state.kind === 'none' || state.kind === 'free') return true;
  const life = state.kind === 'held' ? await livenessOf(state.holder, request.self) : 'unknown';
  if (life === 'dead' || life === 'alive') return life === 'dead';
  if (!isStale(request, state)) return false;
  return life === 'unknown' ? staysSilent(request, state, signal) : true;
}

/** The distance counts both ways: a clock that was set back leaves heartbeats in the future. */
function isStale({ clock, pace }: LockRequest, { beatAt }: { readonly beatAt: number }): boolean {
  return Math.abs(clock.now() - beatAt) > pace.staleMs;
}

/** Who is at work under a lock, as far as this machine can tell; undefined where whoever held it has ended. */
export async function holderAtWork(request: LockRequest): Promise<LockHolder | undefined> {
  const state = await readLock(request);
  if (state.kind !== 'held') return undefined;
  const life = await livenessOf(state.holder, request.self);
  if (life === 'dead' || life === 'gone') return undefined;
  return life === 'restarted' && isStale(request, state) ? undefined : state.holder;
}

/** Where nobody can tell, watch for longer than a heartbeat: after a sleep of the machine every holder looks stale. */
async function staysSilent(
  request: LockRequest,
  seen: { readonly generation: number; readonly beatAt: number },
  signal: AbortSignal,
): Promise<boolean> {
  await request.clock.sleep(request.pace.beatMs * 1.5, signal);
  const now = await readLock(request);
  return now.generation === seen.generation && 'beatAt' in now && now.beatAt === seen.beatAt;
}

function hold(request: LockRequest, own: OwnGeneration): HeldLock {
  const lost = new AbortController();
  const isHeld = async (): Promise<boolean> => {
    const held = (await newestGeneration(request)) === own.generation;
    if (!held) lost.abort(new UserError('busy', `Another process took over ${request.what}.`, 'Let it finish there.'));
    return held;
  };
  const stop = keepBeating({ clock: request.clock, everyMs: request.pace.beatMs, own, isHeld });
  return {
    lost: lost.signal,
    isHeld,
    release: async () => {
      if (!(await stop())) return;
      await own.markFree();
      await own.close();
    },
  };
}

function busy(state: LockState): LockAttempt {
  return { kind: 'busy', holder: state.kind === 'held' ? state.holder : undefined };
}

function holderOf({ self, what, clock }: LockRequest): LockHolder {
  return { ...self, what, since: clock.now(), token: randomBytes(8).toString('hex') };
}
