import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startSimulatedServer } from '../../src/simulated/server/serveSimulated.js';
import { aCommandLine, snapshotOf, type CommandLine } from '../builders/commandLine.js';
import { few, inFull, isFull } from '../builders/few.js';

/** An environment in another language: an agent that does what its skill says, and judges itself. */
const script = `import json, sys

line = json.loads(sys.stdin.readline())
task, skill = line["task"], line["skill"] or ""
assert line["split"] in ("train", "val", "test") and line["phase"] and line["seed"] == 42

signed = "Kind regards" in skill
letter = "Dear customer, " + task["prompt"].lower()
if signed:
    letter += "\\n\\nKind regards"
print("writing a letter")
print(json.dumps({
    "id": task["id"],
    "hard": 1 if signed else 0.25,
    "reference_text": "signed",
    "soft": 1.0 if signed else 0.5,
    "fail_reason": "" if signed else "The answer ends with the line \\u201cKind regards\\u201d.",
    "conversation": [{"role": "user", "content": task["prompt"]},
                     {"role": "assistant", "content": letter}],
    "postage": "second class"}))
`;

/** Passes once the skill says how to sign, but for one task: that one passes before and then never ends. */
const hangsOnceSigned = `read -r line
id=\${line#*'"id":"'}; id=\${id%%'"'*}
case "$id $line" in
  't6 '*'Kind regards'*) exec sleep 60 ;;
  't6 '* | *'Kind regards'*) hard=1 ;;
  *) hard=0 ;;
esac
printf '{"id":"%s","hard":%s,"soft":%s,"fail_reason":"The answer ends with the line “Kind regards”."}\\n' "$id" $hard $hard
`;

const topics = ['a lost parcel', 'late delivery', 'a broken lamp', 'double billing', 'missing screws', 'wrong colour'];
const wishes = ['wants a refund', 'asks for a replacement', 'is angry about the hotline', 'thanks the driver'];

