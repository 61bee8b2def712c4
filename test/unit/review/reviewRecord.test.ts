import assert from 'node:assert/strict';
import { printRecord, readRecord, wholeRecord, type ReviewRecord } from '../../../src/review/reviewRecord.js';
import { aReviewDocument, betterVerdict } from '../../builders/aReviewProposal.js';

const record: ReviewRecord = {
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
    assert.deepEqual(readRecord(printRecord(record)), record);
    const { measured: _measured, ...bare } = record;
    assert.deepEqual(readRecord(printRecord({ ...record, measured: undefined })), bare);
  });

  it('of an earlier version gets the hunks that the edits kept, moved to its texts', () => {
    const edit = { op: 'replace', anchor: 'a', content: 'b', rationale: '' } as const;
    const document = aReviewDocument('a\n', [edit]);
    const older = JSON.parse(printRecord(record));
    const ground = { base: 'mine\na\n', proposed: 'mine\nb\n' };
    const stored = readRecord(JSON.stringify({ ...older, version: 1, ground }));
    assert.ok(stored !== undefined);
    assert.deepEqual(wholeRecord(stored, document).texts, {
      ...ground,
      hunks: { E1: [{ before: { start: 1, end: 2 }, after: { start: 1, end: 2 } }] },
    });
  });

  it('keeps the newest of very many accepts', () => {
    const accepts = Array.from({ length: 300 }, (_, index) => [`a${index}`, `b${index}`] as const);
    assert.deepEqual(readRecord(printRecord({ ...record, accepts }))?.accepts.at(-1), ['a299', 'b299']);
    assert.equal(readRecord(printRecord({ ...record, accepts }))?.accepts.length, 200);
  });

  const broken = ['', '{', 'null', '[]', '{"format":"whetstone-review"}', printRecord(record).slice(0, -20)];
  for (const text of broken) {
    it(`is nothing where the file holds ${JSON.stringify(text.slice(0, 30))}`, () => {
      assert.equal(readRecord(text), undefined);
    });
  }

  const fields = Object.keys(JSON.parse(printRecord(record))).filter((name) => name !== 'measured');
  for (const name of fields) {
    it(`is nothing where ${name} is of another kind`, () => {
      assert.equal(readRecord(JSON.stringify({ ...JSON.parse(printRecord(record)), [name]: 7 })), undefined);
    });
  }

  it('is nothing where a newer Whetstone wrote it', () => {
    assert.equal(readRecord(printRecord(record).replace('"version":2', '"version":3')), undefined);
  });

  it('is nothing where a verdict lacks its figures', () => {
    const text = printRecord({ ...record, measured: { hash: 'h', verdict: betterVerdict } });
    assert.equal(readRecord(text.replace('"figures"', '"fugures"')), undefined);
  });
});
