import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { UserError } from '../../src/errors.js';
import type { LanguageModel } from '../../src/ports/languageModel.js';
import { createSimulatedModel } from '../../src/simulated/simulatedModel.js';
import { lettersModule, lettersOf } from '../builders/broughtLetters.js';
import { aWorkspace, type TestWorkspace } from '../builders/aWorkspace.js';
import { few } from '../builders/few.js';

const neverAborted = new AbortController().signal;
const strict = { gate: { rule: 'strict', attribution: false }, train: { epochs: 1, batchSize: 8 } };
const allowed = { consent: { allows: () => Promise.resolve(true) } };

describe('what an environment brings', () => {
  const workspaces: TestWorkspace[] = [];
  after(() => workspaces.forEach((workspace) => workspace.dispose()));

  it('reaches the optimizer only as far as it is for training, and the reference text of none', async () => {
    const asked: string[] = [];
    const simulated = createSimulatedModel();
    const optimizer: LanguageModel = {
      identity: simulated.identity,
      complete: (asking, signal) => {
        asked.push(JSON.stringify(asking));
        return simulated.complete(asking, signal);
      },
    };
    const workspace = make(lettersModule);
    const done = await workspace
      .useCases({ target: simulated, optimizer, judge: simulated }, allowed)
      .optimize({ ...request(workspace), settings: [strict] }, () => undefined, neverAborted);
    assert.equal(done.proposal?.verdict.kind, 'accepted', done.noProposal?.reason);
    assert.ok(asked.some((text) => text.includes('a lamp that flickers at night')));
    for (const { id, question } of [...lettersOf('val'), ...lettersOf('test')])
      assert.ok(!asked.some((text) => text.includes(String(question)) || text.includes(`"${String(id)}"`)), String(id));
    assert.ok(!asked.some((text) => text.includes('in drawer')));
  });

  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['exits', 'items: () => process.exit(3)', /ended with 3\.$/],
    ['gives no list', `items: () => 'many'`, /no answer to “items”/],
    [
      'hangs',
      'items: () => new Promise(() => setInterval(() => {}, 1000))',
      /gave none\. The program did not end within 1 s/,
    ],
    [
      'floods',
      `items: async () => { for (;;) await new Promise((sent) => process.stdout.write('x'.repeat(1e6), sent)); }`,
      /more than 24 MB/,
    ],
    [
      'gives what has no end',
      'items: () => { const item = {}; item.item = item; return [item]; }',
      /circular structure/,
    ],
    [
      'brings too much',
      "items: ({ split }) => [{ id: split, prompt: 'x'.repeat(9e6) }]",
      /What “post” brings is over 24 MB/,
    ],
    [
      'takes an id of the files',
      `items: ({ split }) => [{ id: 'mine', prompt: 'Who? ' + split }]`,
      /brings a task with the id “mine”, which a task of the files has/,
    ],
    [
      'asks too little',
      `items: () => [{ id: 'a', question: 5 }, { id: 'b', qestion: 'Who?' }]`,
      /too few tasks to learn from.* Item 1 of train that “post” brings is left out: “question” is no text\. More such problems: 5\./,
    ],
  ];
  // One that hangs or floods is ended by the same limits when it attempts a task, and when it is asked anything.
  for (const [what, method, reason] of few(refused, 2)) {
    it(`ends the run before it begins where it ${what}`, async () => {
      const workspace = make(`export default { ${method}, rollout: () => ({ hard: 1, soft: 1 }) };`, {
        seconds: what === 'hangs' ? 1 : 20,
        files: true,
      });
      const run = workspace
        .useCases(undefined, allowed)
        .optimize({ ...request(workspace), settings: [strict] }, () => undefined, neverAborted);
      await assert.rejects(run, reason);
      const runs = path.join(workspace.folder, '.whetstone/runs');
      assert.deepEqual(existsSync(runs) ? readdirSync(runs) : [], []);
    });
  }

  it('is named where nothing of it asks anything and there are no other tasks', async () => {
    const workspace = make(`export default { items: () => [{ id: 'b', qestion: 'Who?' }], rollout: () => ({}) };`);
    const run = workspace
      .useCases(undefined, allowed)
      .optimize({ ...request(workspace), settings: [strict] }, () => undefined, neverAborted);
    await assert.rejects(run, (error: UserError) => {
      assert.match(error.message, /Item 1 of train that “post” .* \(it has: id, qestion\)\. More such problems: 2\./);
      assert.deepEqual(
        [error.code, error.cure],
        ['tasks-malformed', 'Correct what the environment gives, then run again.'],
      );
      return true;
    });
  });

  it('is asked for again where it holds a secret, which is kept nowhere', async () => {
    const key = `sk-proj-${'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(2)}`;
    const workspace = make(lettersModule.replace('a lamp that flickers', `the key ${key} of a lamp`));
    const wish = { ...request(workspace), purpose: 'optimize' as const, settings: [strict] };
    const evaluation = { ...wish, sealed: false, withoutSkill: false, fresh: false, only: ['train-0'] };
    await workspace.useCases(undefined, allowed).evaluate(evaluation, () => undefined, neverAborted);
    const found = [workspace.home, path.join(workspace.folder, '.whetstone')].flatMap(filesBelow);
    assert.ok(found.length > 3);
    assert.deepEqual(
      found.filter((file) => readFileSync(file, 'utf8').includes(key)),
      [],
    );
  });

  function make(module: string, { seconds = 20, files = false } = {}): TestWorkspace {
    const workspace = aWorkspace({ tasks: [] });
    workspaces.push(workspace);
    const folder = path.join(path.dirname(workspace.skillPath), 'evals');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const post = { module: './post.mjs', timeLimitSeconds: seconds, batch: true, brings: ['items'] };
    const whetstone = { format: 'whetstone.tasks', version: 1, environments: { post } };
    writeFileSync(path.join(folder, 'whetstone.json'), JSON.stringify(whetstone));
    writeFileSync(path.join(folder, 'post.mjs'), module);
    const evals = [{ id: 'mine', prompt: 'Write.', expectations: ['It is short.'] }];
    if (files) writeFileSync(path.join(folder, 'evals.json'), JSON.stringify({ evals }));
    return workspace;
  }
});

function request({ skillPath, folder }: TestWorkspace): {
  readonly skillPath: string;
  readonly workspaceFolders: readonly string[];
  readonly preset: 'quick';
  readonly purpose: 'optimize';
  readonly trusted: true;
} {
  return { skillPath, workspaceFolders: [folder], preset: 'quick', purpose: 'optimize', trusted: true };
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
