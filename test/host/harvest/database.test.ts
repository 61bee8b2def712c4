import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createHarvestUseCases, type HarvestUseCases } from '../../../src/app/harvest/harvest.js';
import { placesOf } from '../../../src/harvest/places.js';
import type { Session } from '../../../src/harvest/session.js';
import { parseJson } from '../../../src/parseJson.js';
import { sqliteOfNode } from '../../../src/storage/harvest/databaseRows.js';
import { readSessionFile } from '../../../src/storage/harvest/readSessions.js';
import { findSessionFiles } from '../../../src/storage/harvest/sessionFiles.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aPreparedHome, type PreparedHome } from '../../builders/aPreparedHome.js';
import { shopSession, sources } from '../../unit/harvest/shopSessions.js';

const calm = new AbortController().signal;

/** The Node of VS Code has SQLite: what the unit tests show with a stand-in is shown here with the real one. */
describe('the database of OpenCode', () => {
  let prepared: PreparedHome;
  let file = '';
  let fixtures = '';
  before(() => {
    const { extensionPath } = vscode.extensions.getExtension('whetstone.whetstone') ?? assert.fail();
    fixtures = path.join(extensionPath, 'test/fixtures/harvest');
    prepared = aPreparedHome(fixtures);
    file = path.join(prepared.home, '.local/share/opencode/opencode.db');
    prepared.put('.local/share/opencode/other.txt', '');
    writeDatabase(file, ['normal', 'broken', 'chinese', 'other-project', 'own-call', 'secrets', 'run']);
  });
  after(() => prepared.dispose());

  it('is read as it stands, with what only its log holds, and left as it was', async () => {
    assert.ok(existsSync(`${file}-wal`), 'what was written last stands in the log');
    const before = prepared.state();
    const copies = copiesLeft();
    const sessions = await read();
    const told = sources.find(({ source }) => source === 'opencode') ?? assert.fail();
    assert.deepEqual(
      sessions.find(({ id }) => id === told.id),
      shopSession(told, prepared.shop),
    );
    assert.equal(sessions.length, 7);
    assert.deepEqual(prepared.state(), before);
    assert.deepEqual(copiesLeft(), copies);
  });

  it('gives the sessions of a folder once it may be read, without their secrets', async () => {
    const useCases = harvester();
    assert.deepEqual(
      (await useCases.sessionSources(calm))
        .filter(({ source }) => source === 'opencode')
        .map(({ files, readable }) => [files, readable]),
      [[1, true]],
    );
    await useCases.allowSessions('opencode', true, calm);
    const { sessions, counts, unread } = await useCases.harvestSessions({ folders: [prepared.shop] }, calm);
    assert.deepEqual(unread, []);
    assert.deepEqual(counts.opencode?.leftOut, { 'other-folder': 1, 'own-call': 1, headless: 1 });
    assert.equal(sessions.length, 4);
    assert.ok(!JSON.stringify(sessions).includes('AKIAIOSFODNN7EXAMPLE'));
    assert.match(JSON.stringify(sessions), /为四舍五入的修复写一条变更日志/u);
  });

  it('that is none, or has other tables, is named and stops nothing', async () => {
    const copies = copiesLeft();
    prepared.put('.local/share/opencode/opencode.db', 'no database at all, but long enough to be looked at'.repeat(50));
    prepared.put('.local/share/opencode/opencode.db-wal', '');
    const useCases = harvester();
    await useCases.allowSessions('opencode', true, calm);
    const { unread } = await useCases.harvestSessions({ folders: [prepared.shop] }, calm);
    assert.deepEqual(unread, [{ source: 'opencode', path: file, why: 'broken' }]);
    assert.deepEqual(copiesLeft(), copies);
  });

  function harvester(): HarvestUseCases {
    return createHarvestUseCases({
      home: prepared.home,
      platform: 'linux',
      environment: { WHETSTONE_HOME: path.join(path.dirname(prepared.home), 'state') },
      clock: nodeClock,
      trusted: () => true,
    });
  }

  async function read(): Promise<readonly Session[]> {
    const places = placesOf(prepared.person).filter(({ source }) => source === 'opencode');
    const sessions: Session[] = [];
    const take = async (session: Session): Promise<void> => void sessions.push(session);
    for (const each of await findSessionFiles(places, calm))
      assert.equal(await readSessionFile(each, take, calm), 'read');
    return sessions;
  }

  /** The tables that are asked, filled with what the fixtures say that a query gives. */
  function writeDatabase(place: string, stories: readonly string[]): void {
    const { DatabaseSync } = sqliteOfNode() ?? assert.fail('no SQLite in this Node');
    const database = new DatabaseSync(place);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
      CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, agent TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);`);
    for (const [at, story] of stories.entries()) for (const row of rowsOf(story, at)) database.exec(insertOf(row));
    // Left open: a last connection that closes takes the log in. It ends with this process.
  }

  function rowsOf(story: string, at: number): readonly Readonly<Record<string, unknown>>[] {
    const text = readFileSync(path.join(fixtures, 'opencode', `${story}.jsonl`), 'utf8')
      .replaceAll('/home/user/shop', prepared.shop)
      .replaceAll('/home/user/other', prepared.other);
    const own = at === 0 ? text : text.replaceAll(/(?<="(?:session|message|part_id)":")([a-z]+_)/gu, `$1${at}`);
    return own
      .trimEnd()
      .split('\n')
      .map((line) => Object.fromEntries(Object.entries(parseJson(line) ?? {})));
  }
});

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

function copiesLeft(): readonly string[] {
  return readdirSync(os.tmpdir()).filter((name) => name.startsWith('whetstone-harvest-'));
}
