import { type FileHandle, stat } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import type { Clock } from '../../ports/clock.js';
import { syncFolder, type Probe } from '../files/durableWrite.js';
import { unlessMissing } from '../files/fileErrors.js';
import { appendInside } from '../files/writeInside.js';
import {
  chainStart,
  type JournalLine,
  nextLine,
  type JournalReading,
  journalVersions,
  readJournal,
} from './readJournal.js';
import type { HeldLock } from '../files/lock.js';
import { runFolder } from './runFolder.js';
import type { StateKey } from '../state/stateKey.js';
import type { SkillStore } from '../state/store.js';

/** The one writer of a run's journal. */
export interface JournalWriter {
  /** Notes an event, in order, at once; it is safe from a crash when the next `flush` resolves. */
  append(event: unknown): void;
  /** Resolves when everything appended so far is on disk. Many callers share one write. Throws if the lock was lost. */
  flush(): Promise<void>;
  /**
   * Throws where the journal no longer lies where it was begun: whoever works on would leave nothing behind. Asked for
   * every call, and calls come together: all who ask while it looks share the look that follows.
   */
  isThere(): Promise<void>;
  /** Flushes and closes. */
  close(): Promise<void>;
}

/** The events of a journal that goes on, and the pen to go on with. */
export interface OpenJournal {
  readonly events: readonly JournalLine[];
  readonly writer: JournalWriter;
}

/** What a new journal may hold beside what all do: an earlier version reads those that hold nothing it does not know. */
export type JournalHolds = keyof typeof journalVersions;

/** In the run's own folder of the workspace state, so that a run is deleted whole. */
export function journalFile(store: SkillStore, runId: string): string {
  return path.join(runFolder(store.places, runId), 'journal.jsonl');
}

/**
 * Starts a run's journal, or goes on with the one that is there. Whoever opens it holds the skill's run lock, which
 * makes it the only writer. Throws `made-elsewhere` on a journal that does not verify: it is never resumed.
 */
export async function openJournal(
  store: SkillStore,
  runId: string,
  lock: HeldLock,
  holds: JournalHolds = 'plain',
): Promise<OpenJournal> {
  const file = journalFile(store, runId);
  const reading = await readJournal(store.key, runId, file);
  if (reading.kind === 'made-elsewhere') throw notResumable(runId, reading.reason);
  const { next, lastMac, soundBytes, events } = continuation(store.key, runId, reading);
  const handle = await appendInside(store.places.workspaceState, file, 0o600);
  try {
    await handle.truncate(soundBytes);
    const { ino: inode } = await handle.stat();
    const writer = new Writer(handle, { ...store, file, inode, lock, next, lastMac });
    if (next === 0) writer.append({ format: 'whetstone-journal', version: journalVersions[holds], runId });
    await writer.flush();
    await syncFolder(path.dirname(file));
    return { events, writer };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function continuation(key: StateKey, runId: string, reading: Exclude<JournalReading, { kind: 'made-elsewhere' }>) {
  if (reading.kind === 'missing' || reading.soundBytes === 0) {
    return { next: 0, lastMac: chainStart(key, runId), soundBytes: 0, events: [] };
  }
  const { lines, lastMac, soundBytes } = reading;
  return { next: lines.length + 1, lastMac, soundBytes, events: lines };
}

interface WriterState {
  readonly file: string;
  /** Of the file that is written to, wherever it lies by now. */
  readonly inode: number;
  readonly key: StateKey;
  readonly clock: Clock;
  readonly probe: Probe;
  readonly lock: HeldLock;
  readonly next: number;
  readonly lastMac: string;
}

class Writer implements JournalWriter {
  readonly #handle: FileHandle;
  readonly #state: WriterState;
  #next: number;
  #lastMac: string;
  #waiting: string[] = [];
  #flushing: Promise<void> = Promise.resolve();
  #following: Promise<void> | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #lookingNext: Promise<void> | undefined;

  constructor(handle: FileHandle, state: WriterState) {
    this.#handle = handle;
    this.#state = state;
    this.#next = state.next;
    this.#lastMac = state.lastMac;
  }

  append(event: unknown): void {
    const { key, clock } = this.#state;
    const line = nextLine(key, this.#lastMac, { seq: this.#next, at: clock.now(), event });
    this.#waiting.push(`${JSON.stringify(line)}\n`);
    this.#next += 1;
    this.#lastMac = line.mac;
  }

  /** While one batch is being synced the next gathers: all who wait then share the one write that follows. */
  flush(): Promise<void> {
    this.#following ??= this.#flushing.then(() => {
      this.#following = undefined;
      this.#flushing = this.#writeBatch();
      return this.#flushing;
    });
    return this.#following;
  }

  isThere(): Promise<void> {
    this.#lookingNext ??= this.#looking.then(() => {
      this.#lookingNext = undefined;
      const look = this.#look();
      this.#looking = look.catch(() => undefined);
      return look;
    });
    return this.#lookingNext;
  }

  async #look(): Promise<void> {
    const { file, inode } = this.#state;
    const found = await unlessMissing(stat(file));
    if (found?.ino !== inode) throw gone(file);
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#lookingNext?.catch(() => undefined);
      await this.#looking;
      await this.#handle.close();
    }
  }

  async #writeBatch(): Promise<void> {
    if (this.#waiting.length === 0) return;
    if (!(await this.#state.lock.isHeld())) this.#state.lock.lost.throwIfAborted();
    await this.#look();
    const batch = this.#waiting.join('');
    this.#waiting = [];
    this.#state.probe('journal');
    await this.#handle.appendFile(batch);
    await this.#handle.datasync();
  }
}

function gone(file: string): UserError {
  return new UserError(
    'store-unusable',
    `${file} was deleted or replaced while the run went on.`,
    'Answers that were paid for are kept: run again once the folder is back.',
  );
}

function notResumable(runId: string, reason: string): UserError {
  return new UserError(
    'made-elsewhere',
    `The run ${runId} cannot be resumed: ${reason}.`,
    'Start a new run; what this one recorded is not used.',
  );
}
