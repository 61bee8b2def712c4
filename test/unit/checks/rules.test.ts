import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { placesOf, standsAnywhere } from '../../../src/checks/placesOf.js';
import { anAnswer } from '../../builders/anAnswer.js';
import { aCheck } from '../../builders/aTask.js';
import { evaluateCheck, hostileAnswers } from './evaluateCheck.js';

type Row = readonly [name: string, check: string, options: Record<string, unknown>, answer: string, pass: boolean];

const rows: readonly Row[] = [
  ['contains: in another case', 'contains', { text: 'Severity:' }, 'SEVERITY: high', true],
  ['contains: not there', 'contains', { text: 'Severity:' }, 'severity high', false],
  ['contains: case counts when asked', 'contains', { text: 'OK', caseSensitive: true }, 'ok', false],
  ['contains: composed and decomposed letters are one', 'contains', { text: 'café' }, 'cafe\u0301', true],
  ['contains: Chinese', 'contains', { text: '严重' }, '严重程度：高', true],
  ['not_contains: there', 'not_contains', { text: 'maybe' }, 'Maybe not', false],
  ['not_contains: not there', 'not_contains', { text: 'maybe' }, 'Surely', true],

  ['max_chars: at the limit', 'max_chars', { limit: 5 }, 'abcde', true],
  ['max_chars: over the limit', 'max_chars', { limit: 5 }, 'abcdef', false],
  ['max_chars: an emoji is one character', 'max_chars', { limit: 2 }, '😀😀', true],
  ['max_chars: white space around does not count', 'max_chars', { limit: 5 }, '  abcde\n\n', true],
  ['min_chars: at the limit', 'min_chars', { limit: 5 }, 'abcde', true],
  ['min_chars: padding with spaces does not help', 'min_chars', { limit: 5 }, 'abc       ', false],

  ['section_present: heading', 'section_present', { heading: 'Risks' }, '# Plan\n\n## Risks\n- none', true],
  ['section_present: numbered heading', 'section_present', { heading: 'Risks' }, '## 2. Risks ##', true],
  ['section_present: heading with emphasis', 'section_present', { heading: 'Risks' }, '## **Key `Risks`**:', true],
  ['section_present: part of a word', 'section_present', { heading: 'risks' }, '## Asterisks', false],
  ['section_present: underlined heading', 'section_present', { heading: 'Risks' }, 'Risks\n-----\nnone', true],
  ['section_present: bold line', 'section_present', { heading: 'Risks' }, 'text\n**Risks:**\nnone', true],
  ['section_present: label', 'section_present', { heading: 'Risks' }, 'Risks: none', true],
  ['section_present: full-width colon', 'section_present', { heading: '风险' }, '风险：无', true],
  ['section_present: only mentioned', 'section_present', { heading: 'Risks' }, 'There are Risks here', false],
  ['section_present: inside a code fence', 'section_present', { heading: 'Risks' }, 'See:\n```\n# Risks\n```', false],
  [
    'section_present: the whole answer is one fence',
    'section_present',
    { heading: 'Risks' },
    '```md\n# Risks\nx\n```',
    true,
  ],
  ['section_contains: heading contains it', 'section_contains', { heading: 'risk' }, '## Known Risks today', true],
  ['section_contains: a label is no heading', 'section_contains', { heading: 'risk' }, 'Risks: none', false],
  [
    'section_contains: text in the section',
    'section_contains',
    { heading: 'Risks', text: 'high' },
    '# Risks\n## Sub\nHigh\n# End',
    true,
  ],
  [
    'section_contains: text in another section',
    'section_contains',
    { heading: 'Risks', text: 'high' },
    '# Risks\nlow\n# End\nhigh',
    false,
  ],

  ['no_refusal: an answer', 'no_refusal', {}, 'Here is the summary.', true],
  ['no_refusal: English', 'no_refusal', {}, 'I’m sorry, but I can’t help with that.', false],
  ['no_refusal: bold and blunt', 'no_refusal', {}, '**I cannot assist with this request.**', false],
  ['no_refusal: as an AI', 'no_refusal', {}, 'As an AI language model, I cannot do this.', false],
  ['no_refusal: Chinese', 'no_refusal', {}, '抱歉，我无法提供帮助。', false],
  ['no_refusal: Japanese', 'no_refusal', {}, '申し訳ありませんが、お手伝いできません。', false],
  ['no_refusal: German', 'no_refusal', {}, 'Es tut mir leid, dabei kann ich nicht helfen.', false],
  ['no_refusal: Russian', 'no_refusal', {}, 'К сожалению, я не могу помочь.', false],
  ['no_refusal: a finding, not a refusal', 'no_refusal', {}, 'I cannot find a bug in this file; all tests pass.', true],
  [
    'no_refusal: sorry for someone else',
    'no_refusal',
    {},
    'Sorry to hear that your parcel is late. It arrives today.',
    true,
  ],
  [
    'no_refusal: a long answer that opens with a doubt',
    'no_refusal',
    {},
    `Unfortunately I cannot see the file. ${'But here is how. '.repeat(40)}`,
    true,
  ],
  ['no_refusal: nothing at all', 'no_refusal', {}, '  ', false],

  ['exact: the same', 'exact', { answer: 'Paris' }, ' paris. ', true],
  ['exact: quoted and bold', 'exact', { answer: 'Paris' }, '**“Paris”**', true],
  ['exact: with words around', 'exact', { answer: 'Paris' }, 'It is Paris', false],
  ['exact: one of several', 'exact', { answers: ['Paris', 'Lutetia'] }, 'LUTETIA', true],
  ['exact: within a sentence', 'exact', { answer: 'Paris', match: 'within' }, 'The capital is Paris, of course.', true],
  ['exact: not within a longer word', 'exact', { answer: 'art', match: 'within' }, 'Start here', false],
  ['exact: not within a longer number', 'exact', { answer: '4', match: 'within' }, 'It is 42 or 3.4', false],
  ['exact: not with another sign', 'exact', { answer: '5', match: 'within' }, 'It is -5', false],
  ['exact: anywhere, in a sentence', 'exact', { answer: 'Paris', match: 'substring' }, 'The capital is  PARIS.', true],
  ['exact: anywhere, in a longer word', 'exact', { answer: 'art', match: 'substring' }, 'Start here', true],
  ['exact: nowhere', 'exact', { answer: 'Rome', match: 'substring' }, 'The capital is Paris.', false],
  ['exact: within a Chinese sentence', 'exact', { answer: '巴黎', match: 'within' }, '首都是巴黎。', true],

  ['json_schema: an object', 'json_schema', { schema: { type: 'object', required: ['a'] } }, '{"a": 1}', true],
  ['json_schema: in a fence', 'json_schema', { schema: { type: 'object' } }, '```json\n{}\n```', true],
  ['json_schema: prose around it', 'json_schema', { schema: { type: 'object' } }, 'Here: {}', false],
  ['json_schema: something is missing', 'json_schema', { schema: { required: ['a'] } }, '{"b": 1}', false],
];

