import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { linesWithBreaks } from '../../../../src/skill/document/lines.js';
import { parseSkill, type SkillDocument } from '../../../../src/skill/document/skillDocument.js';
import { spliced, type Splice } from '../../../../src/skill/edits/splice.js';
import { isFull } from '../../../builders/few.js';

/** Whole blocks, and beginnings and ends of them that only their surroundings make into one. */
const parts = [
  ['Plain text.', 'Two lines\nof text', '# Title', '## Rules ##', 'Title\n===', 'Over two\nlines\n---', '***', ''],
  ['- a\n- b', '- a\n\n  more of it\n- b', '- a\n  - nested\n    1. deep\n- b', '1. one\n2. two', '-', '- \n\n  late'],
  ['  more of an item', '\t- by a tab', '-\ta\n\n\tb', '    code by spaces', '\tcode by a tab', '+ - * three'],
  ['> quoted', '> quoted\nlazily', '> - item\n>   more\n> - two', '> ```\n> code\n\nafter', '- > a\n  > b', '>'],
  [
    '```sh\nnpm test\n```',
    '```',
    '~~~~\ncode\n~~~~',
    '~~~',
    '- ```\n  code\n  ```',
    '- ```\n  open',
    '````md\n```\n````',
  ],
  [
    '<div>\ntext\n</div>',
    '<!-- remark -->',
    '<!-- of two\n\nlines -->',
    '<!--',
    '-->',
    '<pre>\n\n# no\n</pre>',
    '<b>\nx',
  ],
  [
    '[a]: https://example.com',
    '[b]:\n  /url\n  "title"',
    '| a | b |\n|---|---|',
    'Line with `code`  \nand more',
    '字字',
  ],
  ['---', '---\nname: demo\ndescription: Use tabs.\n---', '---\nname: demo\n', 'name: demo', '==='],
  ['<!-- whetstone:keep -->', '<!-- /whetstone:keep -->', '<!-- SLOW_UPDATE_START -->\n- x\n<!-- SLOW_UPDATE_END -->'],
].flat();
const heads = ['', '', '\uFEFF', '---\nname: demo\n---\n', '\uFEFF---\nname: demo\n---\n\n', '---\nname: demo\n\n'];

/** Of up to so many parts, with one kind of line break and perhaps none at the end. */
function textOf(maxLength: number, head: fc.Arbitrary<string> = fc.constant('')): fc.Arbitrary<string> {
  const between = fc.constantFrom('\n', '\n\n', '\n\n', '\n \n');
  const part = fc.tuple(fc.constantFrom(...parts), between).map((each) => each.join(''));
  const last = fc.tuple(fc.constantFrom(...parts), fc.constantFrom('', '\n', '\n\n')).map((each) => each.join(''));
  const eol = fc.constantFrom('\n', '\n', '\r\n', '\r');
  return fc
    .tuple(head, fc.array(part, { maxLength }), last, eol)
    .map(([first, all, end, lineBreak]) => (first + all.join('') + end).replaceAll('\n', lineBreak));
}

/** A change by where it is in a text of any length: whole lines of it, or any characters. */
interface AnyChange {
  readonly unit: 'lines' | 'characters';
  readonly at: number;
  readonly removed: number;
  readonly added: string;
}

const change: fc.Arbitrary<AnyChange> = fc.record({
  unit: fc.constantFrom('lines', 'lines', 'characters'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.constantFrom(0, 0, 1, 1, 2, 5),
  added: fc.oneof(fc.constantFrom('', '', '\n', '\r', ' ', '`', '> '), textOf(2)),
});

function spliceIn(text: string, { unit, at, removed, added }: AnyChange): Splice {
  if (unit === 'characters') {
    const start = Math.round(at * text.length);
    return { start, end: Math.min(text.length, start + removed), text: added };
  }
  const lines = linesWithBreaks(text);
  const first = Math.round(at * lines.length);
  const start = lines.slice(0, first).join('').length;
  return { start, end: start + lines.slice(first, first + removed).join('').length, text: added };
}

function changed(document: SkillDocument, splice: Splice): SkillDocument {
  return parseSkill(spliced(document.text, splice), { document, span: splice });
}

describe('a skill that is read again after a change', () => {
  it('is what reading all of it gives, in every field, after one change upon another', function () {
    this.timeout(300_000);
    fc.assert(
      fc.property(
        textOf(14, fc.constantFrom(...heads)),
        fc.array(change, { minLength: 1, maxLength: 5 }),
        (text, changes) => {
          let document = parseSkill(text);
          for (const each of changes) {
            document = changed(document, spliceIn(document.text, each));
            assert.deepEqual(document, parseSkill(document.text));
          }
        },
      ),
      { numRuns: isFull ? 2_000 : 300 },
    );
  });

  const rules = Array.from({ length: 40 }, (_, at) => `## Rule ${at}\n\n- Do ${at}.\n- Or not.\n\nBecause ${at}.\n`);
  const long = parseSkill(`---\nname: demo\n---\n\n${rules.join('\n')}`);
  const at = long.text.indexOf('Do 20.');

  it('keeps the blocks before the change, and those behind it where they do not move', () => {
    const same = changed(long, { start: at, end: at + 2, text: 'Be' });
    assert.deepEqual(same, parseSkill(same.text));
    assert.deepEqual(
      same.paragraphs.flatMap((paragraph, index) => (paragraph === long.paragraphs[index] ? [] : [index])),
      [60, 61, 62],
      'the two items and the text under the heading',
    );
    const longer = changed(long, { start: at, end: at, text: 'Never ' });
    assert.equal(longer.paragraphs[59], long.paragraphs[59]);
    assert.notEqual(longer.paragraphs[63], long.paragraphs[63]);
  });

  for (const [what, before, added, after] of [
    ['the second half of a line break', 'One.\r\r', '\n', 'Two.\r\rThree.'],
    ['the second half of the last line break of the front matter', '---\rname: demo\r---\r', '\n', 'One.\r\rTwo.'],
    ['the end of front matter that had none', '---\nname: demo\n\nOne.\n\n', '---\n', 'Two.\n\nThree.'],
  ] as const) {
    it(`sees ${what}`, () => {
      const document = parseSkill(before + after);
      const next = changed(document, { start: before.length, end: before.length, text: added });
      assert.deepEqual(next, parseSkill(before + added + after));
      assert.deepEqual(
        changed(next, { start: before.length, end: before.length + added.length, text: '' }),
        document,
        'and that it is gone again',
      );
    });
  }

  for (const [what, text] of [
    ['a fence that nothing closes', '\n\n```\n'],
    ['a remark that nothing closes', '\n\n<!--\n'],
    ['the beginning of a list', '\n\n1. x\n\n   '],
    ['front matter', '---\nname: other\n---\n'],
  ] as const) {
    it(`sees ${what} wherever it comes in`, () => {
      for (const start of [0, 4, long.body.start, at, at + 2, long.text.length]) {
        const next = changed(long, { start, end: start, text });
        assert.deepEqual(next, parseSkill(next.text));
        const back = changed(next, { start, end: start + text.length, text: '' });
        assert.deepEqual(back, long);
      }
    });
  }
});
