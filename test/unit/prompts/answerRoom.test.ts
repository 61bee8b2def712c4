import assert from 'node:assert/strict';
import { answerRoom, mostAsks, type AnswerRoom, type RoomOptions } from '../../../src/prompts/answerRoom.js';
import { identityOf } from '../../../src/models/openai/endpoint.js';
import { resolveOptions } from '../../../src/engine/runOptions.js';

const plain = resolveOptions('standard', []);
const of = (settings: object): RoomOptions => resolveOptions('standard', [{ ...settings }]);

describe('the room for an answer', () => {
  const rows: readonly (readonly [
    name: string,
    asked: Partial<Parameters<typeof answerRoom>[0]>,
    RoomOptions,
    AnswerRoom,
  ])[] = [
    ['is the usual one of a target', {}, plain, { first: 4_096, second: 16_384 }],
    ['is the usual one of an optimizer', { role: 'optimizer' }, plain, { first: 16_384, second: 65_536 }],
    ['grows with what a judge is asked', { role: 'judge', criteria: 3 }, plain, { first: 992, second: 3_968 }],
    ['is the usual one of a question', { role: 'optimizer', usual: 12_000 }, plain, { first: 12_000, second: 48_000 }],
    ['is what the person says', {}, of({ answers: { target: 9_000, more: 2 } }), { first: 9_000, second: 18_000 }],
    ['is no larger the second time', {}, of({ answers: { more: 1 } }), { first: 4_096, second: 4_096 }],
    ['is for thinking too', {}, of({ thinking: { target: 1_000 } }), { first: 5_096, second: 20_384, thinking: 1_000 }],
    ['is that of its own role', { role: 'judge' }, of({ answers: { target: 9_000 } }), { first: 672, second: 2_688 }],
  ];
  for (const [name, asked, options, room] of rows) {
    it(name, () => assert.deepEqual(answerRoom({ role: 'target', identity: {}, ...asked }, options), room));
  }

  const addresses: readonly (readonly [name: string, extraBody: Readonly<Record<string, unknown>>, first: number])[] = [
    ['max_tokens', { max_tokens: 16_000 }, 16_000],
    ['max_completion_tokens', { max_completion_tokens: 12_000, think: true }, 12_000],
    ['no limit', { think: true }, 4_096],
    ['a limit that is none', { max_tokens: 'many' }, 4_096],
    ['a limit of nothing', { max_tokens: 0 }, 4_096],
  ];
  for (const [name, extraBody, first] of addresses) {
    it(`is that in the address of the model, where it says ${name}`, () => {
      const identity = identityOf({ provider: 'custom', baseUrl: 'http://h/v1', model: 'm', apiKey: '', extraBody });
      assert.equal(answerRoom({ role: 'target', identity }, plain).first, first);
      const own = of({ answers: { target: 5_000 } });
      assert.equal(answerRoom({ role: 'target', identity }, own).first, 5_000, 'what is said for the run comes first');
    });
  }

  it('counts the second tries that a run may make', () => {
    assert.deepEqual(
      (['target', 'optimizer', 'judge'] as const).map((role) => mostAsks(role, plain)),
      [2, 2, 2],
    );
    const once = of({ answers: { more: 1 } });
    assert.deepEqual(
      (['target', 'optimizer', 'judge'] as const).map((role) => mostAsks(role, once)),
      [1, 2, 2],
    );
  });
});
