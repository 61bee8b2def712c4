import assert from 'node:assert/strict';
import { aCommandLine, snapshotOf, type CommandLine } from '../../builders/commandLine.js';
import { aSkillFolder, aWhetstoneFile, type SkillFiles } from '../../builders/aSkillFolder.js';

interface EvaluatedJson {
  readonly id: string;
  readonly split: string;
  readonly hard: number | null;
  readonly soft: number | null;
  readonly checks: readonly { readonly name: string; readonly pass: boolean; readonly reason: string }[];
  readonly invalid?: string;
}
interface TotalJson {
  readonly hard: number | null;
  readonly soft: number | null;
  readonly n: number;
  readonly invalid: number;
}
interface EvaluationJson {
  readonly simulated: boolean;
  readonly tasks: readonly EvaluatedJson[];
  readonly totals: Readonly<Record<'all' | 'training' | 'heldOut' | 'sealed', TotalJson>>;
  readonly baseline?: { readonly tasks: readonly EvaluatedJson[]; readonly totals: EvaluationJson['totals'] };
  readonly notScored: readonly { readonly id: string; readonly reason: string }[];
  readonly problems: readonly { readonly code: string }[];
}

const skill = '---\nname: greeter\n---\n\n# Greeter\n\nUse at most 300 characters. Mention “harbour”. Never refuse.\n';
const check = (...checks: readonly object[]): object => ({ checks });
const files: SkillFiles = {
  'SKILL.md': skill,
  'evals/evals.json': {
    evals: [
      { id: 'both', prompt: 'Greet Ada who sails tomorrow' },
      { id: 'half', prompt: 'Welcome the new cook' },
      { id: 'sealed', prompt: 'Say hi to a stranger in the lift' },
      { id: 'broken', prompt: 'Address the board' },
      { id: 'other', prompt: 'Toast the couple' },
      { id: 'draft', prompt: 'Wave to the ferry' },
      { id: 'off', prompt: 'Salute the captain' },
    ],
  },
  'evals/whetstone.json': aWhetstoneFile({
    both: { ...check({ check: 'contains', text: 'harbour' }, { check: 'max_chars', limit: 300 }), split: 'training' },
    half: {
      ...check({ check: 'contains', text: 'harbour' }, { check: 'contains', text: 'zeppelin' }),
      split: 'heldOut',
    },
    sealed: { ...check({ check: 'contains', text: 'harbour' }), split: 'sealed' },
    broken: check({ check: 'regex', pattern: '(' }),
    other: { ...check({ check: 'contains', text: 'zeppelin' }), split: 'heldOut' },
    draft: { ...check({ check: 'contains', text: 'harbour' }), draft: true },
    off: { ...check({ check: 'contains', text: 'harbour' }), enabled: false },
  }),
};

