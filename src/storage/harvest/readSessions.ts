import os from 'node:os';
import { type Line, linesOf, longestWholeBytes, wholeOf } from '../../harvest/lines.js';
import { readers } from '../../harvest/readers/readers.js';
import type { UnreadFile } from '../../harvest/harvested.js';
import type { Session, SessionPlace } from '../../harvest/session.js';
import { placeOfSession, withAuthor } from './besideSession.js';
import { BusyDatabaseError, OtherDatabaseError, type Sqlite, sqliteOfNode, withDatabaseRows } from './databaseRows.js';
import { NotPlainError, piecesOf } from './quietFile.js';
import type { SessionFile } from './sessionFiles.js';
import { statfs } from 'node:fs/promises';
import { hasCode } from '../files/fileErrors.js';

/** What came of reading a file: it was read, or why not. */
export type Reading = 'read' | UnreadFile['why'];

/** Is given each session as it is read. */
export type TakeSession = (session: Session) => Promise<void>;

/** A database is copied before it is asked: more than this is not copied. */
const longestDatabaseBytes = 4 * 1024 * 1024 * 1024;

/** What reading stands on beside the file. */
interface ReadingWorld {
  /** Folders that are known, to find one by the hash of its path. */
  readonly folders?: readonly string[];
  readonly sqlite?: () => Sqlite | undefined;
  /** How many bytes are free where a folder lies, as far as that is known. */
  readonly room?: (folder: string) => Promise<number | undefined>;
}

/** Reads the sessions of a file. At no time more is held than a line of it, a row, or a whole file where it is one value. */
export async function readSessionFile(
  file: SessionFile,
  take: TakeSession,
  signal: AbortSignal,
  { folders = [], sqlite = sqliteOfNode, room = freeBytes }: ReadingWorld = {},
): Promise<Reading> {
  try {
    if (file.form === 'database') return await readDatabase(file, take, { sqlite: sqlite(), room }, signal);
    const read = await readText(file, await placeOfSession(file, folders), signal);
    if (typeof read === 'string') return read;
    await take(await withAuthor(read, file));
    return 'read';
  } catch (error) {
    signal.throwIfAborted();
    return whyUnread(error);
  }
}

/** Rethrows what is no fault of the file. */
function whyUnread(error: unknown): Reading {
  if (isDiskFull(error)) return 'no-room';
  if (error instanceof NotPlainError || (error instanceof Error && 'syscall' in error)) return 'not-readable';
  if (error instanceof OtherDatabaseError) return 'broken';
  if (error instanceof BusyDatabaseError) return 'busy';
  throw error;
}

/** The session of a file that is a text, or why it is none. */
async function readText(file: SessionFile, place: SessionPlace, signal: AbortSignal): Promise<Session | Reading> {
  const bytes = new TextBytes(piecesOf(file.path, signal));
  const read = await (file.form === 'lines' ? readLines : readWhole)(file, place, bytes);
  if (read === undefined) return 'too-long';
  return bytes.fault ?? (read.isUnderstood ? read.session : 'broken');
}

interface ReadText {
  readonly session: Session;
  /** Whether anything in it was; of an empty file nothing had to be. */
  readonly isUnderstood: boolean;
}

async function readLines(file: SessionFile, place: SessionPlace, bytes: TextBytes): Promise<ReadText | undefined> {
  let lines = 0;
  async function* counted(): AsyncGenerator<Line> {
    for await (const line of linesOf(bytes.pieces())) {
      if (line.kind === 'too-long' || line.text.trim() !== '') lines += 1;
      yield line;
    }
  }
  const session = await readers[file.source].lines?.(counted(), place);
  if (session === undefined) return undefined;
  const { broken, tooLong } = session.counts;
  return { session, isUnderstood: lines === 0 || broken + tooLong < lines || session.exchanges.length > 0 };
}

async function readWhole(file: SessionFile, place: SessionPlace, bytes: TextBytes): Promise<ReadText | undefined> {
  if (file.bytes > longestWholeBytes) return undefined;
  const whole = await wholeOf(bytes.pieces());
  if (whole.kind === 'too-long') return undefined;
  const session = readers[file.source].object?.(whole.text, place);
  return session && { session, isUnderstood: session.counts.broken === 0 || session.exchanges.length > 0 };
}

/** The bytes of a file, and whether they are those of a text. */
class TextBytes {
  readonly #pieces: AsyncIterable<Uint8Array>;
  #first: Uint8Array | undefined;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces;
  }

  async *pieces(): AsyncGenerator<Uint8Array> {
    for await (const piece of this.#pieces) {
      this.#first ??= piece.slice(0, 2);
      if (this.fault === undefined) yield piece;
    }
  }

  /** Known once they were read. No text in UTF-8 begins with a zero, or has one behind its first letter; UTF-16 does. */
  get fault(): 'empty' | 'not-utf8' | undefined {
    if (this.#first === undefined) return 'empty';
    const [first = 0, second = 32] = this.#first;
    return first === 0 || second === 0 || first >= 0xfe ? 'not-utf8' : undefined;
  }
}

async function readDatabase(
  file: SessionFile,
  take: TakeSession,
  { sqlite, room }: { readonly sqlite: Sqlite | undefined; readonly room: NonNullable<ReadingWorld['room']> },
  signal: AbortSignal,
): Promise<Reading> {
  const reader = readers[file.source].rows;
  if (reader === undefined || sqlite === undefined) return 'no-sqlite';
  if (file.bytes > longestDatabaseBytes) return 'too-long';
  if (((await room(os.tmpdir())) ?? Infinity) < bytesOfCopy(file.bytes)) return 'no-room';
  const place = { written: file.modified };
  const question = { file: file.path, query: reader.query, tables: reader.tables, indexes: reader.indexes };
  await withDatabaseRows(
    sqlite,
    question,
    async (rows) => {
      for await (const session of reader.read(rows, place)) await take(session);
    },
    signal,
  );
  return 'read';
}

/** How many bytes are free where a folder lies; undefined where the system does not tell. */
async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found === undefined ? undefined : found.bavail * found.bsize;
}

/** What a copy of a database takes: itself, the indexes that are made on it, and its log once that is taken in. */
function bytesOfCopy(bytes: number): number {
  return bytes * 1.5;
}

/** Whether something ended because the disk is full, by what the system says or by what SQLite does. */
function isDiskFull(error: unknown): boolean {
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return true;
  if (!(error instanceof Error)) return false;
  return ('errcode' in error && error.errcode === sqliteFull) || isDiskFull(error.cause);
}

const sqliteFull = 13;
