import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { readCaps } from '../../../src/cli/caps.js';
import { readPrices } from '../../../src/cli/prices.js';
import { startSimulatedServer } from '../../../src/simulated/server/serveSimulated.js';
import { few } from '../../builders/few.js';
import { aCommandLine, type CommandLine } from '../../builders/commandLine.js';
import { ChatServer, json, stream } from '../../fakes/ChatServer.js';

const skill = '.claude/skills/incident-summary';

describe('models on the command line', () => {
  const shells: CommandLine[] = [];
  const servers: ChatServer[] = [];
  after(async () => {
    shells.forEach((shell) => shell.dispose());
    await Promise.all(servers.map((server) => server.stop()));
  });

  describe('evaluate --compare', () => {
    const Comparison = z.object({
      models: z.array(z.object({ model: z.string(), hard: z.number(), n: z.number(), calls: z.number() })),
      tasks: z.array(z.object({ id: z.string(), hard: z.tuple([z.number(), z.number()]), better: z.string() })),
      better: z.object({ first: z.number(), second: z.number(), equal: z.number() }),
    });

    it('scores two models on one skill side by side, task by task', async () => {
      const words = ['evaluate', skill, '--model', 'simulated', '--compare', 'simulated?lapse=0.9'];
      const shell = demo();
      const { code, out } = await shell.run(...words, '--json');
      assert.equal(code, 0);
      const { models, tasks, better } = Comparison.parse(JSON.parse(out));
      const [first, second] = models;
      assert.notEqual(first?.model, second?.model, 'each is named');
      assert.equal(tasks.length, first?.n);
      for (const [index, result] of [first, second].entries()) {
        const mean = tasks.reduce((sum, { hard }) => sum + (hard[index] ?? 0), 0) / tasks.length;
        assert.ok(Math.abs(mean - (result?.hard ?? -1)) < 1e-9);
      }
      assert.equal(better.first + better.second + better.equal, tasks.length);

      const text = await shell.run(...words);
      assert.match(text.out, /task +side +simulated-1 \(simulated\) +simulated-1\S* \(simulated\) +better/);
      assert.match(text.out, /a difference of a task or two is chance/);
      assert.match(text.out, /0 calls, 0 tokens/, 'what was asked before is not paid for again');
    });

    it('has both graded by one judge', async () => {
      const server = await answering();
      const shell = demo();
      const judge = ['--judge', `${server.baseUrl}#judge`, '--task', 'nope'];
      const { code, err } = await shell.run('evaluate', skill, '--compare', 'simulated?seed=2', ...judge);
      assert.equal(code, 2, 'an unknown task is refused before anything is asked');
      assert.match(err, /no task “nope”/);
      assert.equal(server.requests.length, 0);
    });
  });

  describe('caps', () => {
    it('are read for every period and unit, the later one winning', () => {
      assert.deepEqual(readCaps(['day.usd=1', 'month.tokens=5000', 'run.minutes=2.5', 'day.usd=2']), {
        run: { minutes: 2.5 },
        day: { usd: 2 },
        month: { tokens: 5000 },
      });
    });

    for (const empty of ['run.calls=0', 'run.usd=0.0'])
      it(`refuse “${empty}” as they do what is no cap`, () =>
        assert.throws(() => readCaps([empty]), { code: 'usage', message: /leaves nothing to a run/ }));

    for (const wrong of ['week.usd=1', 'day=1', 'day.usd=much', 'day.usd=-1', '']) {
      it(`refuse “${wrong}”`, () => assert.throws(() => readCaps([wrong]), { code: 'usage', cure: /day\.usd=1/ }));
    }

    for (const part of ['run.calls=2.5', 'day.tokens=0.1'])
      it(`refuse “${part}”: there are no parts of calls and tokens`, () =>
        assert.throws(() => readCaps([part]), { code: 'usage', message: /there are no parts of (?:calls|tokens)/ }));

    for (const wrong of few(['2.5', '0', '-1', 'many', '1e3']))
      it(`refuse --max-calls ${wrong}, whatever is run`, async () => {
        for (const command of ['optimize', 'night', 'schedule']) {
          const { code, err } = await demo().run(command, skill, `--max-calls=${wrong}`);
          assert.equal(code, 2, `${command}: ${err}`);
          assert.ok(err.includes(`--max-calls takes a whole number above 0, and “${wrong}” is none. Write`), err);
        }
      });

    it('and what a run may start are said alike to every command that makes one', async () => {
      const shell = demo();
      for (const command of ['optimize', 'evaluate', 'check', 'gather', 'rebase', 'night', 'schedule']) {
        const { out } = await shell.run(command, '--help');
        for (const flag of ['--max-calls', '--cap', '--allow-programs', '--allow-login'])
          assert.ok(out.includes(`  ${flag}`), `${command} ${flag}`);
      }
    });

    it('of a run end it, typed either way', async () => {
      for (const words of [
        ['--cap', 'run.calls=4'],
        ['--max-calls', '4'],
      ]) {
        const { out } = await demo().run('optimize', skill, ...words, '--json');
        assert.equal(z.object({ calls: z.number() }).parse(JSON.parse(out)).calls, 4);
      }
    });

    it('say what they kept a run from doing', async function () {
      const early = await demo().run('optimize', skill, '--cap', 'run.calls=30');
      assert.match(
        early.out,
        /^Training was cut off after 1 of 4 steps; the rest was skipped\. The next call .* cap of 30 calls/m,
      );
      if (process.env['WHETSTONE_FULL'] !== '1') return; // whole runs
      const whole = await demo().run('optimize', skill, '--json');
      const { calls } = z.object({ calls: z.number() }).parse(JSON.parse(whole.out));
      const late = await demo().run('optimize', skill, '--cap', `run.calls=${calls - 1}`);
      assert.match(late.out, /improved/);
      assert.match(late.out, /^The sealed tasks were skipped\. The next call /m);
    });

    it('of a day end a run, and say which', async () => {
      const { code, out } = await demo().run('optimize', skill, '--cap', 'day.calls=3', '--json');
      assert.equal(code, 1, 'the skill as it is has no score yet');
      const { calls, verdict } = z
        .object({ calls: z.number(), verdict: z.object({ reason: z.string() }) })
        .parse(JSON.parse(out));
      assert.equal(calls, 3);
      assert.match(verdict.reason, /cap of 3 calls for this day/);
    });
  });

  describe('prices', () => {
    it('are read as dollars in and out', () =>
      assert.deepEqual(readPrices(['m=0.5/1.5', 'a/b:c=0/2']), {
        m: { input: 0.5, output: 1.5 },
        'a/b:c': { input: 0, output: 2 },
      }));

    for (const wrong of ['m', 'm=1', 'm=1/x', '=1/2'])
      it(`refuse “${wrong}”`, () => assert.throws(() => readPrices([wrong]), { code: 'usage' }));

    it('that nobody knows are said to be unknown: tokens are counted, money is not', async () => {
      const { out } = await dryRun('openrouter/some/model', []);
      assert.match(out, /at most [\d,]+ calls, [\d,]+ tokens, price unknown/);
      assert.match(out, /The price of openrouter\/some\/model is not known: tokens are counted, money is not\./);
    });

    it('that nobody knows cannot hold a cap in USD, which is said before the run', async () => {
      const { out } = await dryRun('openrouter/some/model', ['--cap', 'day.usd=1']);
      assert.match(out, /The cap in USD cannot hold for openrouter\/some\/model, whose price is not known\./);
      assert.match(out, /State its price \(whetstone\.model\.prices, or --price\), or cap tokens\./);
      const { out: uncapped } = await dryRun('openrouter/some/model', ['--cap', 'day.tokens=1000']);
      assert.doesNotMatch(uncapped, /cap in USD/);
    });

    it('of a model on this machine are nobody’s guess, which is said with what holds the run instead', async () => {
      const { out } = await dryRun('ollama/llama3.2', ['--cap', 'run.usd=1']);
      const said =
        /The price of ollama\/llama3\.2, which answers on this machine, is not known: the run is capped at \d+/;
      assert.match(out, said);
      assert.match(out, /The cap in USD cannot hold for ollama\/llama3\.2, whose price is not known\./);
      const { out: stated } = await dryRun('ollama/llama3.2', ['--cap', 'run.usd=1', '--price', 'llama3.2=0/0']);
      assert.doesNotMatch(stated, /is not known|cap in USD/);
    });

    it('are followed by what ends a run on a dead server', async () => {
      const { out } = await dryRun('openrouter/some/model', []);
      assert.match(
        out,
        /once the server gives no answer for 20 minutes, or for 3 minutes in which 40 calls fail; what was answered is kept/,
      );
    });

    it('of the table come with their day and their source', async () => {
      const { out } = await dryRun('openrouter/openai/gpt-4o-mini', []);
      assert.match(out, /0\.15 USD in, 0\.6 USD out a million tokens \(\d{4}-\d{2}-\d{2}, second-hand: \S+/);
    });

    it('that the person states win, and money is counted', async () => {
      const { out } = await dryRun('openrouter/some/model', ['--price', 'some/model=100/200']);
      assert.match(out, /100 USD in, 200 USD out a million tokens \(your settings\)/);
      assert.match(out, /Usually about .* tokens, \d+\.\d\d USD; at most .* \d+\.\d\d USD\./);
    });

    it('that the person states are what a run costs', async () => {
      const server = await answering();
      const words = [
        'evaluate',
        skill,
        '--model',
        `${server.baseUrl}#m`,
        '--compare',
        `${server.baseUrl}#n`,
        '--json',
        '--yes',
      ];
      const { out } = await demo().run(...words, '--price', 'm=1000000/0');
      const { models } = z
        .object({ models: z.array(z.object({ usd: z.number().nullable(), calls: z.number(), tokens: z.number() })) })
        .parse(JSON.parse(out));
      assert.equal(models[0]?.usd, 7000 * (models[0]?.calls ?? 0), 'seven thousand tokens in, at a dollar each');
      assert.equal(models[1]?.usd, null, 'what a server on this machine costs is the person’s to say');
    });
  });

  describe('before a run', () => {
    let once: ReturnType<typeof trained> | undefined;

    it('the minutes are told from low to high, as a guess first and as earlier runs went later', async () => {
      const { shell, first } = await (once ??= trained());
      assert.match(first.out, /(?:Less than a minute|Up to \d+ minutes|About \d+ to \d+ minutes)\. By a guess/);
      const second = await shell.run('optimize', skill, '--dry-run', '--json');
      const { minutes } = z
        .object({ minutes: z.object({ low: z.number(), high: z.number(), measured: z.boolean() }) })
        .parse(JSON.parse(second.out));
      assert.equal(minutes.measured, true);
      assert.ok(minutes.low > 0 && minutes.low < minutes.high);
    });

    it('tasks that are left out and secrets in tasks are told, also where nobody asked for it first', async () => {
      const shell = demo();
      const evals = path.join(shell.folder, skill, 'evals');
      const secret = `ghp_${'a1B2c3'.repeat(6)}`;
      const text = readFileSync(path.join(evals, 'evals.json'), 'utf8');
      writeFileSync(path.join(evals, 'evals.json'), text.replaceAll('"prompt": "', `"prompt": "Use ${secret}. `));
      const rules = readFileSync(path.join(evals, 'whetstone.json'), 'utf8');
      writeFileSync(path.join(evals, 'whetstone.json'), rules.replace(/"check": "\w+"/, '"check": "nope"'));
      const { err } = await shell.run('optimize', skill, '--preset', 'quick', '--max-calls', '1');
      assert.match(err, /Tasks with an error are left out\. .*nope/);
      assert.match(err, /The tasks hold what looks like \d+ secrets \(github-token\); placeholders are sent instead\./);
      assert.ok(!err.includes(secret));
    });

    it('the address that requests go to is named, and none for the simulated model', async () => {
      const shell = demo();
      const far = await shell.run('optimize', skill, '--dry-run', '--model', 'https://models.example.org/v1#m');
      assert.match(far.out, /^Requests go to https:\/\/models\.example\.org\/v1\.$/m);
      assert.doesNotMatch((await shell.run('optimize', skill, '--dry-run')).out, /Requests go to/);
    });

    it('another target than last time is said: learnt text may not carry over', async () => {
      const { shell } = await (once ??= trained());
      const again = await shell.run('optimize', skill, '--dry-run');
      assert.doesNotMatch(again.out, /may not carry over/);
      const other = ['--target', 'http://127.0.0.1:59999/v1#other', '--model', 'simulated'];
      const changed = await shell.run('optimize', skill, '--dry-run', ...other);
      assert.match(
        changed.out,
        /had the target simulated-1 \(simulated\), this one has custom\/other: learnt text may not/,
      );
    });
  });

  it('say how many calls failed and were made again', async () => {
    const server = await startSimulatedServer({ port: 0, faults: { rate500: 0.3 } });
    try {
      const words = ['optimize', skill, '--preset', 'quick', '--model', `${server.url}#simulated-1`];
      const { out } = await demo().run(...words, '--max-calls', '12');
      assert.match(
        out,
        /^\d+ model calls, .* \d+ of them failed and were made again .* none was taken for a score\.$/m,
      );
    } finally {
      await server.stop();
    }
  });

  describe('doctor', () => {
    it('looks at the address, the list, a tiny call and structured output, and reports it without secrets', async () => {
      const server = await answering();
      process.env['WHETSTONE_API_KEY'] = 'sk-planted-key-in-the-environment';
      try {
        const words = ['doctor', skill, '--model', `${server.baseUrl}#m`];
        const { out, code } = await demo().run(...words, '--report');
        assert.match(out, /# Whetstone doctor\n\nWhetstone 0\.0\.0, Node\.js v\d+/);
        for (const line of [
          `✓ address: ${server.baseUrl}`,
          '✓ surroundings: The server and Whetstone run on the same machine.',
          '✓ key: An API key is set.',
          '✓ model listed: “m” is listed.',
          '✓ tiny call: Answered in ',
          '✓ structured output: ',
        ]) {
          assert.ok(out.includes(line), `${line}\n---\n${out}`);
        }
        assert.equal(code, 0, out);
        assert.ok(!out.includes('sk-planted'));
      } finally {
        delete process.env['WHETSTONE_API_KEY'];
      }
    });

    it('tells the cure of what is wrong, and ends with 1', async () => {
      const { out, code } = await demo().run('doctor', skill, '--model', 'http://127.0.0.1:59999/v1#m');
      assert.equal(code, 1);
      assert.match(out, /✗ reachable: .*ECONNREFUSED.*\n {4}Check the address/);
    });

    it('pays for what it asks: a cap holds for it too', async () => {
      const server = await answering();
      const { out, code } = await demo().run(
        'doctor',
        skill,
        '--model',
        `${server.baseUrl}#m`,
        '--cap',
        'day.tokens=10',
      );
      assert.equal(code, 1);
      assert.match(
        out,
        /✗ tiny call: The next call to m may take up to [\d,]+ tokens and pass the cap of 10 tokens for this day/,
      );
      assert.ok(server.requests.every(({ method }) => method === 'GET'));
    });
  });

  /** What was told before the first run, and where that was made. */
  async function trained() {
    const shell = demo();
    const first = await shell.run('optimize', skill, '--dry-run');
    await shell.run('optimize', skill, '--preset', 'quick');
    return { shell, first };
  }

  async function dryRun(model: string, more: readonly string[]): ReturnType<CommandLine['run']> {
    process.env['OPENROUTER_API_KEY'] ??= 'sk-or-planted';
    return demo().run('optimize', skill, '--dry-run', '--model', model, ...more);
  }

  function demo(): CommandLine {
    const shell = aCommandLine({ copy: 'media/demo' });
    shells.push(shell);
    const inside = path.join(shell.folder, skill);
    return { ...shell, run: (...words) => shell.run(...words.map((word) => (word === skill ? inside : word))) };
  }

  async function answering(): Promise<ChatServer> {
    const usage = { prompt_tokens: 7000, completion_tokens: 300 };
    const answer = stream({ deltas: [{ content: '{"blue":true}' }], usage });
    const server = (await ChatServer.start({ withList: true })).answers((response, request) =>
      request.method === 'GET' ? json(200, { data: [{ id: 'm' }] })(response, request) : answer(response, request),
    );
    servers.push(server);
    return server;
  }
});
