import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RegisteredEnvironment } from '../../../../src/ports/environment.js';
import { nodeClock } from '../../../../src/storage/files/nodeAdapters.js';
import { askedOnce } from '../../../../src/app/runs/runContextFor.js';
import { createUseCases, type UseCases } from '../../../../src/app/useCases.js';
import type { EvaluationResult } from '../../../../src/app/runs/evaluate.js';
import type { RunRequest } from '../../../../src/app/runs/runStart.js';
import type { World } from '../../../../src/app/world.js';
import { aMachine, neverAborted, scrapMachines, type Machine } from '../../../builders/storage.js';
import { anAnswer } from '../../../builders/anAnswer.js';
import { aWhetstoneFile } from '../../../builders/aSkillFolder.js';
import { ScriptedModel } from '../../../fakes/ScriptedModel.js';
import { worldSandbox } from '../../../builders/aSandbox.js';

after(scrapMachines);

const program = { command: 'python3', arguments: ['env.py'], folder: 'evals/env' };
const script =
  'import json,sys\nt=json.loads(sys.stdin.readline())["task"]\nprint(json.dumps({"id":t["id"],"hard":1,"soft":1}))\n';
const oneTask = { evals: [{ id: 'one', prompt: 'Greet Ada', expectations: ['It greets.'] }] };

