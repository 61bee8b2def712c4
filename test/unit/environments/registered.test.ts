import assert from 'node:assert/strict';
import { createRegisteredEnvironment, registeredReflection } from '../../../src/environments/registered.js';
import { ModelError } from '../../../src/errors.js';
import type { AttemptResult, RegisteredEnvironment } from '../../../src/ports/environment.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { anAttempt } from '../../builders/anAttempt.js';
import { aTask } from '../../builders/aTask.js';

const neverAborted = new AbortController().signal;

describe('an environment of another extension', () => {
  it('may leave out what has a harmless meaning', async () => {
    assert.deepEqual(await given({ kind: 'answered', answer: 'hello' }), {
      kind: 'answered',
      answer: 'hello',
      toolsCalled: [],
      transcript: [],
      usage: { inputTokens: 0, outputTokens: 0, exact: false },
      cached: false,
      failure: undefined,
      scores: undefined,
      extras: {},
    });
  });

  it('may tell what happened, step by step', async () => {
    const transcript = [{ kind: 'step', action: 'open the menu', feedback: 'There is none.' }];
    const told = await given({ kind: 'answered', answer: '', transcript });
    assert.deepEqual(told.kind === 'answered' ? told.transcript : undefined, transcript);
  });

  it('may judge by itself, and say that an attempt is invalid', async () => {
    const judged = await given({ kind: 'answered', answer: '', scores: { hard: 0, soft: 0.25, reason: 'no menu' } });
    assert.deepEqual(judged.kind === 'answered' ? judged.scores : undefined, {
      hard: 0,
      soft: 0.25,
      reason: 'no menu',
    });
    assert.deepEqual(await given({ kind: 'invalid', reason: 'no network' }), { kind: 'invalid', reason: 'no network' });
  });

  it('that says the skill made an attempt fail has scored it, unless the task has checks for that', async () => {
    const answered = anAnswer('', { failure: 'It took longer than a minute.' });
    const environment = createRegisteredEnvironment({ name: 'theirs', rollout: async () => answered });
    const scoresFor = async (task: ReturnType<typeof aTask>) => {
      const result = await environment.attempt(anAttempt({ task }), neverAborted);
      return result.kind === 'answered' ? result.scores : result;
    };
    assert.deepEqual(await scoresFor(aTask({ checks: [] })), {
      hard: 0,
      soft: 0,
      reason: 'It took longer than a minute.',
    });
    assert.equal(await scoresFor(aTask()), undefined);
    assert.equal(await scoresFor(aTask({ checks: [], expectations: ['It is kind.'] })), undefined);
  });

  const unusable: readonly (readonly [string, unknown])[] = [
    ['nothing', null],
    ['a text', 'hello'],
    ['no answer', { kind: 'answered' }],
    ['an unknown kind', { kind: 'great', answer: 'hello' }],
    ['a score that is text', { kind: 'answered', answer: 'hello', scores: { hard: '1', soft: 1 } }],
    ['a transcript of another form', { kind: 'answered', answer: 'hello', transcript: ['hello'] }],
  ];
  for (const [name, result] of unusable) {
    it(`that gives ${name} has made an invalid attempt`, async () => {
      const read = await given(result);
      assert.match(read.kind === 'invalid' ? read.reason : JSON.stringify(read), /“theirs” gave no usable result/);
    });
  }

  const endless: Record<string, unknown> = {};
  endless['self'] = endless;
  let deep: unknown = 'x';
  for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
  for (const [name, extras] of [
    ['hold themselves', endless],
    ['are nested without end', { deep }],
    ['JSON does not know', { count: 1n }],
  ] as const) {
    it(`that gives extras which ${name} has made an invalid attempt`, async () => {
      const answered = anAnswer('hello', { extras });
      const environment = createRegisteredEnvironment({ name: 'theirs', rollout: async () => answered });
      const read = await environment.attempt(anAttempt(), neverAborted);
      assert.match(read.kind === 'invalid' ? read.reason : '', /“theirs” gave extras that cannot be written as JSON/);
    });
  }

  for (const soft of [Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`that scores ${soft} has made an invalid attempt`, async () => {
      const answered = anAnswer('hello', { scores: { hard: 1, soft, reason: '' } });
      const environment = createRegisteredEnvironment({ name: 'theirs', rollout: async () => answered });
      const result = await environment.attempt(anAttempt(), neverAborted);
      assert.match(result.kind === 'invalid' ? result.reason : '', /no usable result/);
    });
  }

  it('that throws has made an invalid attempt, unless nothing more can be bought', async () => {
    const failed = await throwing(new Error('no browser'));
    assert.deepEqual(failed, { kind: 'invalid', reason: 'The environment “theirs” failed: no browser' });
    await assert.rejects(throwing(new ModelError('quota', 'No money left.')), /No money left/);
  });

  it('that goes on after it was stopped is not heard', async () => {
    const stop = new AbortController();
    const environment = createRegisteredEnvironment({
      name: 'theirs',
      rollout: async () => {
        stop.abort(new Error('enough'));
        return { kind: 'invalid', reason: 'too late' };
      },
    });
    await assert.rejects(environment.attempt(anAttempt(), stop.signal), /enough/);
  });

  it('that hangs when it is asked about attempts is waited for no longer than its time, and told so', async () => {
    let told: unknown;
    const hanging: RegisteredEnvironment['reflect'] = (_, signal) =>
      new Promise(() => signal.addEventListener('abort', () => (told = signal.reason)));
    const theirs = { name: 'theirs', rollout: async () => anAnswer(''), reflect: hanging };
    const step = {
      step: 1,
      skill: '',
      memory: undefined,
      document: 'skill',
      scope: 'body',
      budget: 1,
      seed: 1,
    } as const;
    const late = registeredReflection(theirs, { attempts: [], step, limitMs: 5 }, neverAborted);
    await assert.rejects(late, /It did not answer within 0\.005 s/);
    assert.ok(told instanceof Error);
  });
});

function given(result: unknown): Promise<AttemptResult> {
  // What another extension gives back is whatever its author wrote.
  const rollout = async (): Promise<AttemptResult> => JSON.parse(JSON.stringify(result));
  return createRegisteredEnvironment({ name: 'theirs', rollout }).attempt(anAttempt(), neverAborted);
}

function throwing(error: Error): Promise<AttemptResult> {
  const rollout = async (): Promise<never> => {
    throw error;
  };
  return createRegisteredEnvironment({ name: 'theirs', rollout }).attempt(anAttempt(), neverAborted);
}
