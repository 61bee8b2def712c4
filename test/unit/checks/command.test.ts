import assert from 'node:assert/strict';
import type { CheckServices } from '../../../src/checks/check.js';
import type { ProgramResult } from '../../../src/ports/programs.js';
import { aCheck } from '../../builders/aTask.js';
import { MemoryContents } from '../../fakes/MemoryContents.js';
import { ScriptedPrograms } from '../../fakes/ScriptedPrograms.js';
import { evaluateCheck, hostileAnswers } from './evaluateCheck.js';

const check = aCheck('command', {
  command: 'python3',
  arguments: ['check.py'],
  folder: 'evals/tool',
  timeLimitSeconds: 2,
});

describe('the command check', () => {
  const outcomes: readonly (readonly [string, ProgramResult, 'pass' | 'fail' | 'invalid', RegExp])[] = [
    ['exit code 0', { kind: 'exited', code: 0, output: '', errorOutput: '' }, 'pass', /ended with 0/],
    [
      'another exit code',
      { kind: 'exited', code: 3, output: 'no total', errorOutput: '' },
      'fail',
      /ended with 3: no total/,
    ],
    ['a program that never ends', { kind: 'timed-out' }, 'fail', /within 2 s/],
    ['a program that writes without end', { kind: 'output-too-large' }, 'fail', /more than it may/],
    ['a program that is not there', { kind: 'not-started', reason: 'ENOENT' }, 'invalid', /ENOENT/],
  ];
  for (const [name, result, expected, reason] of outcomes) {
    it(`reads ${name} as ${expected}`, async () => {
      const { services } = world({ result, allowed: true });
      const outcome = await evaluateCheck(check, 'the answer', { services });
      assert.equal(outcome.kind !== 'scored' ? outcome.kind : outcome.pass ? 'pass' : 'fail', expected);
      assert.match(outcome.reason, reason);
    });
  }

  it('hands the answer over as input, in a copy of the folder, within limits', async () => {
    const { services, programs } = world({
      result: { kind: 'exited', code: 0, output: '', errorOutput: '' },
      allowed: true,
    });
    await evaluateCheck(check, 'the answer; rm -rf /', { services });
    assert.deepEqual(programs.requests, [
      {
        command: 'python3',
        arguments: ['check.py'],
        folder: '/skill/evals/tool',
        input: 'the answer; rm -rf /',
        timeLimitMs: 2000,
        outputLimitBytes: 1_000_000,
        travels: true,
      },
    ]);
  });

  it('runs nothing that the person did not allow, and calls that invalid', async () => {
    const { services, programs } = world({
      result: { kind: 'exited', code: 0, output: '', errorOutput: '' },
      allowed: false,
    });
    const outcome = await evaluateCheck(check, 'x', { services });
    assert.deepEqual(outcome, { kind: 'invalid', reason: 'The program “python3 check.py” was not allowed to run.' });
    assert.equal(programs.requests.length, 0);
  });

  it('asks again when a file of the folder changes, and not when the answer does', async () => {
    const result: ProgramResult = { kind: 'exited', code: 0, output: '', errorOutput: '' };
    const first = world({ result, allowed: true });
    const changed = world({ result, allowed: true, script: 'exit(0)' });
    await evaluateCheck(check, 'one', { services: first.services });
    await evaluateCheck(check, 'two', { services: first.services });
    await evaluateCheck(check, 'one', { services: changed.services });
    assert.equal(first.asked[0], first.asked[1]);
    assert.notEqual(first.asked[0], changed.asked[0]);
  });

  it('asks again when a file changes that is named by its whole path', async () => {
    const result: ProgramResult = { kind: 'exited', code: 0, output: '', errorOutput: '' };
    const named = aCheck('command', { command: 'python3', arguments: ['/opt/check.py'] });
    const allowed: string[] = [];
    for (const script of ['exit(0)', 'exit(0)', 'exit(1)']) {
      const { services, asked } = world({ result, allowed: true });
      const contents = new MemoryContents({ '/opt/check.py': script });
      await evaluateCheck(named, 'x', { services: { ...services, contents } });
      allowed.push(asked[0] ?? '');
    }
    assert.equal(allowed[0], allowed[1]);
    assert.notEqual(allowed[0], allowed[2]);
  });

  for (const [name, answer] of hostileAnswers) {
    it(`hands ${name} to the program as it is, and to nothing else`, async () => {
      const { services, programs } = world({
        result: { kind: 'exited', code: 1, output: 'score: 1', errorOutput: '' },
        allowed: true,
      });
      const outcome = await evaluateCheck(check, answer, { services });
      assert.ok(outcome.kind === 'scored' && !outcome.pass && outcome.soft === 0);
      assert.equal(programs.requests[0]?.input, answer);
      assert.deepEqual(programs.requests[0]?.arguments, ['check.py']);
    });
  }

  it('calls a folder that cannot be read invalid, and runs nothing', async () => {
    const { services, programs, asked } = world({ result: { kind: 'timed-out' }, allowed: true });
    const contents: CheckServices['contents'] = {
      of: async () => ({ kind: 'unreadable', reason: 'evals/tool could not be read within 10 s.' }),
    };
    const outcome = await evaluateCheck(check, 'x', { services: { ...services, contents } });
    const reason = 'What the program “python3 check.py” would run cannot be looked at: ';
    assert.deepEqual(outcome, { kind: 'invalid', reason: `${reason}evals/tool could not be read within 10 s.` });
    assert.deepEqual([asked, programs.requests], [[], []]);
  });

  it('runs nothing that changed while the person was asked', async () => {
    const { services, programs } = world({ result: { kind: 'timed-out' }, allowed: true });
    const files = { '/skill/evals/tool/check.py': 'exit(0)' };
    const consent: CheckServices['consent'] = {
      allows: async () => {
        files['/skill/evals/tool/check.py'] = 'steal()';
        return true;
      },
    };
    const changing = { ...services, consent, contents: new MemoryContents(files) };
    const outcome = await evaluateCheck(check, 'x', { services: changing });
    assert.equal(outcome.reason, 'The program “python3 check.py” changed while it was asked about.');
    assert.deepEqual(programs.requests, []);
  });
});

function world({
  result,
  allowed,
  script = 'exit(1)',
}: {
  readonly result: ProgramResult;
  readonly allowed: boolean;
  readonly script?: string;
}): { readonly services: CheckServices; readonly programs: ScriptedPrograms; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const programs = new ScriptedPrograms(() => result);
  const services: CheckServices = {
    programs,
    consent: {
      allows: async ({ content }) => {
        asked.push(content);
        return allowed;
      },
    },
    contents: new MemoryContents({ '/skill/evals/tool/check.py': script }),
    folder: '/skill',
  };
  return { services, programs, asked };
}
