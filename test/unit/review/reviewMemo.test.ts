import assert from 'node:assert/strict';
import { printMemo, readMemo, wholeMemo, type ReviewMemo } from '../../../src/review/reviewMemo.js';
import { aReviewDocument, betterVerdict } from '../../builders/aReviewProposal.js';

const memo: ReviewMemo = {
  skillPath: '/w/SKILL.md',
  file: '/w/SKILL.md',
  proposalId: 'p',
  documentPath: 'SKILL.md',
  texts: {
    base: 'a\n',
    proposed: 'b\n',
    hunks: { E1: [{ before: { start: 0, end: 1 }, after: { start: 0, end: 1 } }] },
  },
  real: 'a\n',
  rebased: false,
  lost: [{ id: 'E2', reason: 'Gone.' }],
  accepts: [['h1', 'h2']],
  measured: { hash: 'h', verdict: betterVerdict },
};
describe('what a review remembers', () => {
  it('is the same when it is read again', () => {
    assert.deepEqual(readMemo(printMemo(memo)), memo);
    const { measured: _measured, ...bare } = memo;
    assert.deepEqual(readMemo(printMemo({ ...memo, measured: undefined })), bare);
  });

  it('of an earlier version gets the hunks that the edits kept, moved to its texts', () => {
    const edit = { op: 'replace', anchor: 'a', content: 'b', rationale: '' } as const;
    const document = aReviewDocument('a\n', [edit]);
    const older = JSON.parse(printMemo(memo));
    const ground = { base: 'mine\na\n', proposed: 'mine\nb\n' };
    const stored = readMemo(JSON.stringify({ ...older, version: 1, ground }));
    assert.ok(stored !== undefined);
    assert.deepEqual(wholeMemo(stored, document).texts, {
      ...ground,
      hunks: { E1: [{ before: { start: 1, end: 2 }, after: { start: 1, end: 2 } }] },
    });
  });

  it('keeps the newest of very many accepts', () => {
    const accepts = Array.from({ length: 300 }, (_, index) => [`a${index}`, `b${index}`] as const);
    assert.deepEqual(readMemo(printMemo({ ...memo, accepts }))?.accepts.at(-1), ['a299', 'b299']);
    assert.equal(readMemo(printMemo({ ...memo, accepts }))?.accepts.length, 200);
  });

  const broken = ['', '{', 'null', '[]', '{"format":"whetstone-review"}', printMemo(memo).slice(0, -20)];
  for (const text of broken) {
    it(`is nothing where the file holds ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.equal(readMemo(text), undefined);
    });
  }

  const fields = Object.keys(JSON.parse(printMemo(memo))).filter((name) => name !== 'measured');
  for (const name of fields) {
    it(`is nothing where ${name} is of another kind`, () => {
      assert.equal(readMemo(JSON.stringify({ ...JSON.parse(printMemo(memo)), [name]: 7 })), undefined);
    });
  }

  it('is nothing where a newer Whetstone wrote it', () => {
    assert.equal(readMemo(printMemo(memo).replace('"version":2', '"version":3')), undefined);
  });

  it('is nothing where a verdict lacks its figures', () => {
    const text = printMemo({ ...memo, measured: { hash: 'h', verdict: betterVerdict } });
    assert.equal(readMemo(text.replace('"figures"', '"fugures"')), undefined);
  });
});
