import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type HarvestSource, harvestSources } from '../../src/harvest/session.js';
import { sqliteOfNode } from '../../src/storage/harvest/databaseRows.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aPreparedHome, type PreparedHome } from '../builders/aPreparedHome.js';
import { writeSessionDatabase } from '../builders/aSessionDatabase.js';
import { few, isFull } from '../builders/few.js';
import { SimulatedServer } from '../hardening/attack/simulatedServer.js';
import { sampleSecrets, type SampleSecret } from '../unit/redaction/secretCorpus.js';
import { told } from '../unit/redaction/toldSecrets.js';
import { releaseNotes } from './miningWorld.js';
import { inJson, plantFixtures, type PlantedWords } from './plantedFixtures.js';
import { tellSession } from './toldSessions.js';

/** The programs of this machine may have folders of their own: this test has a home alone. */
const nowhere = Object.fromEntries(
  'CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME GEMINI_CLI_HOME OPENCODE_DB PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR VSCODE_PORTABLE XDG_CONFIG_HOME XDG_DATA_HOME APPDATA'
    .split(' ')
    .map((name) => [name, '']),
);
const namedSkill = `ghp_${'q7R8s9T1'.repeat(4)}u2V3`; // a model may say anything where the name of a skill belongs
const namedFolder = `ghp_${'d5E6f7G8'.repeat(4)}h9I0`;
const sessions = isFull ? 48 : 8;
const parts = [
  'basket',
  'search',
  'payment',
  'account',
  'invoice',
  'delivery',
  'wish list',
  'gift card',
  'review',
  'stock',
];

