import { sha256 } from '../../../src/hash.js';
import assert from 'node:assert/strict';
import { statusInReview, textsHash } from '../../../src/review/measurementStatus.js';
import { aReviewDocument, betterVerdict } from '../../builders/aReviewProposal.js';

const base = '# Dates\n\nUse the local order.\n\nName the month.\n\nKeep the year.\n';
const { edits, candidateText: certified } = aReviewDocument(base, [
  { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: '' },
  { op: 'delete', anchor: 'Name the month.', rationale: '' },
  { op: 'append', content: 'Say the zone.', rationale: '' },
]);
const oneTaken = base.replace('Use the local order.', 'Use ISO order.');

describe('whether the text under review was measured', () => {
  const cases = [
    ['nothing was taken', base, ['E1', 'E2', 'E3'], { kind: 'untouched' }],
    ['everything was taken, to the letter', certified, [], { kind: 'whole' }],
    ['one was taken', oneTaken, ['E2', 'E3'], { kind: 'unmeasured', cause: 'partly-accepted', taken: 1, of: 3 }],
    [
      'one was taken and the others rejected',
      oneTaken,
      [],
      { kind: 'unmeasured', cause: 'partly-accepted', taken: 1, of: 3 },
    ],
    [
      'everything was taken and changed',
      `${certified}mine\n`,
      [],
      { kind: 'unmeasured', cause: 'edited-by-hand', taken: 3, of: 3 },
    ],
    ['all were rejected and the person wrote', `${base}mine\n`, [], { kind: 'untouched' }],
  ] as const;
  for (const [name, real, open, status] of cases) {
    it(`${name}: ${status.kind}`, () => {
      assert.deepEqual(statusInReview({ ...texts(real), open: new Set<string>(open) }), status);
    });
  }

  it('is what measuring gave, as long as the text is the one that was measured', () => {
    const measured = { hash: sha256(oneTaken), verdict: betterVerdict, simulated: true };
    const open = new Set(['E2']);
    const { hash: _hash, ...shown } = measured;
    assert.deepEqual(statusInReview({ ...texts(oneTaken), open, measured }), { kind: 'measured', ...shown });
    assert.equal(statusInReview({ ...texts(`${oneTaken}mine\n`), open, measured }).kind, 'unmeasured');
  });

  it('is part of what was measured while another document of the proposal lacks its edits', () => {
    const whole = { ...texts(certified), open: new Set<string>() };
    const of = edits.length + 1;
    assert.deepEqual(statusInReview({ ...whole, others: { taken: 0, of: 1 } }), {
      kind: 'unmeasured',
      cause: 'partly-accepted',
      taken: edits.length,
      of,
    });
    assert.deepEqual(statusInReview({ ...whole, others: { taken: 1, of: 1 } }), { kind: 'whole' });
  });

  it('is part of what was measured while only another document of the proposal has its edits', () => {
    const none = { ...texts(base), open: new Set(edits.map(({ id }) => id)) };
    assert.deepEqual(statusInReview({ ...none, others: { taken: 1, of: 1 } }), {
      kind: 'unmeasured',
      cause: 'partly-accepted',
      taken: 1,
      of: edits.length + 1,
    });
    assert.deepEqual(statusInReview({ ...none, others: { taken: 0, of: 1 } }), { kind: 'untouched' });
  });

  it('counts as measured only with the files that it was measured with', () => {
    const others = { taken: 1, of: 2 };
    const both = (file: string) => textsHash({ 'SKILL.md': oneTaken, './references/tone.md': file });
    const measured = { hash: both('short\n'), verdict: betterVerdict };
    const now = { ...texts(oneTaken), open: new Set<string>(), others, measured };
    assert.equal(statusInReview({ ...now, hash: both('short\n') }).kind, 'measured');
    assert.equal(statusInReview({ ...now, hash: both('long\n') }).kind, 'unmeasured');
    assert.equal(statusInReview(now).kind, 'unmeasured');
  });
});

function texts(real: string) {
  return {
    texts: { base, proposed: certified, hunks: {} },
    certified,
    real,
    edits,
    measured: undefined,
    others: { taken: 0, of: 0 },
    hash: textsHash({ 'SKILL.md': real }),
  };
}