describe('the environments of a run', () => {
  it('never send what a link leads to outside the skill', async () => {
    const bench = await aBench({ 'evals/evals.json': withFiles(['evals/key.txt']) });
    writeFileSync(path.join(bench.machine.folder, 'secret.txt'), 'the key');
    symlinkSync(path.join(bench.machine.folder, 'secret.txt'), path.join(bench.folder, 'evals/key.txt'));
    const [task] = (await bench.evaluate()).tasks;
    assert.match(task?.invalid ?? '', /a link leads out of the folder of the skill/);
    assert.equal(bench.target.requests.length, 0);
  });

  it('do not end over a fixture that is a folder', async () => {
    const bench = await aBench({ 'evals/evals.json': withFiles(['evals']) });
    assert.match(
      (await bench.evaluate()).tasks[0]?.invalid ?? '',
      /The fixture “evals” of the task “one” is a folder, and a file is needed\. Name each of its files\./,
    );
  });

  it('keep tasks out whose fixtures no model that only reads can be shown, and say so on their lines', async () => {
    const half = 'x'.repeat(40 * 1024);
    const list = [
      { id: 'binary', files: ['evals/a.bin'] },
      { id: 'large', files: ['evals/large.txt'] },
      { id: 'together', files: ['evals/half.txt', 'evals/other.txt', 'evals/small.txt'] },
      { id: 'fits', files: ['evals/half.txt', 'evals/small.txt'] },
      { id: 'program', files: ['evals/a.bin', 'evals/large.txt'] },
    ];
    const evals = list.map((task) => ({ prompt: `Read ${task.files.join(' and ')}`, expectations: ['x'], ...task }));
    const bench = await aBench({
      'evals/evals.json': { evals },
      'evals/whetstone.json': aWhetstoneFile(
        { program: { environment: 'snake' } },
        { environments: { snake: program } },
      ),
      'evals/a.bin': 'a\u0000b',
      'evals/large.txt': half + half,
      'evals/half.txt': half,
      'evals/other.txt': half,
      'evals/small.txt': 'y',
    });
    const { tasks } = await bench.overview();
    assert.deepEqual(
      tasks?.broken.map(({ reason }) => reason),
      [
        'The fixture “evals/a.bin” is not UTF-8 text: the task “binary” needs a program of its own, declared under “environments” in evals/whetstone.json and named in the task.',
        'The fixture “evals/large.txt” is over 64 KB: the task “large” needs a program of its own, declared under “environments” in evals/whetstone.json and named in the task.',
        'With “evals/other.txt” the fixtures are over 64 KB: the task “together” needs a program of its own, declared under “environments” in evals/whetstone.json and named in the task.',
      ],
    );
    assert.equal(tasks?.problems.filter(({ code }) => code === 'fixture-unusable').length, 3);
  });

  it('refuse a task whose environment is declared with an error, and say which', async () => {
    const file = aWhetstoneFile({ one: { environment: 'post' } });
    const environments = { post: { command: 'post', reads: 'x' } };
    const bench = await aBench({ 'evals/whetstone.json': JSON.stringify({ ...file, environments }) });
    await assert.rejects(bench.evaluate(), {
      message: /“post” has an error\. “environments\.post\.reads”: must be a list/,
      cure: /Correct it in evals\/whetstone\.json/,
    });
  });

  it('refuse a task of an environment that nobody brings, and say what is known', async () => {
    const bench = await aBench({ 'evals/whetstone.json': aWhetstoneFile({ one: { environment: 'moon' } }) });
    await assert.rejects(bench.evaluate(), /The task one asks for the environment “moon”, which is not known here/);
    const { unfinished, runs } = await bench.overview();
    assert.deepEqual(
      [unfinished.length, runs.map(({ outcome }) => outcome)],
      [0, ['failed']],
      'no run is left to go on',
    );
  });

  it('are not asked for by drafts and disabled tasks', async () => {
    const evals = { evals: [...oneTask.evals, { id: 'two', prompt: 'Wave', expectations: ['x'] }] };
    const bench = await aBench({
      'evals/evals.json': evals,
      'evals/whetstone.json': aWhetstoneFile({ two: { environment: 'moon', enabled: false } }),
    });
    assert.deepEqual(
      (await bench.evaluate()).tasks.map(({ id }) => id),
      ['one'],
    );
  });

  it('refuse a declared program that takes one of our names', async () => {
    const bench = await aBench({
      'evals/whetstone.json': aWhetstoneFile({}, { environments: { chat: program } }),
    });
    await assert.rejects(bench.evaluate(), /Two environments are named “chat”/);
  });

  it('call every attempt of a program invalid whose folder is not there, and go on with the others', async () => {
    const gone = { ...program, folder: 'evals/gone' };
    const evals = { evals: [...oneTask.evals, { id: 'two', prompt: 'Wave to the ferry', expectations: ['x'] }] };
    const bench = await aBench(
      {
        'evals/evals.json': evals,
        'evals/whetstone.json': aWhetstoneFile({ two: { environment: 'snake' } }, { environments: { snake: gone } }),
      },
      { consent: { allows: () => Promise.resolve(true) } },
    );
    const { tasks } = await bench.evaluate();
    assert.deepEqual(
      tasks.map(({ id, hard, invalid }) => [
        id,
        hard,
        invalid?.replace(/(started: The folder) .*(evals.gone) .*/u, '$1 $2'),
      ]),
      [
        ['one', 1, undefined],
        ['two', undefined, 'The program could not be started: The folder evals/gone'],
      ],
    );
  });

  it('refuse a program whose folder could lie outside the skill', async () => {
    for (const folder of ['../..', '/etc', '~/x', 'C:\\x']) {
      const environments = { snake: { ...program, folder } };
      const bench = await aBench({
        'evals/whetstone.json': aWhetstoneFile({ one: { environment: 'snake' } }, { environments }),
      });
      const { tasks } = await bench.overview();
      assert.match(
        tasks?.problems.map(({ message }) => message).join() ?? '',
        /“environments\.snake\.folder”: must lie in the folder/,
      );
      await assert.rejects(bench.evaluate(), /“snake” has an error/);
    }
  });

  it('set a registered environment up once with its tasks, and call it by its name alone', async () => {
    const setups: (readonly string[])[] = [];
    const theirs: RegisteredEnvironment = {
      name: 'theirs',
      setup: async ({ tasks }) => void setups.push(tasks.map(({ id }) => id)),
      rollout: async () => anAnswer('hi', { scores: { hard: 1, soft: 1, reason: undefined } }),
    };
    const idle: RegisteredEnvironment = { ...theirs, name: 'idle', setup: () => Promise.reject(new Error('never')) };
    const bench = await aBench(
      { 'evals/whetstone.json': aWhetstoneFile({ one: { environment: 'theirs' } }) },
      { environments: () => [theirs, idle] },
    );
    assert.equal((await bench.evaluate()).tasks[0]?.hard, 1);
    assert.deepEqual(setups, [['one']]);
  });

  it('end a run whose environment cannot be set up, before anything is spent', async () => {
    const broken: RegisteredEnvironment = {
      name: 'theirs',
      setup: () => Promise.reject(new Error('no docker')),
      rollout: () => Promise.reject(new Error('never')),
    };
    const bench = await aBench(
      { 'evals/whetstone.json': aWhetstoneFile({ one: { environment: 'theirs' } }) },
      { environments: () => [broken] },
    );
    await assert.rejects(bench.evaluate(), /“theirs” could not be set up: no docker/);
  });
});

