import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { chooseModels } from '../../src/app/models/chooseModels.js';
import { ModelError } from '../../src/errors.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';
import { few, inFull } from '../builders/few.js';
import { ChatServer } from '../fakes/ChatServer.js';
import { brokenFetch } from '../fakes/brokenFetch.js';
import { aNightWorkspace, aSettableClock, simulated, type NightWorkspace } from './nightWorkspace.js';

const skill = '.claude/skills/incident-summary';
const tasksOfDemo = 26;
const soon = 5_000; // milliseconds; a run that asked in vain took more than a minute

describe('a server that no connection leads to', () => {
  const opened: { dispose(): void }[] = [];
  const own = <T extends { dispose(): void }>(made: T): T => {
    opened.push(made);
    return made;
  };
  const demo = (): CommandLine => own(aCommandLine({ copy: path.resolve('media/demo') }));
  after(() => opened.forEach((each) => each.dispose()));

  for (const command of few([['optimize'], ['night'], ['evaluate'], ['tasks', 'draft']], 2)) {
    it(`is told by “${command.join(' ')}” within seconds, before a call is made`, async () => {
      const cli = demo();
      const address = await closedPort();
      const began = Date.now();
      const inside = path.join(cli.folder, skill);
      const { code, out, err } = await cli.run(...command, inside, '--model', `${address}#m`);
      assert.ok(Date.now() - began < soon, `${Date.now() - began} ms`);
      assert.equal(code, 1, out + err);
      assert.match(
        out + err,
        /No server answers at http:\/\/127\.0\.0\.1:\d+\/v1 \(ECONNREFUSED\)\. +Check the address/,
      );
      assert.ok(!existsSync(path.join(cli.folder, '.whetstone', 'runs')), 'a run was begun');
      assert.doesNotMatch(out + err, /[1-9]\d* (?:model )?calls/);
    });
  }

  const ways: readonly (readonly [code: string, said: RegExp])[] = [
    ['ECONNREFUSED', /^No server answers at https:\/\/models\.example\/v1 \(ECONNREFUSED\)\.$/],
    ['ENOTFOUND', /^The host models\.example was not found \(ENOTFOUND\)\.$/],
    ['EHOSTUNREACH', /^https:\/\/models\.example\/v1 cannot be reached \(EHOSTUNREACH\)\.$/],
    ['UND_ERR_CONNECT_TIMEOUT', /^https:\/\/models\.example\/v1 cannot be reached /],
  ];
  for (const [code, said] of ways) {
    it(`is told in words, with a cure: ${code}`, async () => {
      const workspace: TestWorkspace = own(aWorkspace());
      const surroundings = { environment: {}, fetch: brokenFetch(code) };
      const spec = 'https://models.example/v1#m';
      const models = await chooseModels({ target: spec, optimizer: undefined, judge: undefined }, surroundings);
      await assert.rejects(workspace.optimize({ models }), (error: unknown) => {
        assert.ok(error instanceof ModelError);
        assert.match(error.message, said);
        assert.match(error.cure, /choose another model/);
        return error.kind === 'unavailable';
      });
      assert.equal((await workspace.useCases().spendToday()).calls, 0);
    });
  }

  for (const command of few([['evaluate', '--without-skill'], ['optimize']])) {
    it(`ends “${command.join(' ')}” with exit code 1 where it fails every call, and shows no score`, async () => {
      const server = (await ChatServer.start()).answers((response) => void response.writeHead(503).end('no'));
      const clock = aSettableClock(Date.UTC(2026, 2, 1, 3));
      const cli = own(aCommandLine({ copy: path.resolve('media/demo'), clock }));
      const [name = '', ...more] = command;
      const words = ['--model', `${server.baseUrl}#m`, '--cap', 'run.calls=9000', '--json'];
      const { code, out, err } = await cli.run(name, path.join(cli.folder, skill), ...more, ...words);
      await server.stop();
      assert.equal(code, 1, out + err);
      assert.doesNotMatch(out, /"(?:before|after|hard|soft)": ?0/);
      const asked = new Set(server.requests.map(({ body }) => JSON.stringify(body['messages'])));
      assert.ok(asked.size <= tasksOfDemo, `${asked.size} different questions were asked`);
    });
  }

  it('ends “evaluate” with exit code 1 where it stops after some answers, and shows no score of the rest', async () => {
    const server = await ChatServer.start();
    let asked = 0;
    server.answers((response) => {
      asked += 1;
      if (asked > 9) return void response.writeHead(503).end('no');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
    });
    const cli = own(aCommandLine({ copy: path.resolve('media/demo'), clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) }));
    const words = ['--model', `${server.baseUrl}#m`, '--price', 'm=1/1', '--yes'];
    const { code, out, err } = await cli.run('evaluate', path.join(cli.folder, skill), ...words);
    await server.stop();
    assert.equal(code, 1, out + err);
    assert.match(err, /The model’s server stopped answering: every call since its last answer failed\./);
    assert.doesNotMatch(out, /%/);
  });

  inFull('is told in the progress where it goes away in the middle of a run', async () => {
    const server = await ChatServer.start();
    let asked = 0;
    server.answers((response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion));
      if (asked === 3) void server.stop();
    });
    const cli = own(aCommandLine({ copy: path.resolve('media/demo'), clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) }));
    const words = ['--model', `${server.baseUrl}#m`, '--cap', 'run.calls=9000'];
    const { code, out, err } = await cli.run('optimize', path.join(cli.folder, skill), ...words);
    assert.equal(code, 1, out + err);
    assert.match(err, /^\d+ % · no answer for \d+ s, \d+ calls? failed$/m);
  });

  it('ends no run before it began where the connection is there and the answer is not', async () => {
    const workspace = own(aWorkspace());
    const slow = { ...simulated(), reach: () => Promise.resolve(false) };
    const { summary } = await workspace.optimize({ models: { target: slow, optimizer: slow, judge: slow } });
    assert.notEqual(summary.outcome, 'failed');
  });

  describe('in a night', () => {
    const name = 'incident-summary';
    const open = (): NightWorkspace => {
      const workspace = own(aNightWorkspace([name], { clock: aSettableClock(Date.UTC(2026, 2, 1, 3)) }));
      workspace.keepTasks(name, 8);
      return workspace;
    };

    it('is tried for half a minute where nobody waits, for the network may just be waking up', async () => {
      const model = awakeAt(3);
      const { skills } = await open().night(model, { startedBy: 'window' });
      assert.equal(skills[0]?.outcome, 'proposed');
    });

    it('is told at once where a person started it', async () => {
      const [found] = (await open().night(awakeAt(2), { startedBy: 'person' })).skills;
      assert.deepEqual([found?.outcome, found?.cause, found?.spend.calls], ['failed', 'backend-failed', 0]);
      assert.match(found?.reason ?? '', /^No server answers/);
    });
  });
});

const completion = {
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'A harbour.' } }],
  usage: { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 },
};

/** A model whose server is reached at the n-th try. */
function awakeAt(tries: number): LanguageModel {
  let tried = 0;
  const reach = (): Promise<boolean> => {
    tried += 1;
    return tried >= tries
      ? Promise.resolve(false)
      : Promise.reject(new ModelError('unavailable', 'No server answers.'));
  };
  return { ...simulated(), reach };
}

/** An address of this machine at which nobody listens. */
async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${address instanceof Object ? address.port : 0}/v1`;
}
