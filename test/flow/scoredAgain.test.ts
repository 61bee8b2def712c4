import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aSkillFolder, aWhetstoneFile } from '../builders/aSkillFolder.js';
import { aCommandLine, type CommandLine, type CommandResult } from '../builders/commandLine.js';
import { ChatServer, stream, type ChatAnswer } from '../fakes/ChatServer.js';
import { aSettableClock } from './nightWorkspace.js';

const prompts = ['Greet Ada who sails', 'Welcome the new cook', 'Toast the couple', 'Address the board'];
const ids = prompts.map((_, index) => `task-${index}`);
const files = {
  'SKILL.md': '---\nname: greeter\n---\n\n# Greeter\n\nGreet people.\n',
  'evals/evals.json': { evals: prompts.map((prompt, index) => ({ id: `task-${index}`, prompt })) },
  'evals/whetstone.json': aWhetstoneFile(
    Object.fromEntries(
      ids.map((id, index) => [
        id,
        { checks: [{ check: 'contains', text: 'harbour' }], split: index % 2 === 0 ? 'training' : 'heldOut' },
      ]),
    ),
  ),
};

const good = stream({ deltas: [{ content: 'To the harbour.' }] });
const bad = stream({ deltas: [{ content: 'Hello.' }] });
const failing: ChatAnswer = (response) => void response.writeHead(503).end('no');
const thinking = stream({ deltas: [{ reasoning_content: 'Hm. '.repeat(50) }], finish: 'length' });

interface Printed {
  readonly answers: number;
  readonly storedAnswers: number;
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number | null;
  readonly tasks: readonly { readonly hard: number | null; readonly invalid?: string }[];
}

describe('a skill that is scored again', () => {
  let server: ChatServer;
  const shells: CommandLine[] = [];
  before(async () => void (server = await ChatServer.start()));
  after(async () => {
    await server.stop();
    shells.forEach((shell) => shell.dispose());
  });

  it('says how many answers were stored before, and asks anew where that is wanted', async () => {
    const run = aSkill();
    await run(good, 'check', '--update');
    const stored = await run(bad, 'check');
    assert.equal(stored.code, 0);
    assert.match(stored.out, /4 of 4 answers were stored before, on this machine; --fresh asks anew\./);
    const anew = await run(bad, 'check', '--fresh');
    assert.equal(anew.code, 1, anew.out);
    assert.match(anew.out, /fell below its record: 100 % → 0 %/);
    assert.doesNotMatch(anew.out, /stored before/);
  });

  it('says the same in JSON, of “check” and of “evaluate”', async () => {
    const run = aSkill();
    const first: Printed = JSON.parse((await run(good, 'evaluate', '--json')).out);
    const second: Printed = JSON.parse((await run(bad, 'evaluate', '--json')).out);
    const third: Printed = JSON.parse((await run(bad, 'evaluate', '--json', '--fresh')).out);
    assert.deepEqual(
      [first, second, third].map(({ answers, storedAnswers, calls }) => [answers, storedAnswers, calls]),
      [
        [4, 0, 4],
        [4, 4, 0],
        [4, 0, 4],
      ],
    );
    assert.deepEqual(
      third.tasks.map(({ hard }) => hard),
      [0, 0, 0, 0],
    );
    await run(good, 'check', '--update');
    const [check]: readonly Printed[] = JSON.parse((await run(bad, 'check', '--json')).out);
    assert.deepEqual([check?.answers, check?.storedAnswers], [4, 4]);
  });

  it('is measured for its record, whatever is stored', async () => {
    const run = aSkill();
    await run(good, 'evaluate');
    const { out } = await run(bad, 'check', '--update');
    assert.match(out, /recorded 0 % over 4 tasks/);
    assert.deepEqual(run.record(), Object.fromEntries(ids.map((id) => [id, 0])));
  });

  it('has what it took told, in calls, tokens and money', async () => {
    const run = aSkill();
    const { out } = await run(good, 'evaluate', '--price', 'm=10/10');
    assert.match(out, /\n4 model calls, [\d,]+ tokens(?: \(estimated\))?, (?:up to )?0\.\d+ USD\.\n/);
    const { usd, tokens }: Printed = JSON.parse(
      (await run(good, 'evaluate', '--json', '--fresh', '--price', 'm=10/10')).out,
    );
    assert.ok(usd !== null && Math.abs(usd - tokens / 100_000) < 1e-9);
    assert.match((await run(good, 'check', '--update')).out, /4 model calls, [\d,]+ tokens/);
  });

  it('makes no more calls than were announced where nobody knows their price', async () => {
    const run = aSkill();
    const { err, code } = await run(failing, 'evaluate', '--fresh');
    assert.equal(code, 1);
    assert.match(err, /is not known: the run is capped at 8 calls/);
    assert.ok(run.calls() <= 8, `${run.calls()} calls`);
  });

  describe('by a model whose thinking leaves no room for an answer', () => {
    it('has no result, and a cure', async () => {
      const run = aSkill();
      const { code, out } = await run(thinking, 'evaluate');
      assert.equal(code, 1);
      assert.match(out, /No answer: thinking used the room\. Raise answers\.target, or let the model think less\./);
      assert.match(out, /all – \(4 tasks, 4 without a result\)/);
      const { tasks }: Printed = JSON.parse((await run(thinking, 'evaluate', '--json')).out);
      assert.ok(tasks.every(({ hard, invalid }) => hard === null && invalid !== undefined));
    });

    it('keeps its record', async () => {
      const run = aSkill();
      await run(good, 'check', '--update');
      const before = run.record();
      const { code, err } = await run(thinking, 'check', '--update');
      assert.equal(code, 1);
      assert.match(err, /has no valid result: No answer: thinking used the room/);
      assert.deepEqual(run.record(), before);
      assert.match((await run(thinking, 'check', '--fresh')).err, /has no valid result/);
    });
  });

  interface Run {
    (answer: ChatAnswer, command: string, ...words: readonly string[]): Promise<CommandResult>;
    record(): unknown;
    /** Of the last command. */
    calls(): number;
  }

  function aSkill(): Run {
    const shell = aCommandLine({ clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) });
    shells.push(shell);
    const folder = aSkillFolder(shell.folder, files);
    let from = 0;
    const run = (answer: ChatAnswer, command: string, ...words: readonly string[]): Promise<CommandResult> => {
      server.answers(answer);
      from = server.requests.length;
      const yes = command === 'evaluate' ? ['--yes'] : [];
      return shell.run(command, folder, '--model', `${server.baseUrl}#m`, ...yes, ...words);
    };
    const record = (): unknown => JSON.parse(readFileSync(path.join(folder, 'evals', 'record.json'), 'utf8')).tasks;
    const calls = (): number => server.requests.slice(from).filter(({ method }) => method === 'POST').length;
    return Object.assign(run, { record, calls });
  }
});
