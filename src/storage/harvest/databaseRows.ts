import { open, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { unlessMissing } from '../files/fileErrors.js';
import { inOwnedFolder } from '../programs/ownedFolder.js';
import { NotPlainError, piecesOf } from './quietFile.js';

/** A row, as SQLite gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** What is used of `node:sqlite`. */
export interface Sqlite {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
}

interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): { iterate(): Iterable<Row>; get(): Row | undefined };
  close(): void;
}

/** The SQLite that comes with Node; undefined where there is none, as in Node 20. */
export function sqliteOfNode(builtin: (name: string) => object | undefined = builtinModule): Sqlite | undefined {
  const found = builtin('node:sqlite');
  return isSqlite(found) ? found : undefined;
}

/** Loaded when there is a database to read. Some versions of Node warn that it is new, which tells a person nothing. */
function builtinModule(name: string): object | undefined {
  const usual: unknown = Reflect.get(process, 'emitWarning');
  Reflect.set(process, 'emitWarning', () => undefined);
  try {
    return process.getBuiltinModule(name);
  } finally {
    Reflect.set(process, 'emitWarning', usual);
  }
}

/** The first versions could not give rows one by one. */
function isSqlite(found: object | undefined): found is Sqlite {
  const made: unknown = found !== undefined && 'DatabaseSync' in found ? found.DatabaseSync : undefined;
  const statement: unknown = found !== undefined && 'StatementSync' in found ? found.StatementSync : undefined;
  return (
    typeof made === 'function' &&
    typeof statement === 'function' &&
    statement.prototype instanceof Object &&
    'iterate' in statement.prototype
  );
}

/** A database that is none, is broken, or does not hold what is asked for. */
export class OtherDatabaseError extends Error {}

/** A database that is written to all the time: no copy of it is whole. */
export class BusyDatabaseError extends Error {}

/** What is asked of which database, which tables it must have for that, and the indexes that are made on the copy. */
export interface DatabaseQuestion {
  readonly file: string;
  readonly query: string;
  readonly tables: readonly string[];
  readonly indexes: string;
}

/**
 * Does `work` with the rows that a question gives, one by one. The database is copied with its log into a folder that
 * nobody else can read, and the copy is asked and removed, whatever happens: the person's own file is only read.
 */
export async function withDatabaseRows<Result>(
  sqlite: Sqlite,
  question: DatabaseQuestion,
  work: (rows: AsyncIterable<Row>) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return inOwnedFolder(os.tmpdir(), 'whetstone-harvest-', async (folder) => {
    const copy = path.join(folder.path, 'copy.db');
    const copied = await copyDatabase(question.file, copy, signal);
    try {
      const database = told(() => new sqlite.DatabaseSync(copy));
      try {
        told(() => makeReady(database, question));
        return await work(rowsOf(database, question.query, signal));
      } finally {
        database.close();
      }
    } catch (error) {
      // What changed since may have changed while it was copied, too.
      const isBusy = error instanceof OtherDatabaseError && (await stateOf(question.file)) !== copied;
      throw isBusy ? new BusyDatabaseError(question.file, { cause: error }) : error;
    }
  });
}

/** Whatever SQLite says against a file that somebody else wrote is said of that file. */
function told<Result>(ask: () => Result): Result {
  try {
    return ask();
  } catch (error) {
    throw error instanceof OtherDatabaseError ? error : new OtherDatabaseError('', { cause: error });
  }
}

/** Nothing that the database brings along is run: neither views nor triggers nor columns that are computed. */
function makeReady(database: SqliteDatabase, { tables, indexes }: DatabaseQuestion): void {
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA synchronous = OFF;');
  refuseOther(database, tables);
  database.exec(indexes);
  database.exec('PRAGMA query_only = ON;');
}

/** A virtual table has no pages of its own, and a computed column is hidden. */
function refuseOther(database: SqliteDatabase, tables: readonly string[]): void {
  const names = tables.map((table) => `'${table}'`).join(', ');
  const computed = tables.map((table) => `(SELECT count(*) FROM pragma_table_xinfo('${table}') WHERE hidden <> 0)`);
  const found = database.prepare(
    `SELECT count(*) AS n, ${computed.join(' + ')} AS computed FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name IN (${names})`,
  );
  const { n, computed: hidden } = found.get() ?? {};
  if (n !== tables.length || hidden !== 0) throw new OtherDatabaseError();
}

const rowsATurn = 200;

async function* rowsOf(database: SqliteDatabase, query: string, signal: AbortSignal): AsyncGenerator<Row> {
  const rows = told(() => database.prepare(query).iterate()[Symbol.iterator]());
  for (let count = 1; ; count += 1) {
    const { done, value } = told(() => rows.next());
    if (done === true) return;
    signal.throwIfAborted();
    yield value;
    if (count % rowsATurn === 0) await nextTurn();
  }
}

const mostTries = 5;
const pauseMs = 100;

/** Beside the database: what was written last, and how a change that was cut off is taken back. */
const beside = ['-wal', '-journal'];

/**
 * The file itself changes only when its log is taken in; where that happens between the copies they do not belong
 * together, and are made again. What is added to the log meanwhile is at worst left out. Gives the state of the file.
 */
async function copyDatabase(file: string, copy: string, signal: AbortSignal): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const before = await stateOf(file);
    await copyFile(file, copy, signal);
    for (const end of beside) await copyBeside(`${file}${end}`, `${copy}${end}`, signal);
    if ((await stateOf(file)) === before) return before;
    if (tries === mostTries) throw new BusyDatabaseError(file);
    await pause(pauseMs * tries, undefined, { signal });
  }
}

/** It may be gone from one moment to the next; then nothing of an earlier try is left either. */
async function copyBeside(from: string, to: string, signal: AbortSignal): Promise<void> {
  await rm(to, { force: true });
  if ((await unlessMissing(stat(from))) === undefined) return;
  await copyFile(from, to, signal).catch(async (error: unknown) => {
    if (!(error instanceof NotPlainError)) throw error;
    await rm(to, { force: true });
  });
}

async function stateOf(file: string): Promise<string> {
  const { size, mtimeMs, ino } = await stat(file);
  return [size, mtimeMs, ino].join(' ');
}

async function copyFile(from: string, to: string, signal: AbortSignal): Promise<void> {
  const handle = await open(to, 'w', 0o600);
  try {
    for await (const piece of piecesOf(from, signal)) await handle.write(piece);
  } finally {
    await handle.close();
  }
}
