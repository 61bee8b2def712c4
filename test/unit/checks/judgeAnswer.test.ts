import assert from 'node:assert/strict';
import { evaluateAnswer, type JudgingServices } from '../../../src/checks/judgeAnswer.js';
import type { Judgement } from '../../../src/checks/judgement.js';
import { ModelError } from '../../../src/errors.js';
import type { ModelReply, ModelRequest } from '../../../src/ports/languageModel.js';
import { aReply } from '../../fakes/ScriptedModel.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { aCheck, aTask } from '../../builders/aTask.js';
import { someWork } from '../../builders/someWork.js';
import { hostileAnswers, noServices } from './evaluateCheck.js';

const kind = aTask({ checks: [], expectations: ['It is kind.'] });
const signal = new AbortController().signal;

describe('evaluateAnswer', () => {
  it('is hard when all hold, and soft by the share that holds', async () => {
    const task = aTask({ checks: [aCheck('contains', { text: 'hello' }), aCheck('max_chars', { limit: 3 })] });
    const judgement = await evaluateAnswer(task, anAnswer('hello'), services([]).services, signal);
    assert.deepEqual(figures(judgement), { hard: 0, soft: 0.5 });
    const good = await evaluateAnswer(aTask(), anAnswer('hello'), services([]).services, signal);
    assert.deepEqual(figures(good), { hard: 1, soft: 1 });
  });

  it('counts an inexact answer in part', async () => {
    const task = aTask({ checks: [aCheck('exact', { answer: 'red fox' })] });
    assert.deepEqual(figures(await evaluateAnswer(task, anAnswer('red dog'), services([]).services, signal)), {
      hard: 0,
      soft: 0.5,
    });
  });

  it('leaves out what there is nothing to ask about: it neither fails an attempt nor counts for it', async () => {
    const agent = { fixture: 'evals/shop', mode: 'offered' } as const;
    const about = { environment: 'agent', agent };
    const without = anAnswer('hello', { work: { ...someWork(), usedSkill: undefined } });
    const used = aCheck('skill_used', {});
    const judge = (checks: readonly ReturnType<typeof aCheck>[]) =>
      evaluateAnswer(aTask({ ...about, checks }), without, services([]).services, signal);
    const passed = await judge([used, aCheck('contains', { text: 'hello' })]);
    assert.deepEqual(figures(passed), { hard: 1, soft: 1 });
    assert.deepEqual(passed.kind === 'judged' && passed.checks.map(({ notAsked = false }) => notAsked), [true, false]);
    assert.deepEqual(figures(await judge([used, aCheck('contains', { text: 'bye' })])), { hard: 0, soft: 0 });
    assert.deepEqual(await judge([used]), {
      kind: 'invalid',
      reason: 'Nothing is left to judge this attempt by. Without the skill there is nothing to use.',
    });
  });

  it('keeps hidden checks marked', async () => {
    const task = aTask({ checks: [aCheck('contains', { text: 'x' }, true), aCheck('max_chars', { limit: 9 })] });
    const judgement = await evaluateAnswer(task, anAnswer('x'), services([]).services, signal);
    assert.deepEqual(judgement.kind === 'judged' && judgement.checks.map((check) => check.hidden), [true, false]);
  });

  it('fails an answer that the skill itself spoiled, with that reason', async () => {
    const answer = anAnswer('hello', { failure: 'The answer was cut at its length limit.' });
    const judgement = await evaluateAnswer(aTask(), answer, services([]).services, signal);
    assert.deepEqual(figures(judgement), { hard: 0, soft: 0 });
    assert.equal(judgement.kind === 'judged' && judgement.checks[0]?.reason, 'The answer was cut at its length limit.');
  });

  const unmeasurable: readonly (readonly [string, Parameters<typeof aTask>[0], RegExp])[] = [
    ['an unknown check', { checks: [aCheck('max_char', { limit: 1 })] }, /no check named “max_char”/],
    ['a malformed check', { checks: [aCheck('max_chars', { limit: 'x' })] }, /“max_chars”: “limit”/],
    ['a broken expression', { checks: [aCheck('regex', { pattern: '(' })] }, /never closed/],
    ['nothing to judge by', { checks: [] }, /nothing to judge/],
  ];
  for (const [name, task, reason] of unmeasurable) {
    it(`calls ${name} invalid, never a zero`, async () => {
      const judgement = await evaluateAnswer(aTask(task), anAnswer('hello'), services([]).services, signal);
      assert.equal(judgement.kind, 'invalid');
      assert.match(judgement.kind === 'invalid' ? judgement.reason : '', reason);
    });
  }

  it('calls a check that took too long invalid, and asks no judge about the rest', async () => {
    const task = aTask({ checks: [aCheck('regex', { pattern: '(a+)+$' })], expectations: ['It is kind.'] });
    const { services: given, requests } = services([]);
    const judgement = await evaluateAnswer(task, anAnswer(`${'a'.repeat(50_000)}b`), given, signal);
    assert.equal(judgement.kind, 'invalid');
    assert.equal(requests.length, 0);
  });

  const scores: readonly (readonly [string, number, number, object])[] = [
    ['as they are', 1, 0.7, { hard: 1, soft: 0.7 }],
    ['that rounding took beyond 1', 1 + 2e-16, 1.0000000000000002, { hard: 1, soft: 1 }],
    ['above 1 as invalid', 2, 1, { kind: 'invalid' }],
    ['in percent as invalid', 1, 55, { kind: 'invalid' }],
    ['below 0 as invalid', 0, -3, { kind: 'invalid' }],
    ['short of full marks as a fail', 0.9, 0.9, { hard: 0, soft: 0.9 }],
    ['that are no numbers as invalid', Number.NaN, 1, { kind: 'invalid' }],
    ['without end as invalid', 1, Infinity, { kind: 'invalid' }],
  ];
  for (const [name, hard, soft, expected] of scores) {
    it(`takes the environment's own scores ${name}`, async () => {
      const answer = anAnswer('x', { scores: { hard, soft, reason: undefined } });
      assert.deepEqual(figures(await evaluateAnswer(aTask(), answer, services([]).services, signal)), expected);
    });
  }

  it('says which score lies outside 0 to 1, and what is expected', async () => {
    const answer = anAnswer('x', { scores: { hard: 1, soft: 55, reason: undefined } });
    const judgement = await evaluateAnswer(aTask(), answer, services([]).services, signal);
    assert.match(judgement.kind === 'invalid' ? judgement.reason : '', /outside 0 to 1: soft 55\. A score is a share/);
  });

  it('keeps the share that an environment gives for hard, which passes nothing', async () => {
    const given = await Promise.all([0, 0.9, 1].map(judgedBy));
    assert.deepEqual(
      given.map((each) => each.kind === 'judged' && [each.hard, each.givenHard]),
      [
        [0, undefined],
        [0, 0.9],
        [1, undefined],
      ],
    );
  });

  it('stops at once when it is cancelled', async () => {
    const stop = new AbortController();
    stop.abort(new Error('stop'));
    await assert.rejects(evaluateAnswer(aTask(), anAnswer('x'), services([]).services, stop.signal), /stop/);
  });
});

