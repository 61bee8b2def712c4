import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { placesOf } from '../../../../src/harvest/places.js';
import type { HarvestSource, Session } from '../../../../src/harvest/session.js';
import { readSessionFile } from '../../../../src/storage/harvest/readSessions.js';
import { findSessionFiles, type SessionFile } from '../../../../src/storage/harvest/sessionFiles.js';
import { aPreparedHome, type PreparedHome, written } from '../../../builders/aPreparedHome.js';
import { neverAborted } from '../../../builders/storage.js';
import { shopSession, sources } from '../../harvest/shopSessions.js';

describe('the sessions in a home folder', () => {
  let prepared: PreparedHome;
  beforeEach(() => {
    prepared = aPreparedHome();
  });
  afterEach(() => prepared.dispose());

  const found = (source?: HarvestSource): Promise<readonly SessionFile[]> =>
    findSessionFiles(
      placesOf(prepared.person).filter((place) => source === undefined || place.source === source),
      neverAborted,
    );

  for (const told of sources.filter(({ source }) => source !== 'opencode'))
    it(`are found and read: ${told.source}`, async () => {
      const files = await found(told.source);
      const sessions = await readAll(files);
      const [normal] = sessions.slice(-1);
      const expected = shopSession(told, prepared.shop);
      assert.deepEqual(normal, told.source === 'gemini-cli' ? typedBy(expected) : expected);
      const [secrets, own, other, chinese, broken] = sessions;
      assert.deepEqual(
        [secrets, chinese, broken].map((session) => [session?.folder, session?.exchanges.map(({ asked }) => asked)]),
        [
          [prepared.shop, ['Rotate the key AKIAIOSFODNN7EXAMPLE in the config.']],
          [prepared.shop, ['为四舍五入的修复写一条变更日志。', '还是不对，请写出函数名。']],
          [prepared.shop, ['List the open questions.']],
        ],
      );
      assert.deepEqual([own?.kind, other?.folder], ['own-call', prepared.other]);
    });

  it('leave every file as it was: content, size, time of change and of the last look', async () => {
    const before = prepared.state();
    assert.ok(Object.keys(before).length > 60);
    await readAll(await found());
    assert.deepEqual(prepared.state(), before);
  });

  it('come newest first, and a log in the place of the object that it took over', async () => {
    const folder = '.config/Code/User/workspaceStorage/shop/chatSessions';
    prepared.put(`${folder}/a-file.json`, '{}', written + 60_000);
    prepared.put(`${folder}/alone.json`, '{"requests":[]}', written + 30_000);
    const files = await found('vscode-chat');
    assert.deepEqual(
      files.map((file) => path.basename(file.path)),
      [
        'alone.json',
        'secrets.jsonl',
        'own-call.jsonl',
        'other-project.jsonl',
        'chinese.jsonl',
        'broken.jsonl',
        'a-file.jsonl',
      ],
    );
    assert.deepEqual(
      [...files].sort((a, b) => b.modified - a.modified),
      files,
    );
  });

  it('are not taken through a link that leads out of the folder, from a pipe or from a folder', async () => {
    const projects = path.join(prepared.home, '.claude/projects');
    const outside = prepared.put('elsewhere/session.jsonl', '{}\n');
    symlinkSync(outside, path.join(projects, '-home-user-shop', 'linked.jsonl'));
    symlinkSync(path.dirname(outside), path.join(projects, '-linked'));
    symlinkSync('a-file.jsonl', path.join(projects, '-home-user-shop', 'inside.jsonl'));
    mkdirSync(path.join(projects, '-home-user-shop', 'folder.jsonl'));
    execFileSync('/usr/bin/env', ['mkfifo', path.join(projects, '-home-user-shop', 'pipe.jsonl')]);
    const names = (await found('claude-code')).map((file) => path.basename(file.path));
    assert.deepEqual(names.toSorted(), [
      'a-file.jsonl',
      'broken.jsonl',
      'chinese.jsonl',
      'other-project.jsonl',
      'own-call.jsonl',
      'secrets.jsonl',
    ]);
  });

  it('are not waited for where a pipe or a link has taken the place of a file', async () => {
    const file = path.join(prepared.home, 'pipe.jsonl');
    execFileSync('/usr/bin/env', ['mkfifo', file]);
    symlinkSync(prepared.put('target.jsonl', '{}\n'), path.join(prepared.home, 'link.jsonl'));
    for (const name of ['pipe.jsonl', 'link.jsonl', 'gone.jsonl']) {
      const asked = {
        source: 'claude-code',
        form: 'lines',
        path: path.join(prepared.home, name),
        bytes: 3,
        modified: 0,
      } as const;
      assert.equal(await readSessionFile(asked, () => Promise.reject(new Error('read')), neverAborted), 'not-readable');
    }
  });

  const unusable = [
    ['an empty one', '', 'empty'],
    ['one in UTF-16 with its mark', Buffer.from('\ufeff{"type":"user"}\n', 'utf16le'), 'not-utf8'],
    ['one in UTF-16 without', Buffer.from('{"type":"user"}\n', 'utf16le'), 'not-utf8'],
    ['one of noise', Buffer.from([0x81, 0x07, 0xff, 0x0a, 0x00, 0xc3]), 'broken'],
    ['one that was cut in its first line', '{"type":"user","message":{"con', 'broken'],
    ['one that was cut later on', '{"type":"user"}\n{"type":"user","message":{"con', 'read'],
    ['one with nothing but a blank line', '\n', 'read'],
  ] as const;
  for (const [what, content, reading] of unusable)
    it(`are ${reading === 'read' ? 'read' : `named as ${reading}`} in ${what}`, async () => {
      const place = path.join(prepared.home, 'unusable.jsonl');
      writeFileSync(place, content);
      const about = { path: place, bytes: content.length, modified: 0 };
      const read: Session[] = [];
      const take = async (session: Session): Promise<void> => void read.push(session);
      for (const source of ['claude-code', 'codex', 'gemini-cli', 'pi', 'vscode-chat'] as const)
        assert.equal(await readSessionFile({ source, form: 'lines', ...about }, take, neverAborted), reading, source);
      if (reading !== 'read') {
        const whole = { source: 'gemini-cli', form: 'object', ...about } as const;
        assert.equal(await readSessionFile(whole, take, neverAborted), reading);
      }
      assert.equal(read.length, reading === 'read' ? 5 : 0);
    });

  it('are left out and named where one object is over 64 MB, and asked by a script where Gemini has no list', async () => {
    const large = {
      source: 'gemini-cli',
      form: 'object',
      path: '/nowhere',
      bytes: 64 * 1024 * 1024 + 1,
      modified: 0,
    } as const;
    assert.equal(await readSessionFile(large, () => Promise.resolve(), neverAborted), 'too-long');
    prepared.put('.gemini/tmp/shop/logs.json', '[]');
    const sessions = await readAll(await found('gemini-cli'));
    const authors = sessions.flatMap(({ folder, exchanges }) => exchanges.map(({ by }) => `${folder} ${by}`));
    assert.deepEqual(new Set(authors), new Set([`${prepared.shop} program`, `${prepared.other} person`]));
  });
});

async function readAll(files: readonly SessionFile[]): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for (const file of files) {
    const take = async (session: Session): Promise<void> => void sessions.push(session);
    assert.equal(await readSessionFile(file, take, neverAborted), 'read', file.path);
  }
  return sessions;
}

function typedBy(session: Session): Session {
  return { ...session, exchanges: session.exchanges.map((each) => ({ ...each, by: 'person' })) };
}