describe('a program environment in another language', function () {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('trains a skill from the command line, once the person has allowed it', async () => {
    const shell = aLetterSkill({ count: 12 });
    const before = snapshotOf(shell.folder);
    const rule = isFull ? [] : ['--set', 'gate.rule=strict'];
    const words = ['optimize', path.join(shell.folder, 'letters'), '--preset', 'quick', '--json', ...rule];

    const refused = await shell.run(...words);
    assert.match(
      refused.err,
      /Not allowed to run: python3 letters\.py\. Look at it in .*letters.evals.environment, then add --allow-programs/,
    );
    assert.equal(refused.err.split('Not allowed').length, 2, 'asked once, however many attempts wanted to know');
    assert.match(refused.err, /not allowed to run: “python3 letters\.py”\. No model was asked\..*--allow-programs/);
    assert.deepEqual([refused.code, refused.out], [2, '']);

    const trained = await shell.run(...words, '--allow-programs');
    assert.equal(trained.code, 0, trained.err);
    const result: TrainedJson = JSON.parse(trained.out);
    assert.equal(result.verdict.kind, 'accepted', trained.out);
    assert.deepEqual([result.before, result.after], [0, 1]);
    assert.match(result.edits.map(({ content }) => content).join('\n'), /Kind regards/);
    assert.deepEqual(snapshotOf(shell.folder), before, 'a run edits no file');
    const rows = (file: string): readonly Record<string, unknown>[] =>
      JSON.parse(readFileSync(path.join(shell.folder, '.whetstone/runs', result.run, file), 'utf8'));
    const [learned] = rows('steps/step_0001/rollout/results.json');
    assert.deepEqual(
      [learned?.['hard'], learned?.['postage'], learned?.['reference_text']],
      [0.25, 'second class', 'signed'],
    );
    const [proved] = rows('steps/step_0001/selection_eval/results.json');
    assert.deepEqual(
      [proved?.['hard'], proved?.['postage'], proved?.['reference_text']],
      [1, 'second class', undefined],
    );
  });

  it('is asked about once for its content, and again when the script changes', async () => {
    const shell = aLetterSkill({ count: 2 });
    const evaluate = (...flags: readonly string[]): ReturnType<CommandLine['run']> =>
      shell.run('evaluate', path.join(shell.folder, 'letters'), '--json', ...flags);

    assert.match((await evaluate('--allow-programs')).err, /Allowed from now on, as it is: python3 letters\.py/);
    const again = await evaluate();
    assert.equal(again.code, 0, again.err);
    assert.doesNotMatch(again.err, /llowed/);

    const below = path.join(shell.folder, 'letters/evals/environment/below');
    mkdirSync(below);
    writeFileSync(path.join(below, 'postage.py'), 'import os\n');
    const changed = await evaluate();
    assert.deepEqual([changed.code, changed.out], [2, '']);
    assert.match(changed.err, /Not allowed to run.*\nIt changed since you allowed it\.\n/);
    const dry = await shell.run('optimize', path.join(shell.folder, 'letters'), '--dry-run');
    assert.match(dry.out, /may run, which changed since you allowed it: python3 letters\.py\n/);
  });

  it('of a check is asked about before the first call to a model, and of no task that is not attempted', async () => {
    const count = isFull ? 12 : 3;
    const shell = aLetterSkill({ count });
    const skill = path.join(shell.folder, 'letters');
    mkdirSync(path.join(skill, 'evals/chk'));
    writeFileSync(path.join(skill, 'evals/chk/c.py'), 'pass\n');
    const check = { check: 'command', command: 'python3', arguments: ['c.py'], folder: 'evals/chk' };
    declare(shell, {}, 'chat', [check]);
    const server = await startSimulatedServer({ port: 0 });
    try {
      const words = ['--model', `${server.url}#simulated-1`, '--cap', 'run.calls=300'];
      const dry = await shell.run('optimize', skill, ...words, '--dry-run');
      assert.match(dry.out, /Before the first call you are asked whether this may run: python3 c\.py\n/);
      for (const command of ['optimize', 'evaluate']) {
        const refused = await shell.run(command, skill, ...words);
        assert.equal(refused.code, 2, refused.err);
        assert.match(
          refused.err,
          /Not allowed to run: python3 c\.py\. .*--allow-programs[^]*“python3 c\.py”\. No model/,
        );
        assert.doesNotMatch(refused.err, /--resume/, 'nothing was begun');
      }
      assert.equal(server.counts().answered, 0);
      assert.equal((await shell.run('evaluate', skill, ...words, '--allow-programs')).code, 0);
      assert.equal(server.counts().answered, count);
    } finally {
      await server.stop();
    }
  });

  // In the short numbers the tests of the consent ask, once a run.
  inFull('is asked about at a terminal, with yes or no', async () => {
    const shell = aLetterSkill({ count: 2, answers: ['n', 'y'] });
    const evaluate = () => shell.run('evaluate', path.join(shell.folder, 'letters'), '--json');
    const refused = await evaluate();
    assert.equal(refused.code, 2);
    assert.match(refused.err, /needs this program: python3 letters\.py\. .*\nMay it run, .*\(y\/N\) /);
    assert.equal((await evaluate()).code, 0);
    assert.doesNotMatch((await evaluate()).err, /May it run/);
  });

  it('is not allowed by the flag as what it becomes while it runs, which is not remembered', async () => {
    const shell = aLetterSkill({ count: 2 });
    const original = path.join(shell.folder, 'letters/evals/environment/letters.py');
    const evaluate = (...flags: readonly string[]): ReturnType<CommandLine['run']> =>
      shell.run('evaluate', path.join(shell.folder, 'letters'), '--json', '--set', 'concurrency=1', ...flags);
    const text = `open(${JSON.stringify(original)}, "a").write("# grown\\n")\n${readFileSync(original, 'utf8')}`;
    const changed = /“python3 letters\.py” changed since the run began: what it is now was not allowed to run/;

    writeFileSync(original, text);
    const first = await evaluate('--allow-programs');
    assert.equal(first.err.split('Allowed from now on').length, 2, first.err);
    assert.match(first.out, changed);
    assert.match((await evaluate()).err, /Not allowed to run/);

    writeFileSync(original, text);
    const second = await evaluate('--allow-programs');
    assert.doesNotMatch(second.err, /Allowed from now on/);
    assert.match(second.out, changed, 'known from before, it is no other program than before');
  });

  it('allows no check with the flag as what a program made of it before it was needed', async () => {
    const shell = aLetterSkill({ count: 1 });
    const skill = path.join(shell.folder, 'letters');
    const check = path.join(skill, 'evals/check/check.sh');
    mkdirSync(path.dirname(check));
    writeFileSync(check, 'exit 0\n');
    writeFileSync(
      path.join(skill, 'evals/environment/letters.py'),
      `import json,sys\nopen(${JSON.stringify(check)},"a").write("# grown\\n")\n` +
        'print(json.dumps({"id": json.loads(sys.stdin.readline())["task"]["id"], "predicted_answer": "Dear"}))\n',
    );
    const file = path.join(skill, 'evals/whetstone.json');
    const read: { tasks: object } = JSON.parse(readFileSync(file, 'utf8'));
    const checks = [{ check: 'command', command: 'sh', arguments: ['check.sh'], folder: 'evals/check' }];
    writeFileSync(file, JSON.stringify({ ...read, tasks: { t0: { environment: 'post', checks } } }));
    const { out, err } = await shell.run('evaluate', skill, '--json', '--allow-programs');
    assert.match(out, /“sh check\.sh” changed since the run began/, err);
  });

  const beside: readonly [what: string, words: (library: string) => readonly string[]][] = [
    ['behind an option', (library) => ['letters.py', `--library=${library}`]],
    [
      'inside text that is run',
      (library) => ['-c', `exec(open("${library}").read()); exec(open("letters.py").read())`],
    ],
  ];
  for (const [what, words] of few(beside)) {
    it(`is asked about again when a file changes that its command names ${what}`, async () => {
      const shell = aLetterSkill({ count: 1 });
      const library = path.join(shell.folder, 'library.py');
      writeFileSync(library, 'kind = 1\n');
      declare(shell, { arguments: words(library) });
      const evaluate = (...flags: readonly string[]): ReturnType<CommandLine['run']> =>
        shell.run('evaluate', path.join(shell.folder, 'letters'), '--json', ...flags);
      assert.equal((await evaluate('--allow-programs')).code, 0);
      assert.doesNotMatch((await evaluate()).err, /llowed/);
      writeFileSync(library, 'import os\n');
      assert.match((await evaluate()).err, /Not allowed to run/);
    });
  }

  it('says what it can do, shows its command whole, and what is not looked at again', async () => {
    const shell = aLetterSkill({ count: 1 });
    declare(shell, { arguments: ['-c', 'print(1)\n\n\n\nsteal()'] });
    const { err } = await shell.run('evaluate', path.join(shell.folder, 'letters'));
    assert.ok(err.includes(String.raw`Not allowed to run: python3 -c "print(1)\n\n\n\nsteal()".`), err);
    assert.match(err, /It is not contained: it runs with your rights and can read and change your files/);
    assert.match(err, /Not looked at again: What the text in the command reads or starts cannot all be found\./);
  });

  it('is not looked at while no task uses it, and never through a link out of the skill', async () => {
    const shell = aLetterSkill({ count: 1 });
    const environment = path.join(shell.folder, 'letters/evals/environment');
    rmSync(environment, { recursive: true });
    symlinkSync('/', environment);
    const started = Date.now();
    const used = await shell.run('evaluate', path.join(shell.folder, 'letters'), '--json', '--allow-programs');
    assert.match(used.out, /would run cannot be looked at: The folder .*environment is a link that leads out of/);
    declare(shell, {}, 'chat');
    const unused = await shell.run('evaluate', path.join(shell.folder, 'letters'), '--json');
    assert.doesNotMatch(unused.out + unused.err, /looked at|llowed/);
    assert.ok(Date.now() - started < 10_000, 'it was read');
  });

  it('holds a proposal back under which a task that passed runs over the time limit', async () => {
    const shell = aLetterSkill({ count: 7, text: hangsOnceSigned });
    declare(shell, { command: 'sh', timeLimitSeconds: 0.6 });
    const file = path.join(shell.folder, 'letters/evals/whetstone.json');
    const written: { tasks: object } = JSON.parse(readFileSync(file, 'utf8'));
    const sides = ['training', 'training', 'training', 'heldOut', 'heldOut', 'heldOut', 'heldOut'];
    const tasks = Object.fromEntries(sides.map((split, index) => [`t${index}`, { environment: 'post', split }]));
    writeFileSync(file, JSON.stringify({ ...written, tasks }));

    const options = ['gate.rule=strict', 'gate.noRegression=true', 'gate.attribution=false'];
    const words = ['--preset', 'quick', '--json', '--allow-programs', ...options.flatMap((each) => ['--set', each])];
    const { out } = await shell.run('optimize', path.join(shell.folder, 'letters'), ...words);
    const result: TrainedJson & { proposal: string | null; run: string } = JSON.parse(out);
    assert.deepEqual([result.verdict.kind, result.proposal], ['nothing', null], out);
    const journal = readFileSync(path.join(shell.folder, '.whetstone/runs', result.run, 'journal.jsonl'), 'utf8');
    const tried = journal.split('\n').filter((line) => line.includes('"taskId":"t6"'));
    assert.match(tried.at(-1) ?? '', /"outcome":\{"hard":0,"kind":"scored","soft":0\}/);
  });

  it('leaves its folder as it is, whatever it writes there', async () => {
    const shell = aLetterSkill({ count: 1, text: `open("here.txt", "w").write("x")\n${script}` });
    const before = snapshotOf(shell.folder);
    const done = await shell.run('evaluate', path.join(shell.folder, 'letters'), '--allow-programs');
    assert.equal(done.code, 0, done.err);
    assert.deepEqual(snapshotOf(shell.folder), before);
  });

  function aLetterSkill({ count, text = script, answers }: LetterParts): CommandLine {
    const shell = aCommandLine({ programs: 'bare', answers });
    shells.push(shell);
    const folder = path.join(shell.folder, 'letters');
    mkdirSync(path.join(folder, 'evals/environment'), { recursive: true });
    writeFileSync(
      path.join(folder, 'SKILL.md'),
      '---\nname: letters\ndescription: Writes letters.\n---\n\n# Letters\n\nWrite a letter.\n',
    );
    writeFileSync(path.join(folder, 'evals/environment/letters.py'), text);
    const evals = topics.flatMap((topic) => wishes.map((wish) => ({ topic, wish }))).slice(0, count);
    const list = evals.map(({ topic, wish }, index) => ({
      id: `t${index}`,
      prompt: `Someone wrote about ${topic} and ${wish}.`,
    }));
    writeFileSync(path.join(folder, 'evals/evals.json'), JSON.stringify({ evals: list }));
    const declared = {
      command: 'python3',
      arguments: ['letters.py'],
      folder: 'evals/environment',
      timeLimitSeconds: 20,
    };
    const tasks = Object.fromEntries(list.map(({ id }) => [id, { environment: 'post' }]));
    const whetstone = { format: 'whetstone.tasks', version: 1, environments: { post: declared }, tasks };
    writeFileSync(path.join(folder, 'evals/whetstone.json'), JSON.stringify(whetstone));
    return shell;
  }
});

interface LetterParts {
  readonly count: number;
  readonly text?: string;
  readonly answers?: readonly string[];
}

/** Changes the declared program, which environment the tasks name, and what judges them. */
function declare(
  shell: CommandLine,
  more: Readonly<Record<string, unknown>>,
  environment = 'post',
  checks?: readonly object[],
): void {
  const file = path.join(shell.folder, 'letters/evals/whetstone.json');
  const before: { environments: { post: object }; tasks: object } = JSON.parse(readFileSync(file, 'utf8'));
  const tasks = Object.fromEntries(Object.keys(before.tasks).map((id) => [id, { environment, checks }]));
  const environments = { post: { ...before.environments.post, ...more } };
  writeFileSync(file, JSON.stringify({ ...before, environments, tasks }));
}

interface TrainedJson {
  readonly run: string;
  readonly verdict: { readonly kind: string };
  readonly before: number;
  readonly after: number;
  readonly edits: readonly { readonly content: string }[];
}