function judgedBy(hard: number): ReturnType<typeof evaluateAnswer> {
  const answer = anAnswer('x', { scores: { hard, soft: 1, reason: undefined } });
  return evaluateAnswer(aTask(), answer, services([]).services, signal);
}

describe('judging by a model', () => {
  it('asks about several expectations and rubrics in one call', async () => {
    const task = aTask({
      checks: [aCheck('rubric', { rubric: 'The tone is warm.' }), aCheck('contains', { text: 'hello' })],
      expectations: ['It is kind.', 'It is short.'],
    });
    const { services: given, requests } = services([reply([true, 0.9], [true, 1], [false, 0.2])]);
    const judgement = await evaluateAnswer(task, anAnswer('hello'), given, signal);
    assert.equal(requests.length, 1);
    assert.equal(requests[0]?.role, 'judge');
    assert.equal(requests[0]?.replySchema?.name, 'judgement');
    assert.deepEqual(
      judgement.kind === 'judged' && judgement.checks.map(({ name, pass, soft }) => [name, pass, soft]),
      [
        ['rubric', true, 0.9],
        ['contains', true, 1],
        ['expectation', true, 1],
        ['expectation', false, 0],
      ],
    );
    assert.deepEqual(figures(judgement), { hard: 0, soft: 2.9 / 4 });
  });

  it('says what the judge was asked of what it graded, and of nothing else', async () => {
    const checks = [aCheck('contains', { text: 'hello' })];
    const asked = async (source: Parameters<typeof aTask>[0], answer = anAnswer('hello')) => {
      const { services: given } = services([reply([true, 1])]);
      const judgement = await evaluateAnswer(aTask({ checks, ...source }), answer, given, signal);
      return judgement.kind === 'judged' ? judgement.checks.map((check) => check.asked?.criterion) : [];
    };
    const [rule, kindly] = await asked({ expectations: ['It is kind.'] });
    assert.equal(rule, undefined);
    assert.match(kindly ?? '', /^[0-9a-f]{32}$/);
    assert.deepEqual(await asked({ expectations: ['It is kind.'], tags: ['other'] }), [undefined, kindly]);
    for (const other of [
      { expectations: ['It is kinder.'] },
      { expectations: ['It is kind.'], prompt: 'Another.' },
      { expectations: ['It is kind.'], references: ['Hi.'] },
    ])
      assert.notEqual((await asked(other))[1], kindly, JSON.stringify(other));
    const failed = anAnswer('hello', { failure: 'It was cut.' });
    assert.deepEqual(await asked({ expectations: ['It is kind.'] }, failed), [undefined, undefined]);
  });

  it('asks once more for a score on another scale, which is never a full mark', async () => {
    const task = aTask({ checks: [aCheck('rubric', { rubric: 'Warm.' })] });
    for (const score of [3, 100, -1, 1.01]) {
      const { services: given, requests } = services([reply([false, score]), reply([false, 0.3])]);
      assert.deepEqual(figures(await evaluateAnswer(task, anAnswer('x'), given, signal)), { hard: 0, soft: 0.3 });
      assert.equal(requests.length, 2, String(score));
      assert.match(JSON.stringify(requests[0]?.replySchema), /"score":\{"type":"number","minimum":0,"maximum":1\}/);
    }
    const stubborn = services([reply([true, 7]), reply([true, 7])]).services;
    assert.equal((await evaluateAnswer(task, anAnswer('x'), stubborn, signal)).kind, 'invalid');
    const summed = services([reply([true, 1.0000000002])]).services;
    assert.deepEqual(figures(await evaluateAnswer(task, anAnswer('x'), summed, signal)), { hard: 1, soft: 1 });
  });

  it('lets the score of a rubric decide, not what the judge calls a pass', async () => {
    const task = aTask({ checks: [aCheck('rubric', { rubric: 'Warm.', passFrom: 0.5 })] });
    assert.deepEqual(
      figures(await evaluateAnswer(task, anAnswer('x'), services([reply([false, 0.6])]).services, signal)),
      { hard: 1, soft: 0.6 },
    );
  });

  const malformed: readonly (readonly [string, string])[] = [
    ['prose', 'Looks good to me!'],
    ['nothing', ''],
    ['a score that is no number', '{"results":[{"index":0,"pass":true,"score":"high","reason":"x"}]}'],
    ['another criterion', '{"results":[{"index":3,"pass":true,"score":1,"reason":"x"}]}'],
    ['the same criterion twice', reply([true, 1]).replace(']', ',{"index":0,"pass":true,"score":1,"reason":"x"}]')],
    ['no results', '{"results":[]}'],
    ['NaN', '{"results":[{"index":0,"pass":true,"score":NaN,"reason":"x"}]}'],
  ];
  for (const [name, text] of malformed) {
    it(`asks once more after ${name}, with what was wrong`, async () => {
      const { services: given, requests } = services([text, reply([true, 1])]);
      assert.deepEqual(figures(await evaluateAnswer(kind, anAnswer('x'), given, signal)), { hard: 1, soft: 1 });
      assert.equal(requests.length, 2);
      assert.equal(requests[1]?.messages.length, 3);
    });

    it(`is invalid after ${name} twice`, async () => {
      const { services: given, requests } = services([text, text]);
      const judgement = await evaluateAnswer(kind, anAnswer('x'), given, signal);
      assert.equal(judgement.kind, 'invalid');
      assert.equal(requests.length, 2);
    });
  }

  const cuts: readonly (readonly [name: string, text: string])[] = [
    ['no word', ''],
    ['half a grade', '{"results":[{"index":0,"pass":true,"score":0.'],
    ['a reason without its end', '{"results":[{"index":0,"pass":true,"score":1,"reason":"it is'],
    ['a list without its end', '{"results":[{"index":0,"pass":true,"score":1,"reason":"x"}'],
  ];
  for (const [name, text] of cuts) {
    it(`asks once more, with more room, a judge whose thinking left ${name}`, async () => {
      const { services: given, requests } = services([cutOff(text), reply([true, 1])]);
      assert.deepEqual(figures(await evaluateAnswer(kind, anAnswer('x'), given, signal)), { hard: 1, soft: 1 });
      assert.deepEqual(
        requests.map(({ maxOutputTokens, messages }) => [maxOutputTokens, messages.length]),
        [
          [672, 1],
          [2_688, 1],
        ],
      );
    });

    it(`takes no grade from one that leaves ${name} twice`, async () => {
      const judgement = await evaluateAnswer(
        kind,
        anAnswer('x'),
        services([cutOff(text), cutOff(text)]).services,
        signal,
      );
      assert.equal(judgement.kind, 'invalid');
      const why = text === '' ? /thinking used up all its room/ : /cut off at its length limit/;
      assert.match(judgement.kind === 'invalid' ? judgement.reason : '', why);
    });
  }

  it('takes the grades of a reply whose last words were cut, and asks nobody again', async () => {
    const { services: given, requests } = services([cutOff(`${reply([true, 1])}\nI hope that th`)]);
    assert.deepEqual(figures(await evaluateAnswer(kind, anAnswer('x'), given, signal)), { hard: 1, soft: 1 });
    assert.equal(requests.length, 1);
  });

  it('takes the median of the repeats, each an independent sample', async () => {
    const task = aTask({ checks: [aCheck('rubric', { rubric: 'Warm.' })], expectations: ['It is kind.'] });
    const replies = [reply([true, 0.9], [true, 1]), reply([true, 0.2], [false, 0]), reply([true, 0.85], [true, 1])];
    const { services: given, requests } = services(replies, { repeats: 3, attempt: 2, family: 'f' });
    const judgement = await evaluateAnswer(task, anAnswer('x'), given, signal);
    assert.deepEqual(judgement.kind === 'judged' && judgement.checks.map(({ pass, soft }) => [pass, soft]), [
      [true, 0.85],
      [true, 1],
    ]);
    assert.deepEqual(
      requests.map(({ attempt, dependsOn }) => [attempt, dependsOn]),
      [
        [4, ['f']],
        [5, ['f']],
        [6, ['f']],
      ],
    );
  });

  it('calls an even vote a fail', async () => {
    const { services: given } = services([reply([true, 1]), reply([false, 0])], { repeats: 2 });
    assert.deepEqual(figures(await evaluateAnswer(kind, anAnswer('x'), given, signal)), { hard: 0, soft: 0 });
  });

  it('calls a dead judge invalid, and lets what ends a run end it', async () => {
    const dead = services([new ModelError('timeout', 'no reply in 60 s')]).services;
    const judgement = await evaluateAnswer(kind, anAnswer('x'), dead, signal);
    assert.deepEqual(judgement, { kind: 'invalid', reason: 'The judge gave no grade: no reply in 60 s' });
    const fatal = services([new ModelError('auth', 'the key is wrong')]).services;
    await assert.rejects(evaluateAnswer(kind, anAnswer('x'), fatal, signal), /the key is wrong/);
  });

  for (const [name, answer] of hostileAnswers) {
    it(`keeps ${name} inside its fence`, async () => {
      const { services: given, requests } = services([reply([false, 0])]);
      const judgement = await evaluateAnswer(kind, anAnswer(answer), given, signal);
      assert.deepEqual(figures(judgement), { hard: 0, soft: 0 });
      assertFenced(requests[0]?.messages[0]?.content ?? '', answer);
    });
  }

  it('shows the judge the task, its context, what was expected and the tools that were called', async () => {
    const task = aTask({
      checks: [],
      prompt: 'P-1',
      context: 'C-1',
      expectedOutput: 'X-1',
      references: ['R-1'],
      expectations: ['E-1'],
    });
    const { services: given, requests } = services([reply([true, 1])]);
    await evaluateAnswer(
      task,
      anAnswer('A-1', { toolsCalled: [{ name: 'search', arguments: '{"q":1}' }] }),
      given,
      signal,
    );
    const prompt = requests[0]?.messages[0]?.content ?? '';
    for (const part of ['P-1', 'C-1', 'X-1', 'R-1', 'E-1', 'A-1', 'search {"q":1}'])
      assert.ok(prompt.includes(part), part);
  });
});

