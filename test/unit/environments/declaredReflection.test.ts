import assert from 'node:assert/strict';
import { declaredReflection } from '../../../src/environments/declaredReflection.js';
import { moduleProgram } from '../../../src/storage/programs/moduleProgram.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { aTrainingTask } from '../../builders/aTask.js';
import { MemoryContents } from '../../fakes/MemoryContents.js';
import { ScriptedPrograms } from '../../fakes/ScriptedPrograms.js';

const neverAborted = new AbortController().signal;
const declared = { command: 'judge', arguments: [], timeLimitSeconds: 5, options: { who: 'me' } };
const step = {
  step: 3,
  skill: '# S',
  memory: undefined,
  document: 'skill',
  scope: 'body',
  budget: 2,
  seed: 7,
} as const;

describe('a declared environment that is asked about training attempts', () => {
  it('reads where the step stands and the attempts in the words in which it gave them', async () => {
    const task = aTrainingTask({ id: 'a' });
    const answered = anAnswer('Dear', {
      failure: 'It came back.',
      scores: { hard: 0, soft: 0.5, reason: 'It came back.' },
      transcript: [
        { kind: 'message', role: 'assistant', text: 'Dear' },
        { kind: 'tool', name: 'post', arguments: 'post letter', result: 'no stamp' },
        { kind: 'step', action: 'walk', feedback: 'closed', reasoning: undefined },
      ],
      extras: { postage: 2 },
    });
    const { line, said } = await asked('{"remarks": "r", "edits": [1]}', [
      { task, result: answered },
      { task, result: { kind: 'invalid', reason: 'no network' } },
    ]);
    assert.deepEqual(said, { remarks: 'r', edits: [1] });
    const { attempts, ...rest } = line;
    assert.deepEqual(rest, { ask: 'edits', options: { who: 'me' }, ...step, memory: null });
    assert.deepEqual(attempts, [
      {
        id: 'a',
        task: JSON.parse(JSON.stringify(task)),
        predicted_answer: 'Dear',
        hard: 0,
        soft: 0.5,
        fail_reason: 'It came back.',
        conversation: [
          { role: 'assistant', content: 'Dear' },
          { type: 'tool_call', cmd: 'post letter', obs: 'no stamp' },
          { action: 'walk', env_feedback: 'closed', reasoning: null },
        ],
        extras: { postage: 2 },
      },
      { id: 'a', task: JSON.parse(JSON.stringify(task)), error: 'no network' },
    ]);
  });

  it('says why where it says nothing', async () => {
    await assert.rejects(asked('no JSON', []), /is no answer to “edits”/);
    await assert.rejects(asked('{}', [], false), /was not allowed to run/);
  });
});

async function asked(
  output: string,
  attempts: Parameters<typeof declaredReflection>[1]['attempts'],
  allowed = true,
): Promise<{ readonly line: Readonly<Record<string, unknown>>; readonly said: unknown }> {
  const programs = new ScriptedPrograms(() => ({ kind: 'exited', code: 0, output, errorOutput: '' }));
  const consent = { allows: () => Promise.resolve(allowed) };
  const sources = { programs, consent, contents: new MemoryContents({}), folder: '/skill', moduleStart: moduleProgram };
  const said = await declaredReflection(declared, { attempts, step }, sources, neverAborted);
  return { line: JSON.parse(programs.requests[0]?.input ?? ''), said };
}
