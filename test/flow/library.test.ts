import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { createUseCases, startSimulatedServer, withOwnChecks, worldOfMachine } from '../../src/bundles/core.js';
import { createLibrary } from '../../src/library/createLibrary.js';
import type { LibraryOptions, LibraryProgress } from '../../src/library/library.js';
import { aSkillFolder, aWhetstoneFile } from '../builders/aSkillFolder.js';
import { isFull } from '../builders/few.js';

const run = promisify(execFile);
const library = createLibrary({ createUseCases, withOwnChecks, worldOfMachine });

describe('the library', () => {
  const roots: string[] = [];
  after(() => roots.forEach((root) => rmSync(root, { recursive: true, force: true })));

  /** The demo skill in a workspace of its own. */
  function demo(): Pick<LibraryOptions, 'skill' | 'home' | 'root'> {
    const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-library-')));
    roots.push(root);
    cpSync(path.resolve('media/demo/.claude/skills'), path.join(root, 'skills'), { recursive: true });
    mkdirSync(path.join(root, '.git'));
    return { skill: path.join(root, 'skills/incident-summary'), home: path.join(root, 'state') };
  }

  it('trains, says what was spent on the way, and leaves the file as it was', async () => {
    const place = demo();
    const file = path.join(place.skill, 'SKILL.md');
    const before = readFileSync(file, 'utf8');
    const seen: LibraryProgress[] = [];
    const settings = { 'train.seed': 7, gate: { attribution: false } };
    const trained = await library.train({
      ...place,
      model: 'simulated',
      preset: 'quick',
      settings,
      onProgress: (progress) => seen.push(progress),
    });
    assert.equal(trained.verdict?.kind, 'accepted', trained.nothing?.reason);
    assert.ok(trained.edits.every(({ rationale, content }) => rationale !== '' && trained.text?.includes(content)));
    assert.ok(trained.edits.length > 0 && trained.tasks.length > 0);
    assert.equal(readFileSync(file, 'utf8'), before);
    assert.equal(seen.at(-1)?.share, 1);
    assert.equal(seen.at(-1)?.calls, trained.spend.calls);
    assert.ok(seen.some(({ stage }) => stage === 'reflect'));

    const certified = await library.certify({ ...place, model: 'simulated', after: trained.text ?? '' });
    assert.equal(certified.kind, 'accepted', certified.reason);
    const scored = await library.evaluate({ ...place, model: 'simulated', withoutSkill: true });
    assert.equal(scored.totals.heldOut.hard, trained.verdict.before);
    assert.ok(scored.baseline !== undefined && scored.tasks.every(({ invalid }) => invalid === undefined));
  });

  it('begins nothing that costs without a cap that can hold or a yes', async () => {
    const server = await startSimulatedServer({ port: 0 });
    try {
      const options = { ...demo(), model: `${server.url}#simulated-1`, preset: 'quick' } as const;
      const refused = { code: 'usage', message: /^Nothing was begun/, cure: /caps: \{ run: \{ calls: 200 \} \}/ };
      await assert.rejects(library.train(options), refused);
      await assert.rejects(library.train({ ...options, caps: { run: { usd: 1 } } }), refused);
      await assert.rejects(library.evaluate({ ...options, agree: () => false }), refused);
      await assert.rejects(library.certify({ ...options, after: 'Be brief.' }), refused);
      const cloned = { ...options, ...demo() };
      const clone = path.resolve(cloned.skill, '../..');
      mkdirSync(path.join(clone, '.whetstone'));
      writeFileSync(path.join(clone, '.whetstone/config.yaml'), 'caps: {calls: 100000, tokens: 100000000}\n');
      await assert.rejects(library.train(cloned), refused, 'a file of the workspace says no yes');
      await assert.rejects(library.evaluate(cloned), refused);
      await assert.rejects(library.certify({ ...cloned, after: 'Be brief.' }), refused);
      assert.equal(server.counts().answered, 0);
      let told: number | undefined;
      const agree: LibraryOptions['agree'] = ({ calls }) => (told = calls.most) > 0;
      const capped = library.evaluate({ ...options, agree, caps: { run: { calls: 5 } } });
      await assert.rejects(capped, { kind: 'cap' });
      assert.equal(told, 5);
      assert.ok(server.counts().answered <= 5);
    } finally {
      await server.stop();
    }
  });

  it('judges each call by its own checks, also where two at a time name them the same', async () => {
    const hards = [true, false, true].map(async (pass) => {
      const root = mkdtempSync(path.join(os.tmpdir(), 'whetstone-library-'));
      roots.push(root);
      const folder = aSkillFolder(root, {
        'evals/evals.json': { evals: [{ id: 'one', prompt: 'Say it.' }] },
        'evals/whetstone.json': aWhetstoneFile({ one: { checks: [{ check: 'verdict' }] } }),
      });
      const verdict = { name: 'verdict', criterion: 'It is so.', evaluate: () => pass };
      const shared = { skill: folder, home: path.join(root, 'state'), model: 'simulated', only: ['one'] };
      const { tasks: rows } = await library.evaluate({ ...shared, checks: [verdict, verdict] });
      return rows[0]?.hard;
    });
    assert.deepEqual(await Promise.all(hards), [1, 0, 1]);
  });

  it('judges by checks of one’s own, and takes what they throw for no score', async () => {
    const ids = ['good', 'bad', 'broken'];
    const root = mkdtempSync(path.join(os.tmpdir(), 'whetstone-library-'));
    roots.push(root);
    const folder = aSkillFolder(root, {
      'evals/evals.json': { evals: ids.map((id) => ({ id, prompt: id })) },
      'evals/whetstone.json': aWhetstoneFile(
        Object.fromEntries(ids.map((word) => [word, { checks: [{ check: 'says', word }] }])),
      ),
    });
    const says = {
      name: 'says',
      criterion: ({ word }: Readonly<Record<string, unknown>>) => `It says ${String(word)}.`,
      evaluate: (_answer: string, { word }: Readonly<Record<string, unknown>>) => {
        if (word === 'broken') throw new Error('the check has a bug');
        return word === 'good' ? { pass: true, score: 0.5, reason: 'half' } : false;
      },
    };
    const options = { skill: folder, home: path.join(root, 'state'), model: 'simulated', checks: [says] };
    const before = await library.evaluate({ ...options, checks: [], only: ids });
    assert.ok(
      before.tasks.every(({ hard }) => hard === undefined),
      'nobody brought it yet',
    );
    const { tasks: rows } = await library.evaluate({ ...options, only: ids });
    assert.deepEqual(
      ids.map((id) => rows.find((row) => row.id === id)).map((row) => [row?.id, row?.hard, row?.soft, row?.invalid]),
      [
        ['good', 1, 0.5, undefined],
        ['bad', 0, 0, undefined],
        ['broken', undefined, undefined, 'says: the check has a bug'],
      ],
    );
    const twice = library.evaluate({ ...options, checks: [says, { ...says }] });
    await assert.rejects(twice, /the name is taken/);
    await assert.rejects(library.evaluate({ ...options, checks: [{ ...says, name: 'regex' }] }), /one of ours/);
  });

  for (const [what, options, message] of [
    ['no skill', { skill: '' }, /No skill is named/],
    ['a preset that there is not', { skill: 'x', preset: 'fast' }, /There is no preset “fast”/],
    ['a skill that is not there', { skill: 'nowhere', model: 'simulated' }, /nowhere/],
    ['no model', { model: undefined, models: {} }, /No model is chosen/],
  ] as const) {
    it(`says what is wrong with ${what}`, async () => {
      const given: unknown = { ...demo(), ...options };
      await assert.rejects(Reflect.apply(library.train, undefined, [given]), { message });
    });
  }

  const asPacked = isFull
    ? 'is packed, installed in an empty folder, type-checked and run from there'
    : 'runs as it is packed';
  it(asPacked, async function () {
    this.timeout(300_000);
    const { skill, home } = demo();
    const root = path.dirname(path.dirname(skill));
    const [made, user] = [path.join(root, 'package'), path.join(root, 'user')];
    await run(process.execPath, [path.resolve('scripts/npm.mjs'), '--out', made, ...(isFull ? [] : ['--no-types'])]);
    mkdirSync(path.join(user, 'node_modules'), { recursive: true });
    writeFileSync(path.join(user, 'package.json'), '{ "private": true, "type": "module" }');
    const installed = path.join(user, 'node_modules/whetstone');
    if (isFull) await packAndInstall(made, user);
    else cpSync(made, installed, { recursive: true });
    assert.ok(!readFileSync(path.join(installed, 'dist/library.js'), 'utf8').includes('require("vscode")'));
    const links = [...readFileSync(path.join(installed, 'README.md'), 'utf8').matchAll(/\]\(([^)]+)\)/g)];
    assert.ok(links.length > 1 && links.every(([, link = '']) => /^(?:https:|#)/.test(link)), links.join(' '));

    writeFileSync(path.join(user, 'user.mjs'), ranFile);
    const ran = await run(process.execPath, ['user.mjs', skill, home ?? ''], { cwd: user });
    assert.deepEqual(JSON.parse(ran.stdout), { kind: 'accepted', answers: 2, errors: true });
    await reachesQueues(isFull ? path.join(user, 'node_modules/.bin/whetstone') : path.join(installed, 'dist/cli.js'));
  });
});

/** As npm does it for a person who has nothing else there; what they write in TypeScript and what the command says is right. */
async function packAndInstall(made: string, user: string): Promise<void> {
  const packed = await run('npm', ['pack', '--json', '--pack-destination', user], { cwd: made });
  const [archive] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(packed.stdout));
  const words = ['install', '--offline', '--no-audit', '--no-fund', path.join(user, archive?.filename ?? '')];
  await run('npm', words, { cwd: user });
  const others = readdirSync(path.join(user, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.deepEqual(others, ['whetstone']);
  writeFileSync(path.join(user, 'user.ts'), userFile);
  const settings = '--noEmit --strict --module nodenext --target es2023 --singleThreaded --types'.split(' ');
  const compiler = path.resolve('node_modules/typescript/bin/tsc');
  await run(process.execPath, [compiler, ...settings, '', 'user.ts'], { cwd: user });
  const version = await run(path.join(user, 'node_modules/.bin/whetstone'), ['--version'], { cwd: user });
  assert.equal(
    version.stdout.trim(),
    z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8'))).version,
  );
}

/** The package alone has the part for queues, with all that it needs: without a secret it is that part which refuses. */
async function reachesQueues(cli: string): Promise<void> {
  const help = await run(process.execPath, [cli, 'worker', '--help']);
  assert.match(help.stdout, /^Usage: whetstone worker [^]*--environments <kinds>/);
  const env = { PATH: process.env['PATH'] };
  for (const words of [['queue'], ['worker', '--model', 'simulated']])
    await assert.rejects(run(process.execPath, [cli, ...words, '--queue', 'redis://localhost:1'], { env }), {
      code: 2,
      stderr: /^whetstone: The queue has no secret\./,
    });
}

/** What a person writes in TypeScript. */
const userFile = `
import { train, evaluate, certify, defineCheck, defineEnvironment, UserError, type TrainResult } from 'whetstone';

const check = defineCheck({ name: 'short', criterion: 'It is short.', evaluate: (answer) => answer.length < 100 });
const environment = defineEnvironment({
  name: 'echo',
  async rollout({ task }) {
    return {
      kind: 'answered', answer: task.prompt, toolsCalled: [], transcript: [], cached: false, failure: undefined,
      usage: { inputTokens: 0, outputTokens: 0, exact: true }, scores: undefined, extras: {},
    };
  },
});
export default defineEnvironment({
  items: ({ split, options, seed }) => [{ id: split, question: String(options['about'] ?? seed) }],
  initialSkill: async () => '# Echo',
  taskTypes: ({ tasks }) => Object.fromEntries(tasks.map(({ id }) => [id, 'echo'])),
  planBatches: ({ tasks, batchSize }) => [tasks.slice(0, batchSize).map(({ id }) => id)],
  representatives: ({ tasks, count }) => tasks.slice(0, count).map(({ id }) => id),
  buildEnv: ({ options }) => ({ most: Number(options['most']) }),
  rollout: async ({ task, skill }, { most }) => ({ hard: (skill ?? task.prompt).length < most ? 1 : 0, soft: 0, colour: 'red' }),
  async reflect({ attempts, budget }) {
    const tasks = attempts.filter(({ hard }) => hard === 0).map(({ id }) => id);
    return { remarks: 'Too long.', edits: [{ op: 'append' as const, content: '- Be brief.', tasks }].slice(0, budget) };
  },
});
// @ts-expect-error a first skill is a text
defineEnvironment({ rollout: () => ({ hard: 1, soft: 1 }), initialSkill: () => 4 });
export async function main(): Promise<TrainResult> {
  const result = await train({ skill: 's', model: 'simulated', preset: 'quick', checks: [check], environments: [environment] });
  const better: number | null | undefined = result.verdict?.difference;
  const { totals } = await evaluate({ skill: 's', model: 'simulated' });
  const kind: 'accepted' | 'rejected' | 'inconclusive' | 'unmeasured' = (await certify({ skill: 's', after: result.text ?? '' })).kind;
  if (better === null || totals.all.n === 0 || kind === 'rejected') throw new UserError('usage', 'no', 'yes');
  // @ts-expect-error a preset that there is not
  await train({ skill: 's', preset: 'fast' });
  return result;
}
`;

const ranFile = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { train, evaluate, defineEnvironment, UserError } from 'whetstone';
const [skill, home] = process.argv.slice(2);
const { verdict } = await train({ skill, home, model: 'simulated', preset: 'quick', settings: { 'train.seed': 7 } });
const echo = defineEnvironment({
  name: 'echo',
  rollout: async ({ task }) => ({
    kind: 'answered', answer: task.prompt, toolsCalled: [], transcript: [], cached: false, failure: undefined,
    usage: { inputTokens: 0, outputTokens: 0, exact: true }, scores: undefined, extras: {},
  }),
});
mkdirSync('own/evals', { recursive: true });
writeFileSync('own/SKILL.md', '---\\nname: own\\ndescription: Says what it is told.\\n---\\n\\nSay it.\\n');
const ids = ['one', 'two'];
const tasks = Object.fromEntries(ids.map((id) => [id, { environment: 'echo', checks: [{ check: 'exact', answer: id }] }]));
writeFileSync('own/evals/evals.json', JSON.stringify({ evals: ids.map((id) => ({ id, prompt: id })) }));
writeFileSync('own/evals/whetstone.json', JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks }));
const scored = await evaluate({ skill: 'own', home, model: 'simulated', environments: [echo], only: ids });
const refused = await train({ skill: 'nowhere', model: 'simulated' }).catch((error) => error);
console.log(JSON.stringify({ kind: verdict.kind, answers: scored.tasks.filter(({ hard }) => hard === 1).length, errors: refused instanceof UserError }));
`;
