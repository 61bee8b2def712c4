import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  askEnvironment,
  bringsOf,
  type EnvironmentReply,
  type EnvironmentAnswers,
  type EnvironmentQuestion,
} from '../../../src/environments/askEnvironment.js';
import type { ProgramResult } from '../../../src/ports/programs.js';
import { isFull } from '../../builders/few.js';
import { ScriptedPrograms } from '../../fakes/ScriptedPrograms.js';
import type { EnvironmentAsk, EnvironmentDeclaration } from '../../../src/tasks/readers/whetstoneFile.js';
import { moduleProgram } from '../../../src/storage/programs/moduleProgram.js';
import { nodePrograms } from '../../../src/storage/programs/nodePrograms.js';
import { programContents } from '../../../src/storage/programs/programContents.js';

const neverAborted = new AbortController().signal;

const python = `
import json, sys
line = json.loads(sys.stdin.readline())
print("a program may print what it likes")
print(json.dumps({
  "items": {"items": [line.get("split"), line["seed"], line["options"]]},
  "skill": {"skill": "# " + line["options"]["who"]},
  "types": {"types": {each["id"]: "letter" for each in line.get("tasks", [])}},
  "representatives": {"ids": [7, "b"]},
  "batches": {"batches": [["a"], [line.get("batch_size")]]},
  "edits": {"remarks": "r", "edits": [{"op": "append"}]},
}[line["ask"]]))
`;

const module = `
console.log('a module may print what it likes');
export default {
  items: ({ split, seed, options }) => [split, seed, options],
  initialSkill: async ({ options }) => '# ' + options.who,
  taskTypes: ({ tasks }) => Object.fromEntries(tasks.map(({ id }) => [id, 'letter'])),
  representatives: () => ({ ids: [7, 'b'] }),
  planBatches: ({ batchSize }) => [['a'], [batchSize]],
  reflect: ({ edits }) => (edits === false ? 'r' : { remarks: 'r', edits: [{ op: 'append' }] }),
};
`;