/** A model server writes down what it is asked; the sessions are full of secrets, and so is what was said of answers. */
describe('a night out of sessions that are full of secrets', () => {
  let prepared: PreparedHome;
  let server: SimulatedServer;
  let base = '';
  let fixtures = '';
  let skill = '';
  let cli: CommandLine;
  const printed: string[] = [];
  const held: { close(): void }[] = [];
  const samples = [
    ...few(sampleSecrets(5), 2 * sessions),
    ...few(told, sessions).map((text) => ({
      kind: `told: ${text}`,
      secret: text.split(/[⟦⟧]/u)[1] ?? '',
      text: text.replaceAll(/[⟦⟧]/gu, ''),
    })),
    { kind: 'name of a skill', secret: namedSkill, text: '' },
    { kind: 'name of a folder', secret: namedFolder, text: '' },
  ];
  const run = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await cli.run(...words);
    printed.push(out, err);
    assert.equal(code, 0, `${words.join(' ')}\n${err}`);
    return out;
  };

  before(async () => {
    fixtures = plantFixtures(mkdtempSync(path.join(os.tmpdir(), 'whetstone-planted-')), plantedWords());
    prepared = aPreparedHome(fixtures);
    const database = prepared.put('.local/share/opencode/opencode.db', '');
    // Where this Node reads no database, it is left alone and named.
    if (sqliteOfNode() !== undefined) held.push(writeSessionDatabase(database, prepared, fixtures));
    else prepared.put('.local/share/opencode/opencode.db-wal', 'a log');
    base = path.dirname(prepared.home);
    skill = path.join(prepared.shop, 'skills', 'release-notes', 'SKILL.md');
    for (const folder of [path.join(base, 'workspace'), path.join(prepared.shop, '.git'), path.dirname(skill)])
      mkdirSync(folder, { recursive: true });
    writeFileSync(skill, releaseNotes);
    server = await SimulatedServer.start();
    const environment = { ...nowhere, WHETSTONE_HOME: path.join(base, 'state') };
    cli = aCommandLine({ at: { base }, environment, findSkills: () => Promise.resolve([skill]) });
  });
  after(async () => {
    await server.stop();
    for (const each of held) each.close();
    prepared.dispose();
    rmSync(fixtures, { recursive: true, force: true });
  });

  it('sends none of them to any model, and writes and prints none; every file of the home is as it was', async () => {
    assert.ok(samples.length >= (isFull ? 120 : 16));
    const now = Math.floor(Date.now() / 1000) * 1000; // times in whole seconds are kept exactly
    for (let at = 0; at < sessions; at += 1) plant(at, now - (at + 1) * 60_000);
    const loaded = { id: 'loaded', at: now, said: ['Say hello to everybody, please.'], skill: namedSkill };
    tellSession(prepared.home, prepared.shop, loaded);
    const within = path.join(prepared.shop, `of ${namedFolder}`);
    mkdirSync(within);
    const there = ['Write release notes for version 9.9 of the shop: nothing but a new folder.'];
    tellSession(prepared.home, within, { id: 'within', at: now - 1_000, said: there, skill: 'release-notes' });
    const before = prepared.state();
    assert.ok(Object.keys(before).length > 60 + sessions);
    const allowed = harvestSources.flatMap((source) => ['--allow', source]);
    const since = ['--since', '2026-11-01']; // when the fixtures were written
    const asking = ['--model', server.model, '--yes'];

    await run('harvest', prepared.shop, ...allowed, '--train-unconfirmed', 'on');
    const kept = await run('harvest', prepared.shop, '--json', ...since);
    for (const [at, source] of harvestSources.entries())
      if (source !== 'opencode' || sqliteOfNode() !== undefined)
        assert.match(kept, new RegExp(`Write release notes for version 3\\.${at} of the shop`, 'u'), source);
    assert.match(kept, sqliteOfNode() === undefined ? /"why": ?"no-sqlite"/u : /"source": ?"opencode",\s*"id"/u);
    assert.match(kept, /"realFolder": ?"[^"]*\/of REDACTED_/u);
    await run('usage', prepared.shop, ...since);
    await run('mine', prepared.shop, '--dry-run', ...since, ...asking.slice(0, 2));
    const most = String(sessions / 2 + (isFull ? harvestSources.length : 0));
    await run('mine', prepared.shop, ...since, ...asking, '--allow-sending', '--max-sessions', most);
    await run('tasks', 'list', skill, '--json');
    await run('tasks', 'confirm', skill, '--all', '--yes');
    const night = await run(
      'night',
      skill,
      ...asking,
      '--preset',
      'quick',
      '--set',
      'gate.attribution=false',
      '--json',
    );
    await run('tasks', 'list', skill);
    await run('report', skill);

    assert.match(night, /"sessions"/u);
    const roles = new Set(server.calls.map(({ role }) => role));
    assert.deepEqual([...roles].sort(), ['judge', 'optimizer', 'target']);
    const asked = server.calls.map(({ body }) => body).join('\n');
    assert.match(asked, /Write release notes for version[^"]*REDACTED_/u, 'words around them are sent');
    if (isFull) assert.match(asked, /Write release notes for version 3\.[1-7]/u, 'those of other sources too');
    assert.deepEqual(survivors(asked), [], 'in a request');
    assert.deepEqual(survivors(printed.join('\n')), [], 'on the terminal');
    const written = filesBelow(base).filter((file) => !file.startsWith(prepared.home));
    assert.ok(written.length > 30, `${written.length} files`);
    for (const file of written) assert.deepEqual(survivors(readFileSync(file, 'utf8')), [], file);
    assert.deepEqual(prepared.state(), before);
  }).timeout(isFull ? 300_000 : 60_000);

  /** In the session that each source tells, every secret in one of them: in the request, and in the answer. */
  function plantedWords(): ReadonlyMap<HarvestSource, PlantedWords> {
    return new Map(
      harvestSources.map((source, at) => {
        const own = samples.filter((_, index) => index % harvestSources.length === at).map(({ text }) => text);
        const half = Math.ceil(own.length / 2);
        const request = `Write release notes for version 3.${at} of the shop: the key ${known.secret} is gone.`;
        return [
          source,
          {
            asked: [request, ...own.slice(0, half)].join('\n\n'),
            answer: [`I replaced ${known.secret}.`, ...own.slice(half)].join('\n\n'),
          },
        ] as const;
      }),
    );
  }

  /** A session with secrets in the request and in what was said of the answer. */
  function plant(at: number, time: number): void {
    const own = samples.filter((_, index) => index % sessions === at).map(({ text }) => text);
    const half = Math.ceil(own.length / 2);
    const about = `the ${parts[at % parts.length]} is faster, number ${at} of this year`;
    tellSession(prepared.home, prepared.shop, {
      id: `planted-${at}`,
      at: time,
      said: [
        [`Write release notes for version ${at}.${at + 1} of the shop: ${about}.`, ...own.slice(0, half)].join('\n'),
        ['No, that is wrong. Always use the words “breaking change”.', ...own.slice(half)].join('\n'),
      ],
      skill: 'release-notes',
    });
  }

  function survivors(text: string): readonly string[] {
    return [...samples, known]
      .filter(({ secret }) => forms(secret).some((form) => text.includes(form)))
      .map(({ kind }) => kind);
  }
});

/** It stands in a session of every source. */
const known: SampleSecret = { kind: 'of the fixtures', secret: 'AKIAIOSFODNN7EXAMPLE', text: '' };

/** As it is, and inside of JSON, once and twice. */
function forms(secret: string): readonly string[] {
  return [secret, inJson(secret), inJson(inJson(secret))];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}
