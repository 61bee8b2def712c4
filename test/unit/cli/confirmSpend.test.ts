import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { aCommandLine, type CommandLine, type CommandResult } from '../../builders/commandLine.js';
import { ChatServer, stream } from '../../fakes/ChatServer.js';
import { few } from '../../builders/few.js';

const skill = '.claude/skills/incident-summary';

describe('before money, or more than two minutes, are at stake', () => {
  const opened: CommandLine[] = [];
  let server: ChatServer;
  before(async () => {
    server = (await ChatServer.start()).answers(stream({ usage: { prompt_tokens: 10, completion_tokens: 3 } }));
  });
  after(async () => {
    opened.forEach((each) => each.dispose());
    await server.stop();
  });

  const demo = (answers?: readonly string[]): CommandLine => {
    const line = aCommandLine({ copy: path.resolve('media/demo'), answers });
    opened.push(line);
    return line;
  };
  const model = (): readonly string[] => ['--model', `${server.baseUrl}#m`, '--price', 'm=1/2'];
  const bound = /usually \d+\.\d\d USD, at most \d+\.\d\d USD · (?:usually [\d,]+, )?at most [\d,]+ calls/;

  for (const name of few(['optimize', 'evaluate'])) {
    it(`${name} prints the bound and begins nothing where nobody is there to agree`, async () => {
      const asked = server.requests.length;
      const { code, err } = await ask(demo(), name, ...model());
      assert.equal(code, 2);
      assert.match(err, bound);
      assert.match(err, /Nothing was begun: nobody is at the terminal.*Add --yes, or a cap/);
      assert.equal(server.requests.length, asked);
    });

    for (const words of few([['--yes'], ['--cap', 'run.calls=3']])) {
      it(`${name} goes on with ${words.join(' ')}, and the bound is no higher than the cap`, async () => {
        const { err } = await ask(demo(), name, ...model(), '--cap', 'run.calls=3', ...words);
        assert.doesNotMatch(err, /Nothing was begun/);
        assert.match(err, /at most 3 calls/);
      });
    }

    it(`${name} takes a cap of the workspace's own file for no yes, and holds the run to it all the same`, async () => {
      const asked = server.requests.length;
      const line = demo();
      mkdirSync(path.join(line.folder, '.whetstone'), { recursive: true });
      writeFileSync(path.join(line.folder, '.whetstone/base.yaml'), 'caps: {calls: 7, usd: 100000}\n');
      const skills = `skills: {.claude/skills/incident-summary: {caps: {tokens: 9000000}}}`;
      writeFileSync(path.join(line.folder, '.whetstone/config.yaml'), `_base_: ./base.yaml\n${skills}\n`);
      const { code, err } = await ask(line, name, ...model());
      assert.equal(code, 2, err);
      assert.match(err, /at most 7 calls/);
      assert.match(err, /Nothing was begun: nobody is at the terminal.*caps in files of the workspace are no yes/);
      assert.equal(posted(server.requests.slice(asked)), 0);
      const own = await ask(line, name, ...model(), '--cap', 'run.calls=2');
      assert.doesNotMatch(own.err, /Nothing was begun/);
      assert.match(own.err, /at most 2 calls/);
    });

    it(`${name} asks on a terminal, and no is the answer to anything but yes`, async () => {
      const asked = server.requests.length;
      const { code, err } = await ask(demo(['']), name, ...model());
      assert.equal(code, 2);
      assert.match(err, /Go on\? \(y\/N\)/);
      assert.equal(server.requests.length, asked);
      const went = await ask(demo(['y']), name, ...model(), '--cap', 'run.calls=3');
      assert.doesNotMatch(went.err, /Nothing was begun/);
      assert.ok(server.requests.length > asked);
    });
  }

  describe('tasks draft', () => {
    it('prints the bound and begins nothing where nobody is there to agree', async () => {
      const asked = server.requests.length;
      const { code, err } = await draft(demo(), ...model());
      assert.equal(code, 2);
      assert.match(err, /^usually \d+\.\d+ USD, at most \d+\.\d\d USD · usually 1, at most 2 calls · /m);
      assert.match(err, /Nothing was begun: nobody is at the terminal/);
      assert.equal(posted(server.requests.slice(asked)), 0);
    });

    it('asks on a terminal, and goes on with a yes or with --yes', async () => {
      const asked = server.requests.length;
      assert.match((await draft(demo(['']), ...model())).err, /Go on\? \(y\/N\) .*Nothing was begun/s);
      assert.equal(posted(server.requests.slice(asked)), 0);
      assert.doesNotMatch((await draft(demo(['y']), ...model())).err, /Nothing was begun/);
      assert.doesNotMatch((await draft(demo(), ...model(), '--yes')).err, /Nothing was begun/);
      assert.ok(posted(server.requests.slice(asked)) >= 2);
    });

    it('is held by the caps of a run', async () => {
      const asked = server.requests.length;
      const { err } = await draft(demo(), ...model(), '--cap', 'run.usd=0.001');
      assert.match(err, /Caps: 0\.001 USD a run\.$/m);
      assert.match(err, /pass the cap of 0\.001 USD for this run/);
      assert.equal(posted(server.requests.slice(asked)), 0);
    });

    it('is held to its calls where nobody knows the price, and says so', async () => {
      const { err } = await draft(demo(), '--model', `${server.baseUrl}#m`, '--yes');
      assert.match(err, /^price not known · usually 1, at most 2 calls · /m);
      assert.match(err, /^No cap of your own is set\.$/m);
      assert.match(err, /is not known: the run is capped at 2 calls\./);
    });

    it('asks nothing on the simulated model', async () => {
      const { code, err } = await draft(demo(), '--count', '1');
      assert.equal(code, 0, err);
      assert.doesNotMatch(err, /calls/);
    });
  });

  it('evaluate --compare prints what both models take together, asks once, and begins neither without a yes', async () => {
    const asked = server.requests.length;
    const both = [...model(), '--price', 'n=10/20', '--compare', `${server.baseUrl}#n`];
    const { code, err } = await ask(demo(['']), 'evaluate', ...both);
    assert.equal(code, 2);
    const most = (line: string): number =>
      Number(new RegExp(`^${line}: .*at most (\\d+\\.\\d\\d) USD`, 'm').exec(err)?.[1]);
    const [first, second, sum] = [most('custom/m'), most('custom/n'), most('Both together')];
    assert.ok(second > first && Math.abs(sum - first - second) < 0.02, err);
    assert.equal(err.match(/Go on\?/g)?.length, 1);
    assert.equal(posted(server.requests.slice(asked)), 0);
    const went = await ask(demo(['y']), 'evaluate', ...both, '--cap', 'run.calls=3');
    assert.equal(went.err.match(/Go on\?/g)?.length, 1, went.err);
    assert.match(went.err, /^Both together: .*at most 6 calls/m);
  });

  const unpriced = (): readonly string[] => ['--model', `${server.baseUrl}#m`];

  for (const cap of ['run.usd=0.05', 'day.usd=1', 'run.minutes=5']) {
    it(`where nobody knows the price, --cap ${cap} is no consent: it cannot hold`, async () => {
      const asked = server.requests.length;
      const { code, err } = await ask(demo(), 'optimize', ...unpriced(), '--cap', cap);
      assert.equal(code, 2);
      assert.match(
        err,
        /Nothing was begun: nobody is at the terminal.*Add --yes, or a cap such as --cap run\.calls=200\./,
      );
      assert.equal(posted(server.requests.slice(asked)), 0);
    });
  }

  it('says of a cap in minutes that it is not enough before the price is known, and how that is said', async () => {
    const environment = { OLLAMA_HOST: new URL(server.baseUrl).host };
    const line = aCommandLine({ copy: path.resolve('media/demo'), environment });
    opened.push(line);
    const { err } = await ask(line, 'optimize', '--model', 'ollama/m', '--cap', 'run.minutes=5');
    assert.match(err, /a cap in minutes is not enough, for the price is not known\. Add --yes/);
    assert.match(err, /If it costs nothing, “whetstone price <model> free” says so, and a cap in minutes is enough\./);
  });

  it('says of a cap in dollars that it cannot hold, where that is why nothing was begun', async () => {
    const { err } = await ask(demo(), 'optimize', ...unpriced(), '--cap', 'run.usd=0.05');
    assert.match(err, /a cap in dollars cannot hold, for the price is not known\. Add --yes/);
    assert.doesNotMatch((await ask(demo(), 'optimize', ...unpriced())).err, /cannot hold/);
  });

  for (const cap of ['run.calls=3', 'run.tokens=2000']) {
    it(`where nobody knows the price, --cap ${cap} is consent`, async () => {
      const { err } = await ask(demo(), 'optimize', ...unpriced(), '--cap', cap);
      assert.doesNotMatch(err, /Nothing was begun/);
    });
  }

  it('names a cap that would hold to a person who says no, too', async () => {
    const { err } = await ask(demo(['?', '']), 'optimize', ...unpriced());
    assert.match(err, /Nothing was begun\. Set a cap, such as --cap run\.calls=200/);
  });

  it('says one number where the run is held to its calls, and nothing of repeats: they are among them', async () => {
    const { err } = await ask(demo(), 'optimize', ...unpriced());
    const [, most = ''] = /at most ([\d,]+) calls/.exec(err) ?? [];
    assert.match(err, /^No cap of your own is set\.$/m);
    assert.doesNotMatch(err, /come on top/);
    const { out } = await ask(demo(), 'optimize', ...unpriced(), '--dry-run');
    assert.ok(out.includes(`is not known: the run is capped at ${most} calls.`), out);
    assert.equal(out.match(/capped|held to/g)?.length, 1, out);
    assert.doesNotMatch(out, /come on top|No cap is set/);
  });

  it('holds calls and minutes to a cap in calls, everywhere alike', async () => {
    const { out } = await ask(demo(), 'optimize', ...unpriced(), '--cap', 'run.calls=10', '--dry-run');
    assert.match(out, /^price not known · at most 10 calls · (?:usually [^·]*, )?at most [1-4] min$/m);
    assert.match(out, /^Caps: 10 calls a run\.$/m);
    assert.match(out, /is not known\.$/m);
    assert.doesNotMatch(out, /capped/, 'the cap is said once');
    assert.doesNotMatch(out, /come on top/);
    const above = await ask(demo(), 'optimize', ...unpriced(), '--cap', 'run.calls=90000', '--dry-run');
    const [, most = ''] = /^Caps: ([\d,]+) calls a run\.$/m.exec(above.out) ?? [];
    assert.ok(above.out.includes(`the run is capped at ${most} calls.`), 'the smaller of both holds');
    const wide = await ask(demo(), 'optimize', ...model(), '--cap', 'run.calls=90000', '--dry-run');
    assert.match(wide.out, /come on top/, 'a cap that is above the bound leaves room for them');
  });

  it('names each stage that spends with its calls, and no other', async () => {
    const trains = ['attempts at training tasks', 'reflection', 'the choice among candidates on held-out tasks'];
    const ends = ['what each edit is worth', 'the proof on held-out tasks', 'sealed tasks'];
    const stages = ['--preset', 'paper', '--set', 'reflect.skillAware=true', '--set', 'edits.control=autonomous'];
    const turnedOn = [
      'deciding how many edits a step takes',
      'joining reminders',
      'the slow update',
      'the optimizer’s notes',
    ];
    const rewrites = ['--preset', 'quick', '--set', 'edits.mode=rewrite_from_suggestions'];
    const front = ['--preset', 'quick', '--set', 'choice.measures=score,skill-tokens'];
    const table: readonly (readonly [options: readonly string[], named: readonly string[]])[] = [
      [stages, [...trains, ...turnedOn, ...ends]],
      [rewrites, [...trains, 'rewriting the skill', ...ends]],
      [front, ['attempts at training tasks, which also choose among candidates,', 'reflection', ...ends]],
      [
        ['--preset', 'quick', '--set', 'gate.rule=off'],
        ['attempts at training tasks', 'reflection'],
      ],
    ];
    for (const [options, named] of table) {
      const { out } = await ask(demo(), 'optimize', ...model(), ...options, '--dry-run');
      const [, line = ''] = /^Of these calls: (.*)\.$/m.exec(out) ?? [];
      const parts = line.split('; ').map((part) => part.replace(/ (?:usually [\d,]+, )?at most [\d,]+$/u, ''));
      assert.deepEqual(parts, named, out);
      const most = [...line.matchAll(/at most ([\d,]+)/gu)].map(([, many = '']) => Number(many.replaceAll(',', '')));
      const whole = Number(/at most ([\d,]+) calls,/u.exec(out)?.[1]?.replaceAll(',', ''));
      const sum = most.reduce((all, each) => all + each, 0);
      assert.ok(sum >= whole && sum < whole + most.length, `${sum} of ${whole}: ${out}`);
    }
  });

  it('names no stage with more calls than the run is held to', async () => {
    const { out } = await ask(demo(), 'optimize', ...model(), '--cap', 'run.calls=10', '--dry-run');
    const [, line = ''] = /^Of these calls: (.*)\.$/m.exec(out) ?? [];
    const figures = [...line.matchAll(/\d[\d,]*/gu)].map(([many]) => Number(many.replaceAll(',', '')));
    assert.ok(figures.length > 6 && figures.every((many) => many <= 10), line);
  });

  const without: readonly (readonly [words: readonly string[], says: RegExp | undefined])[] = [
    [
      ['--preset', 'standard', '--set', 'edits.scope=learned'],
      /slowUpdate\.on has no effect with edits\.scope=learned/,
    ],
    [['--preset', 'quick', '--set', 'slowUpdate.on=true'], /slowUpdate\.on has no effect in a run of one epoch/],
    [['--preset', 'quick', '--set', 'metaSkill.on=true'], /metaSkill\.on has no effect in a run of one epoch/],
    [
      ['--set', 'edits.control=autonomous', '--set', 'edits.mode=full_rewrite_minibatch'],
      /edits\.control=autonomous has no effect with edits\.mode=full_rewrite_minibatch/,
    ],
    [['--preset', 'standard', '--set', 'train.epochs=1'], undefined],
  ];
  for (const [words, says] of without) {
    it(`${says === undefined ? 'says nothing of' : 'says what is without effect in'} ${words.join(' ')}`, async () => {
      const { out } = await ask(demo(), 'optimize', ...model(), ...words, '--dry-run');
      if (says === undefined) assert.doesNotMatch(out, /has no effect/);
      else assert.match(out, says);
      assert.doesNotMatch(out, /deciding how many edits/);
    });
  }

  for (const setting of [
    'choice.measures=3',
    'train=3',
    'choice.measures=skill-tokens',
    'choice.rule=shortest-not-worse',
  ])
    it(`--set ${setting} is refused as bad usage is`, async () => {
      const { code, err } = await ask(demo(), 'optimize', '--set', setting);
      assert.equal(code, 2, err);
      assert.doesNotMatch(err, /Invalid input|expected/);
    });

  it('check prints the bound and goes on', async () => {
    const { err } = await ask(demo(), 'check', ...model(), '--cap', 'run.calls=2');
    assert.match(err, /at most 2 calls/);
    assert.doesNotMatch(err, /Nothing was begun|Go on\?/);
  });

  it('a night says what it may take and begins nothing where nobody is there to agree', async () => {
    const asked = server.requests.length;
    const line = demo();
    mkdirSync(path.join(line.folder, '.whetstone'), { recursive: true });
    writeFileSync(path.join(line.folder, '.whetstone/config.yaml'), 'caps: {usd: 100000}\n');
    const { code, err } = await ask(line, 'night', ...model());
    assert.equal(code, 2, err);
    assert.match(err, bound);
    assert.match(err, /Nothing was begun: nobody is at the terminal.*Add --yes, or a cap/);
    const turnedDown = await ask(demo(['']), 'night', ...model());
    assert.match(turnedDown.err, /Go on\? \(y\/N\) .*Nothing was begun/s);
    assert.equal(posted(server.requests.slice(asked)), 0);
    const went = await ask(line, 'night', ...model(), '--set', 'caps.calls=1', '--yes');
    assert.doesNotMatch(went.err, /Nothing was begun|Go on\?/);
    assert.match(went.err, /Caps: .*1 calls a run/);
  });

  it('nobody is asked about a night under a cap of their own, nor about the simulated model, however long it takes', async () => {
    const night = await ask(demo(), 'night', ...model(), '--cap', 'run.calls=2');
    assert.doesNotMatch(night.err, /Nothing was begun|Go on\?/);
    const free = await ask(demo(), 'night', '--model', 'simulated', '--cap', 'run.calls=2');
    assert.doesNotMatch(free.err, /at most|Nothing was begun/);
    const { code, err } = await ask(demo(), 'evaluate', '--model', 'simulated', '--set', 'judge.repeats=3');
    assert.equal(code, 0, err);
    assert.doesNotMatch(err, /at most/);
  });
});

/** A server may be asked what models it has, which costs nothing. */
function posted(requests: ChatServer['requests']): number {
  return requests.filter(({ method }) => method === 'POST').length;
}

function draft(line: CommandLine, ...words: readonly string[]): Promise<CommandResult> {
  return line.run('tasks', 'draft', path.join(line.folder, skill), ...words);
}

function ask(line: CommandLine, name: string, ...words: readonly string[]): Promise<CommandResult> {
  return line.run(name, path.join(line.folder, skill), ...words);
}
