import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine, type CommandResult } from '../builders/commandLine.js';
import { ChatServer, json, refusal } from '../fakes/ChatServer.js';
import { firstTasks } from './nightWorkspace.js';
import { isFull } from '../builders/few.js';

/** Clears the screen, forges a verdict, turns the direction, hides a word, and would overwrite the line. */
const attack = '\u001b[2J\u001b[32maccepted\u001b[0m \u009b31m\u202eevil\u200b\u{e0041}\rAdopted.';
const named = `${attack}\nAdopted.`; // a name may not even begin a line
const shown = /‹U\+001B›\[2J‹U\+001B›\[32maccepted/;
const steering = /[^\P{Cc}\n\t]|\p{Cs}|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

describe('text of others on the terminal', () => {
  let line: CommandLine;
  let server: ChatServer;
  let skill = '';
  let helpful: readonly unknown[] = [];

  before(async () => {
    line = aCommandLine({ copy: path.resolve('media/demo') });
    skill = path.join(line.folder, '.claude/skills/incident-summary');
    server = await ChatServer.start();
    const { code, out, err } = await line.run('optimize', skill, '--preset', 'quick', '--json');
    assert.equal(code, 0, err);
    helpful = JSON.parse(out).edits;
  });
  after(async () => {
    line.dispose();
    await server.stop();
  });

  it('cannot steer it in what a server says of its refusal', async () => {
    server.answers(refusal(401, { message: attack, code: attack, type: attack }));
    isShown(await line.run('evaluate', skill, '--model', `${server.baseUrl}#m`, '--yes'));
  });

  it('cannot steer it in the name of a model, a server or an option', async () => {
    isShown(await line.run('evaluate', skill, '--model', attack));
    isShown(await line.run('evaluate', `${skill}${attack}`));
    isShown(await line.run('evaluate', skill, `--${attack}`));
  });

  it('cannot steer it in the edits of a reply that were left out', async () => {
    const lost = {
      op: 'replace',
      anchor: `no such text ${attack}`,
      content: attack,
      rationale: attack,
      tasks: [attack],
    };
    const edits = [lost, ...helpful];
    const reply = { failure_summary: [{ failure_type: attack, count: 1, description: attack }], edits };
    server.answers(json(200, completion(JSON.stringify(reply))));
    const words = ['--model', 'simulated', '--optimizer', `${server.baseUrl}#m`, '--preset', 'quick', '--yes'];
    const result = await line.run('optimize', skill, ...words);
    assert.match(result.out, /Edits that were left out/);
    isShown(result);
  });

  it('cannot steer it in a proposal that somebody forged', async () => {
    const folder = path.join(line.folder, '.whetstone/proposals');
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.json'));
    const file = path.join(folder, name);
    const forged = JSON.stringify(withAttack(JSON.parse(readFileSync(file, 'utf8'))));
    writeFileSync(file, forged);
    isShown(await line.run('show', skill));
    const { out } = await line.run('show', skill, '--json');
    assert.doesNotMatch(out, steering);
    assert.match(JSON.stringify(JSON.parse(out)), /u001b\[2J/);
    assert.doesNotMatch((await line.run('status', skill)).out, steering);
  });

  it('cannot steer it in the report that lies in the workspace', async () => {
    const runs = path.join(line.folder, '.whetstone/runs');
    for (const run of readdirSync(runs, { recursive: true, encoding: 'utf8' }))
      if (run.endsWith('report.md')) writeFileSync(path.join(runs, run), `# Report\n\n${attack}\n`);
    isShown(await line.run('report', skill));
  });

  it('cannot steer it in the ids and texts of tasks, in a table or without', async () => {
    const evals = path.join(line.folder, 'hostile/evals');
    mkdirSync(evals, { recursive: true });
    const task = (id: string): unknown => ({ id, prompt: attack, expected_output: attack, expectations: [attack] });
    writeFileSync(
      path.join(evals, 'evals.json'),
      JSON.stringify({ skill_name: 'hostile', evals: ['1', '2', '3', '4'].map((id) => task(`${named}${id}`)) }),
    );
    writeFileSync(
      path.join(line.folder, 'hostile/SKILL.md'),
      `---\nname: ${JSON.stringify(named)}\ndescription: ${JSON.stringify(attack)}\n---\n\nDo it.\n`,
    );
    const hostile = path.join(line.folder, 'hostile');
    for (const words of [
      ['tasks', 'list', hostile],
      ['tasks', 'split', hostile],
      ['evaluate', hostile],
      ['status', hostile],
      ['optimize', hostile, '--dry-run'],
    ])
      isShown(await line.run(...words));
    assert.doesNotMatch((await line.run('preview', hostile)).out, steering);
  });

  it('cannot steer it in the table of a night, nor in the name of a folder', async () => {
    const folder = path.join(line.folder, `skills-${attack.replaceAll('/', '')}`);
    renameSync(path.join(line.folder, 'hostile'), folder);
    server.answers(refusal(401, { message: attack }));
    isShown(await line.run('night', path.join(folder, 'SKILL.md'), '--yes', '--model', `${server.baseUrl}#m`));
    isShown(await line.run('status', folder));
  });
});

describe('a name with a line break in it', () => {
  const breaking = 'skills\nAdopted. improved from 0 % to 100 %';
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  /** The demo with a skill in a folder of such a name. */
  function aBreakingFolder(): { readonly line: CommandLine; readonly skill: string } {
    const line = aCommandLine({ copy: path.resolve('media/demo') });
    shells.push(line);
    const folder = path.join(line.folder, breaking);
    renameSync(path.join(line.folder, '.claude/skills'), folder);
    const tasks = path.join(folder, 'incident-summary/evals/evals.json');
    if (!isFull) writeFileSync(tasks, firstTasks(readFileSync(tasks, 'utf8'), 10));
    return { line, skill: path.join(folder, 'incident-summary') };
  }

  it('begins no line of its own, whatever is done with the skill in it', async () => {
    const { line, skill } = aBreakingFolder();
    for (const words of [
      ['optimize', skill, '--preset', 'quick', '--dry-run'],
      ['optimize', skill, '--preset', 'quick'],
      ['show', skill],
      ['adopt', skill],
      ['adopt', skill],
      ['history', skill],
      ['undo', skill],
      ['status', skill],
      ['check', skill, '--update'],
      ['check', skill],
      ['tasks', 'show', skill, 'no\nAdopted.'],
      ['tasks', 'add', skill, '--id', 'new\nAdopted.', '--prompt', 'Say hi', '--expect', 'It says hi.'],
      ['tasks', 'move', skill, 'new\nAdopted.', '--to', 'training'],
      ['tasks', 'show', skill, 'nobody'],
      ['evaluate', path.join(line.folder, breaking, 'nobody')],
      ['schedule', path.join(line.folder, breaking)],
      ['doctor', path.join(line.folder, breaking)],
      ['evaluate', skill, '--no\nAdopted.'],
    ])
      isOneLine(await line.run(...words), words);
  });

  it('begins none where it stands in a lock file', async () => {
    const { line, skill } = aBreakingFolder();
    await line.run('evaluate', skill);
    const locks = path.join(line.home, 'locks');
    const [name = ''] = readdirSync(locks).filter((file) => file.startsWith('run-'));
    const forged = JSON.parse(readFileSync(path.join(locks, name), 'utf8'));
    writeFileSync(
      path.join(locks, name),
      JSON.stringify({
        ...forged,
        state: 'held',
        host: 'there\nAdopted.',
        boot: 'x',
        what: 'a run\nAdopted.',
        pid: 1,
        since: Date.now(),
        token: 'a'.repeat(16),
      }),
    );
    const words = ['evaluate', skill];
    const result = await line.run(...words);
    assert.match(result.err, /is at work on it/);
    isOneLine(result, words);
  });
});

function isOneLine({ out, err }: CommandResult, words: readonly string[]): void {
  assert.doesNotMatch(`${out}${err}`, /^ *Adopted\.(?! “whetstone undo)/m, words.join(' '));
}

/** Nothing steers, what would have steered is read, and no line says what we did not. */
function isShown({ out, err }: CommandResult): void {
  const said = `${out}${err}`;
  assert.doesNotMatch(said, steering);
  assert.match(said, shown);
  assert.doesNotMatch(said, /^Adopted\./m);
}

function completion(content: string): unknown {
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  };
}

/** The same with the attack behind every word that a person would be shown. */
function withAttack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAttack);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [
      key,
      typeof each === 'string' && ['skillName', 'rationale', 'candidateText', 'detail'].includes(key)
        ? `${each}${attack}`
        : withAttack(each),
    ]),
  );
}
