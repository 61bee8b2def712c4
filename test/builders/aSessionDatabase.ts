import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../src/parseJson.js';
import { sqliteOfNode } from '../../src/storage/harvest/databaseRows.js';
import type { PreparedHome } from './aPreparedHome.js';

/** As OpenCode makes them, with the columns that are asked. */
export const sessionTables = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, agent TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);`;

const stories = ['normal', 'broken', 'chinese', 'other-project', 'own-call', 'secrets', 'run'];

/**
 * Writes the database of OpenCode with what the fixtures say that a query gives; the last of it stands in its log. Left
 * open: a last connection that closes takes the log in, and one that nobody holds may be closed at any time.
 */
export function writeSessionDatabase(
  file: string,
  { shop, other }: Pick<PreparedHome, 'shop' | 'other'>,
  fixtures = path.resolve('test/fixtures/harvest'),
): { close(): void } {
  const { DatabaseSync } = sqliteOfNode() ?? assert.fail('no SQLite in this Node');
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${sessionTables}`);
  for (const [at, story] of stories.entries()) {
    const text = readFileSync(path.join(fixtures, 'opencode', `${story}.jsonl`), 'utf8')
      .replaceAll('/home/user/shop', shop)
      .replaceAll('/home/user/other', other);
    const own = at === 0 ? text : text.replaceAll(/(?<="(?:session|message|part_id)":")([a-z]+_)/gu, `$1${at}`);
    for (const line of own.trimEnd().split('\n'))
      database.exec(insertOf(Object.fromEntries(Object.entries(parseJson(line) ?? {}))));
  }
  return database;
}

function insertOf(row: Readonly<Record<string, unknown>>): string {
  const values = (...names: readonly string[]): string => names.map((name) => literal(row[name])).join(', ');
  const part =
    row['part_id'] === undefined ? '' : `INSERT OR IGNORE INTO part VALUES (${values('part_id', 'message', 'part')});`;
  return `INSERT OR IGNORE INTO session VALUES (${values('session', 'parent', 'directory', 'title', 'agent', 'revert', 'started', 'ended')});
    INSERT OR IGNORE INTO message VALUES (${values('message', 'session', 'created', 'said')}); ${part}`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}