describe('the consent to run a program', () => {
  const declared = {
    'evals/env/env.py': script,
    'evals/evals.json': {
      evals: ['a', 'b', 'c', 'd'].map((id) => ({ id, prompt: `Do ${id} in its own way` })),
    },
    'evals/whetstone.json': aWhetstoneFile(
      Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { environment: 'snake' }])),
      { environments: { snake: program } },
    ),
  };

  it('is asked for once a run, whatever the answer, and a yes is remembered', async () => {
    const asked: string[] = [];
    let answer = false;
    const allows = async ({ what }: { readonly what: string }): Promise<boolean> => {
      asked.push(what);
      return answer;
    };
    const bench = await aBench(declared, { consent: { allows } });
    await assert.rejects(bench.evaluate(), /not allowed to run: “python3 env\.py”\. No model was asked/);
    assert.deepEqual(asked, ['python3 env.py']);
    answer = true;
    assert.equal((await bench.evaluate()).totals.all.hard, 1);
    assert.equal((await bench.evaluate()).totals.all.hard, 1);
    assert.equal(asked.length, 2);
  });

  it('is not asked for where a price is only shown, of a skill whose environment brings its tasks', async () => {
    const asked: string[] = [];
    const allows = ({ what }: { readonly what: string }): Promise<boolean> => {
      asked.push(what);
      return Promise.resolve(true);
    };
    const own = Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, { environment: 'snake' }]));
    const bringing = aWhetstoneFile(own, { environments: { snake: { ...program, brings: ['items'] } } });
    const bench = await aBench({ ...declared, 'evals/whetstone.json': bringing }, { consent: { allows } });
    await assert.rejects(bench.price({ startsNothing: true }), /“snake” brings the tasks/);
    assert.deepEqual(asked, []);
    await assert.rejects(bench.price({}), /“snake” brings its tasks, and gave none/);
    assert.deepEqual(asked, ['python3 env.py'], 'who wants to measure is asked');
  });

  it('is never asked for at night where it would be put to a person; what was allowed by day runs', async () => {
    const asked: string[] = [];
    const allows = async ({ what }: { readonly what: string }): Promise<boolean> => {
      asked.push(what);
      return true;
    };
    const bench = await aBench(declared, { consent: { allows }, interactive: true });
    assert.match(await bench.night(), /not allowed to run/);
    assert.deepEqual(asked, []);
    await bench.evaluate();
    assert.deepEqual(asked, ['python3 env.py']);
    assert.doesNotMatch(await bench.night(), /not allowed to run/);
    assert.equal(asked.length, 1);
  });

  it('is shared by all who ask at the same time', async () => {
    let questions = 0;
    const once = askedOnce({
      allows: async () => {
        questions += 1;
        return false;
      },
    });
    const request = { what: 'x', content: 'y' };
    assert.deepEqual(await Promise.all([once.allows(request, neverAborted), once.allows(request, neverAborted)]), [
      false,
      false,
    ]);
    await once.allows({ ...request, content: 'z' }, neverAborted);
    assert.equal(questions, 2);
  });
});

