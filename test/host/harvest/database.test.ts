import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createHarvestUseCases, type HarvestUseCases } from '../../../src/app/harvest/harvest.js';
import { placesOf } from '../../../src/harvest/places.js';
import type { Session } from '../../../src/harvest/session.js';
import { sqliteOfNode } from '../../../src/storage/harvest/databaseRows.js';
import { readSessionFile } from '../../../src/storage/harvest/readSessions.js';
import { findSessionFiles } from '../../../src/storage/harvest/sessionFiles.js';
import { nodeClock } from '../../../src/storage/files/nodeAdapters.js';
import { aPreparedHome, type PreparedHome } from '../../builders/aPreparedHome.js';
import { sessionTables, writeSessionDatabase } from '../../builders/aSessionDatabase.js';
import { shopSession, sources } from '../../unit/harvest/shopSessions.js';

const neverAborted = new AbortController().signal;

/** The Node of VS Code has SQLite: what the unit tests show with a stand-in is shown here with the real one. */
describe('the database of OpenCode', () => {
  let prepared: PreparedHome;
  let file = '';
  let fixtures = '';
  /** Left open: a last connection that closes takes the log in, and one that nobody holds may be closed at any time. */
  const held: { close(): void }[] = [];
  before(() => {
    const { extensionPath } = vscode.extensions.getExtension('whetstone.whetstone') ?? assert.fail();
    fixtures = path.join(extensionPath, 'test/fixtures/harvest');
    prepared = aPreparedHome(fixtures);
    file = path.join(prepared.home, '.local/share/opencode/opencode.db');
    prepared.put('.local/share/opencode/other.txt', '');
    held.push(writeSessionDatabase(file, prepared, fixtures));
  });
  after(() => {
    for (const each of held) each.close();
    prepared.dispose();
  });

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
      (await useCases.sessionSources(neverAborted))
        .filter(({ source }) => source === 'opencode')
        .map(({ files, readable }) => [files, readable]),
      [[1, true]],
    );
    await useCases.allowSessions('opencode', true, neverAborted);
    const { sessions, counts, unread } = await useCases.harvestSessions({ folders: [prepared.shop] }, neverAborted);
    assert.deepEqual(unread, []);
    assert.deepEqual(counts.opencode?.leftOut, { 'other-folder': 1, 'own-call': 1, headless: 1 });
    assert.equal(sessions.length, 4);
    assert.ok(!JSON.stringify(sessions).includes('AKIAIOSFODNN7EXAMPLE'));
    assert.match(JSON.stringify(sessions), /为四舍五入的修复写一条变更日志/u);
  });

  it('gives the sessions that were written to last, where only some are wanted', async () => {
    const { DatabaseSync } = sqliteOfNode() ?? assert.fail('no SQLite in this Node');
    const database = new DatabaseSync(file);
    const asked = (id: string, created: number, updated: number): string =>
      `INSERT INTO session VALUES ('${id}', NULL, '${prepared.shop}', 't', 'build', NULL, ${created}, ${updated});
       INSERT INTO message VALUES ('1 ${id}', '${id}', ${created}, '{"role":"user"}'), ('2 ${id}', '${id}', ${created + 1}, '{"role":"user"}');
       INSERT INTO part VALUES ('1 ${id}', '1 ${id}', '{"type":"text","text":"First of ${id}."}'), ('2 ${id}', '2 ${id}', '{"type":"text","text":"Second of ${id}."}');`;
    const at = Date.UTC(2026, 10, 20);
    database.exec(asked('old', at, at + 10) + asked('went on', at + 20, at + 5_000) + asked('new', at + 30, at + 40));
    database.close();
    const useCases = harvester();
    await useCases.allowSessions('opencode', true, neverAborted);
    const request = { folders: [prepared.shop], caps: { sessions: 1 } };
    const { sessions, counts } = await useCases.harvestSessions(request, neverAborted);
    assert.deepEqual(
      sessions.map(({ id, exchanges }) => [id, exchanges.map((each) => each.asked)]),
      [['went on', ['First of went on.', 'Second of went on.']]],
    );
    assert.deepEqual([counts.opencode?.kept, counts.opencode?.leftOut['over-cap']], [1, 6]);
  });

  const diff = 'a line of the diff\n'.repeat(2_000);
  const reverts: readonly (readonly [what: string, revert: string, left: readonly string[]])[] = [
    ['with a long diff', JSON.stringify({ messageID: '2', partID: 'p', snapshot: 's', diff }), ['First.']],
    ['of no message', JSON.stringify({ diff }), ['First.', 'Second.']],
    ['that is broken', `{"messageID":"2","diff":"${diff}`, ['First.', 'Second.']],
  ];
  for (const [what, revert, left] of reverts)
    it(`gives what was asked without what was taken back: an undo ${what}`, async () => {
      const { DatabaseSync } = sqliteOfNode() ?? assert.fail('no SQLite in this Node');
      const place = path.join(mkdtempSync(path.join(os.tmpdir(), 'whetstone-undone-')), 'opencode.db');
      const database = new DatabaseSync(place);
      database.exec(`${sessionTables}
        INSERT INTO session VALUES ('s1', NULL, '/a', 't', 'build', '${revert}', 1, 9);
        INSERT INTO message VALUES ('1', 's1', 1, '{"role":"user"}'), ('2', 's1', 2, '{"role":"user"}');
        INSERT INTO part VALUES ('p1', '1', '{"type":"text","text":"First."}'), ('p2', '2', '{"type":"text","text":"Second."}');`);
      database.close();
      const found: Session[] = [];
      const take = async (session: Session): Promise<void> => void found.push(session);
      const given = { source: 'opencode', form: 'database', path: place, bytes: 1, modified: 0 } as const;
      assert.equal(await readSessionFile(given, take, neverAborted), 'read');
      assert.deepEqual(
        found.flatMap(({ exchanges }) => exchanges.map((each) => each.asked)),
        left,
      );
      rmSync(path.dirname(place), { recursive: true });
    });

  it('that is none, or has other tables, is named and stops nothing', async () => {
    const copies = copiesLeft();
    prepared.put('.local/share/opencode/opencode.db', 'no database at all, but long enough to be looked at'.repeat(50));
    prepared.put('.local/share/opencode/opencode.db-wal', '');
    const useCases = harvester();
    await useCases.allowSessions('opencode', true, neverAborted);
    const { unread } = await useCases.harvestSessions({ folders: [prepared.shop] }, neverAborted);
    assert.deepEqual(unread, [{ source: 'opencode', path: file, why: 'broken' }]);
    assert.deepEqual(copiesLeft(), copies);
  });

  const table = 'CREATE TABLE';
  const asked = `INSERT INTO session VALUES ('s1', NULL, '/a', 't', 'build', NULL, 1794769200000, 1794769200000);
    INSERT INTO message VALUES ('m1', 's1', 1794769200000, '{"role":"user"}');
    INSERT INTO part VALUES ('p1', 'm1', '{"type":"text","text":"Do the thing."}');`;
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
  const hostile: readonly (readonly [what: string, sql: string, reading: string, sessions: number])[] = [
    ['as it should be', `${sessionTables}${asked}`, 'read', 1],
    [
      'a view without end in the place of a table',
      `${sessionTables.replace(`${table} session`, `${table} other`)} CREATE VIEW session AS ${endless} SELECT i AS id FROM n;`,
      'broken',
      0,
    ],
    [
      'a virtual table in the place of one',
      sessionTables.replace(
        /CREATE TABLE session \([^)]*\)/u,
        'CREATE VIRTUAL TABLE session USING fts5(id, directory)',
      ),
      'broken',
      0,
    ],
    [
      'a column that is computed and would take all memory',
      sessionTables.replace('title TEXT', 'title TEXT GENERATED ALWAYS AS (hex(zeroblob(400000000))) VIRTUAL'),
      'broken',
      0,
    ],
    [
      'numbers that are too large, and values of other types',
      `${sessionTables}${asked} INSERT INTO session VALUES (x'00ff', NULL, x'ff', 't', 1.5, NULL, 'never', 9223372036854775807);
        INSERT INTO message VALUES (x'aa', x'00ff', 9223372036854775807, x'bb');
        INSERT INTO part VALUES (9223372036854775807, 'm1', 9223372036854775807);`,
      'read',
      1,
    ],
    [
      'triggers, and texts that are too long',
      `${sessionTables}${asked} CREATE TRIGGER gone AFTER INSERT ON part BEGIN DELETE FROM session; END;
        UPDATE session SET title = hex(zeroblob(3000000));
        UPDATE part SET data = data || hex(zeroblob(9000000)); CREATE INDEX own ON part (length(data));
        INSERT INTO message VALUES ('m2', 's1', 1794769200001, '{"role":"user"}');
        DROP TRIGGER gone; INSERT INTO part VALUES ('p2', 'm2', '{"type":"text","text":"Do another thing."}');`,
      'read',
      1,
    ],
  ];
  for (const [what, sql, reading, sessions] of hostile)
    it(`may hold what nobody foresaw: ${what}`, async () => {
      const { DatabaseSync } = sqliteOfNode() ?? assert.fail('no SQLite in this Node');
      const place = path.join(mkdtempSync(path.join(os.tmpdir(), 'whetstone-hostile-')), 'opencode.db');
      const database = new DatabaseSync(place);
      database.exec(sql);
      database.close();
      const found: Session[] = [];
      const take = async (session: Session): Promise<void> => void found.push(session);
      const given = { source: 'opencode', form: 'database', path: place, bytes: 1, modified: 0 } as const;
      assert.equal(await readSessionFile(given, take, neverAborted), reading);
      assert.equal(found.length, sessions);
      rmSync(path.dirname(place), { recursive: true });
    });

  const damaged: readonly (readonly [what: string, damage: (file: string) => void, reading: string])[] = [
    ['says that it has four thousand million pages', (at) => overwrite(at, 28, [255, 255, 255, 255]), 'broken'],
    ['says that its pages have no length', (at) => overwrite(at, 16, [0, 0]), 'broken'],
    ['says that it is of a form to come', (at) => overwrite(at, 18, [9, 9]), 'broken'],
    ['is cut off', (at) => truncateSync(at, 5_000), 'broken'],
    [
      'is all zeros behind its first page',
      (at) =>
        overwrite(
          at,
          4_096,
          Array.from({ length: 20_000 }, () => 0),
        ),
      'broken',
    ],
    ['has a log that is a link to another file', (at) => symlinkSync('/etc/hostname', `${at}-wal`), 'read'],
    ['has a log that is a link to what never ends', (at) => symlinkSync('/dev/zero', `${at}-wal`), 'read'],
    ['has a log that is a pipe', (at) => void execFileSync('/usr/bin/env', ['mkfifo', `${at}-wal`]), 'read'],
    ['has a log that is a folder', (at) => mkdirSync(`${at}-wal`), 'read'],
    ['has a log of something else', (at) => writeFileSync(`${at}-wal`, 'x'.repeat(100_000)), 'read'],
    ['has a journal that is a link', (at) => symlinkSync('/dev/zero', `${at}-journal`), 'read'],
    ['is a link that leads nowhere', (at) => [rmSync(at), symlinkSync('/nowhere/at/all', at)], 'not-readable'],
    ['is a folder', (at) => [rmSync(at), mkdirSync(at)], 'not-readable'],
  ];
  // Windows has no pipes in folders, and links there need rights.
  const possible = process.platform === 'win32' ? damaged.slice(0, 5) : damaged;
  for (const [what, damage, reading] of possible)
    it(`stops nothing where it ${what}`, async () => {
      const { DatabaseSync } = sqliteOfNode() ?? assert.fail('no SQLite in this Node');
      const place = path.join(mkdtempSync(path.join(os.tmpdir(), 'whetstone-damaged-')), 'opencode.db');
      const database = new DatabaseSync(place);
      database.exec(`PRAGMA journal_mode = WAL; ${sessionTables}${asked}`);
      database.close();
      damage(place);
      const copies = copiesLeft();
      const found: Session[] = [];
      const take = async (session: Session): Promise<void> => void found.push(session);
      const given = { source: 'opencode', form: 'database', path: place, bytes: 1, modified: 0 } as const;
      assert.equal(await readSessionFile(given, take, neverAborted), reading);
      assert.equal(found.length, reading === 'read' ? 1 : 0);
      assert.deepEqual(copiesLeft(), copies);
      rmSync(path.dirname(place), { recursive: true });
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
    for (const each of await findSessionFiles(places, neverAborted))
      assert.equal(await readSessionFile(each, take, neverAborted), 'read');
    return sessions;
  }
});

function overwrite(file: string, at: number, bytes: readonly number[]): void {
  const all = readFileSync(file);
  Buffer.from(bytes).copy(all, at);
  writeFileSync(file, all);
}

function copiesLeft(): readonly string[] {
  return readdirSync(os.tmpdir()).filter((name) => name.startsWith('whetstone-harvest-'));
}
