import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { createHarvestUseCases, type HarvestCaps, type HarvestUseCases } from '../../../../src/app/harvest/harvest.js';
import { userStore } from '../../../../src/app/world.js';
import { UserError } from '../../../../src/errors.js';
import { sha256 } from '../../../../src/hash.js';
import { markSeen } from '../../../../src/storage/harvest/seenSessions.js';
import { unreadSentence } from '../../../../src/wording/harvest/sessionWords.js';
import { english } from '../../../../src/wording/translate.js';
import { aPreparedHome, type PreparedHome, written } from '../../../builders/aPreparedHome.js';
import { few } from '../../../builders/few.js';
import { neverAborted } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { bytesOf } from '../../harvest/readFixture.js';
import { sampleSecrets } from '../../redaction/secretCorpus.js';

const aSession = 100; // exchanges
const windows = '.config/Code/User/workspaceStorage';
const read = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'vscode-chat', 'cursor-agent', 'pi'] as const;

describe('a harvest', () => {
  let prepared: PreparedHome;
  let state = '';
  beforeEach(() => {
    prepared = aPreparedHome();
    state = path.join(path.dirname(prepared.home), 'state');
  });
  afterEach(() => prepared.dispose());

  const worldOf = (trusted = true, secrets: readonly string[] = []): Parameters<typeof createHarvestUseCases>[0] => ({
    ...prepared.person,
    platform: 'linux',
    environment: { WHETSTONE_HOME: state },
    clock: new ManualClock(),
    trusted: () => trusted,
    secrets: () => Promise.resolve(secrets),
  });
  const useCases = (...given: Parameters<typeof worldOf>): HarvestUseCases => createHarvestUseCases(worldOf(...given));

  const allowed = async (...sources: readonly string[]): Promise<HarvestUseCases> => {
    const all = useCases();
    for (const source of sources) await all.allowSessions(source, true, neverAborted);
    return all;
  };

  it('takes the sessions of the folder from every source, and says what it left out', async () => {
    const harvest = await (await allowed(...read)).harvestSessions({ folders: [prepared.shop] }, neverAborted);
    assert.equal(harvest.sessions.length, read.length * 4);
    for (const source of read) {
      const { files, sessions, kept, leftOut } = harvest.counts[source] ?? assert.fail(source);
      assert.deepEqual([files, sessions, kept], [6, 6, 4], source);
      assert.deepEqual(leftOut, { 'other-folder': 1, 'own-call': 1 }, source);
    }
    assert.deepEqual(harvest.unread, []);
    assert.ok(harvest.sessions.every(({ realFolder }) => realFolder === prepared.shop));
    const ends = harvest.sessions.map(({ ended = 0 }) => ended);
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => b - a),
    );
  });

  it('reads nothing without a yes, which is the person’s own, is theirs alone, and can be taken back', async () => {
    const { sessions, counts } = await useCases().harvestSessions({ folders: [prepared.shop] }, neverAborted);
    assert.deepEqual([sessions, counts], [[], {}]);
    const asked = useCases().harvestSessions({ folders: [prepared.shop], sources: ['codex'] }, neverAborted);
    await assert.rejects(asked, (error) => error instanceof UserError && error.code === 'sessions-not-allowed');
    await assert.rejects(useCases().allowSessions('nonsense', true, neverAborted), /no program “nonsense”/u);
    const all = await allowed('codex');
    assert.equal((await all.harvestSessions({ folders: [prepared.shop] }, neverAborted)).sessions.length, 4);
    const [file] = readdirSync(state).filter((name) => name === 'sessions.json');
    assert.equal(statSync(path.join(state, file ?? assert.fail())).mode & 0o777, 0o600);
    await all.allowSessions('codex', false, neverAborted);
    assert.equal((await all.harvestSessions({ folders: [prepared.shop] }, neverAborted)).sessions.length, 0);
  });

  it('shows first where sessions lie and how many there are, and reads none for that', async () => {
    const before = prepared.state();
    const sources = await (await allowed('pi')).sessionSources(neverAborted);
    assert.deepEqual(
      sources.map(({ source, files, allowed: may }) => [source, files, may]),
      [...read.slice(0, 4), 'opencode', ...read.slice(4)].map((source) => [
        source,
        source === 'opencode' ? 0 : 6,
        source === 'pi',
      ]),
    );
    const claude = sources[0] ?? assert.fail();
    assert.deepEqual(claude.folders, [path.join(prepared.home, '.claude/projects')]);
    assert.equal(claude.newest, written + 5000);
    assert.deepEqual(prepared.state(), before);
  });

  it('reads nothing of the home in a workspace that is not trusted', async () => {
    await allowed(...read);
    const untrusted = useCases(false);
    const folders = [prepared.shop];
    const asked = [
      () => untrusted.sessionSources(neverAborted),
      () => untrusted.harvestSessions({ folders }, neverAborted),
      () => untrusted.skillUsage({ folders, skills: [] }, neverAborted),
      () => untrusted.allowSessions('pi', true, neverAborted),
    ];
    for (const ask of asked)
      await assert.rejects(ask(), (error) => error instanceof UserError && error.code === 'workspace-untrusted');
  });

  it('goes by real paths: through a link to the folder, below it, and never by an empty one', async () => {
    const link = path.join(path.dirname(prepared.shop), 'linked');
    symlinkSync(prepared.shop, link);
    const all = await allowed('claude-code');
    const count = async (...folders: readonly string[]): Promise<number> =>
      (await all.harvestSessions({ folders }, neverAborted)).sessions.length;
    assert.equal(await count(link), 4);
    assert.equal(await count(path.dirname(prepared.shop)), 5);
    assert.equal(await count(path.join(prepared.shop, 'below')), 0);
    mkdirSync(path.join(prepared.shop, 'below'));
    assert.equal(await count(path.join(prepared.shop, 'below')), 0);
    for (const none of ['', '.', 'shop', path.join(prepared.shop, 'gone')]) assert.equal(await count(none), 0, none);
  });

  it('keeps nothing that was said behind a link that leads out of the folder', async () => {
    const link = path.join(prepared.shop, 'vendor');
    symlinkSync(prepared.other, link);
    symlinkSync(path.join(prepared.other, 'nowhere'), path.join(prepared.shop, 'dangling'));
    const below = path.join(prepared.shop, 'gone', 'since');
    const places = [prepared.shop, path.join(link, '.'), prepared.shop, below, path.join(prepared.shop, 'dangling')];
    const asked = [
      'Sort the list.',
      'No, that is wrong: open the letter.',
      'Sum it up.',
      'Date it.',
      'Look behind it.',
    ];
    await putSession(
      'walks',
      asked.flatMap((content, at) => exchangeIn(places[at] ?? '', content, at)),
    );
    await putSession('behind', exchangeIn(link, 'Open another letter.', 9));
    const { sessions } = await (
      await allowed('claude-code')
    ).harvestSessions({ folders: [prepared.shop] }, neverAborted);
    const { exchanges } = sessions.find(({ id }) => id === 'walks') ?? assert.fail();
    assert.deepEqual(
      exchanges.map(({ asked: words, goesOn, feedback, stood }) => [words, goesOn, feedback, stood]),
      [
        ['Sort the list.', undefined, undefined, undefined],
        ['Sum it up.', true, undefined, undefined],
        ['Date it.', undefined, undefined, undefined],
      ],
    );
    assert.ok(!JSON.stringify(sessions).includes('etter'));
  });

  it('finds the folder of which Gemini left the hash alone, among those that are wanted or that sessions told', async () => {
    const below = path.join(prepared.shop, 'below');
    const listed = path.join(prepared.shop, 'listed');
    for (const folder of [below, listed]) mkdirSync(folder);
    const told = { type: 'user', uuid: 'u', cwd: below, message: { content: 'Sort the list.' } };
    await putSession('below', [told]);
    prepared.put('.gemini/projects.json', JSON.stringify({ projects: { [listed]: 'listed-1' } }));
    for (const folder of [prepared.shop, prepared.other, below, listed, '/home/nobody/knows'])
      putGemini(sha256(folder), folder);
    putGemini('listed-1', listed);
    const { sessions, counts } = await (
      await allowed('gemini-cli', 'claude-code')
    ).harvestSessions({ folders: [prepared.shop] }, neverAborted);
    const folderOf = new Map(sessions.map(({ id, realFolder }) => [id, realFolder]));
    for (const folder of [prepared.shop, below, listed]) assert.equal(folderOf.get(`in ${sha256(folder)}`), folder);
    assert.equal(folderOf.get('in listed-1'), listed);
    // That of the other folder is known from a session there: it is of that folder, and not of none.
    assert.deepEqual(counts['gemini-cli']?.leftOut, { 'other-folder': 2, 'own-call': 1, 'no-folder': 1 });
  });

  it('takes a session of a window with several folders where all of them are wanted', async () => {
    const sessionIn = (folder: string, id: string): void => {
      const text = readFileSync('test/fixtures/harvest/vscode-chat/older.json', 'utf8');
      const beside = `${windows}/${folder}`;
      prepared.put(`${beside}/chatSessions/${id}.json`, text.replace(/"sessionId": "[^"]*"/u, `"sessionId": "${id}"`));
    };
    const folders = [{ path: '../shop' }, { path: '../other' }];
    const file = prepared.put('all.code-workspace', JSON.stringify({ folders }));
    const open = { workspace: `file://${file}` };
    prepared.put(`${windows}/all/workspace.json`, JSON.stringify(open));
    sessionIn('all', 'of both');
    prepared.put(`${windows}/gone/workspace.json`, '{"workspace":"file:///gone.code-workspace"}');
    sessionIn('gone', 'of none');
    const all = await allowed('vscode-chat');
    const found = async (...wanted: readonly string[]): Promise<readonly string[]> => {
      const { sessions } = await all.harvestSessions({ folders: wanted }, neverAborted);
      return sessions.map(({ id }) => id).filter((id) => id.startsWith('of '));
    };
    assert.deepEqual(await found(prepared.shop, prepared.other), ['of both']);
    assert.deepEqual(await found(path.dirname(prepared.shop)), ['of both']);
    assert.deepEqual(await found(prepared.shop), []);
    assert.deepEqual(await found(prepared.other), []);
    assert.deepEqual(await found(prepared.home), [], 'where the file of the workspace lies');
  });

  it('names a file that is one object over 64 MB, and reads those beside it', async () => {
    const folders = ['.gemini/tmp/shop/chats/session-large.json', `${windows}/shop/chatSessions/large.json`];
    const large = folders.map((name) => prepared.put(name, '{"sessionId":"large","requests":[],"messages":[]}'));
    for (const file of large) truncateSync(file, 64 * 1024 * 1024 + 1); // sparse: it takes no room on the disk
    prepared.put(`${windows}/shop/chatSessions/allowed.json`, '{"sessionId":"empty","requests":[]}');
    const { sessions, counts, unread } = await (
      await allowed('gemini-cli', 'vscode-chat')
    ).harvestSessions({ folders: [prepared.shop] }, neverAborted);
    assert.equal(sessions.length, 8);
    assert.deepEqual(
      unread.map((file) => unreadSentence(file, '22.13.0', english)).toSorted(),
      large.map((file) => `${file} was not read: it is too large.`).toSorted(),
    );
    assert.equal(counts['vscode-chat']?.leftOut['nothing-asked'], 1);
  });

  it('keeps to the time and the number that are asked for', async () => {
    const all = await allowed('claude-code');
    const since = { folders: [prepared.shop], since: written + 2_000 };
    const later = await all.harvestSessions(since, neverAborted);
    assert.deepEqual(later.counts['claude-code']?.leftOut['too-old'], 2);
    const capped = await all.harvestSessions({ folders: [prepared.shop], caps: { sessions: 1 } }, neverAborted);
    assert.deepEqual([capped.sessions.length, capped.counts['claude-code']?.leftOut['over-cap']], [1, 5]);
  });

  it('keeps the newest of them, whatever the time and the order of their files', async () => {
    const copied = Date.UTC(2026, 10, 30); // all at once, in another order
    for (const [at, day] of [23, 21, 25, 22, 24].entries()) {
      const said = { type: 'user', uuid: 'u', cwd: prepared.shop, sessionId: `day ${day}` };
      const content = `Write the report of day ${day}.`;
      const line = JSON.stringify({ ...said, timestamp: `2026-11-${day}T10:00:00Z`, message: { content } });
      prepared.put(`.claude/projects/-copied/${day}.jsonl`, `${line}\n`, copied - at * 1_000);
    }
    const all = await allowed('claude-code');
    const newest = async (caps: HarvestCaps): Promise<readonly unknown[]> => {
      const { sessions, counts } = await all.harvestSessions({ folders: [prepared.shop], caps }, neverAborted);
      const { kept, leftOut } = counts['claude-code'] ?? assert.fail();
      return [sessions.map(({ id }) => id), kept, leftOut['over-cap']];
    };
    assert.deepEqual(await newest({ sessions: 2 }), [['day 25', 'day 24'], 2, 9]);
    assert.deepEqual(await newest({ characters: 30 }), [['day 25', 'day 24'], 2, 9], 'each has 27');
    assert.deepEqual(await newest({ sessions: 0 }), [[], 0, 11]);
  });

  it('gives every session, those that were used with a sign, which one that went on has lost', async () => {
    const all = await allowed('claude-code');
    const found = () => all.harvestSessions({ folders: [prepared.shop] }, neverAborted);
    const first = await found();
    assert.deepEqual((await found()).sessions, first.sessions);
    const used = (sessions: typeof first.sessions): readonly string[] =>
      sessions.filter((each) => each.used === true).map(({ mark }) => mark);
    assert.deepEqual(used(first.sessions), []);
    const marks = first.sessions.map(({ mark }) => mark);
    await markSeen(await userStore(worldOf()), marks.slice(0, 3), neverAborted);
    const again = await found();
    assert.deepEqual(
      again.sessions.map(({ mark }) => mark),
      marks,
    );
    assert.deepEqual(used(again.sessions), marks.slice(0, 3));
    const isDone = ({ mark }: { readonly mark: string }): boolean => marks.slice(1).includes(mark);
    const rest = await all.harvestSessions({ folders: [prepared.shop], isDone }, neverAborted);
    assert.deepEqual([rest.sessions.length, rest.counts['claude-code']?.leftOut.seen], [1, marks.length - 1]);
    await markSeen(await userStore(worldOf()), marks, neverAborted);
    const file = path.join(prepared.home, '.claude/projects/-home-user-shop/a-file.jsonl');
    const more = { type: 'user', message: { content: 'One more thing: sort it.' }, timestamp: '2026-11-15T20:00:00Z' };
    prepared.put(path.relative(prepared.home, file), `${readFileSync(file, 'utf8')}${JSON.stringify(more)}\n`);
    const [other, none] = (await found()).sessions.filter((each) => each.used !== true);
    assert.equal(other?.exchanges.at(-1)?.asked, 'One more thing: sort it.');
    assert.equal(none, undefined);
  });

  it('takes secrets out of all that it keeps', async () => {
    const samples = few(sampleSecrets(5), 12);
    for (let from = 0; from < samples.length; from += aSession) {
      const said = samples.slice(from, from + aSession).flatMap(({ text }, at) => [
        { type: 'user', uuid: `u${at}`, cwd: prepared.shop, message: { content: `Look at this:\n${text}` } },
        { type: 'assistant', message: { id: `m${at}`, content: [{ type: 'text', text: `Found:\n${text}` }] } },
      ]);
      await putSession(`planted-${from}`, said);
    }
    const { sessions } = await (
      await allowed('claude-code')
    ).harvestSessions({ folders: [prepared.shop] }, neverAborted);
    const planted = sessions.filter(({ id }) => id.startsWith('planted-')).flatMap(({ exchanges }) => exchanges);
    assert.equal(planted.length, samples.length);
    const kept = JSON.stringify(sessions);
    assert.deepEqual(
      samples.filter(({ secret }) => kept.includes(secret) || kept.includes(JSON.stringify(secret).slice(1, -1))),
      [],
    );
    assert.ok(!kept.includes('AKIAIOSFODNN7EXAMPLE'));
  });

  it('takes a secret out of messages that only quote it, half a key at the end of a long text, and the keys in use', async () => {
    const password = 'Tr0ub4dor&3-zebra';
    const token = `ghp_${'q7R8s9T1'.repeat(4)}u2V3`;
    const body = Array.from({ length: 40 }, (_, at) => sha256(`line ${at}`));
    const block = ['-----BEGIN PRIVATE KEY-----', ...body].join('\n');
    const asked = [
      `Log in with ${password} please.`,
      `The password: ${password}`,
      `${'word '.repeat(1594)}${token} and more of it`, // cut within the token
      `${'word '.repeat(1400)}${block}`,
      'my-own-key-in-use-1234567 is what I use.',
    ];
    await putSession(
      'quoted',
      asked.map((content, at) => ({
        type: 'user',
        uuid: `u${at}`,
        cwd: prepared.shop,
        sessionId: `q-${password}`,
        message: { content },
      })),
    );
    await allowed('claude-code');
    const { sessions } = await useCases(true, ['my-own-key-in-use-1234567']).harvestSessions(
      { folders: [prepared.shop] },
      neverAborted,
    );
    const quoted = JSON.stringify(sessions.find(({ id }) => id.startsWith('q-')) ?? assert.fail());
    for (const hidden of [password, 'ghp_', 'q7R8', sha256('line 3'), sha256('line 12').slice(0, 12), 'my-own-key'])
      assert.ok(!quoted.includes(hidden), hidden);
  });

  it('lets a skill of the home take sessions of other folders only by a yes for each', async () => {
    const all = useCases();
    const skillPath = prepared.put('.claude/skills/dates/SKILL.md', '---\nname: dates\n---\n');
    assert.deepEqual(await all.sessionFoldersOf(skillPath), []);
    await all.allowSessionFolder({ skillPath, folder: prepared.other }, true, neverAborted);
    await all.allowSessionFolder({ skillPath, folder: prepared.shop }, true, neverAborted);
    assert.deepEqual(await all.sessionFoldersOf(skillPath), [prepared.other, prepared.shop]);
    await all.allowSessionFolder({ skillPath, folder: prepared.shop }, false, neverAborted);
    assert.deepEqual(await all.sessionFoldersOf(skillPath), [prepared.other]);
    const link = path.join(path.dirname(prepared.shop), 'link-to-shop');
    symlinkSync(prepared.shop, link);
    assert.deepEqual(await all.sessionFolderChoices(skillPath, [link]), [
      { folder: prepared.shop, allowed: false },
      { folder: prepared.other, allowed: true },
    ]);
    assert.deepEqual(await all.sessionFoldersOf(path.join(prepared.home, 'another/SKILL.md')), []);
  });

  /** A session as older releases wrote it. */
  function putGemini(project: string, folder: string): void {
    const messages = [
      { id: '1', timestamp: '2026-11-15T19:00:00.000Z', type: 'user', content: 'Sum up the notes.' },
      { id: '2', timestamp: '2026-11-15T19:00:05.000Z', type: 'gemini', content: 'Two points.' },
    ];
    const session = { sessionId: `in ${project}`, projectHash: sha256(folder), messages };
    prepared.put(`.gemini/tmp/${project}/chats/session-old.json`, JSON.stringify(session));
    prepared.put(`.gemini/tmp/${project}/logs.json`, JSON.stringify([{ ...session, type: 'user', messages: [] }]));
  }

  async function putSession(name: string, entries: readonly unknown[]): Promise<void> {
    const parts: string[] = [];
    for await (const line of bytesOf(...entries)) parts.push(Buffer.from(line).toString('utf8'));
    prepared.put(`.claude/projects/-home-user-shop/${name}.jsonl`, parts.join(''), written + 9_000);
  }
});

function exchangeIn(cwd: string, content: string, at: number): readonly unknown[] {
  return [
    { type: 'user', uuid: `u${at}`, cwd, message: { content } },
    { type: 'assistant', cwd, message: { id: `m${at}`, content: [{ type: 'text', text: `Did: ${content}` }] } },
  ];
}
