import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createHarvestUseCases, type HarvestUseCases } from '../../../../src/app/harvest/harvest.js';
import { UserError } from '../../../../src/errors.js';
import { sha256 } from '../../../../src/hash.js';
import { aPreparedHome, type PreparedHome, written } from '../../../builders/aPreparedHome.js';
import { few } from '../../../builders/few.js';
import { calm } from '../../../builders/storage.js';
import { ManualClock } from '../../../fakes/ManualClock.js';
import { bytesOf } from '../../harvest/readFixture.js';
import { sampleSecrets } from '../../redaction/secretCorpus.js';

const aSession = 100; // exchanges
const read = ['claude-code', 'codex', 'copilot-cli', 'gemini-cli', 'vscode-chat', 'cursor-agent', 'pi'] as const;

describe('a harvest', () => {
  let prepared: PreparedHome;
  let state = '';
  beforeEach(() => {
    prepared = aPreparedHome();
    state = path.join(path.dirname(prepared.home), 'state');
  });
  afterEach(() => prepared.dispose());

  const useCases = (trusted = true, secrets: readonly string[] = []): HarvestUseCases =>
    createHarvestUseCases({
      ...prepared.person,
      platform: 'linux',
      environment: { WHETSTONE_HOME: state },
      clock: new ManualClock(),
      trusted: () => trusted,
      secrets: () => Promise.resolve(secrets),
    });

  const allowed = async (...sources: readonly string[]): Promise<HarvestUseCases> => {
    const all = useCases();
    for (const source of sources) await all.allowSessions(source, true, calm);
    return all;
  };

  it('takes the sessions of the folder from every source, and says what it left out', async () => {
    const harvest = await (await allowed(...read)).harvestSessions({ folders: [prepared.shop] }, calm);
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
    const { sessions, counts } = await useCases().harvestSessions({ folders: [prepared.shop] }, calm);
    assert.deepEqual([sessions, counts], [[], {}]);
    const asked = useCases().harvestSessions({ folders: [prepared.shop], sources: ['codex'] }, calm);
    await assert.rejects(asked, (error) => error instanceof UserError && error.code === 'sessions-not-allowed');
    await assert.rejects(useCases().allowSessions('nonsense', true, calm), /no program “nonsense”/u);
    const all = await allowed('codex');
    assert.equal((await all.harvestSessions({ folders: [prepared.shop] }, calm)).sessions.length, 4);
    const [file] = readdirSync(state).filter((name) => name === 'sessions.json');
    assert.equal(statSync(path.join(state, file ?? assert.fail())).mode & 0o777, 0o600);
    await all.allowSessions('codex', false, calm);
    assert.equal((await all.harvestSessions({ folders: [prepared.shop] }, calm)).sessions.length, 0);
  });

  it('shows first where sessions lie and how many there are, and reads none for that', async () => {
    const before = prepared.state();
    const sources = await (await allowed('pi')).sessionSources(calm);
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
      () => untrusted.sessionSources(calm),
      () => untrusted.harvestSessions({ folders }, calm),
      () => untrusted.skillUsage({ folders, skills: [] }, calm),
      () => untrusted.allowSessions('pi', true, calm),
    ];
    for (const ask of asked)
      await assert.rejects(ask(), (error) => error instanceof UserError && error.code === 'workspace-untrusted');
  });

  it('goes by real paths: through a link to the folder, below it, and never by an empty one', async () => {
    const link = path.join(path.dirname(prepared.shop), 'linked');
    symlinkSync(prepared.shop, link);
    const all = await allowed('claude-code');
    const count = async (...folders: readonly string[]): Promise<number> =>
      (await all.harvestSessions({ folders }, calm)).sessions.length;
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
    const { sessions } = await (await allowed('claude-code')).harvestSessions({ folders: [prepared.shop] }, calm);
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

  it('keeps to the time and the number that are asked for', async () => {
    const all = await allowed('claude-code');
    const since = { folders: [prepared.shop], since: written + 2_000 };
    const later = await all.harvestSessions(since, calm);
    assert.deepEqual(later.counts['claude-code']?.leftOut['too-old'], 2);
    const capped = await all.harvestSessions({ folders: [prepared.shop], caps: { sessions: 1 } }, calm);
    assert.deepEqual([capped.sessions.length, capped.counts['claude-code']?.leftOut['over-cap']], [1, 5]);
  });

  it('gives a session again until it was used, and again once it went on', async () => {
    const all = await allowed('claude-code');
    const unused = () => all.harvestSessions({ folders: [prepared.shop], which: 'unused' }, calm);
    const first = await unused();
    assert.deepEqual((await unused()).sessions, first.sessions);
    await all.markSessionsUsed(first.sessions.slice(0, 3), calm);
    const rest = await unused();
    assert.deepEqual(rest.sessions, first.sessions.slice(3));
    assert.equal(rest.counts['claude-code']?.leftOut.seen, 3);
    await all.markSessionsUsed(rest.sessions, calm);
    const file = path.join(prepared.home, '.claude/projects/-home-user-shop/a-file.jsonl');
    const more = { type: 'user', message: { content: 'One more thing: sort it.' }, timestamp: '2026-11-15T20:00:00Z' };
    prepared.put(path.relative(prepared.home, file), `${readFileSync(file, 'utf8')}${JSON.stringify(more)}\n`);
    const [again, none] = (await unused()).sessions;
    assert.equal(again?.exchanges.at(-1)?.asked, 'One more thing: sort it.');
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
    const { sessions } = await (await allowed('claude-code')).harvestSessions({ folders: [prepared.shop] }, calm);
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
      calm,
    );
    const quoted = JSON.stringify(sessions.find(({ id }) => id.startsWith('q-')) ?? assert.fail());
    for (const hidden of [password, 'ghp_', 'q7R8', sha256('line 3'), sha256('line 12').slice(0, 12), 'my-own-key'])
      assert.ok(!quoted.includes(hidden), hidden);
  });

  it('lets a skill of the home take sessions of other folders only by a yes for each', async () => {
    const all = useCases();
    const skillPath = prepared.put('.claude/skills/dates/SKILL.md', '---\nname: dates\n---\n');
    assert.deepEqual(await all.sessionFoldersOf(skillPath), []);
    await all.allowSessionFolder({ skillPath, folder: prepared.other }, true, calm);
    await all.allowSessionFolder({ skillPath, folder: prepared.shop }, true, calm);
    assert.deepEqual(await all.sessionFoldersOf(skillPath), [prepared.other, prepared.shop]);
    await all.allowSessionFolder({ skillPath, folder: prepared.shop }, false, calm);
    assert.deepEqual(await all.sessionFoldersOf(skillPath), [prepared.other]);
    const link = path.join(path.dirname(prepared.shop), 'link-to-shop');
    symlinkSync(prepared.shop, link);
    assert.deepEqual(await all.sessionFolderChoices(skillPath, [link]), [
      { folder: prepared.shop, allowed: false },
      { folder: prepared.other, allowed: true },
    ]);
    assert.deepEqual(await all.sessionFoldersOf(path.join(prepared.home, 'another/SKILL.md')), []);
  });

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
