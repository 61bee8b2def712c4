import assert from 'node:assert/strict';
import { evaluateAnswer, type JudgingServices } from '../../../src/checks/judgeAnswer.js';
import { createProgramEnvironment } from '../../../src/environments/program.js';
import type { AttemptRequest, AttemptResult } from '../../../src/ports/environment.js';
import { targetServers } from '../../../src/wire/serveTarget.js';
import { moduleProgram } from '../../../src/storage/programs/moduleProgram.js';
import { sha256 } from '../../../src/hash.js';
import type { ProgramQuestion, ProgramResult } from '../../../src/ports/programs.js';
import type { ProgramDeclaration } from '../../../src/tasks/readers/whetstoneFile.js';
import { anAttempt } from '../../builders/anAttempt.js';
import { aCheck, aTask } from '../../builders/aTask.js';
import { MemoryContents } from '../../fakes/MemoryContents.js';
import { ScriptedModel } from '../../fakes/ScriptedModel.js';
import { ScriptedPrograms } from '../../fakes/ScriptedPrograms.js';
import { noServices } from '../checks/evaluateCheck.js';

const neverAborted = new AbortController().signal;
const declared = { command: 'python3', arguments: ['env.py'], folder: 'evals/env', timeLimitSeconds: 7 };
const request = anAttempt({ task: aTask({ id: 'one', environment: 'sums' }), memory: 'Notes.' });
const asksNobody: JudgingServices = {
  ...noServices,
  judge: new ScriptedModel(),
  prompts: new Map(),
  repeats: 1,
  attempt: 1,
  family: 'test',
};

const traceback = `Traceback (most recent call last):
  File "/tmp/whetstone-GNEsYZ/post.py", line 12, in <module>
    ask(line["target"])
  File "/usr/lib/python3.11/json/decoder.py", line 337, in decode
    obj, end = self.raw_decode(s, idx=_w(s, 0).end())
               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
KeyError: 'target'
`;

