import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseSkill, printSkill, type SkillDocument } from '../../../../src/skill/document/skillDocument.js';
import { anyText, skillText } from '../arbitrarySkills.js';

const isFull = process.env['WHETSTONE_FULL'] === '1';

describe('parseSkill', () => {
  it('prints back any text at all, byte for byte', () => {
    const anything = fc.oneof(skillText, anyText);
    fc.assert(
      fc.property(anything, (text) => {
        assert.equal(printSkill(parseSkill(text)), text);
      }),
      { numRuns: isFull ? 20_000 : 150 },
    );
  });

  it('keeps every span inside the text, and every span of the body inside the body', () => {
    fc.assert(
      fc.property(skillText, (text) => {
        const document = parseSkill(text);
        const { body, headings, fences, paragraphs, items, regions } = document;
        for (const { span } of [...headings, ...fences, ...paragraphs, ...items, ...regions]) {
          assert.ok(body.start <= span.start && span.start < span.end && span.end <= body.end);
        }
        for (const { body: inner, span } of fences) assert.ok(span.start < inner.start && inner.end <= span.end);
        assert.ok((document.frontMatter?.span.end ?? 0) <= body.start);
      }),
      { numRuns: isFull ? 20_000 : 100 },
    );
  });

  const shapes: readonly (readonly [name: string, text: string, seen: Partial<SkillDocument>])[] = [
    ['an empty text', '', { hasBom: false, eol: '\n', mixedEol: false, size: { lines: 0, tokens: 0 } }],
    ['a byte order mark', '\uFEFFa', { hasBom: true, body: { start: 1, end: 2 }, size: { lines: 1, tokens: 1 } }],
    ['Windows line breaks', 'a\r\nb\r\n', { eol: '\r\n', mixedEol: false, size: { lines: 2, tokens: 2 } }],
    ['old Mac line breaks', 'a\rb', { eol: '\r', mixedEol: false, size: { lines: 2, tokens: 1 } }],
    ['mixed line breaks', 'a\r\nb\nc\r\n', { eol: '\r\n', mixedEol: true, size: { lines: 3, tokens: 2 } }],
    ['Chinese, a token a character', '字字字字', { size: { lines: 1, tokens: 4 } }],
  ];
  for (const [name, text, seen] of shapes) {
    it(`reads ${name}`, () => {
      const document = parseSkill(text);
      assert.deepEqual({ ...document, ...seen }, document);
    });
  }

  it('reads 5 MB without hanging', () => {
    const rows = [
      '# T\n\nSome text.\n\n- one\n- two\n\n```sh\nnpm test\n```\n\n',
      '<!-- whetstone:keep -->`',
      '---\n',
      '<!--',
      'name: x\n',
      '字',
      '[{',
    ];
    for (const row of rows) {
      const text = `---\n${row.repeat((isFull ? 5_000_000 : 200_000) / row.length)}`;
      const started = performance.now();
      assert.equal(printSkill(parseSkill(text)), text);
      const elapsed = performance.now() - started;
      assert.ok(elapsed < (isFull ? 15_000 : 5000), `${JSON.stringify(row)}: ${Math.round(elapsed)} ms`);
    }
  });
});