describe('the preflight', () => {
  const skill = '# S\n\nRun `scripts/sum.py`, read references/tone.md and [more](./references/more.md).\n';
  const files = {
    'SKILL.md': skill,
    'scripts/sum.py': 'x',
    'references/tone.md': '# Tone',
    'references/more.md': '# More',
  };

  it('names the files that the target cannot see', async () => {
    const { notes } = await (await aBench({ ...files, ...enough })).preflight();
    assert.ok(
      notes.includes(
        'The model cannot see the files that the skill points to: references/more.md, references/tone.md, scripts/sum.py. Set “inlineReferences” to show it the Markdown files.',
      ),
      notes.join('\n'),
    );
  });

  it('names the lines of the skill that hold what nobody sees', async () => {
    const { notes } = await (await aBench({ 'SKILL.md': '# S\n\nBe\u200b kind.\n', ...enough })).preflight();
    assert.match(notes.join('\n'), /^Line 3 holds U\+200B, which nobody sees and agents read\./);
  });

  it('says that edits may change code where the option allows it, and nothing otherwise', async () => {
    const bench = await aBench({ 'SKILL.md': '# S\n', ...enough });
    assert.deepEqual((await bench.preflight()).notes, []);
    const { notes } = await bench.preflight({ edits: { code: true } });
    assert.match(notes.join('\n'), /^The option edits\.code is on: edits may change the code that agents run\./);
  });

  it('names only those that are not inlined, where references are', async () => {
    const { notes } = await (await aBench({ ...files, ...enough })).preflight({ inlineReferences: true });
    assert.ok(
      notes.includes('The model cannot see the files that the skill points to: scripts/sum.py.'),
      notes.join('\n'),
    );
  });

  it('names what lies in a folder that the skill points to, and what it links to, but never its tasks', async () => {
    const text =
      '# S\n\nUse the programs in `scripts/`, see [the forms](FORMS.md#top), [a guide](docs/my%20guide.md), [us](https://x.org/a.md), [home](../home.md), [tasks](evals/evals.json) and [this](SKILL.md).\n';
    const more = { 'scripts/deep/run.sh': 'x', 'FORMS.md': 'x', 'docs/my guide.md': 'x' };
    const { notes } = await (await aBench({ ...files, ...enough, ...more, 'SKILL.md': text })).preflight();
    assert.deepEqual(notes, [
      'The model cannot see the files that the skill points to: FORMS.md, docs/my guide.md, scripts/deep/run.sh, scripts/sum.py. Set “inlineReferences” to show it the Markdown files.',
    ]);
  });

  it('names a dozen of many, and says how many more there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`scripts/s${at + 10}.py`, 'x']));
    const { notes } = await (
      await aBench({ ...enough, ...many, 'SKILL.md': '# S\n\nRun what is in scripts/.\n' })
    ).preflight();
    assert.match(notes.join(), /scripts\/s10\.py, .*scripts\/s21\.py, and 28 more\.$/);
  });

  it('says nothing of files that are not there', async () => {
    const { notes } = await (
      await aBench({ ...files, ...enough, 'SKILL.md': '# S\n\nRead references/none.md.\n' })
    ).preflight();
    assert.deepEqual(notes, []);
  });

  it('tells of programs whose spending nobody counts', async () => {
    const environments = { environments: { snake: program } };
    const tasks = Object.fromEntries(ids.map((id) => [id, { environment: 'snake' }]));
    const { notes } = await (
      await aBench({ ...files, ...enough, 'evals/whetstone.json': aWhetstoneFile(tasks, environments) })
    ).preflight();
    assert.deepEqual(notes, [
      'The tasks in “snake” are attempted by the program “python3 env.py”. What it spends is not counted here.',
      'Before the first call you are asked whether this may run: python3 env.py',
    ]);
  });

  it('shows the problems of the tasks, those of disk and split among them', async () => {
    const evals = {
      evals: [
        ...enough['evals/evals.json'].evals,
        { id: 'lost', prompt: 'Read', files: ['no.txt'], expectations: ['x'] },
      ],
    };
    const { problems } = await (await aBench({ ...files, 'evals/evals.json': evals })).preflight();
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['fixture-unusable', 'too-few-tasks'],
    );
  });
});