/** The answer's fence closes right after the answer, and not before. */
function assertFenced(prompt: string, answer: string): void {
  const [line, ticks] = /^(`{3,})answer-[0-9a-f]{12}$/m.exec(prompt) ?? ['', ''];
  const body = prompt.slice(prompt.indexOf(line) + line.length + 1);
  assert.ok(body.startsWith(answer));
  const end = answer.endsWith('\n') ? answer.length : answer.length + 1;
  assert.equal(body.indexOf(`${ticks}\n\n# The criteria`), end);
}

function figures(judgement: Judgement): object {
  return judgement.kind === 'judged' ? { hard: judgement.hard, soft: judgement.soft } : { kind: judgement.kind };
}

function reply(...results: readonly (readonly [boolean, number])[]): string {
  return JSON.stringify({
    results: results.map(([pass, score], index) => ({ index, pass, score, reason: 'because' })),
  });
}

function cutOff(text: string): Partial<ModelReply> {
  return { text, finish: 'length' };
}

/** A judge that gives these replies in turn, and no more. */
function services(
  replies: readonly (string | Partial<ModelReply> | ModelError)[],
  rest: Partial<Pick<JudgingServices, 'repeats' | 'attempt' | 'family'>> = {},
): { readonly services: JudgingServices; readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const judge: JudgingServices['judge'] = {
    identity: { provider: 'test', endpoint: '', model: 'judge', simulated: true },
    complete: async (request) => {
      const next = replies[requests.length];
      requests.push(request);
      if (next === undefined) throw new Error('The judge was asked more often than expected.');
      if (next instanceof ModelError) throw next;
      return aReply(typeof next === 'string' ? { text: next } : next);
    },
  };
  return {
    services: { ...noServices, judge, prompts: new Map(), repeats: 1, attempt: 1, family: 'test', ...rest },
    requests,
  };
}