describe('the program environment', () => {
  it('hands one JSON line over, in a copy of its folder, within limits', async () => {
    const { programs } = await run(written({ id: 'one', hard: 1, soft: 1 }));
    const [made] = programs.requests;
    assert.equal(made?.folder, '/skill/evals/env');
    assert.equal(made?.timeLimitMs, 7000);
    assert.equal(made?.input.split('\n').length, 2);
    const line: unknown = JSON.parse(made?.input ?? '');
    assert.deepEqual(line, {
      phase: 'training',
      split: 'train',
      seed: 42,
      attempt: 1,
      sample: 'training:42:1',
      task: JSON.parse(JSON.stringify(request.task)),
      skill: request.skill,
      memory: 'Notes.',
      options: {},
    });
  });

  const splits: readonly (readonly [AttemptRequest['phase'], string])[] = [
    ['training', 'train'],
    ['heldOut', 'val'],
    ['sealed', 'test'],
    ['single', 'val'],
  ];
  for (const [phase, split] of splits) {
    it(`calls the side ${phase} ${split}, and a missing skill null`, async () => {
      const { programs } = await run(written({ id: 'one', hard: 1, soft: 1 }), { ...request, phase, skill: undefined });
      const line: { split: string; skill: null } = JSON.parse(programs.requests[0]?.input ?? '');
      assert.deepEqual([line.split, line.skill], [split, null]);
    });
  }

  it('takes scores, reason, conversation, answer, and keeps everything else', async () => {
    const { result } = await run(
      written({
        id: 'one',
        hard: 0,
        soft: 0.5,
        fail_reason: 'the total is missing',
        conversation: [
          { role: 'user', content: 'Sum up.' },
          { type: 'tool_call', cmd: 'add 1 2', obs: '3' },
          { step: 1, action: 'count', env_feedback: 'two', reasoning: null },
          { role: 'assistant', content: 'About three.' },
          { what: 'is this' },
        ],
        seconds: 4.2,
        trace: { steps: [1, 2] },
      }),
    );
    assert.ok(result.kind === 'answered');
    assert.equal(result.answer, 'About three.');
    assert.deepEqual(result.scores, { hard: 0, soft: 0.5, reason: 'the total is missing' });
    assert.deepEqual(result.toolsCalled, [{ name: 'add', arguments: 'add 1 2' }]);
    assert.equal(result.transcript.length, 4);
    assert.deepEqual(result.transcript[2], { kind: 'step', action: 'count', feedback: 'two', reasoning: undefined });
    assert.deepEqual(result.extras, { seconds: 4.2, trace: { steps: [1, 2] } });
  });

  it('reads the last line only, true as 1, an empty reason as none, and an id that is a number', async () => {
    const output = `loading\n{"id": 0}\n${JSON.stringify({ id: 7, hard: true, soft: 1, fail_reason: '', predicted_answer: 'ok' })}\n\n`;
    const { result } = await run(
      { kind: 'exited', code: 0, output, errorOutput: 'warning' },
      { ...request, task: aTask({ id: '7' }) },
    );
    assert.ok(result.kind === 'answered', JSON.stringify(result));
    assert.deepEqual(result.scores, { hard: 1, soft: 1, reason: undefined });
    assert.equal(result.answer, 'ok');
  });

  const invalid: readonly (readonly [string, ProgramResult, RegExp])[] = [
    [
      'that ended with an error',
      { kind: 'exited', code: 1, output: '', errorOutput: 'Traceback: boom' },
      /with 1: .*boom/,
    ],
    [
      'that ended with a traceback',
      { kind: 'exited', code: 1, output: '', errorOutput: traceback },
      /^The program ended with 1: KeyError: 'target' \(post\.py, line 12\)\.$/,
    ],
    [
      'that ended without a word',
      { kind: 'exited', code: 3, output: '', errorOutput: '' },
      /^The program ended with 3\.$/,
    ],
    ['that wrote nothing', exited(''), /wrote no result/],
    ['that wrote prose', exited('All good!\n'), /not a result.*All good!/],
    ['that wrote a score that is no number', exited('{"id":"one","hard":NaN,"soft":1}'), /not a result/],
    [
      'that wrote a score as text',
      exited('{"id":"one","hard":"1","soft":1}'),
      /not a result: “hard” must be a number from 0 to 1\. It reads: /,
    ],
    ['that left the scores out', exited('{"id":"one"}'), /not a result.*hard/],
    ['that answered for another task', written({ id: 'two', hard: 1, soft: 1 }), /for the task two instead of one/],
    [
      'that wrote values nested without end',
      exited(`{"id":"one","hard":1,"soft":1,"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
      /nested too deeply/,
    ],
    ['that wrote without end', { kind: 'output-too-large' }, /more than 4 MB/],
    [
      'that is mistyped',
      { kind: 'not-started', reason: 'spawn pyton3 ENOENT' },
      /could not be started: “pyton3” was not found\.$/,
    ],
    ['that is not there', { kind: 'not-started', reason: 'spawn ENOENT' }, /could not be started: spawn ENOENT/],
  ];
  for (const [name, outcome, reason] of invalid) {
    it(`calls an attempt of a program ${name} invalid`, async () => {
      const { result } = await run(outcome);
      assert.match(result.kind === 'invalid' ? result.reason : JSON.stringify(result), reason);
    });
  }

  it('names the limit that is written where a batch takes too long', async () => {
    const { result } = await run({ kind: 'timed-out' }, request, undefined, { ...declared, batch: true });
    assert.match(result.kind === 'invalid' ? result.reason : '', /did not end within 7 s, 7 s for each attempt\.$/);
  });

  it('scores its own time limit as a fail: the skill can cause it', async () => {
    const { result } = await run({ kind: 'timed-out' });
    assert.match(result.kind === 'answered' ? (result.failure ?? '') : '', /within 7 s/);
  });

  for (const [what, task] of [
    ['nothing of its own to be judged by', aTask({ id: 'one', checks: [] })],
    ['a check that nobody can read', aTask({ id: 'one', checks: [aCheck('no_such_check', {})] })],
  ] as const) {
    it(`scores its own time limit as a fail where the task has ${what}`, async () => {
      const { result } = await run({ kind: 'timed-out' }, { ...request, task });
      assert.ok(result.kind === 'answered');
      const judgement = await evaluateAnswer(task, result, asksNobody, neverAborted);
      assert.ok(judgement.kind === 'judged', JSON.stringify(judgement));
      assert.deepEqual([judgement.hard, judgement.soft], [0, 0]);
      assert.match(judgement.checks[0]?.reason ?? '', /did not end within 7 s/);
    });
  }

  it('starts nothing that the person did not allow, by exactly this content', async () => {
    const asked: { readonly what: string; readonly content: string }[] = [];
    const { result, programs } = await run(written({}), request, (question) => {
      asked.push(question);
      return false;
    });
    assert.match(result.kind === 'invalid' ? result.reason : '', /“python3 env\.py” was not allowed/);
    assert.equal(programs.requests.length, 0);
    assert.equal(asked[0]?.what, 'python3 env.py');
    assert.match(asked[0]?.content ?? '', /evals\/env\/env\.py/);
  });

  it('asks about the options too, and knows what was asked before there were any', async () => {
    const [none, empty, one, two] = await Promise.all(
      [undefined, {}, { mode: 'safe' }, { mode: 'rm' }].map((options) => questionFor({ ...declared, options })),
    );
    assert.equal(none?.what, 'python3 env.py');
    assert.equal(none.formerly, JSON.stringify(['python3', ['env.py'], `/skill/evals/env/env.py ${sha256('x')}`]));
    assert.deepEqual(empty, none);
    assert.match(one?.shown ?? '', /python3 env\.py options=.*safe/);
    assert.equal(one?.formerly, undefined);
    assert.equal(new Set([none, one, two].map((question) => question?.content)).size, 3);
  });
});

async function questionFor(given: ProgramDeclaration): Promise<ProgramQuestion | undefined> {
  const asked: ProgramQuestion[] = [];
  const allows = (question: ProgramQuestion): boolean => asked.push(question) === 0;
  await run(written({}), request, allows, given);
  return asked[0];
}

function written(reply: unknown): ProgramResult {
  return exited(`${JSON.stringify(reply)}\n`);
}

function exited(output: string): ProgramResult {
  return { kind: 'exited', code: 0, output, errorOutput: '' };
}

async function run(
  outcome: ProgramResult,
  given: AttemptRequest = request,
  allows: (question: ProgramQuestion) => boolean = () => true,
  program: ProgramDeclaration = declared,
): Promise<{ readonly result: AttemptResult; readonly programs: ScriptedPrograms }> {
  const programs = new ScriptedPrograms(() => outcome);
  const consent = { allows: async (question: ProgramQuestion) => allows(question) };
  const sources = {
    programs,
    consent,
    folder: '/skill',
    contents: new MemoryContents({ '/skill/evals/env/env.py': 'x' }),
    moduleStart: moduleProgram,
    target: new ScriptedModel(),
    servers: targetServers,
  };
  return { result: await createProgramEnvironment('sums', program, sources).attempt(given, neverAborted), programs };
}
