import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { ChatServer, json } from '../fakes/ChatServer.js';

describe('the command line after a run was cut off', () => {
  let line: CommandLine;
  let skill = '';
  let calls = 0;

  before(async () => {
    line = aCommandLine({ copy: path.resolve('media/demo'), model: 'none' });
    skill = path.join(line.folder, '.claude/skills/incident-summary');
    const first = await line.run('optimize', skill, '--model', 'simulated', '--preset', 'quick', '--json');
    assert.equal(first.code, 0, first.err);
    ({ calls } = JSON.parse(first.out));
  });
  after(() => line.dispose());

  it('takes a run whose journal has its end for ended, though no summary was stored', async () => {
    rmSync(path.join(runFolder(), 'summary.json'));
    const { out } = await line.run('status', skill);
    assert.doesNotMatch(out, /was cut off/);
    const [status] = JSON.parse((await line.run('status', skill, '--json')).out);
    assert.deepEqual(status.unfinished, []);
    const { code, err } = await line.run('optimize', skill, '--resume');
    assert.equal(code, 2);
    assert.match(err, /no run of incident-summary that can go on/);
  });

  it('looks at what a kill leaves before the end: a journal without its last line, no summary, no proposal', () => {
    const journal = path.join(runFolder(), 'journal.jsonl');
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    assert.match(lines.at(-1) ?? '', /run-ended/);
    writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
    rmSync(path.join(line.folder, '.whetstone/proposals'), { recursive: true });
  });

  it('says in the status that there is one, and how to go on', async () => {
    const { out } = await line.run('status', skill);
    assert.match(out, /was cut off; “whetstone optimize incident-summary --resume \d{8}-\d{6}-[0-9a-f]{6}” goes on/);
    const status = JSON.parse((await line.run('status', skill, '--json')).out);
    assert.equal(status[0].unfinished.length, 1);
  });

  it('refuses to go on with a run that is none, with exit code 2', async () => {
    const { code, err } = await line.run('optimize', skill, '--resume', '20200101-000000-abcdef');
    assert.equal(code, 2);
    assert.match(err, /not a run of incident-summary/);
  });

  it('goes on under the same id on the model that it began with, and makes no call again', async () => {
    const fresh = await line.run('optimize', skill);
    assert.match(fresh.err, /No model is chosen/, 'another run names its own');
    const { code, out, err } = await line.run('optimize', skill, '--resume', '--json');
    assert.equal(code, 0, err);
    const result = JSON.parse(out);
    assert.equal(result.run, path.basename(runFolder()));
    assert.equal(result.verdict.kind, 'accepted');
    // The certification is not even attempted again: it is stored as it ended.
    assert.ok(result.cachedCalls > 20);
    assert.equal(result.calls, calls);
    const { resumed } = JSON.parse(readFileSync(path.join(runFolder(), 'summary.json'), 'utf8'));
    assert.equal(resumed, 1);
    assert.equal(readdirSync(path.join(line.folder, '.whetstone/runs')).length, 1);
    assert.doesNotMatch((await line.run('status', skill)).out, /was cut off/);
  });

  function runFolder(): string {
    const runs = path.join(line.folder, '.whetstone/runs');
    return path.join(runs, readdirSync(runs)[0] ?? '');
  }
});

describe('the command line after a run that failed', () => {
  let line: CommandLine;
  let server: ChatServer;
  let skill = '';
  before(async () => {
    server = (await ChatServer.start()).answers((response, request) =>
      request.method === 'GET'
        ? json(200, { data: [{ id: 'm' }] })(response, request)
        : json(401, { error: { message: 'no' } })(response, request),
    );
    line = aCommandLine({ copy: path.resolve('media/demo'), model: 'none' });
    skill = path.join(line.folder, '.claude/skills/incident-summary');
  });
  after(async () => {
    line.dispose();
    await server.stop();
  });

  it('names the command that goes on, in the failure and in the status', async () => {
    const words = ['--model', `${server.baseUrl}#m`, '--preset', 'quick', '--yes'];
    const { code, out, err } = await line.run('optimize', skill, ...words);
    assert.equal(code, 1, err);
    const command = `“whetstone optimize ${skill} --resume --model "${server.baseUrl}#m"”`;
    assert.ok(`${out}${err}`.includes(command), `${out}${err}`);
    assert.match((await line.run('status', skill)).out, /“whetstone optimize incident-summary --resume” goes on/);
  });

  it('names it with a model, where nobody can tell from the name of the model who answers for it', async () => {
    const { code, err } = await line.run('optimize', skill, '--resume');
    assert.notEqual(code, 0);
    assert.match(err, /No model is chosen, and this run was begun on custom\/m\./);
    assert.ok(err.includes(`Run “whetstone optimize ${skill} --resume --model https://host/v1#m”`), err);
  });
});

describe('the command line after a run was stopped by the person', () => {
  it('names the command that goes on', async () => {
    const stop = new AbortController();
    const server = await ChatServer.start();
    server.answers((response, request) => {
      if (request.method === 'GET') return json(200, { data: [{ id: 'm' }] })(response, request);
      stop.abort(new Error('cancelled'));
      return json(500, {})(response, request);
    });
    const line = aCommandLine({ copy: path.resolve('media/demo'), model: 'none', signal: stop.signal });
    const skill = path.join(line.folder, '.claude/skills/incident-summary');
    const model = `${server.baseUrl}#m`;
    const { code, err } = await line.run('optimize', skill, '--model', model, '--yes');
    const [run = ''] = readdirSync(path.join(line.folder, '.whetstone/runs'));
    const journal = readFileSync(path.join(line.folder, '.whetstone/runs', run, 'journal.jsonl'), 'utf8');
    line.dispose();
    await server.stop();
    assert.equal(code, 1, err);
    assert.match(journal, /"error":"aborted".*"kind":"call"/);
    assert.doesNotMatch(journal, /"error":"unavailable"/);
    const command = `“whetstone optimize ${skill} --resume --model "${model}"”`;
    assert.ok(err.includes(`What was answered is kept: ${command} goes on.\nCancelled. Every file is as it was.`), err);
  });
});
