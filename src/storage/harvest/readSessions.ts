import os from 'node:os';
import { linesOf, longestWholeBytes, wholeOf } from '../../harvest/lines.js';
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
    const place = await placeOfSession(file, folders);
    const session = await (file.form === 'lines' ? readLines : readWhole)(file, place, signal);
    if (session === undefined) return 'too-long';
    await take(await withAuthor(session, file));
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

async function readLines(file: SessionFile, place: SessionPlace, signal: AbortSignal): Promise<Session | undefined> {
  return readers[file.source].lines?.(linesOf(piecesOf(file.path, signal)), place);
}

async function readWhole(file: SessionFile, place: SessionPlace, signal: AbortSignal): Promise<Session | undefined> {
  if (file.bytes > longestWholeBytes) return undefined;
  const whole = await wholeOf(piecesOf(file.path, signal));
  if (whole.kind === 'too-long') return undefined;
  return readers[file.source].object?.(whole.text, place);
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
