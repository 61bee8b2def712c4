import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { say, type Ability } from '../builders/aRunContext.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { inFull } from '../builders/few.js';
import { aCertificationWorld, skillText, type CertificationWorld } from './certificationWorld.js';

const neverAborted = new AbortController().signal;

/** Held-out tasks 0 to 2 always pass, task 3 never does, the others every other time. */
function byTask(): Ability {
  const times = new Map<string, number>();
  return (skill, prompt) => {
    const [, index = ''] = /heldOut (\d+):/.exec(prompt) ?? [];
    if (index === '' || index === '3') return 'Nothing.';
    if (Number(index) < 3 || skill.includes('Say “alpha”')) return 'alpha';
    const time = (times.get(index) ?? 0) + 1;
    times.set(index, time);
    return (time + Number(index)) % 2 === 0 ? 'alpha' : 'Nothing.';
  };
}

describe('held-out tasks that cannot decide', () => {
  let world: CertificationWorld;
  before(async () => {
    world = aCertificationWorld({ heldOut: 12, training: 2, edits: [say('alpha')], ability: byTask() });
    for (let time = 0; time < 4; time++) await attemptAll(world);
  });
  after(() => world.dispose());

  it('are not called so on fewer than five attempts', async () => {
    const { power, taskPower, settled } = await world.preflight();
    assert.deepEqual([taskPower.known, taskPower.alwaysPass, settled], [{ tasks: 0 }, [], []]);
    assert.match(power, /Told assuming every pass rate: no task has 5 earlier attempts yet\.$/);
  });

  it('are named from the fifth attempt on with what they cost, and stay held out', async () => {
    await attemptAll(world);
    const { power, taskPower, settled, tasks } = await world.preflight();
    assert.match(power, /Told from 5 earlier attempts a task\.$/);
    assert.deepEqual(names(taskPower.alwaysPass), ['heldOut-0 5', 'heldOut-1 5', 'heldOut-2 5']);
    assert.deepEqual(names(taskPower.alwaysFail), ['heldOut-3 5']);
    assert.ok(taskPower.found20 < (taskPower.instead?.found20 ?? 0), 'they cost power');
    assert.match(settled[0] ?? '', /^3 of 12 held-out tasks always pass: a gain of 20 points would be found in \d+ %/);
    assert.equal(tasks.heldOut, 12);
    assert.equal(taskPower.n, 12);
  });

  it('stand in the tree as what they are, whichever model somebody chooses next', async () => {
    const { tasks } = await world.useCases.overview(placeOf(world), neverAborted);
    assert.deepEqual(names(tasks?.settled?.alwaysPass ?? []), ['heldOut-0 5', 'heldOut-1 5', 'heldOut-2 5']);
    assert.equal(tasks?.settled?.power().n, 12);
    assert.equal(tasks?.heldOut.length, 12);
  });

  inFull('are in the verdict and its report like all others', async () => {
    const { result } = await world.optimize();
    const { verdict, comparisons = [] } = result.proposal ?? {};
    assert.equal(verdict !== undefined && 'figures' in verdict ? verdict.figures?.n : 0, 12);
    assert.equal(comparisons.length, 12);
    const report = await world.report();
    assert.match(report, /## Held-out tasks that cannot decide\n\n- 3 of 12 held-out tasks always pass: a gain of 20/);
    assert.match(report, /heldOut-0 \(\d+\)/);
    assert.match(report, /whetstone tasks draft/);
    const data = await world.useCases.reportData(placeOf(world));
    assert.equal(data?.settled.filter((line) => report.includes(line.replaceAll('_', String.raw`\_`))).length, 5);
  });

  inFull('are told of the same text, tasks, model and options alone', async () => {
    const known = async (settings = {}) => (await world.preflight(settings)).taskPower.known.tasks;
    assert.equal(await known(), 12);
    assert.equal(await known({ gate: { metric: 'soft' } }), 12, 'the metric reads the same attempts');
    assert.equal(await known({ answers: { target: 500 } }), 0, 'less room to answer in');
    world.rewriteTasks((row) => (row.id === 'heldOut-7' ? { ...row, prompt: `${row.prompt} Be brief.` } : row));
    assert.equal(await known(), 11, 'a task that was changed is another one');
    world.change({ model: { model: 'another' } });
    assert.equal(await known(), 0, 'another target');
    world.change({ model: {} });
    writeFileSync(world.skillPath, `${skillText}\nOne more rule.\n`);
    assert.equal(await known(), 0, 'another text');
    writeFileSync(world.skillPath, skillText);
    assert.equal(await known(), 11);
  });

  inFull('are not told of stored answers twice', async () => {
    const before = (await world.preflight()).taskPower.known.attempts;
    for (let time = 0; time < 3; time++) await attemptAll(world, false);
    assert.deepEqual((await world.preflight()).taskPower.known.attempts, before);
  });
});

describe('held-out tasks that cannot decide, on the command line', () => {
  const model = ['--model', 'simulated'];
  let line: CommandLine;
  let skill: string;

  before(() => {
    line = aCommandLine({ copy: path.resolve('test/fixtures/workspaces/noisy') });
    skill = path.join(line.folder, '.claude/skills/status-update');
  });
  after(() => line.dispose());

  it('are named before a run, with the command that drafts harder ones, and in JSON', async () => {
    for (let time = 0; time < 5; time++) await line.run('evaluate', skill, ...model, '--fresh', '--json');
    const split = readFileSync(path.join(line.folder, '.whetstone/split.json'), 'utf8');
    const { out, code } = await line.run('optimize', skill, ...model, '--dry-run');
    assert.equal(code, 0);
    assert.match(out, /Told from 5 earlier attempts a task\./);
    assert.match(out, /\d of 8 held-out tasks always (?:pass|fail)/);
    const json = Printed.parse(JSON.parse((await line.run('optimize', skill, ...model, '--dry-run', '--json')).out));
    const { alwaysPass, alwaysFail, n, known } = json.taskPower;
    assert.deepEqual([n, known], [8, { tasks: 8, attempts: { low: 5, high: 5 } }]);
    assert.equal(alwaysPass.length + alwaysFail.length, 8, 'the simulated model answers alike every time');
    assert.equal(/“whetstone tasks draft .*status-update.*” drafts some\./.test(out), alwaysPass.length > 0);
    for (const sentence of json.settled) assert.ok(out.includes(sentence), sentence);
    assert.equal(readFileSync(path.join(line.folder, '.whetstone/split.json'), 'utf8'), split, 'nobody changed sides');
  });
});

const Settled = z.array(z.strictObject({ id: z.string(), attempts: z.number() }));
const Printed = z.looseObject({
  settled: z.array(z.string()),
  taskPower: z.looseObject({
    n: z.number(),
    found20: z.number(),
    found40: z.number(),
    known: z.unknown(),
    alwaysPass: Settled,
    alwaysFail: Settled,
  }),
});

function names(tasks: readonly { readonly id: string; readonly attempts: number }[]): readonly string[] {
  return tasks.map(({ id, attempts }) => `${id} ${attempts}`).sort();
}

function placeOf({ skillPath }: CertificationWorld) {
  return { skillPath, workspaceFolders: [path.resolve(skillPath, '../../..')] };
}

/** Every task once more. */
async function attemptAll(world: CertificationWorld, fresh = true): Promise<void> {
  const request = { ...placeOf(world), preset: 'standard', settings: [], purpose: 'optimize', trusted: true } as const;
  await world.useCases.evaluate({ ...request, withoutSkill: false, fresh }, () => undefined, neverAborted);
}
