import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { anEnvironmentSkill, type EnvironmentShell } from '../builders/anEnvironmentSkill.js';
import { few } from '../builders/few.js';

/** Signs its letters once the skill says so, and judges itself. */
const letters = `
import { closing } from './closing.mjs';
console.log('a module may print what it likes');
export default {
  async rollout({ task, skill, phase, split, seed, attempt, options }) {
    if (![phase, split, seed, attempt].every((each) => each !== undefined)) throw new Error('something is missing');
    const signed = (skill ?? '').includes(closing);
    return {
      hard: signed ? 1 : 0,
      soft: signed ? 1 : 0.5,
      fail_reason: signed ? '' : \`The answer ends with the line “\${closing}”.\`,
      conversation: [{ role: 'assistant', content: 'Dear ' + options.who }],
    };
  },
};
`;
const folder = { module: './post.mjs', folder: 'evals/post', timeLimitSeconds: 20, options: { who: 'customer' } };
const files = { 'evals/post/post.mjs': letters, 'evals/post/closing.mjs': "export const closing = 'Kind regards';" };

describe('an environment that is a module', function () {
  const shells: EnvironmentShell[] = [];
  after(() => shells.forEach((shell) => shell.dispose()));
  const make = (parts: Parameters<typeof anEnvironmentSkill>[0]): EnvironmentShell => {
    const shell = anEnvironmentSkill(parts);
    shells.push(shell);
    return shell;
  };

  it('trains a skill from the command line, once the person has allowed it', async () => {
    const shell = make({ declared: folder, files, tasks: 7 });
    const options = ['gate.rule=strict', 'gate.attribution=false'].flatMap((each) => ['--set', each]);
    const words = ['optimize', shell.skillFolder, '--preset', 'quick', '--json', ...options];
    const refused = await shell.run(...words);
    assert.match(refused.err, /Not allowed to run: \.\/post\.mjs .*who.*Look at it in .*evals.post, then add/);
    const trained = await shell.run(...words, '--allow-programs');
    const result: { verdict: { kind: string }; before: number; after: number } = JSON.parse(trained.out);
    assert.deepEqual([result.verdict.kind, result.before, result.after], ['accepted', 0, 1], trained.out);
  });

  it('is asked about again when a file of its folder changes, or its options', async () => {
    const shell = make({ declared: folder, files });
    await shell.scores();
    const again = await shell.run('evaluate', shell.skillFolder, '--json');
    assert.doesNotMatch(again.err, /llowed/);
    writeFileSync(path.join(shell.skillFolder, 'evals/post/closing.mjs'), "export const closing = 'Yours';");
    assert.match((await shell.run('evaluate', shell.skillFolder)).err, /Not allowed to run/);
  });

  it('may be one file beside the tasks, with defineEnvironment, and leave judging to their checks', async () => {
    const text = `import { defineEnvironment } from 'whetstone';
export default defineEnvironment({ rollout: async ({ task }) => ({ predicted_answer: 'Dear ' + task.id }) });`;
    const tasks = { t0: { environment: 'post', checks: [{ check: 'contains', text: 'Dear t0' }] } };
    const whetstone = {
      format: 'whetstone.tasks',
      version: 1,
      environments: { post: { module: './post.mjs' } },
      tasks,
    };
    const own = { 'evals/post.mjs': text, 'evals/whetstone.json': JSON.stringify(whetstone) };
    const shell = make({ declared: {}, files: own });
    assert.deepEqual(
      (await shell.scores()).map(({ hard }) => hard),
      [1],
    );
    const file = path.join(shell.skillFolder, 'evals/evals.json');
    writeFileSync(file, JSON.stringify({ evals: [{ id: 't0', prompt: 'Another question.' }] }));
    assert.doesNotMatch((await shell.run('evaluate', shell.skillFolder)).err, /llowed/, 'tasks are no part of it');
  });

  it('may give back what an environment of the library gives', async () => {
    const text = `export default { name: 'post', rollout({ task, family }) {
  if (task.id === 't1') return { kind: 'invalid', reason: 'no stamps for ' + family };
  return { kind: 'answered', answer: 'Dear', scores: { hard: 1, soft: 1 }, transcript: [{ kind: 'message', role: 'user', text: 'Hm?' }] };
} };`;
    const shell = make({ declared: { module: './post.mjs' }, files: { 'evals/post.mjs': text }, tasks: 2 });
    const came = new Map((await shell.scores()).map(({ id, hard, invalid }) => [id, invalid ?? hard]));
    assert.equal(came.get('t0'), 1);
    assert.match(String(came.get('t1')), /no stamps for \w/);
  });

  const key = 'sk-proj-nobody-may-see-this-key-0123456789';

  it('has none of the person’s keys in its process', async () => {
    const text = `import { readFileSync } from 'node:fs';
const everywhere = [JSON.stringify(process.env), process.argv.join(), process.execArgv.join()];
if (process.platform === 'linux') everywhere.push(readFileSync('/proc/self/environ', 'utf8'));
export default { rollout(line) {
  const found = everywhere.concat(JSON.stringify(line)).some((each) => each.includes('nobody-may-see'));
  return { hard: found ? 0 : 1, soft: 1 };
} };`;
    const shell = make({ declared: { module: './post.mjs' }, files: { 'evals/post.mjs': text } });
    process.env['OPENAI_API_KEY'] = key;
    try {
      assert.deepEqual(
        (await shell.scores()).map(({ hard }) => hard),
        [1],
      );
    } finally {
      delete process.env['OPENAI_API_KEY'];
    }
  });

  it('ends with everything that it started, and the run goes on: one hangs, floods, exits or forks', async () => {
    const text = `import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const hostile = {
  t0: () => new Promise(() => setInterval(() => {}, 1000)),
  t1: async () => { for (;;) await new Promise((sent) => process.stdout.write('x'.repeat(100_000), sent)); },
  t2: () => process.exit(0),
  t3: () => {
    const still = ['-e', 'setInterval(() => {}, 1000)'];
    const children = [false, true].map((detached) => spawn(process.execPath, still, { detached, stdio: 'ignore' }));
    writeFileSync(PIDS, children.map(({ pid }) => pid).join(' '));
    return { hard: 0, soft: 0 };
  },
  t4: () => ({ hard: 1, soft: 1 }),
};
export default { rollout: ({ task }) => hostile[task.id]() };`;
    const declared = { module: './post.mjs', timeLimitSeconds: 3 };
    const shell = make({ declared, files: {}, tasks: 5, programs: 'bare' });
    const pids = path.join(shell.home, '..', 'pids');
    const own = path.join(shell.skillFolder, 'evals/post.mjs');
    writeFileSync(own, text.replace('PIDS', JSON.stringify(pids)));
    const came = new Map((await shell.scores()).map(({ id, hard, invalid }) => [id, invalid ?? hard]));
    assert.deepEqual([came.get('t0'), came.get('t3'), came.get('t4')], [0, 0, 1]);
    assert.match(String(came.get('t1')), /The program wrote more than 4 MB/);
    assert.match(String(came.get('t2')), /The program wrote no result/);
    for (const pid of readFileSync(pids, 'utf8').split(' ')) assert.throws(() => process.kill(Number(pid), 0), pid);
  });

  const refused: readonly [what: string, text: string, reason: RegExp][] = [
    [
      'that has no rollout',
      'export default { reflect() {} };',
      /The program ended with 1: The default export of post\.mjs/,
    ],
    [
      'that throws',
      "export default { rollout() { throw new Error('no stamps'); } };",
      /The program ended with 1: no stamps \(post\.mjs, line 1\)\./,
    ],
    ['that gives nothing', 'export default { rollout() {} };', /last line is not a result/],
    [
      'that cannot be read',
      'export default {\n  rollout: () => post(1\n};',
      /The program ended with 1: missing \) after argument list \(post\.mjs, line 2\)\./,
    ],
    [
      'that misses a package',
      "import { stamp } from 'stamps';\nexport default { rollout: stamp };",
      /The program ended with 1: Cannot find package 'stamps' imported from post\.mjs\./,
    ],
    [
      'that misses a file',
      "import { stamp } from './stamps.mjs';\nexport default { rollout: stamp };",
      /The program ended with 1: Cannot find module 'stamps\.mjs' imported from post\.mjs\./,
    ],
  ];
  for (const [what, text, reason] of few(refused, 3)) {
    it(`makes an attempt invalid in one ${what}`, async () => {
      const shell = make({ declared: { module: './post.mjs' }, files: { 'evals/post.mjs': text } });
      const [score] = await shell.scores();
      assert.equal(score?.hard, null);
      assert.match(score?.invalid ?? '', reason);
    });
  }
});