describe('rule checks', () => {
  for (const [name, check, options, answer, pass] of rows) {
    it(`${name} ${pass ? 'holds' : 'fails'}`, async () => {
      const outcome = await evaluateCheck(aCheck(check, options), answer);
      assert.equal(outcome.kind, 'scored');
      assert.equal(outcome.kind === 'scored' && outcome.pass, pass, outcome.reason);
      assert.notEqual(outcome.reason, '');
    });
  }

  const tools: readonly (readonly [string, string, readonly string[], boolean])[] = [
    ['tool_called: called', 'tool_called', ['other', 'search_docs'], true],
    ['tool_called: another one', 'tool_called', ['search'], false],
    ['tool_not_called: never', 'tool_not_called', [], true],
    ['tool_not_called: called', 'tool_not_called', ['search_docs'], false],
  ];
  for (const [name, check, called, pass] of tools) {
    it(`${name} ${pass ? 'holds' : 'fails'}`, async () => {
      const answer = anAnswer('TOOL_CALL: search_docs', {
        toolsCalled: called.map((tool) => ({ name: tool, arguments: '{}' })),
      });
      const outcome = await evaluateCheck(aCheck(check, { tool: 'search_docs' }), answer);
      assert.equal(outcome.kind === 'scored' && outcome.pass, pass);
    });
  }

  it('counts the words that an inexact answer has right', async () => {
    const outcome = await evaluateCheck(aCheck('exact', { answers: ['the red fox', 'a dog'] }), 'the quick red fox');
    assert.ok(outcome.kind === 'scored' && !outcome.pass);
    assert.equal(outcome.soft.toFixed(3), (6 / 7).toFixed(3));
  });

  it("takes the task's references where exact has no answer of its own", async () => {
    const outcome = await evaluateCheck(aCheck('exact'), 'Paris', { task: { references: ['Paris'] } });
    assert.ok(outcome.kind === 'scored' && outcome.pass);
  });
});

