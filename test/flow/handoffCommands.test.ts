import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAWhile, answerAll, answersPrompts } from '../builders/answeredByHand.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';

const demo = '.github/skills/code-review';

describe('the command line, where somebody answers by hand', function byHand() {
  this.timeout(60_000);
  let shell: CommandLine;
  let skill = '';
  beforeEach(() => {
    const findSkills = (place: string) => Promise.resolve([path.join(place, demo, 'SKILL.md')]);
    shell = aCommandLine({ copy: path.resolve('media/demo'), findSkills, clock: afterAWhile });
    skill = path.join(shell.folder, demo);
  });
  afterEach(() => shell.dispose());

  const prompts = (): string => {
    const all = path.join(shell.folder, '.whetstone', 'handoff');
    return path.join(all, readdirSync(all)[0] ?? '');
  };
  const optimize = (...more: readonly string[]) => shell.run('optimize', skill, '--rule', 'strict', ...more);

  it('says how many rounds there will be, ends with code 3 while prompts wait, and goes on to a proposal', async () => {
    const first = await optimize('--model', 'handoff');
    assert.equal(first.code, 3);
    const [, most = ''] = /usually \d+, at most (\d+) rounds, with about \d+/.exec(first.err) ?? [];
    assert.ok(Number(most) <= 6, first.err);
    assert.match(
      first.err,
      /code-review: 21 prompts wait for answers in .*handoff.*\. Answer as INDEX\.md there says, then “whetstone optimize \S+ --resume [\w-]+ --model handoff” goes on\./,
    );
    assert.doesNotMatch(first.err, /failed|error/i);
    const [status, listed] = [await shell.run('status', skill), await shell.run('handoff', '--json')];
    assert.match(
      status.out,
      /: It waits for answers by hand\. “whetstone optimize code-review --resume” goes on with it\./,
    );
    assert.equal(status.out.match(/21 prompts wait for answers in /g)?.length, 1);
    const [row] = JSON.parse(listed.out);
    assert.deepEqual([row.name, row.handoff[0].waiting, row.handoff[0].answered], ['code-review', 21, 0]);

    const unanswered = await optimize('--resume', '--json');
    assert.deepEqual([unanswered.code, JSON.parse(unanswered.out).waiting], [3, 21]);

    const answer = answersPrompts({ lapseRate: 0.1 });
    let [rounds, end] = [1, unanswered];
    while (end.code === 3) {
      await answerAll(prompts(), answer);
      end = await optimize('--resume', '--json');
      rounds += end.code === 3 ? 1 : 0;
    }
    assert.equal(end.code, 0, end.err);
    assert.ok(rounds <= Number(most), `${rounds} rounds`);
    const { verdict, models, calls, usd, failedCalls } = JSON.parse(end.out);
    assert.equal(verdict.kind, 'accepted');
    assert.equal(models.target, 'handoff');
    assert.ok(calls > 21 && usd === 0 && failedCalls === 0);
    assert.deepEqual(readdirSync(path.join(shell.folder, '.whetstone', 'handoff')), []);
    assert.match((await shell.run('handoff')).out, /Nothing waits/);
  });

  it('names an answer that it could not take, and takes the others', async () => {
    await optimize('--model', 'handoff');
    await answerAll(prompts(), answersPrompts());
    const [spoilt = ''] = readdirSync(prompts()).filter((name) => name.endsWith('.answer.md'));
    writeFileSync(path.join(prompts(), spoilt), '');
    const [row] = JSON.parse((await shell.run('handoff', '--json')).out);
    const { waiting, answered, refused } = row.handoff[0];
    assert.deepEqual([waiting, answered], [1, 20]);
    assert.deepEqual(refused, [{ name: spoilt.replace('.answer.md', ''), why: 'it is empty' }]);
    assert.match(
      (await shell.run('status', skill)).out,
      new RegExp(`1 prompt waits.*${spoilt} cannot be taken: it is empty`),
    );
    const { code, err } = await optimize('--resume');
    assert.equal(code, 3);
    assert.match(err, new RegExp(`1 prompt waits for its answer .*not taken: ${spoilt}, because it is empty`));
  });

  // What cannot be read is asked anew in the short numbers, in the tests of such a run.
  inFull('says that a reply was not of the form that was asked for', async () => {
    await optimize('--model', 'handoff');
    await answerAll(prompts(), answersPrompts());
    const asked = await optimize('--resume');
    assert.match(asked.err, /1 prompt waits for its answer/); // the optimizer’s
    assert.doesNotMatch(asked.err, /of the form/);
    await answerAll(prompts(), () => Promise.resolve('Well, let me think.'));
    const { code, err } = await optimize('--resume');
    assert.equal(code, 3);
    assert.match(err, /waits for its answer in \S+ The last reply was not of the form that was asked for\. Answer as/);
  });

  it('asks for no more answers than a cap in calls lets through', async () => {
    const capped = await optimize('--model', 'handoff', '--cap', 'run.calls=8');
    assert.match(capped.err, /8 prompts wait for answers/);
    assert.match(capped.err, /with about 8, at most 8 prompts in all/);
    await answerAll(prompts(), answersPrompts());
    const { code, out } = await optimize('--resume', '--json', '--cap', 'run.calls=8');
    assert.equal(code, 1); // it ended at its cap before anything was measured
    assert.deepEqual([JSON.parse(out).verdict.cause, JSON.parse(out).calls], ['cap', 8]);
  });

  const waitingRuns = (): readonly string[] => readdirSync(path.join(shell.folder, '.whetstone', 'handoff')).sort();

  it('gives up the run that waits, with its prompts, and does not go on with it unless it is named', async () => {
    await optimize('--model', 'handoff');
    const [run = ''] = waitingRuns();
    const moved = path.join(shell.folder, '.whetstone', 'moved');
    const prompt = prompts();
    renameSync(prompt, moved);
    symlinkSync(moved, prompt);
    const linked = await shell.run('handoff', skill, '--discard');
    assert.deepEqual([linked.code, linked.out], [2, '']);
    assert.match(linked.err, /is a link, and no link is followed to prompts: nothing was written or deleted/);
    rmSync(prompt);
    renameSync(moved, prompt);
    const { out } = await shell.run('handoff', skill, '--discard');
    assert.equal(out, `code-review: the run ${run} is given up; 21 prompts and 0 answers are deleted.\n`);
    assert.match((await shell.run('handoff', skill, '--discard')).out, /^Nothing waited for answers/);
    assert.deepEqual(waitingRuns(), []);
    const status = await shell.run('status', skill);
    assert.match(status.out, /Given up: its prompts were deleted\.$/m);
    assert.doesNotMatch(status.out, /goes on/);
    const newest = await optimize('--resume');
    assert.equal(newest.code, 2);
    assert.match(newest.err, /There is no run of code-review that can go on\./);
    assert.equal((await optimize('--resume', run)).code, 3);
    assert.equal((await shell.run('clean', skill, '--yes')).code, 0);
    assert.deepEqual(waitingRuns(), []);
  });

  it('gives up the one of several that is named, and none where nobody says which', async () => {
    await optimize('--model', 'handoff');
    const [first = ''] = waitingRuns();
    const begun = await optimize('--model', 'handoff', '--cap', 'run.calls=1');
    assert.match(begun.err, new RegExp(`--resume ${first}” goes on with that run, and this begins another one`));
    const second = waitingRuns().find((run) => run !== first) ?? '';

    const several = await shell.run('handoff', '--discard');
    assert.equal(several.code, 2);
    const all = `${second} of code-review (1 without an answer, 0 with one), ${first} of code-review (21 without an answer, 0 with one)`;
    assert.ok(several.err.includes(`2 wait for answers by hand, and one at a time is given up: ${all}.`), several.err);
    assert.match(several.err, /Say which one you mean by --run and its name\./);
    const other = await shell.run('handoff', skill, '--discard', '--run', 'nobody');
    assert.equal(other.code, 2);
    assert.ok(other.err.includes(`Nothing named nobody waits for answers by hand. What does: ${all}.`), other.err);
    assert.deepEqual(waitingRuns(), [first, second].sort());

    const chosen = await shell.run('handoff', '--discard', '--run', second, '--json');
    assert.deepEqual(
      JSON.parse(chosen.out).map((row: { readonly handoff: unknown }) => row.handoff),
      [[{ ...JSON.parse(chosen.out)[0].handoff[0], run: second, waiting: 1 }]],
    );
    assert.deepEqual(waitingRuns(), [first]);
    assert.match((await optimize('--resume')).err, /21 prompts wait for answers/); // the one that still waits
  });

  inFull('names the run that goes on, where another one waits too', async () => {
    await optimize('--model', 'handoff');
    const [older = ''] = waitingRuns();
    await optimize('--model', 'handoff', '--cap', 'run.calls=1');
    const { err } = await optimize('--resume', older);
    assert.ok(err.includes(`--resume ${older}” goes on.`), err);
    const index = readFileSync(path.join(shell.folder, '.whetstone', 'handoff', older, 'INDEX.md'), 'utf8');
    assert.match(index, new RegExp(`whetstone optimize .* --resume ${older}\``));
  });

  it('asks anew what was answered for a run that was given up, and for any other run', async () => {
    await optimize('--model', 'handoff');
    await answerAll(prompts(), answersPrompts());
    assert.match((await optimize('--resume')).err, /1 prompt waits/);
    await shell.run('handoff', skill, '--discard');
    assert.match((await optimize('--model', 'handoff')).err, /21 prompts wait for answers/);
  });

  it('scores a skill once the prompts of an evaluation are answered, by the same command', async () => {
    const words = ['evaluate', skill, '--model', 'handoff', '--yes'] as const;
    assert.equal((await shell.run(...words)).code, 3);
    await answerAll(prompts(), answersPrompts());
    const { code, out } = await shell.run(...words);
    assert.equal(code, 0);
    assert.match(out, /%/);
  });

  it('hands over no secret', async () => {
    const tasks = path.join(skill, 'evals', 'evals.json');
    const secret = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
    writeFileSync(tasks, readFileSync(tasks, 'utf8').replaceAll('"prompt": "', `"prompt": "My token is ${secret}. `));
    await optimize('--model', 'handoff');
    const texts = readdirSync(prompts()).map((name) => readFileSync(path.join(prompts(), name), 'utf8'));
    assert.ok(texts.some((text) => text.includes('My token is ')));
    assert.ok(texts.every((text) => !text.includes(secret)));
  });
});
