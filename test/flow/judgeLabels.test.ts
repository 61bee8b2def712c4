import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { JudgeReport } from '../../src/app/judge/judge.js';
import { JudgeLabels } from '../../src/app/judge/judgeLabels.js';
import type { PassFail } from '../../src/gate/statistics/judgeAgreement.js';
import { inFull } from '../builders/few.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { aWorkspace, inEveryRole, writtenTasks, type Models, type TestWorkspace } from '../builders/aWorkspace.js';
import { anOptimizer, edits } from '../builders/aRunContext.js';

const signal = new AbortController().signal;
const checks = [
  { check: 'max_chars', limit: 500 },
  { check: 'rubric', rubric: 'It is kind.' },
];

const note = 'The judge scripted/a-judge agrees with your labels in 12 of 16, 75 % (51–90 %), which is under 80 %';

/** A person says of answers what they think of them; what the judge said of the same tells how far to trust it. */
describe('labels of what a judge graded', () => {
  let workspace: TestWorkspace;
  let first: JudgeReport;
  before(async () => {
    const tasks = writtenTasks({ training: 8, heldOut: 8, sealed: 2 }, []).map((task) => ({ ...task, checks }));
    workspace = aWorkspace({ tasks, models: judgedBy('a-judge') });
    await evaluate();
    first = await report();
  });
  after(() => workspace.dispose());

  it('are not asked for where no judge graded anything', async () => {
    const plain = aWorkspace({ models: judgedBy('a-judge') });
    const { out } = await aCommandLine({ at: { base: path.dirname(plain.folder) } }).run('judge', plain.skillPath);
    assert.match(out, /^No answer that a judge model graded is kept for this skill\./u);
    plain.dispose();
  });

  it('are asked for of both grades, in an order that tells nothing, without the grade and without sealed tasks', async () => {
    assert.equal(first.judge, 'scripted/a-judge');
    assert.equal(first.agreement, undefined);
    assert.equal(first.toLabel.length, 16);
    assert.ok(first.toLabel.every(({ task }) => !task.startsWith('sealed')));
    assert.deepEqual(
      first.toLabel.map(({ id }) => id),
      first.toLabel.map(({ id }) => id).toSorted(),
    );
    assert.deepEqual(Object.keys(first.toLabel[0] ?? {}).toSorted(), [
      'answer',
      'context',
      'criterion',
      'expected',
      'id',
      'prompt',
      'task',
    ]);
    assert.equal(first.toLabel[0]?.criterion, 'It is kind.');
    assert.equal(new Set(first.toLabel.map(({ task }) => task)).size, 16, 'one answer of each task');
    assert.equal(existsSync(labelsFile()), false, 'a look writes nothing');
  });

  it('are given on the command line by one key each, with a way back, or by id', async () => {
    const typed = await commandLine(['p', 'b', 'x', 'f', 's', 'q']).run('judge', workspace.skillPath);
    assert.equal(typed.code, 0, typed.err);
    assert.match(typed.err, /Answer 1 of 16[^]*It is kind\.[^]*p pass, f fail, s skip, b back, q stop/u);
    assert.doesNotMatch(typed.err, /The number is/u, 'what the judge said is not shown');
    assert.match(
      typed.out,
      /^Too few to say: 1 of at least 12 labels\.\n[^]*Answers to label: 15\. At a terminal, one key each: whetstone judge \S+\n$/u,
    );
    const [one, two] = first.toLabel;
    assert.ok(one && two);
    assert.deepEqual(
      (await report()).toLabel.map(({ id }) => id),
      first.toLabel.slice(1).map(({ id }) => id),
    );
    const named = await commandLine().run('judge', workspace.skillPath, '--label', `${two.id}=pass`, '--json');
    assert.deepEqual(JSON.parse(named.out).agreement.labels, 2);
    const { labels } = JudgeLabels.parse(JSON.parse(readFileSync(labelsFile(), 'utf8')));
    assert.deepEqual(
      new Map(labels.map(({ id, label: said }) => [id, said])),
      new Map([
        [one.id, 'fail'],
        [two.id, 'pass'],
      ]),
    );
    const wrong = await commandLine().run('judge', workspace.skillPath, '--label', 'x=maybe');
    assert.deepEqual([wrong.code, /labels nothing/u.test(wrong.err)], [2, true]);
  });

  it('are kept beside the tasks with hashes alone, and say nothing while they are few', async () => {
    await label(first.toLabel.slice(0, 11).map(({ id }) => [id, 'pass']));
    assert.equal((await report()).agreement?.standing, 'too-few');
    const text = readFileSync(labelsFile(), 'utf8');
    assert.doesNotMatch(text, /quay|Reply|kind/u, 'no word of a task, a criterion or an answer');
    const { format, version, judge, labels } = JudgeLabels.parse(JSON.parse(text));
    assert.deepEqual([format, version, judge, labels.length], ['whetstone-judge', 1, 'scripted/a-judge', 11]);
    assert.ok(labels.every(({ grades }) => grades.length === 1));
    assert.equal((await report()).toLabel.length, 5, 'what is labelled is not asked again');
  });

  it('are held against the grades once there are enough of both kinds, disagreements with the judge’s reason', async () => {
    // The judge passes even numbers; this person fails four of those that it passed, and all that it failed.
    const passed = first.toLabel.filter(({ task }) => isEven(task));
    const failed = first.toLabel.filter(({ task }) => !isEven(task));
    assert.equal(passed.length, 8);
    await label([
      ...passed.map(({ id }, index): readonly [string, PassFail] => [id, index < 4 ? 'fail' : 'pass']),
      ...failed.map(({ id }): readonly [string, PassFail] => [id, 'fail']),
    ]);
    const { agreement, disagreements, toLabel } = await report();
    assert.ok(agreement);
    assert.deepEqual([agreement.agreed, agreement.labels, agreement.standing], [12, 16, 'low']);
    assert.deepEqual(
      agreement.interval.map((each) => Math.round(each * 100)),
      [51, 90],
    );
    assert.equal(toLabel.length, 0);
    assert.deepEqual(
      disagreements.map(({ label: said, grade, reason, answer }) => [said, grade, reason, answer?.slice(0, 6)]),
      Array.from({ length: 4 }, () => ['fail', 'pass', 'The number is even.', 'Reply ']),
    );
    assert.equal((await workspace.overview()).judge?.agreement?.agreed, 12);
  });

  it('that came with the files do not count without a yes to them, and one that is there twice counts once', async () => {
    const own = readFileSync(labelsFile(), 'utf8');
    const made = JudgeLabels.parse(JSON.parse(own));
    const forged = made.labels.map((row, at) => ({
      ...row,
      id: `${at}`.padStart(64, 'f'),
      answer: 'f'.repeat(16),
      grades: row.grades.map((each) => ({ ...each, grade: row.label })),
    }));
    writeFileSync(labelsFile(), JSON.stringify({ ...made, labels: [...forged, ...forged] }));
    const before = await report();
    assert.deepEqual([before.agreement, before.notYours, before.toLabel.length], [undefined, 16, 16]);
    assert.equal((await workspace.overview()).judge?.agreement, undefined);
    const told = await commandLine().run('judge', workspace.skillPath, '--report');
    assert.match(
      told.out,
      /^Labels that came with the folder and are not yours: 16\. They do not count\.[^]*\nTo count the labels of others too: whetstone judge \S+ --with-others\n$/u,
    );
    const { out } = await commandLine().run('judge', workspace.skillPath, '--with-others', '--json');
    const { agreement, notKept, notYours, letIn } = JSON.parse(out);
    assert.deepEqual([agreement.labels, agreement.agreed, notKept, notYours, letIn], [16, 16, 16, 0, 16]);
    const counted = await commandLine().run('judge', workspace.skillPath, '--report');
    assert.match(counted.out, /not yours and count, because you said so: 16\.[^]*whetstone judge \S+ --own-only\n$/u);
    assert.equal((await workspace.overview()).judge?.agreement?.labels, 16);
    const more = { ...forged[0], id: 'e'.repeat(64) };
    writeFileSync(labelsFile(), JSON.stringify({ ...made, labels: [...forged, more] }));
    assert.equal((await report()).notYours, 1, 'the yes was to those that were there');
    await commandLine().run('judge', workspace.skillPath, '--own-only', '--report');
    assert.equal((await report()).notYours, 17);
    writeFileSync(labelsFile(), own);
    const after = await report();
    assert.deepEqual([after.agreement?.labels, after.notKept, after.notYours], [16, 0, 0]);
  });

  it('are not turned by a grade that somebody else wrote beside them', async () => {
    const own = readFileSync(labelsFile(), 'utf8');
    const made = JudgeLabels.parse(JSON.parse(own));
    const praised = made.labels.map((row) => ({
      ...row,
      grades: row.grades.map((each) => ({ ...each, grade: row.label })),
    }));
    writeFileSync(labelsFile(), JSON.stringify({ ...made, labels: praised }));
    const { judge } = await workspace.overview();
    assert.ok((judge?.agreement?.agreed ?? 0) <= 12 && (judge?.ofOthers ?? 0) >= 4);
    writeFileSync(labelsFile(), own);
  });

  it('are told before a run with that judge, and not with another', async () => {
    assert.ok((await workspace.preflight()).notes.some((text) => text.startsWith(note)));
    const other = await workspace.preflight({ models: judgedBy('another') });
    assert.deepEqual(
      other.notes.filter((text) => text.includes('your labels')),
      [],
    );
    assert.deepEqual(other.asides, [
      'Your labels are of the judge scripted/a-judge: how far scripted/another agrees with you is not known. Check it after the run.',
    ]);
  });

  inFull('stand in the report of a run with that judge', async () => {
    const { summary } = await workspace.optimize({ settings: { train: { epochs: 1 }, gate: { rule: 'off' } } });
    assert.ok(workspace.artifact(summary.runId, 'report.md')?.includes(`- ${note}`));
  });

  it('do not count for another judge until it has graded the same answers', async () => {
    await evaluate(judgedBy('another'));
    const now = await report();
    assert.equal(now.judge, 'scripted/another');
    assert.deepEqual([now.agreement?.agreed, now.agreement?.labels, now.ofOthers], [12, 16, 0], 'it graded the same');
    const { judge } = await workspace.overview();
    assert.deepEqual([judge?.judge, judge?.now], ['scripted/a-judge', 'scripted/another']);
  });

  it('do not count once their criterion is another one', async () => {
    const file = path.join(path.dirname(workspace.skillPath), 'evals/whetstone.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('It is kind.', 'It is very kind.'));
    const { agreement, changed, toLabel, judge } = await report();
    assert.deepEqual([agreement, changed, toLabel.length, judge], [undefined, 16, 0, 'scripted/a-judge']);
    writeFileSync(file, text);
  });

  it('refuse an id that no answer has, and a file that is none of theirs', async () => {
    await assert.rejects(label([['0'.repeat(32), 'pass']]), /No answer “0{32}” that a judge graded/u);
    const own = JudgeLabels.parse(JSON.parse(readFileSync(labelsFile(), 'utf8')));
    const forged = [
      '{}',
      'null',
      '[[[[[[[[',
      '{"__proto__": {"agreement": 1}}',
      JSON.stringify({ ...own, version: 99 }),
      JSON.stringify({ ...own, labels: [{ ...own.labels[0], label: 'excellent' }] }),
      JSON.stringify({ ...own, labels: { length: 16 } }),
      '['.repeat(100_000),
    ];
    for (const text of forged) {
      writeFileSync(labelsFile(), text);
      await assert.rejects(report(), /holds no labels that this version of Whetstone reads/u);
      assert.equal((await workspace.overview()).judge, undefined);
      assert.ok((await workspace.preflight()).notes.every((each) => !each.includes('your labels')));
    }
    const elsewhere = path.join(workspace.home, 'judge.json');
    writeFileSync(elsewhere, JSON.stringify(own));
    rmSync(labelsFile());
    symlinkSync(elsewhere, labelsFile());
    await assert.rejects(report(), /is a link that leads out of/u);
    assert.equal((await workspace.overview()).judge, undefined);
    await assert.rejects(label([['0'.repeat(32), 'pass']]));
    assert.deepEqual(JSON.parse(readFileSync(elsewhere, 'utf8')), own, 'nothing is written through it');
  });

  function commandLine(answers?: readonly string[]): CommandLine {
    const environment = { WHETSTONE_HOME: path.join(workspace.home, 'state') };
    return aCommandLine({ at: { base: path.dirname(workspace.folder) }, environment, answers });
  }

  async function evaluate(models?: Models): Promise<void> {
    const request = { skillPath: workspace.skillPath, workspaceFolders: [workspace.folder] };
    await workspace
      .useCases(models)
      .evaluate(
        { ...request, preset: 'quick', settings: [], purpose: 'optimize', trusted: true, withoutSkill: false },
        () => undefined,
        signal,
      );
  }

  function report(): Promise<JudgeReport> {
    return workspace.useCases().judgeReport(requestOf(workspace), signal);
  }

  function label(labels: readonly (readonly [string, PassFail])[]): Promise<void> {
    return workspace.useCases().labelAnswers({ ...requestOf(workspace), labels: Object.fromEntries(labels) }, signal);
  }

  function labelsFile(): string {
    return path.join(path.dirname(workspace.skillPath), 'evals/judge.json');
  }
});

function requestOf({ skillPath, folder }: TestWorkspace) {
  return { skillPath, workspaceFolders: [folder] };
}

function isEven(task: string): boolean {
  return Number(task.split('-')[1]) % 2 === 0;
}

/** Answers with the request, and passes what an even number is in. */
function judgedBy(model: string): Models {
  const scripted = anOptimizer({ reflect: edits() })
    .when(
      ({ role }) => role === 'target',
      ({ messages }) => `Reply ${/quay(\w+)/u.exec(messages.map(({ content }) => content).join(' '))?.[1] ?? ''}`,
    )
    .when(
      ({ role }) => role === 'judge',
      ({ messages }) => {
        const number = Number(/Reply [a-zA-Z]+(\d+)/u.exec(messages[0]?.content ?? '')?.[1] ?? 1);
        const pass = number % 2 === 0;
        const reason = pass ? 'The number is even.' : 'The number is odd.';
        return JSON.stringify({ results: [{ index: 0, pass, score: pass ? 1 : 0, reason }] });
      },
    );
  const judge: Models['judge'] = {
    identity: { ...scripted.identity, model },
    complete: (request, abort) => scripted.complete(request, abort),
  };
  return { ...inEveryRole(scripted), judge };
}
