import { fstatSync, readSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import * as z from 'zod';
import { messageOf, UserError } from '../../errors.js';
import { parseJson } from '../../parseJson.js';
import { newerStore } from '../files/sealedFile.js';
import { parseSpendLine, printSpendLine, type SpendLine } from './spendLine.js';
import { type PassedCap, SpendTotals } from './spendTotals.js';

interface WaitingLine {
  readonly line: SpendLine;
  readonly resolve: (passed: PassedCap | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One month of the ledger, shared by all processes of this user. Lines are only ever appended, each batch by one
 * system call, so the file has one order for everybody; who appended then reads what came before. No lock is needed,
 * and a process that dies leaves its reservations standing. A line survives any kill when it is appended; it is synced
 * beside the call that it stands for, so that a power cut takes the last few milliseconds at most.
 */
export class SpendFile {
  readonly #handle: FileHandle;
  readonly #answers = new Map<string, PassedCap | 'granted' | 'open'>();
  #totals = new SpendTotals();
  #offset = 0;
  #rest = Buffer.alloc(0);
  #waiting: WaitingLine[] = [];
  #work: Promise<void> = Promise.resolve();
  #syncing: Promise<void> | undefined;
  #isSynced = true;
  #failure: UserError | undefined;
  /** Sets our lines apart from half a line that a crash may have left. */
  #startsFresh = true;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(file: string): Promise<SpendFile> {
    const opened = new SpendFile(await open(file, 'a+', 0o600));
    try {
      await opened.#begin(file);
    } catch (error) {
      await opened.#handle.close();
      throw error;
    }
    return opened;
  }

  async #begin(file: string): Promise<void> {
    if (await this.#isNewer()) throw newerStore(file);
    await this.totals();
    // Two processes may both find it empty; a second header is no line and counts for nothing.
    if (this.#offset === 0) this.#write(`${JSON.stringify(header)}\n`);
  }

  /** Written and decided when it resolves: with the cap that refuses a reservation, or undefined. */
  append(line: SpendLine): Promise<PassedCap | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      if (this.#waiting.length === 1) this.#work = this.#work.then(() => this.#writeBatch());
    });
  }

  /** What all processes wrote so far. */
  async totals(): Promise<SpendTotals> {
    const reading = this.#work.then(() => this.#readOn());
    this.#work = reading.catch(() => undefined);
    await reading;
    return this.#totals;
  }

  async close(): Promise<void> {
    await this.#work;
    await this.#syncing;
    await this.#handle.close();
  }

  async #writeBatch(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      this.#write(batch.map(({ line }) => printSpendLine(line)).join(''));
      if (batch.some(({ line }) => line.kind === 'reserve')) await this.#decide(batch);
      for (const { line, resolve } of batch) resolve(this.#takeAnswer(line.id));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async #decide(batch: readonly WaitingLine[]): Promise<void> {
    for (const { line } of batch) if (line.kind === 'reserve') this.#answers.set(line.id, 'open');
    await this.#readOn();
  }

  /** Once for all that was written while the last sync was under way. What cannot be synced is told to whoever comes next. */
  async #sync(): Promise<void> {
    try {
      while (!this.#isSynced) {
        this.#isSynced = true;
        await this.#handle.datasync();
      }
    } catch (error) {
      this.#failure = unwritable(error);
    }
    this.#syncing = undefined;
  }

  #write(text: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    const bytes = Buffer.from(this.#startsFresh && this.#offset > 0 ? `\n${text}` : text);
    this.#startsFresh = true;
    if (appended(this.#handle.fd, bytes) !== bytes.length) throw unwritable();
    this.#startsFresh = false;
    this.#isSynced = false;
    this.#syncing ??= this.#sync();
  }

  async #readOn(): Promise<void> {
    const { size } = fstatSync(this.#handle.fd);
    if (size < this.#offset) this.#startOver();
    while (this.#offset < size) {
      const chunk = Buffer.alloc(size - this.#offset);
      const bytesRead = chunk.length > justWritten ? await this.#readBeside(chunk) : this.#read(chunk);
      if (bytesRead === 0) break;
      this.#offset += bytesRead;
      this.#countLines(Buffer.concat([this.#rest, chunk.subarray(0, bytesRead)]));
    }
  }

  #read(chunk: Buffer): number {
    return readSync(this.#handle.fd, chunk, 0, chunk.length, this.#offset);
  }

  async #readBeside(chunk: Buffer): Promise<number> {
    return (await this.#handle.read(chunk, 0, chunk.length, this.#offset)).bytesRead;
  }

  #countLines(bytes: Buffer): void {
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#rest = Buffer.from(bytes.subarray(end));
    for (const text of bytes.toString('utf8', 0, end).split('\n')) this.#count(parseSpendLine(text));
  }

  #count(line: SpendLine | undefined): void {
    if (line === undefined) return;
    const passed = this.#totals.add(line);
    if (line.kind === 'reserve' && this.#answers.has(line.id)) this.#answers.set(line.id, passed ?? 'granted');
  }

  #takeAnswer(id: string): PassedCap | undefined {
    const answer = this.#answers.get(id);
    this.#answers.delete(id);
    // What was written and cannot be read back is not granted.
    if (answer === 'open') throw unwritable();
    return answer === 'granted' ? undefined : answer;
  }

  async #isNewer(): Promise<boolean> {
    const start = Buffer.alloc(128);
    const { bytesRead } = await this.#handle.read(start, 0, start.length, 0);
    const [first = ''] = start.toString('utf8', 0, bytesRead).trimStart().split('\n');
    const found = headerSchema.safeParse(parseJson(first));
    return found.success && found.data.version > header.version;
  }

  /** Somebody cut the file short (a person cleaning up): what is left counts. */
  #startOver(): void {
    this.#totals = new SpendTotals();
    this.#offset = 0;
    this.#rest = Buffer.alloc(0);
  }
}

const justWritten = 64 * 1024; // what is longer may be a month, and has to be fetched from the disk

const header = { format: 'whetstone-spend', version: 1 };
const headerSchema = z.object({ format: z.literal(header.format), version: z.number() });

function appended(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    throw unwritable(error);
  }
}

/** Without the ledger nobody knows what is spent: no call is made. */
function unwritable(cause?: unknown): UserError {
  const why = cause === undefined ? '' : ` (${messageOf(cause).replace(/\.$/u, '')})`;
  const what = `The spend ledger could not be written${why}, and what cannot be counted is not spent.`;
  return new UserError('store-unusable', what, 'Make room on the disk, then run again.', { cause });
}
