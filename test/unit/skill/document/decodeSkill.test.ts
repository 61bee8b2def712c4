import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodeSkill } from '../../../../src/skill/document/decodeSkill.js';
import { UserError } from '../../../../src/errors.js';
import { anyText } from '../arbitrarySkills.js';

describe('decodeSkill', () => {
  it('gives back the same bytes for every text it reads', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), anyText, (noise, text) => {
        for (const bytes of [noise, Buffer.from(text), Buffer.concat([Buffer.from(`\uFEFF${text}\r\n.`), noise])]) {
          const decoded = tryDecode(bytes);
          if (typeof decoded === 'string') assert.deepEqual(Buffer.from(decoded), Buffer.from(bytes));
          else assert.ok(decoded.cure.endsWith('.'));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps a byte order mark', () => {
    assert.equal(decodeSkill(Buffer.from('\uFEFF# T\r\n'), 'SKILL.md'), '\uFEFF# T\r\n');
  });

  const rows: readonly (readonly [name: string, bytes: Uint8Array, code: string, what: RegExp])[] = [
    ['an empty file', Buffer.from(''), 'skill-empty', /is empty/],
    ['a file of white space', Buffer.from('\uFEFF \r\n\t\n'), 'skill-empty', /is empty/],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]), 'skill-not-text', /binary/],
    ['UTF-16, little end first', Buffer.from([0xff, 0xfe, 0x41, 0]), 'skill-not-text', /UTF-16/],
    ['UTF-16, big end first', Buffer.from([0xfe, 0xff, 0, 0x41]), 'skill-not-text', /UTF-16/],
    ['Latin-1', Buffer.from('Gr\u00fc\u00dfe', 'latin1'), 'skill-not-text', /UTF-8/],
    ['a character cut in two', Buffer.from('ü').subarray(0, 1), 'skill-not-text', /UTF-8/],
    ['5 MB', Buffer.alloc(5 * 1_048_576, 'a'), 'skill-too-large', /5\.0 MB/],
    ['lines without end', Buffer.from('a\n'.repeat(60_000)), 'skill-too-large', /has 60000 lines; .* at most 50000/],
    ['a byte more than 1 MB', Buffer.alloc(1_048_577, 'a'), 'skill-too-large', /1 MB/],
  ];
  for (const [name, bytes, code, what] of rows) {
    it(`refuses ${name} (${code}), and says what to do`, () => {
      const refused = tryDecode(bytes);
      assert.ok(refused instanceof UserError);
      assert.equal(refused.code, code);
      assert.match(refused.message, what);
      assert.match(refused.message, /skills\/demo\/SKILL\.md/);
      assert.match(refused.cure, /^[A-Z].+\.$/);
    });
  }
});

function tryDecode(bytes: Uint8Array): string | UserError {
  try {
    return decodeSkill(bytes, 'skills/demo/SKILL.md');
  } catch (error) {
    assert.ok(error instanceof UserError);
    return error;
  }
}