describe('inlined references', () => {
  it('are read by the target along with the skill', async () => {
    const bench = await aBench({ 'SKILL.md': '# S\n\nRead references/tone.md.\n', 'references/tone.md': 'Be calm.' });
    await bench.evaluate({ inlineReferences: true });
    assert.match(
      bench.target.requests[0]?.messages[0]?.content ?? '',
      /references\/tone\.md:\n```reference-\w+\nBe calm\.\n```/,
    );
    await bench.evaluate();
    assert.doesNotMatch(bench.target.requests.at(-1)?.messages[0]?.content ?? '', /Be calm/);
  });

  it('are refused where a link leads out of the skill', async () => {
    const bench = await aBench({ 'SKILL.md': '# S\n\nRead [more](tone.md).\n' });
    writeFileSync(path.join(bench.machine.folder, 'secret.md'), 'the key');
    symlinkSync(path.join(bench.machine.folder, 'secret.md'), path.join(bench.folder, 'tone.md'));
    await assert.rejects(bench.evaluate({ inlineReferences: true }), /tone\.md cannot be inlined: a link leads out/);
    assert.equal(bench.target.requests.length, 0);
  });

  it('are shown whole, as far as they fit into their tokens, and the preflight names the others', async () => {
    const bench = await aBench({
      'SKILL.md': '# S\n\nRead references/a.md, references/b.md and references/c.md.\n',
      'references/a.md': 'Be calm. '.repeat(20),
      'references/b.md': 'Be brief. '.repeat(4000),
      'references/c.md': 'Be kind. '.repeat(20),
      ...enough,
    });
    const options = { inlineReferences: true, referenceTokens: 100 };
    const { notes } = await bench.preflight(options);
    assert.deepEqual(notes, [
      'The model cannot see the files that the skill points to: references/b.md. Markdown files are shown as far as they fit into 100 tokens together: raise “referenceTokens” to show it more of them.',
    ]);
    await bench.evaluate(options);
    const read = bench.target.requests[0]?.messages[0]?.content ?? '';
    assert.match(read, /Be calm/);
    assert.match(read, /Be kind/);
    assert.doesNotMatch(read, /Be brief/);
  });

  it('count in what is announced', async () => {
    const bench = await aBench({
      'SKILL.md': '# S\n\nRead references/b.md.\n',
      'references/b.md': 'Be brief. '.repeat(4000),
      ...enough,
    });
    const [without, shown] = [await bench.preflight(), await bench.preflight({ inlineReferences: true })];
    assert.ok(shown.tokens.low > without.tokens.low + 4 * 10_000, `${without.tokens.low} ${shown.tokens.low}`);
    assert.ok(shown.tokens.high > without.tokens.high + 4 * 40_000);
  });
});

const ids = ['a', 'b', 'c', 'd'];
const enough = {
  'evals/evals.json': {
    evals: ids.map((id) => ({ id, prompt: `Do ${id} in its own way`, expectations: ['It is done.'] })),
  },
};

function withFiles(files: readonly string[]): object {
  return { evals: [{ ...oneTask.evals[0], files }] };
}

interface Bench {
  readonly machine: Machine;
  readonly folder: string;
  readonly target: ScriptedModel;
  evaluate(settings?: object): Promise<EvaluationResult>;
  preflight(settings?: object): ReturnType<UseCases['preflight']>;
  price(how: { readonly startsNothing?: boolean }): ReturnType<UseCases['measurePrice']>;
  overview(): ReturnType<UseCases['overview']>;
  /** What the night said about the skill. */
  night(): Promise<string>;
}

async function aBench(files: Readonly<Record<string, string | object>>, rest: Partial<World> = {}): Promise<Bench> {
  const machine = await aMachine();
  const folder = path.dirname(machine.skillPath);
  for (const [name, content] of Object.entries({ 'evals/evals.json': oneTask, ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const target = new ScriptedModel().when(() => true, 'hello');
  const judge = new ScriptedModel().when(() => true, '{"results":[{"index":0,"pass":true,"score":1,"reason":"ok"}]}');
  const useCases = createUseCases({
    environment: { PATH: process.env['PATH'] },
    platform: 'linux',
    home: machine.home,
    clock: nodeClock,
    models: async () => ({ target, optimizer: new ScriptedModel(), judge }),
    trusted: () => true,
    consent: { allows: () => Promise.resolve(false) },
    ...worldSandbox(undefined),
    caps: () => ({ day: {}, month: {} }),
    tell: () => undefined,
    ...rest,
  });
  const request = (settings: object): RunRequest => ({
    skillPath: machine.skillPath,
    workspaceFolders: [machine.workspace],
    preset: 'quick',
    settings: [{ ...settings }],
    purpose: 'optimize',
    trusted: true,
  });
  return {
    machine,
    folder,
    target,
    evaluate: (settings = {}) =>
      useCases.evaluate({ ...request(settings), withoutSkill: false }, () => undefined, neverAborted),
    preflight: (settings = {}) => useCases.preflight(request(settings), neverAborted),
    price: (how) => useCases.measurePrice({ ...request({}), ...how, after: 'Another text.' }, neverAborted),
    overview: () => useCases.overview(request({}), neverAborted),
    night: async () => {
      const { purpose: _purpose, skillPath, ...common } = request({});
      const wish = { ...common, skills: [skillPath], force: true, consent: 'given' as const };
      const { skills } = await useCases.night(wish, { began: () => undefined, observe: () => undefined }, neverAborted);
      return skills.map(({ reason }) => reason).join();
    },
  };
}
