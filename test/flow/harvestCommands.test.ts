import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../src/parseJson.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aPreparedHome, type PreparedHome } from '../builders/aPreparedHome.js';

/** The programs of this machine may have folders of their own: these tests have a home alone. */
const nowhere = Object.fromEntries(
  'CLAUDE_CONFIG_DIR CODEX_HOME COPILOT_HOME GEMINI_CLI_HOME OPENCODE_DB PI_CODING_AGENT_DIR PI_CODING_AGENT_SESSION_DIR VSCODE_PORTABLE XDG_CONFIG_HOME XDG_DATA_HOME APPDATA'
    .split(' ')
    .map((name) => [name, '']),
);

describe('whetstone harvest and usage', () => {
  let prepared: PreparedHome;
  let base = '';
  let skill = '';
  const line = (answers?: readonly string[]): CommandLine =>
    aCommandLine({ at: { base }, answers, environment: nowhere, findSkills: () => Promise.resolve([skill]) });

  beforeEach(() => {
    prepared = aPreparedHome();
    base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-harvested-')));
    cpSync(prepared.home, path.join(base, 'home'), { recursive: true, preserveTimestamps: true });
    mkdirSync(path.join(base, 'workspace'));
    skill = path.join(prepared.shop, 'skills/release-notes/SKILL.md');
    mkdirSync(path.dirname(skill), { recursive: true });
    writeFileSync(skill, '---\nname: release-notes\ndescription: Notes.\n---\n\nName the function.\n');
  });
  afterEach(() => {
    prepared.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  const since = ['--since', '2026-11-01'];

  it('reads nothing before a yes, and says where sessions lie and what would be read', async () => {
    const run = runOf(line());
    const refused = await run('harvest', prepared.shop, ...since);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, /no program to be read yet.*--allow claude-code/u);
    const dry = await run('harvest', prepared.shop, ...since, '--dry-run');
    assert.equal(dry.code, 0, dry.err);
    assert.match(dry.out, /claude-code +not allowed +Claude Code: 6 files in .*\.claude\/projects/u);
    assert.match(dry.out, /never what a tool was given or gave back/u);
    assert.match(
      dry.out,
      /Nothing was read: none of them is allowed yet\. To allow one:\n {2}whetstone harvest --allow claude-code\n\nNo sessions here: OpenCode\.\n$/u,
    );
    assert.doesNotMatch(dry.out, /none here/u);
    assert.equal((await run('harvest', prepared.shop, '--source', 'codex')).code, 2);
    assert.equal((await run('harvest', prepared.shop, '--dry-run', '--allow', 'pi')).code, 2);
    assert.match((await run('harvest', '--allow', 'nobody')).err, /claude-code, codex/u);
  });

  it('lists what would be kept without secrets, and takes the yes back', async () => {
    const run = runOf(line());
    const { out, err, code } = await run('harvest', prepared.shop, ...since, '--allow', 'claude-code');
    assert.equal(code, 0, err);
    assert.match(out, /4 sessions would be kept:/u);
    assert.match(out, /release-notes +“Write the changelog entry for the rounding fix\.”/u);
    assert.match(out, /“Rotate the key REDACTED_/u);
    assert.match(out, /Claude Code, left out: of other folders: 1, calls of Whetstone: 1/u);
    const json = await run('harvest', prepared.shop, ...since, '--json', '--max-sessions', '2');
    const told = z.object({ sessions: z.array(z.object({ source: z.string() })) }).parse(parseJson(json.out));
    assert.deepEqual(
      told.sessions.map(({ source }) => source),
      ['claude-code', 'claude-code'],
    );
    assert.ok(!`${out}${json.out}`.includes('AKIAIOSFODNN7EXAMPLE'));
    const taken = await run('harvest', prepared.shop, '--forbid', 'claude-code');
    assert.match(taken.out, /claude-code +not allowed/u);
    assert.equal((await run('harvest', prepared.shop, ...since)).code, 2);
    const unsent = await run('harvest', prepared.shop, '--forbid-sending');
    assert.deepEqual(
      [unsent.code, unsent.err],
      [0, 'Words of your sessions are sent to no model before you are asked again.\n'],
    );
    assert.equal((await run('harvest', prepared.shop, '--dry-run', '--forbid-sending')).code, 2);
  });

  it('switches for nights of a folder whether they learn from unconfirmed drafts', async () => {
    const run = runOf(line());
    const told = ['harvest', prepared.shop, ...since, '--allow', 'claude-code', '--train-unconfirmed'];
    assert.match((await run(...told, 'maybe')).err, /is “on” or “off”, not “maybe”/u);
    assert.equal((await run('harvest', prepared.shop, '--dry-run', '--train-unconfirmed', 'on')).code, 2);
    const folder = path.join(base, 'home/unconfirmed-training');
    assert.ok(!existsSync(folder), 'nothing is remembered of either');
    assert.match(
      (await run(...told, 'on')).err,
      /^Nights of this folder learn also from drafts .* Only what you confirmed/u,
    );
    const [file = ''] = readdirSync(folder);
    const isOn = (): unknown => parseJson(readFileSync(path.join(folder, file), 'utf8'));
    assert.match(JSON.stringify(isOn()), /"on":true/u);
    assert.match((await run(...told, 'off')).err, /^Nights of this folder learn from confirmed tasks alone\./u);
    assert.match(JSON.stringify(isOn()), /"on":false/u);
  });

  it('shows that switch, and turns it off also where no program may be read', async () => {
    const run = runOf(line());
    await run('harvest', prepared.shop, '--allow', 'claude-code', '--train-unconfirmed', 'on');
    const taken = await run('harvest', prepared.shop, '--forbid', 'claude-code');
    assert.match(taken.out, /To end that:\n {2}whetstone harvest [^ ]+ --train-unconfirmed off\n/u);
    const json = await run('harvest', prepared.shop, '--dry-run', '--json');
    assert.match(json.out, /"trainsUnconfirmed": true/u);
    const off = await run('harvest', prepared.shop, '--train-unconfirmed', 'off');
    assert.deepEqual([off.code, off.err], [0, 'Nights of this folder learn from confirmed tasks alone.\n']);
    assert.ok(!(await run('harvest', prepared.shop, '--dry-run')).out.includes('To end that'));
  });

  it('turns it off with the word that sessions may be sent', async () => {
    const run = runOf(line());
    const on = ['harvest', prepared.shop, '--allow', 'claude-code', '--train-unconfirmed', 'on'];
    assert.equal((await run(...on, '--forbid-sending')).code, 2, 'both at once contradict each other');
    await run(...on);
    const unsent = await run('harvest', prepared.shop, '--forbid-sending');
    assert.match(unsent.err, /asked again\. Nights learn from confirmed tasks alone, in every folder\.\n$/u);
    assert.match((await run('harvest', prepared.shop, '--dry-run', '--json')).out, /"trainsUnconfirmed": false/u);
  });

  it('asks a person at the terminal about each program that has sessions', async () => {
    const run = runOf(line(['n', 'y', 'n', 'n', 'n', 'n', 'n']));
    const { out, err, code } = await run('harvest', prepared.shop, ...since);
    assert.equal(code, 0, err);
    assert.match(
      err,
      /Secrets are taken out[\s\S]*May Whetstone read the sessions of Claude Code \(6 files in [^)]*\)\? \(y\/N\)/u,
    );
    assert.match(out, /codex +may be read/u);
    assert.match(out, /4 sessions would be kept/u);
  });

  it('asks and keeps nothing in a dry run of usage, nor a count of some sessions alone', async () => {
    const refused = await runOf(line(['y']))('usage', prepared.shop, ...since, '--dry-run');
    assert.deepEqual([refused.code, /y\/N/u.test(refused.err)], [2, false]);
    const run = runOf(line());
    assert.equal((await run('harvest', prepared.shop, ...since, '--allow', 'pi')).code, 0);
    const told = await run('usage', prepared.shop, ...since, '--dry-run');
    assert.match(told.out, /^4 sessions with \d+ messages\.[\s\S]*release-notes +here +2 /u);
    assert.ok(!existsSync(path.join(base, 'home/usage')));
    const changing = await run('usage', prepared.shop, ...since, '--dry-run', '--allow', 'codex');
    assert.deepEqual([changing.code, /A dry run remembers nothing/u.test(changing.err)], [2, true]);
    assert.match((await run('usage', prepared.shop, ...since)).out, /^4 sessions/u);
    for (const some of [since, ['--source', 'pi'], ['--max-sessions', '3']])
      assert.equal((await run('usage', prepared.shop, ...some)).code, 0);
    assert.ok(!existsSync(path.join(base, 'home/usage')), 'the count that windows go by is of all sessions');
    await run('usage', prepared.shop);
    assert.ok(existsSync(path.join(base, 'home/usage')));
  });

  it('says where no skill lies, and what to do, in the place of an empty table', async () => {
    const run = runOf(aCommandLine({ at: { base }, environment: nowhere, findSkills: () => Promise.resolve([]) }));
    const { out, err } = await run('usage', prepared.shop, ...since, '--allow', 'claude-code');
    assert.match(
      out,
      /^No skill lies in .* or in your home: make one \(whetstone new <folder> --description "…"\)/mu,
      err,
    );
    assert.doesNotMatch(out, /tokens always/u);
    const none = await run('mine', prepared.other, '--since', '1h', '--without-model');
    assert.match(none.out, /No session of .* was found in the last hour: --since looks further back/u);
  });

  it('says which skills were used, which were corrected, and what they cost', async () => {
    const run = runOf(line());
    const { out, err, code } = await run('usage', prepared.shop, ...since, '--allow', 'claude-code', '--allow', 'pi');
    assert.equal(code, 0, err);
    assert.match(out, /8 sessions with \d+ messages\./u);
    assert.match(out, /release-notes +here +3 +2 /u);
    assert.match(out, /Train release-notes first: after it was used, you said that something was wrong\./u);
    const json = await run('usage', prepared.shop, ...since, '--json', '--source', 'pi');
    const told = z.object({ skills: z.array(z.object({ fired: z.number() })) }).parse(parseJson(json.out));
    assert.deepEqual(
      told.skills.map(({ fired }) => fired),
      [2],
    );
    await run('usage', prepared.shop);
    assert.equal(readdirSync(path.join(base, 'home/usage')).length, 1);
    const few = await run('usage', prepared.shop, ...since, '--max-sessions', '3');
    assert.match(few.out, /^3 sessions with \d+ messages\./u);
    assert.match((await run('usage', prepared.shop, '--max-sessions', 'few')).err, /“few” is no number of sessions/u);
    assert.equal((await run('clean', skill, '--yes')).code, 0);
    assert.ok(!existsSync(path.join(base, 'home/usage')));
    assert.match((await run('usage', prepared.shop, '--since', 'yesterday')).err, /“yesterday” is no time/u);
  });
});

function runOf(commandLine: CommandLine): CommandLine['run'] {
  return (...words) => commandLine.run(...words);
}
