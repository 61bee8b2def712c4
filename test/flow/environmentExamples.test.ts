import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import type { AttemptResult, AttemptsToReflect, RegisteredEnvironment } from '../../src/ports/environment.js';
import { createRegisteredEnvironment } from '../../src/environments/registered.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';
import { anAttempt } from '../builders/anAttempt.js';
import { anAnswer } from '../builders/anAnswer.js';
import { aTask, aTrainingTask } from '../builders/aTask.js';
import { few } from '../builders/few.js';

const page = readFileSync('docs/environments.md', 'utf8');
const examples = new Map(
  [...page.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
);
const neverAborted = new AbortController().signal;

describe('the examples of docs/environments.md', function () {
  const shells: CommandLine[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));

  it('are all there: one for each environment', () => {
    const folders = new Set([...examples.keys()].map((file) => file.split('/')[0]));
    assert.deepEqual(
      folders,
      new Set([
        'chat',
        'tools',
        'agent',
        'program',
        'module',
        'edits',
        'edits-module',
        'items',
        'items-module',
        'extension.js',
      ]),
    );
  });

  it('run a chat task with its fixture and its own system text', async () => {
    const { score, folder } = anExample('chat', 'Mention “five working days”.');
    mkdirSync(path.join(folder, 'evals/files'));
    writeFileSync(path.join(folder, 'evals/files/mail.txt'), 'Where is my money?');
    assert.equal(await score(), 1);
  });

  it('run a task with tools', async () => {
    const { score } = anExample('tools', 'Call `search_help` before answering.');
    assert.equal(await score(), 1);
  });

  it('run a task that an agent works on', async () => {
    const { score, folder } = anExample('agent', 'Run `npm run check` at the end.');
    mkdirSync(path.join(folder, 'evals/fixtures/shop'), { recursive: true });
    writeFileSync(path.join(folder, 'evals/fixtures/shop/prices.csv'), 'lamp,19.00\n');
    assert.equal(await score(), 1);
  });

  for (const kind of ['program', 'module']) {
    it(`run a ${kind}, with the skill and without its lesson`, async () => {
      const good = anExample(kind, 'End with the line “Kind regards”.');
      assert.equal(await good.score('--allow-programs'), 1);
      const bad = anExample(kind, 'Write a letter.');
      assert.equal(await bad.score('--allow-programs'), 0);
    });
  }

  for (const kind of few(['edits-module', 'edits'])) {
    it(`propose an edit of their own (${kind}), which is certified under their name`, async () => {
      const { folder, shell } = anExample(kind, 'Write a letter.');
      giveTasks(folder);
      const rule = ['gate.rule=strict', 'gate.attribution=false', 'train.epochs=1'].flatMap((each) => ['--set', each]);
      const done = await shell.run('optimize', folder, '--preset', 'quick', '--json', '--allow-programs', ...rule);
      const result: TrainedJson = JSON.parse(done.out);
      assert.equal(result.verdict.kind, 'accepted', done.out + done.err);
      assert.deepEqual(
        result.edits.map(({ content, source, environment }) => [content, source, environment]),
        [['- Write “Stamp: 4711” below every letter.', 'environment', 'post']],
      );
    });
  }

  for (const kind of few(['items', 'items-module'])) {
    it(`bring their tasks and a first skill (${kind})`, async () => {
      const { folder, shell } = anExample(kind, '');
      rmSync(path.join(folder, 'SKILL.md'));
      const made = await shell.run('new', folder, '--from-environment', '--allow-programs', '--yes');
      assert.equal(made.code, 0, made.err);
      const done = await shell.run('evaluate', folder, '--json', '--sealed');
      const result: { tasks: readonly { id: string; split: string; hard: number }[] } = JSON.parse(done.out);
      const sides = result.tasks.map(({ id, split, hard }) => `${id} ${split} ${hard}`);
      assert.equal(sides.length, 10, done.err);
      assert.ok(sides.includes('a-lost-parcel training 0') && sides.includes('a-new-address sealed 0'), sides.join());
    });
  }

  it('register an environment that keeps the contract', async () => {
    const environment = await registeredBy(examples.get('extension.js') ?? '');
    assert.equal(environment.name, 'post-office');
    await environment.setup?.({ skillPath: '/skill/SKILL.md', tasks: [] }, neverAborted);
    const attempt = (skill: string | undefined): Promise<AttemptResult> =>
      createRegisteredEnvironment(environment).attempt(anAttempt({ skill }), neverAborted);
    const [good, bad] = [await attempt('Sign with Kind regards.'), await attempt(undefined)];
    assert.deepEqual(
      [good, bad].map((result) => (result.kind === 'answered' ? result.scores?.hard : result.reason)),
      [1, 0],
    );
    const reflected: readonly AttemptsToReflect[] = [{ task: aTrainingTask(), result: anAnswer('Dear customer') }];
    const at = { step: 1, skill: '', memory: undefined, document: 'skill', scope: 'body', budget: 4, seed: 1 } as const;
    assert.equal(await environment.reflect?.(reflected, neverAborted, at), '1 letters were written.');
    assert.equal(environment.taskType?.(aTask({ tags: ['bill'] })), 'bill');
    const plan = environment.planBatches?.([aTask({ id: 'a' })], { epoch: 1, batchSize: 8, seed: 1 });
    assert.deepEqual(JSON.parse(JSON.stringify(plan)), [['a']]);
  });

  function anExample(
    name: string,
    lesson: string,
  ): Pick<CommandLine, 'folder'> & {
    readonly shell: CommandLine;
    readonly score: (...words: readonly string[]) => Promise<number>;
  } {
    const shell = aCommandLine();
    shells.push(shell);
    const folder = path.join(shell.folder, name);
    for (const [file, text] of examples) {
      if (!file.startsWith(`${name}/`)) continue;
      mkdirSync(path.dirname(path.join(shell.folder, file)), { recursive: true });
      writeFileSync(path.join(shell.folder, file), text);
    }
    writeFileSync(path.join(folder, 'SKILL.md'), `---\nname: ${name}\n---\n\n# ${name}\n\n${lesson}\n`);
    return {
      folder,
      shell,
      score: async (...words) => {
        const done = await shell.run('evaluate', folder, '--json', ...words);
        const result: { tasks: readonly [{ hard: number; invalid?: string }] } = JSON.parse(done.out);
        assert.equal(result.tasks[0].invalid, undefined);
        return result.tasks[0].hard;
      },
    };
  }
});

