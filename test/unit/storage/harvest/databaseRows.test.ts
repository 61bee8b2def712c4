import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Session } from '../../../../src/harvest/session.js';
import { parseJson } from '../../../../src/parseJson.js';
import { type Row, type Sqlite, sqliteOfNode } from '../../../../src/storage/harvest/databaseRows.js';
import { readSessionFile } from '../../../../src/storage/harvest/readSessions.js';
import type { SessionFile } from '../../../../src/storage/harvest/sessionFiles.js';
import { unreadSentence } from '../../../../src/wording/harvest/sessionWords.js';
import { english } from '../../../../src/wording/translate.js';
import { aPreparedHome, type PreparedHome } from '../../../builders/aPreparedHome.js';
import { neverAborted } from '../../../builders/storage.js';
import { shopSession, sources } from '../../harvest/shopSessions.js';

/** What was opened, and what stood beside it. */
interface Opened {
  readonly file: string;
  readonly mode: number;
  readonly text: string;
  readonly log: string;
}

describe('a database of sessions', () => {
  let prepared: PreparedHome;
  let file: SessionFile;
  const opened: Opened[] = [];
  beforeEach(() => {
    opened.length = 0;
    prepared = aPreparedHome();
    const database = prepared.put('.local/share/opencode/opencode.db', 'the database');
    prepared.put('.local/share/opencode/opencode.db-wal', 'its log');
    file = { source: 'opencode', form: 'database', path: database, bytes: 19, modified: 0 };
  });
  afterEach(() => prepared.dispose());

  it('is read from a copy that nobody else can read, which is gone afterwards', async () => {
    const sessions: Session[] = [];
    const before = prepared.state();
    const take = async (session: Session): Promise<void> => void sessions.push(session);
    assert.equal(
      await readSessionFile(file, take, neverAborted, { sqlite: () => standIn(fixtureRows(prepared.shop)) }),
      'read',
    );
    const told = sources.find(({ source }) => source === 'opencode') ?? assert.fail();
    assert.deepEqual(sessions, [shopSession(told, prepared.shop)]);
    assert.deepEqual(
      opened.map(({ mode, text, log }) => [mode, text, log]),
      [[0o700, 'the database', 'its log']],
    );
    assert.ok(!existsSync(opened[0]?.file ?? assert.fail()));
    assert.deepEqual(prepared.state(), before);
  });

  it('leaves no copy behind where it breaks, is no database or another one', async () => {
    const broken = Object.assign(new Error('file is not a database'), { code: 'ERR_SQLITE_ERROR' });
    const cases: readonly (readonly [Sqlite, string])[] = [
      [standIn(throwing(broken)), 'broken'],
      [standIn([], 2), 'broken'],
    ];
    for (const [sqlite, reading] of cases)
      assert.equal(
        await readSessionFile(file, () => Promise.resolve(), neverAborted, { sqlite: () => sqlite }),
        reading,
      );
    const stop = new AbortController();
    const stopped = readSessionFile(file, () => Promise.resolve(), stop.signal, {
      sqlite: () => standIn(stopping(stop)),
    });
    await assert.rejects(stopped, /stop it/u);
    for (const { file: copy } of opened) assert.ok(!existsSync(path.dirname(copy)));
    assert.deepEqual(
      readdirSync(os.tmpdir()).filter((name) => opened.some(({ file: copy }) => copy.includes(name))),
      [],
    );
  });

  it('is said to be written to where it broke and changed meanwhile', async () => {
    const reading = readSessionFile(file, () => Promise.resolve(), neverAborted, {
      sqlite: () => standIn([], 3, changeAndBreak),
    });
    assert.equal(await reading, 'busy');
    assert.match(
      unreadSentence({ source: 'opencode', path: '/x.db', why: 'busy' }, '22.13.0', english),
      /writing to it\. Try again when the agent rests\.$/u,
    );
  });

  it('is not copied where there is no room, and is named so where the disk fills up meanwhile', async () => {
    const before = prepared.state();
    const read = (bytes: number | undefined, opening?: () => void): Promise<string> => {
      const world = { sqlite: () => standIn([], 3, opening), room: () => Promise.resolve(bytes) };
      return readSessionFile(file, () => Promise.resolve(), neverAborted, world);
    };
    assert.equal(await read(file.bytes), 'no-room');
    assert.deepEqual(opened, []);
    for (const enough of [file.bytes * 2, undefined]) assert.equal(await read(enough), 'read');
    const full = [
      Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' }),
      Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 }),
    ];
    for (const error of full)
      assert.equal(
        await read(undefined, () => {
          throw error;
        }),
        'no-room',
        error.message,
      );
    assert.deepEqual(prepared.state(), before);
    assert.match(
      unreadSentence({ source: 'opencode', path: '/x.db', why: 'no-room' }, '22.13.0', english),
      /^\/x\.db was not read: .* has no room for the copy\. Make room, then try again\.$/u,
    );
  });

  it('is left alone, with a sentence that says what to do, where Node has no SQLite', async () => {
    assert.equal(sqliteOfNode(none), undefined);
    const first = { DatabaseSync: () => undefined, StatementSync: () => undefined }; // it could not give rows one by one
    assert.equal(
      sqliteOfNode(() => first),
      undefined,
    );
    const before = prepared.state();
    const reading = await readSessionFile(file, () => Promise.reject(new Error('read')), neverAborted, {
      sqlite: none,
    });
    assert.equal(reading, 'no-sqlite');
    assert.deepEqual(prepared.state(), before);
    assert.equal(
      unreadSentence({ source: 'opencode', path: '/home/user/opencode.db', why: 'no-sqlite' }, '20.19.0', english),
      '/home/user/opencode.db was not read: it is a SQLite database, and Node 20.19.0 cannot read one. Use Node 22.13 or newer, or Whetstone in VS Code.',
    );
  });

  function changeAndBreak(): void {
    prepared.put('.local/share/opencode/opencode.db', 'quite another text');
    throw new Error('database disk image is malformed');
  }

  /** Answers as SQLite does; `tables` is how many of those that are asked for it has. */
  function standIn(rows: Iterable<Row>, tables = 3, opening = (): void => undefined): Sqlite {
    class DatabaseSync {
      constructor(copy: string) {
        opened.push({
          file: copy,
          mode: statSync(path.dirname(copy)).mode & 0o777,
          text: readFileSync(copy, 'utf8'),
          log: readFileSync(`${copy}-wal`, 'utf8'),
        });
        opening();
      }
      exec(): void {}
      close(): void {}
      prepare(): { iterate(): Iterable<Row>; get(): Row } {
        return { iterate: () => rows, get: () => ({ n: tables, computed: 0 }) };
      }
    }
    return { DatabaseSync };
  }
});

function none(): undefined {
  return undefined;
}

function fixtureRows(shop: string): readonly Row[] {
  const text = readFileSync('test/fixtures/harvest/opencode/normal.jsonl', 'utf8').replaceAll('/home/user/shop', shop);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => Object.fromEntries(Object.entries(parseJson(line) ?? {})));
}

function* throwing(error: Error): Generator<Row> {
  yield* [];
  throw error;
}

function* stopping(stop: AbortController): Generator<Row> {
  stop.abort(new Error('stop it'));
  yield {};
}
