import { open, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** A database that does not hold what is asked for. */
export class OtherDatabaseError extends Error {}

/** What is asked of which database, and which tables it must have for that. */
export interface DatabaseQuestion {
  readonly file: string;
  readonly query: string;
  readonly tables: readonly string[];
}

/**
 * Does `work` with the rows that a question gives, one by one. The database is copied with its log into a folder that
 * nobody else can read, and the copy is asked and removed, whatever happens: the person's own file is only read.
 */
export async function withDatabaseRows<Result>(
  sqlite: Sqlite,
  { file, query, tables }: DatabaseQuestion,
  work: (rows: AsyncIterable<Row>) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return inOwnedFolder(os.tmpdir(), 'whetstone-harvest-', async (folder) => {
    const copy = path.join(folder.path, 'copy.db');
    await copyDatabase(file, copy, signal);
    const database = new sqlite.DatabaseSync(copy);
    try {
      database.exec('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON;');
      refuseOther(database, tables);
      return await work(rowsOf(database, query, signal));
    } finally {
      database.close();
    }
  });
}

function refuseOther(database: SqliteDatabase, tables: readonly string[]): void {
  const names = tables.map((table) => `'${table}'`).join(', ');
  const found = database.prepare(`SELECT count(*) AS n FROM sqlite_schema WHERE type = 'table' AND name IN (${names})`);
  if (found.get()?.['n'] !== tables.length) throw new OtherDatabaseError();
}

const rowsATurn = 200;

async function* rowsOf(database: SqliteDatabase, query: string, signal: AbortSignal): AsyncGenerator<Row> {
  let count = 0;
  for (const row of database.prepare(query).iterate()) {
    signal.throwIfAborted();
    yield row;
    count += 1;
    if (count % rowsATurn === 0) await nextTurn();
  }
}

const mostTries = 3;

/**
 * The file itself changes only when its log is taken in; where that happens between the two copies they do not belong
 * together, and are made again. What is added to the log meanwhile is at worst left out.
 */
async function copyDatabase(file: string, copy: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const before = await stateOf(file);
    await copyFile(file, copy, signal);
    if ((await unlessMissing(stat(`${file}-wal`))) !== undefined) await copyFile(`${file}-wal`, `${copy}-wal`, signal);
    if ((await stateOf(file)) === before) return;
  }
  throw new NotPlainError(file); // written to all the time
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