interface TrainedJson {
  readonly verdict: { readonly kind: string };
  readonly edits: readonly { readonly content: string; readonly source: string; readonly environment?: string }[];
}

/** As many tasks as a strict verdict takes, all in the environment of the example. */
function giveTasks(folder: string): void {
  const file = path.join(folder, 'evals/whetstone.json');
  const wants = ['lamps', 'a refund', 'the hotline', 'a broken glass', 'billing', 'late post', 'missing screws'];
  const evals = wants.map((want, index) => ({ id: `t${index}`, prompt: `Write to somebody about ${want}.` }));
  const tasks = Object.fromEntries(
    evals.map(({ id }, index) => [id, { environment: 'post', split: index < 2 ? 'training' : 'heldOut' }]),
  );
  writeFileSync(path.join(folder, 'evals/evals.json'), JSON.stringify({ evals }));
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), tasks }));
}

/** Runs the example as an extension host would, with a Whetstone that keeps what is registered. */
async function registeredBy(source: string): Promise<RegisteredEnvironment> {
  const registered: RegisteredEnvironment[] = [];
  const registerEnvironment = (environment: RegisteredEnvironment): object => {
    registered.push(environment);
    return { dispose: () => undefined };
  };
  const vscode = { extensions: { getExtension: () => ({ activate: async () => ({ registerEnvironment }) }) } };
  const exported: { activate?: (context: object) => Promise<void> } = {};
  vm.runInNewContext(source, { require: () => vscode, exports: exported });
  await exported.activate?.({ subscriptions: [] });
  const [environment] = registered;
  assert.ok(environment, 'the example registers an environment');
  return environment;
}