describe('whetstone evaluate', () => {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('gives each task its side, its scores, and its checks with reasons', async () => {
    const { tasks, simulated, baseline } = await evaluated();
    const both = taskNamed(tasks, 'both');
    assert.deepEqual(both, {
      id: 'both',
      split: 'training',
      hard: 1,
      soft: 1,
      checks: [
        { name: 'contains', pass: true, reason: 'It contains “harbour”.' },
        { name: 'max_chars', pass: true, reason: both.checks[1]?.reason },
      ],
    });
    const half = taskNamed(tasks, 'half');
    assert.deepEqual([half.split, half.hard, half.soft], ['heldOut', 0, 0.5]);
    assert.deepEqual(
      half.checks.map(({ pass, reason }) => [pass, reason]),
      [
        [true, 'It contains “harbour”.'],
        [false, '“zeppelin” does not occur.'],
      ],
    );
    assert.deepEqual([simulated, baseline], [true, undefined]);
  });

  it('calls a task with a broken check invalid, with the reason, and never scores it', async () => {
    const { tasks, totals, problems } = await evaluated();
    const { invalid, ...rest } = taskNamed(tasks, 'broken');
    assert.deepEqual(rest, { id: 'broken', split: 'none', hard: null, soft: null, checks: [] });
    assert.match(invalid ?? '', /“regex”/);
    assert.deepEqual([totals.all.n, totals.all.invalid, totals.all.hard], [4, 1, 1 / 3]);
    assert.ok(problems.some(({ code }) => code === 'malformed-check'));
  });

  it('adds up each side, and says what was left out', async () => {
    const { totals, notScored } = await evaluated();
    assert.deepEqual(totals.training, { hard: 1, soft: 1, n: 1, invalid: 0 });
    assert.deepEqual(totals.sealed, { hard: null, soft: null, n: 0, invalid: 0 });
    assert.equal(totals.heldOut.n, 2);
    assert.deepEqual(
      notScored.map(({ id }) => id),
      ['draft', 'off'],
    );
  });

  it('leaves sealed tasks alone, and says so, unless they are asked for', async () => {
    const { shell, folder } = aSkill();
    const { out } = await shell.run('evaluate', folder);
    assert.doesNotMatch(out, /\n[✓✗?] +sealed /u);
    assert.match(out, /1 sealed task was left alone, for the final exam; --sealed scores them too\./);
    const { totals, tasks } = await evaluated('--sealed');
    assert.deepEqual(totals.sealed, { hard: 1, soft: 1, n: 1, invalid: 0 });
    assert.equal(taskNamed(tasks, 'sealed').hard, 1);
    assert.equal(taskNamed((await evaluated('--task', 'sealed')).tasks, 'sealed').hard, 1);
  });

  it('adds a baseline without the skill where that is asked', async () => {
    const { baseline, totals } = await evaluated('--without-skill');
    assert.equal(totals.training.hard, 1);
    assert.equal(baseline?.totals.training.hard, 0);
    assert.deepEqual(
      baseline?.tasks.map(({ id }) => id),
      (await evaluated()).tasks.map(({ id }) => id),
    );
  });

  it('prints a table that a person can read', async () => {
    const { shell, folder } = aSkill();
    const { out, code } = await shell.run('evaluate', folder, '--without-skill');
    assert.equal(code, 0);
    assert.match(out, /^ +task +side +hard +soft +without +why\n/);
    assert.match(out, /\n✓ +both +training +100 % +100 % +0 %\n/);
    assert.match(out, /\n✗ +half +held-out +0 % +50 % +0 % +“zeppelin” does not occur\.\n/);
    assert.match(out, /\n\? +broken +none +– +– +– +There is a fault in its check “regex”/);
    assert.match(
      out,
      /greeter on simulated-1 \(simulated\): all 33 % \(4 tasks, 1 without a result\); training 100 % \(1 task\)/,
    );
    assert.match(out, /Without the skill: all \d+ %/);
    assert.match(out, /Not scored:\n {2}draft: a draft that nobody confirmed\n {2}off: disabled\n/);
    assert.ok(out.split('\n').every((line) => line.length < 400));
  });

  it('tells why a task failed to its end where the table goes to a file', async () => {
    const words = 'zeppelin '.repeat(20).trim();
    const { shell, folder } = aSkill({
      ...files,
      'evals/whetstone.json': aWhetstoneFile({ both: check({ check: 'contains', text: words }) }),
    });
    const { out } = await shell.run('evaluate', folder);
    assert.ok(out.includes(`“${words}” does not occur.\n`), out);
  });

  it('tries single tasks, drafts and disabled ones too', async () => {
    const { tasks, notScored } = await evaluated('--task', 'draft', '--task', 'off', '--task', 'both');
    assert.deepEqual(
      tasks.map(({ id, split, hard }) => [id, split, hard]),
      [
        ['both', 'training', 1],
        ['draft', 'none', 1],
        ['off', 'none', 1],
      ],
    );
    assert.deepEqual(notScored, []);
  });

  it('scores a skill that has a single task', async () => {
    const { shell, folder } = aSkill({
      'evals/evals.json': { evals: [{ id: 'one', prompt: 'Greet', expectations: ['The answer contains “harbour”.'] }] },
      'SKILL.md': skill,
    });
    const done = await shell.run('evaluate', folder, '--json');
    assert.equal(done.code, 0, done.err);
  });

  it('ends with 1 where nothing could be scored', async () => {
    const { shell, folder } = aSkill(files);
    const done = await shell.run('evaluate', folder, '--task', 'broken', '--json');
    assert.equal(done.code, 1);
    const result: EvaluationJson = JSON.parse(done.out);
    assert.deepEqual(result.totals.all, { hard: null, soft: null, n: 1, invalid: 1 });
  });

  it('refuses a task that is not there, and names those that are', async () => {
    const { shell, folder } = aSkill();
    const done = await shell.run('evaluate', folder, '--task', 'nope');
    assert.equal(done.code, 2);
    assert.match(done.err, /no task “nope”\. Its tasks are: both, half/);
  });

  it('says what to do where no task counts', async () => {
    const { shell, folder } = aSkill({ 'evals/evals.json': { evals: [] } });
    const done = await shell.run('evaluate', folder);
    assert.equal(done.code, 2);
    assert.match(done.err, /no task that can be attempted.*evals\/evals\.json/);
  });

  it('says which files of the skill the model cannot see', async () => {
    const { shell, folder } = aSkill({
      ...files,
      'SKILL.md': `${skill}\nRun scripts/sum.py.\n`,
      'scripts/sum.py': 'x',
    });
    const { err } = await shell.run('evaluate', folder, '--json');
    assert.match(err, /The model cannot see the files that the skill points to: scripts\/sum\.py\./);
  });

  it('changes no file of the workspace', async () => {
    const { shell, folder } = aSkill();
    const before = snapshotOf(shell.folder);
    await shell.run('evaluate', folder, '--json');
    assert.deepEqual(snapshotOf(shell.folder), before);
  });

  async function evaluated(...words: readonly string[]): Promise<EvaluationJson> {
    const { shell, folder } = aSkill();
    const done = await shell.run('evaluate', folder, '--json', ...words);
    assert.equal(done.code, 0, done.err);
    return JSON.parse(done.out);
  }

  function aSkill(given: SkillFiles = files): { readonly shell: CommandLine; readonly folder: string } {
    const shell = aCommandLine();
    shells.push(shell);
    return { shell, folder: aSkillFolder(shell.folder, given) };
  }
});

function taskNamed(tasks: readonly EvaluatedJson[], id: string): EvaluatedJson {
  const found = tasks.find((task) => task.id === id);
  assert.ok(found, `${id} was not evaluated`);
  return found;
}