describe('a question to an environment', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-ask-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  before(() => mkdirSync(path.join(folder, 'evals/post'), { recursive: true }));
  const rest = { folder: 'evals/post', timeLimitSeconds: 20, options: { who: 'customer' } };
  const asProgram = { ...rest, command: 'python3', arguments: ['post.py'] };
  const asModule = { ...rest, module: './post.mjs' };
  beforeEach(() => {
    write('post.py', python);
    write('post.mjs', module);
  });

  for (const [kind, declared] of Object.entries({ program: asProgram, module: asModule })) {
    it(`is answered by a ${kind}, whatever it is asked`, async () => {
      assert.deepEqual(await answerTo(declared, { ask: 'items', seed: 3, more: { split: 'val' } }), {
        items: ['val', 3, { who: 'customer' }],
      });
      assert.deepEqual(await answerTo(declared, { ask: 'skill', seed: 3 }), { skill: '# customer' });
      if (!isFull && kind === 'program') return; // a module has a function for each
      const more = { tasks: [{ id: 'a' }, { id: 'b' }], batch_size: 2 };
      assert.deepEqual(await answerTo(declared, { ask: 'types', seed: 3, more }), {
        types: new Map([
          ['a', 'letter'],
          ['b', 'letter'],
        ]),
      });
      assert.deepEqual(await answerTo(declared, { ask: 'representatives', seed: 3, more }), { ids: ['7', 'b'] });
      assert.deepEqual(await answerTo(declared, { ask: 'batches', seed: 3, more }), { batches: [['a'], ['2']] });
      const edits = { remarks: 'r', edits: [{ op: 'append' }] };
      assert.deepEqual(await answerTo(declared, { ask: 'edits', seed: 3, more }), edits);
    });
  }

  it('may be answered by a module with remarks alone', async () => {
    const answer = await answerTo(asModule, { ask: 'edits', seed: 3, more: { edits: false } });
    assert.deepEqual(answer, { remarks: 'r' });
  });

  const failing: readonly (readonly [string, ProgramResult, RegExp])[] = [
    ['ends with an error', { ...wrote(''), code: 1, errorOutput: 'no post today' }, /ended with 1: no post today/],
    ['says nothing', wrote('\n'), /wrote no answer to “items”/],
    ['writes prose', wrote('All good!'), /no answer to “items”: .*All good!/],
    ['gives another shape', wrote('{"items": 5}'), /no answer to “items”: .*items/],
    ['nests without end', wrote(`{"items":${'['.repeat(500)}${']'.repeat(500)}}`), /nested too deeply/],
    ['is not there', { kind: 'not-started', reason: 'ENOENT' }, /could not be started: ENOENT/],
  ];
  for (const [what, result, reason] of failing) {
    it(`gives the reason where the program ${what}`, async () => {
      assert.match(reasonOf(await ask(asProgram, { ask: 'items', seed: 1 }, { result })), reason);
    });
  }

  it('gives the reason where the program hangs or floods', async () => {
    write('post.py', 'import time; time.sleep(60)');
    const hangs = await ask({ ...asProgram, timeLimitSeconds: 0.3 }, { ask: 'skill', seed: 1 });
    assert.match(reasonOf(hangs), /did not end within 0\.3 s/);
    write('post.py', 'while True: print("x" * 100000)');
    assert.match(reasonOf(await ask(asProgram, { ask: 'skill', seed: 1 })), /more than 4 MB/);
  });

  it('names the function that a module lacks, and what it throws', async () => {
    write('post.mjs', 'export default { items() { throw new Error("no stamps"); } };');
    const lacking = await ask(asModule, { ask: 'skill', seed: 1 });
    assert.match(reasonOf(lacking), /post\.mjs has no function “initialSkill”/);
    const thrown = await ask(asModule, { ask: 'items', seed: 1 });
    assert.match(reasonOf(thrown), /no stamps/);
  });

  it('starts nothing that the person did not allow', async () => {
    const asked = await ask(asProgram, { ask: 'items', seed: 1 }, { allowed: false });
    const what = 'python3 post.py options={"who":"customer"}';
    assert.deepEqual(asked, { kind: 'failed', reason: `The program “${what}” was not allowed to run.` });
  });

  it('keeps what a type is called by, prototype or not', async () => {
    const result = wrote('{"types": {"constructor": "a", "b": "toString"}}');
    const asked = await ask(asProgram, { ask: 'types', seed: 1 }, { result });
    assert.ok(asked.kind === 'answered');
    assert.deepEqual([asked.answer.types.get('constructor'), asked.answer.types.get('toString')], ['a', undefined]);
  });

  it('is asked only of those that are declared to bring it', () => {
    assert.equal(bringsOf(asProgram, 'items'), false);
    assert.equal(bringsOf({ ...asProgram, brings: ['items'] }, 'items'), true);
    assert.equal(bringsOf({ ...asProgram, brings: ['items'] }, 'skill'), false);
  });

  function write(name: string, text: string): void {
    writeFileSync(path.join(folder, 'evals/post', name), text);
  }

  function ask<Ask extends EnvironmentAsk>(
    declared: EnvironmentDeclaration,
    question: EnvironmentQuestion<Ask>,
    { allowed = true, result }: { readonly allowed?: boolean; readonly result?: ProgramResult } = {},
  ): Promise<EnvironmentReply<Ask>> {
    const sources = {
      programs: result === undefined ? nodePrograms : new ScriptedPrograms(() => result),
      contents: programContents('/root'),
      consent: { allows: () => Promise.resolve(allowed) },
      folder,
      moduleStart: moduleProgram,
    };
    return askEnvironment(declared, question, sources, neverAborted);
  }

  async function answerTo<Ask extends EnvironmentAsk>(
    declared: EnvironmentDeclaration,
    question: EnvironmentQuestion<Ask>,
  ): Promise<EnvironmentAnswers[Ask]> {
    const asked = await ask(declared, question);
    if (asked.kind === 'failed') assert.fail(asked.reason);
    return asked.answer;
  }
});

function wrote(output: string): Extract<ProgramResult, { kind: 'exited' }> {
  return { kind: 'exited', code: 0, output, errorOutput: '' };
}

function reasonOf(asked: EnvironmentReply<EnvironmentAsk>): string {
  return asked.kind === 'failed' ? asked.reason : '';
}
