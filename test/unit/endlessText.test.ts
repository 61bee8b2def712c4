import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { endsInRepetition } from '../../src/endlessText.js';
import { isFull } from '../builders/few.js';

const runs = { numRuns: isFull ? 2_000 : 40 };

describe('a text that ends in the same over and over', () => {
  const endless: readonly (readonly [name: string, text: string])[] = [
    ['a letter', 'a'.repeat(3_000)],
    ['a word', `It is ${'very '.repeat(700)}`],
    ['a line', `Steps:\n${'- Restart the server.\n'.repeat(200)}`],
    ['two lines in turn', '- Restart it.\n- Look at the log.\n'.repeat(120)],
    ['a sentence, cut in its middle', `${'I am sorry for the delay. '.repeat(150)}I am so`],
    [
      'a question and an answer',
      'User: what is wrong?\nAssistant: The disk is full, so nothing is written.\n'.repeat(60),
    ],
    ['a paragraph', `${numbers(0, 150)}.\n\n`.repeat(12)],
    ['the same row of a table', `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(400)}`],
    ['Chinese words', '请稍候再试。'.repeat(600)],
    ['white space in JSON', `{"edits": [${' '.repeat(2_000)}`],
    ['blank lines', `Done.${'\n'.repeat(2_000)}`],
    ['an open list of JSON', `{"a": [${'0, '.repeat(1_200)}`],
  ];
  for (const [name, text] of endless) it(`is known: ${name}`, () => assert.equal(endsInRepetition(text), true));

  const honest: readonly (readonly [name: string, text: string])[] = [
    ['a list whose items differ by a number', rows((at) => `- Restart server ${at}.`)],
    ['a long CSV', rows((at) => `2026-01-01,${at},0,0,0,0,ok`)],
    ['a table of nothing but its first column', rows((at) => `| ${at} | - | - | - | - |`)],
    ['steps by number', rows((at) => `Step ${at}: do the same as before.`)],
    [
      'a poem with a refrain',
      Array.from(
        { length: 40 },
        (_, at) => `${numbers(at, 12)}\n\nAnd the river runs on,\nand the river runs on.\n`,
      ).join('\n'),
    ],
    ['a ruled line', `Title\n${'='.repeat(400)}\n`],
    ['many ruled lines', rows((at) => `${'-'.repeat(80)}\n${at}`, 100)],
    ['a word twenty times', 'ha '.repeat(20)],
    ['a rule said thirty times', '- Check it.\n'.repeat(30)],
    ['code with the same line often', rows((at) => `  case ${at}:\n    return undefined;\n`, 300)],
    [
      'a song of bottles',
      Array.from(
        { length: 99 },
        (_, at) => `${99 - at} bottles of milk on the wall, ${99 - at} bottles of milk. Take one down, pass it around.`,
      ).join('\n'),
    ],
    [
      'JSON with the same fields',
      JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, pass: true, score: 1, reason: 'ok' }))),
    ],
    [
      'what went on after it had repeated itself',
      `${'Wait. '.repeat(800)}The answer is 7, because the disk is full and nothing was written since noon. Next step: free some room.`,
    ],
    ['nothing', ''],
  ];
  for (const [name, text] of honest) it(`is none: ${name}`, () => assert.equal(endsInRepetition(text), false));

  it('is known whatever is repeated, and whatever came before it', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.string({ minLength: 1, maxLength: 200 }), (before, piece) => {
        const text = before + piece.repeat(Math.ceil(3_300 / piece.length));
        assert.ok(endsInRepetition(text));
        assert.ok(endsInRepetition(text.slice(0, -Math.min(200, piece.length - 1) || undefined)));
      }),
      runs,
    );
  });

  it('is none where anything differs between two of the last lines, whatever the lines say', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 5, maxLength: 60 }), fc.nat({ max: 1_000 }), (line, from) => {
        assert.equal(endsInRepetition(rows((at) => `${line} ${from + at}`, 400)), false);
      }),
      runs,
    );
  });

  it('is told at any moment of an honest text, not only at its end', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_000 }), (length) => {
        for (const [name, text] of honest.slice(0, 6))
          assert.equal(endsInRepetition(text.slice(0, length)), false, name);
      }),
      runs,
    );
  });
});

function rows(row: (at: number) => string, count = 500): string {
  return Array.from({ length: count }, (_, at) => `${row(at)}\n`).join('');
}

function numbers(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => String((from * 31 + at * 17) % 1_009)).join(' ');
}