describe('hostile answers', () => {
  const checks: readonly (readonly [string, Record<string, unknown>])[] = [
    ['contains', { text: 'hello' }],
    ['not_contains', { text: 'hello' }],
    ['regex', { pattern: '^## Risks$', flags: 'm' }],
    ['section_present', { heading: 'Risks' }],
    ['section_contains', { heading: 'Risks', text: 'high' }],
    ['max_chars', { limit: 600 }],
    ['min_chars', { limit: 1 }],
    ['no_refusal', {}],
    ['tool_called', { tool: 'search' }],
    ['tool_not_called', { tool: 'search' }],
    ['json_schema', { schema: { type: 'object', required: ['a'] } }],
    ['exact', { answer: 'hello' }],
    ['exact', { answer: 'hello', match: 'within' }],
    ['exact', { answer: 'hello', match: 'substring' }],
  ];
  const passes: Readonly<Record<string, readonly string[]>> = {
    'an empty answer': ['not_contains', 'max_chars', 'tool_not_called'],
    "the judge's closing fence": ['not_contains', 'max_chars', 'min_chars', 'no_refusal', 'tool_not_called'],
  };
  for (const [name, answer] of hostileAnswers) {
    it(`${name} is scored by every rule, in time and within 0..1`, async () => {
      const passed: string[] = [];
      for (const [check, options] of checks) {
        const started = performance.now();
        const outcome = await evaluateCheck(aCheck(check, options), answer);
        assert.equal(outcome.kind, 'scored', `${check}: ${outcome.reason}`);
        if (outcome.kind !== 'scored') return;
        assert.ok(outcome.soft >= 0 && outcome.soft <= 1);
        assert.ok(performance.now() - started < 20_000, `${check} took longer than a busy machine explains`);
        if (outcome.pass) passed.push(check);
      }
      const expected = passes[name];
      if (expected !== undefined) assert.deepEqual(passed, expected);
      assert.ok(!passed.includes('contains') && !passed.includes('json_schema') && !passed.includes('tool_called'));
    });
  }
});

/** Texts of the worst kind for a search that starts anew at each of their places. */
const rows100k = 100_000;
const slow: readonly (readonly [name: string, check: string, options: Record<string, unknown>, answer: string])[] = [
  ['exact, on a row of dots', 'exact', { answer: 'x' }, `x${'.'.repeat(9 * rows100k)}x`],
  ['exact, with a row of dots', 'exact', { answer: `x${'.'.repeat(4 * rows100k)}x` }, 'x'],
  ['exact, within a row', 'exact', { answer: 'a'.repeat(rows100k), match: 'within' }, 'a'.repeat(4 * rows100k)],
  ['exact, in a row', 'exact', { answer: halves('a'), match: 'substring' }, 'a'.repeat(4 * rows100k)],
  ['contains', 'contains', { text: halves('a') }, 'a'.repeat(4 * rows100k)],
  ['json_schema, on a long fence', 'json_schema', { schema: true }, fences(rows100k)],
];

describe('a rule takes time in proportion to what it reads', () => {
  for (const [name, check, options, answer] of slow) {
    it(name, async () => {
      const started = performance.now();
      const outcome = await evaluateCheck(aCheck(check, options), answer);
      assert.ok(outcome.kind === 'scored' && !outcome.pass);
      assert.ok(performance.now() - started < 2_000, `${performance.now() - started} ms`);
    });
  }

  const signs = [' ', '\n', '"', "'", '`', '*', '_', '“', '«', '.', '!', '。', 'x', 'é'];
  const marks = fc.string({ unit: fc.constantFrom(...signs), maxLength: 12 });

  it('and trims as one expression would', async () => {
    await fc.assert(
      fc.asyncProperty(marks, marks, async (given, answer) => {
        fc.pre(answer !== '');
        const outcome = await evaluateCheck(aCheck('exact', { answer }), given);
        assert.equal(outcome.kind === 'scored' && outcome.pass, trimmed(given) === trimmed(answer));
        const itself = await evaluateCheck(aCheck('exact', { answer: given + answer }), trimmed(given + answer));
        assert.ok(itself.kind === 'scored' && itself.pass);
      }),
      { numRuns: 1000 },
    );
  });

  it('and opens a fence as one expression would', async () => {
    const line = fc.constantFrom('```', '````', '`', '1', '\n', 'json', ' ', '\n```');
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        const answer = lines.join('');
        const text = answer.trim();
        const fenced = /^(`{3,})[^\n`]*\n([\s\S]*?)\n?\1$/u.exec(text)?.[2];
        const outcome = await evaluateCheck(aCheck('json_schema', { schema: true }), answer);
        assert.equal(outcome.kind === 'scored' && outcome.pass, isJson(fenced ?? text), JSON.stringify(answer));
      }),
      { numRuns: 2000 },
    );
  });

  it('and finds every place, also of long parts', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 400 });
    fc.assert(
      fc.property(letters, fc.nat(400), fc.integer({ min: 1, max: 200 }), (word, from, length) => {
        const text = word + word.slice(0, 7) + word;
        const part = text.slice(from, from + length) || 'a';
        const expected = Array.from(text, (_, at) => at).filter((at) => text.startsWith(part, at));
        assert.deepEqual([...placesOf(text, part)], expected);
        assert.equal(standsAnywhere(text, `${part}c`), false);
      }),
    );
  });
});

function trimmed(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, ' ');
  return plain.replaceAll(/^[\s"'`*_“”„«»‘’]+|[\s"'`*_“”„«»‘’.!。]+$/gu, '');
}

function halves(letter: string): string {
  return `${letter.repeat(rows100k)}b${letter.repeat(rows100k)}`;
}

function fences(ticks: number): string {
  return `${'`'.repeat(ticks)}\n${'`'.repeat(2 * ticks)}x`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
