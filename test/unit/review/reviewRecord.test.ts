import assert from 'node:assert/strict';
import { printStanding, readStanding, type KeptStanding } from '../../../src/review/keptStanding.js';
import { printRecord, readRecord, type ReviewRecord } from '../../../src/review/reviewRecord.js';
import { betterVerdict } from '../../builders/aReviewProposal.js';

const record: ReviewRecord = {
  skillPath: '/w/SKILL.md',
  file: '/w/SKILL.md',
  proposalId: 'p',
  documentPath: 'SKILL.md',
  ground: { base: 'a\n', proposed: 'b\n' },
  real: 'a\n',
  rebased: false,
  lost: [{ id: 'E2', reason: 'Gone.' }],
  accepts: [['h1', 'h2']],
  measured: { hash: 'h', verdict: betterVerdict },
};
const kept: KeptStanding = {
  skillPath: '/w/SKILL.md',
  before: 'a\n',
  afterHash: 'h',
  standing: { kind: 'unmeasured', cause: 'partly-accepted', taken: 1, of: 2 },
};

describe('what a review remembers', () => {
  it('is the same when it is read again', () => {
    assert.deepEqual(readRecord(printRecord(record)), record);
    const { measured: _measured, ...bare } = record;
    assert.deepEqual(readRecord(printRecord({ ...record, measured: undefined })), bare);
    assert.deepEqual(readStanding(printStanding(kept)), kept);
    const measured: KeptStanding = { ...kept, standing: { kind: 'measured', verdict: betterVerdict } };
    assert.deepEqual(readStanding(printStanding(measured)), measured);
  });

  it('is read as version 0.1.0 wrote it', () => {
    const { measured: _measured, ...bare } = record;
    assert.deepEqual(
      readRecord(
        String.raw`{"format":"whetstone-review","version":1,"skillPath":"/w/SKILL.md","file":"/w/SKILL.md","proposalId":"p","documentPath":"SKILL.md","ground":{"base":"a\n","proposed":"b\n"},"real":"a\n","rebased":false,"lost":[{"id":"E2","reason":"Gone."}],"accepts":[["h1","h2"]]}`,
      ),
      bare,
    );
    assert.deepEqual(
      readStanding(
        String.raw`{"format":"whetstone-standing","version":1,"skillPath":"/w/SKILL.md","before":"a\n","afterHash":"h","standing":{"kind":"unmeasured","cause":"partly-accepted","taken":1,"of":2}}`,
      ),
      kept,
    );
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
      assert.equal(readStanding(text), undefined);
    });
  }

  const fields = Object.keys(record).filter((name) => name !== 'measured');
  for (const name of fields) {
    it(`is nothing where ${name} is of another kind`, () => {
      assert.equal(readRecord(JSON.stringify({ ...JSON.parse(printRecord(record)), [name]: 7 })), undefined);
    });
  }

  it('is nothing where a newer Whetstone wrote it', () => {
    assert.equal(readRecord(printRecord(record).replace('"version":1', '"version":2')), undefined);
    assert.equal(readStanding(printStanding(kept).replace('"version":1', '"version":2')), undefined);
    assert.equal(readStanding(undefined), undefined);
  });

  it('is nothing where a verdict lacks its figures', () => {
    const text = printRecord({ ...record, measured: { hash: 'h', verdict: betterVerdict } });
    assert.equal(readRecord(text.replace('"figures"', '"fugures"')), undefined);
    assert.equal(readStanding(printStanding(kept).replace('partly-accepted', 'because')), undefined);
  });
});
