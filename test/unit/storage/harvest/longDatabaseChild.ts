import { statSync } from 'node:fs';
import { readSessionFile } from '../../../../src/storage/harvest/readSessions.js';
import { sqliteOfNode } from '../../../../src/storage/harvest/databaseRows.js';

/** The database that a process of its own is asked to write or to read; it then says how much memory reading took. */
export interface LongDatabase {
  readonly file: string;
  /** Writes one of so many megabytes: a session each, with long outputs of tools. */
  readonly megabytes?: number;
  /** Writes one of so many short requests in a thousand sessions, whose figures about itself are wrong. */
  readonly requests?: number;
  /** Writes to it all the time, in this form, or reads it again and again; for so many milliseconds. */
  readonly writing?: 'WAL' | 'DELETE';
  readonly forMs?: number;
}

process.on('message', (order: LongDatabase) => void report(order));

async function report(order: LongDatabase): Promise<void> {
  const told = await done(order);
  process.send?.({ ...told, peakMegabytes: process.resourceUsage().maxRSS / 1024 }, () => process.disconnect());
}

async function done({ file, megabytes, requests, writing, forMs = 0 }: LongDatabase): Promise<object> {
  if (requests !== undefined) return writeMany(file, requests);
  if (writing !== undefined) return writeOn(file, writing, Date.now() + forMs);
  if (megabytes !== undefined) return write(file, megabytes);
  if (forMs === 0) return read(file);
  const readings: string[] = [];
  let [sessions, exchanges] = [0, 0];
  for (const end = Date.now() + forMs; Date.now() < end;) {
    const one = await read(file);
    readings.push(one.reading);
    sessions += one.sessions;
    exchanges += one.exchanges;
  }
  return { reading: [...new Set(readings)].sort().join(' '), sessions, exchanges, tooLong: 0 };
}

interface Told {
  readonly reading: string;
  readonly sessions: number;
  readonly exchanges: number;
  readonly tooLong: number;
}

async function read(file: string): Promise<Told> {
  const counts = { sessions: 0, exchanges: 0, tooLong: 0 };
  const asked = { source: 'opencode', form: 'database', path: file, bytes: statSync(file).size, modified: 0 } as const;
  const reading = await readSessionFile(
    asked,
    async (session) => {
      counts.sessions += 1;
      counts.exchanges += session.exchanges.length;
      counts.tooLong += session.counts.tooLong;
    },
    new AbortController().signal,
  );
  return { reading, ...counts };
}

const exchangesAMegabyte = 50;

const schema = `
  CREATE TABLE IF NOT EXISTS session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, agent TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
  CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
  CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);`;

function opened(file: string) {
  const { DatabaseSync } = sqliteOfNode() ?? {};
  if (DatabaseSync === undefined) throw new Error('no SQLite in this Node');
  return new DatabaseSync(file);
}

/** Tools gave back 20 KB for each request; one part is longer than any is read. */
function write(file: string, megabytes: number): Told {
  const database = opened(file);
  const count = megabytes * exchangesAMegabyte;
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  database.exec(`PRAGMA synchronous = OFF; ${schema}
    ${rows} INSERT INTO session SELECT 's' || i, NULL, '/a', 't', 'build', NULL, 1794769200000 + i, 1794769200000 + i FROM n WHERE i <= ${megabytes};
    ${rows} INSERT INTO message SELECT 'm' || i || 'a', 's' || (i % ${megabytes} + 1), 1794769200000 + i, '{"role":"user"}' FROM n;
    ${rows} INSERT INTO message SELECT 'm' || i || 'b', 's' || (i % ${megabytes} + 1), 1794769200000 + i, '{"role":"assistant"}' FROM n;
    ${rows} INSERT INTO part SELECT 'p' || i || 'a', 'm' || i || 'a', '{"type":"text","text":"Do number ' || i || ' of all."}' FROM n;
    ${rows} INSERT INTO part SELECT 'p' || i || 'b', 'm' || i || 'b', '{"type":"tool","tool":"bash","state":{"output":"' || hex(randomblob(10000)) || '"}}' FROM n;
    INSERT INTO part SELECT 'p1c', 'm1b', '{"type":"text","text":"' || hex(zeroblob(9000000)) || '"}';`);
  database.close();
  return { reading: 'written', sessions: 0, exchanges: 0, tooLong: 0 };
}

/** Without an index, and with figures by which every row would be looked for among all. */
function writeMany(file: string, requests: number): Told {
  const database = opened(file);
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${requests})`;
  database.exec(`PRAGMA synchronous = OFF; ${schema.replaceAll(' PRIMARY KEY', '')}
    ${rows} INSERT INTO session SELECT 's' || i, NULL, '/a', 't', 'build', NULL, 1794769200000 + i, 1794769200000 + i FROM n WHERE i <= 1000;
    ${rows} INSERT INTO message SELECT 'm' || i, 's' || (i % 1000 + 1), 1794769200000 + i, '{"role":"user"}' FROM n;
    ${rows} INSERT INTO part SELECT 'p' || i, 'm' || i, '{"type":"text","text":"Do number ' || i || ' of all."}' FROM n;
    ANALYZE; UPDATE sqlite_stat1 SET stat = '1 1';`);
  database.close();
  return { reading: 'written', sessions: 1000, exchanges: requests, tooLong: 0 };
}

/** Changes that each hold twenty sessions of one request, with little room for what is not written yet. */
function writeOn(file: string, mode: string, end: number): Told {
  const database = opened(file);
  database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA wal_autocheckpoint = 20; PRAGMA cache_size = 5; ${schema}`);
  let number = Date.now() * 1000;
  const begun = number;
  do {
    database.exec('BEGIN');
    for (let each = 0; each < 20; each += 1) {
      number += 1;
      database.exec(`INSERT INTO session VALUES ('w${number}', NULL, '/a', 't', 'b', NULL, ${number}, ${number});
        INSERT INTO message VALUES ('wm${number}', 'w${number}', ${number}, '{"role":"user"}');
        INSERT INTO part VALUES ('wp${number}', 'wm${number}', '{"type":"text","text":"Do ${number}: ${'x'.repeat(2_000)}"}');`);
    }
    database.exec('COMMIT');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  } while (Date.now() < end);
  database.close();
  return { reading: 'written', sessions: number - begun, exchanges: 0, tooLong: 0 };
}
