import assert from 'node:assert/strict';
import { editsOfTexts } from '../../../../src/app/tasks/triedTexts.js';
import { storedText } from '../../../../src/engine/candidate.js';
import { sha256 } from '../../../../src/hash.js';
import { aProposedEdit, aReviewDocument } from '../../../builders/aReviewProposal.js';

const base = '# Dates\n\nUse the local order.\n\nName the month.\n';
const tone = '# Tone\r\n\r\nBe long.\r\n';
const iso = base.replace('Use the local order.', 'Use ISO order.');
const brief = tone.replace('Be long.', 'Be brief.');
const skill = aReviewDocument(base, [
  { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: 'r' },
  { op: 'append', content: 'Say the time zone.', rationale: 'r' },
]);
const file = aReviewDocument(
  tone,
  [
    aProposedEdit(
      { op: 'replace', file: 'references/tone.md', anchor: 'Be long.', content: 'Be brief.', rationale: 'r' },
      { id: 'E3' },
    ),
  ],
  { kind: 'file', path: './references/tone.md' },
);

describe('the edits of a text that a run tried', () => {
  const both = editsOfTexts({ documents: [skill, file] }, base);
  const rows = [
    ['one in SKILL.md', iso, undefined, ['E1']],
    ['one in a file', base, brief, ['E3']],
    ['one in each', iso, brief, ['E1', 'E3']],
    ['all of them', skill.candidateText, brief, 'all'],
    ['none that it proposes', `${iso}Dropped later.\n`, undefined, undefined],
  ] as const;
  for (const [name, text, beside, edits] of rows) {
    it(`are told by its hash: ${name}`, () => {
      assert.deepEqual(both(hashOf(text, beside)), edits);
    });
  }

  it('are told of a proposal that leaves SKILL.md as it is', () => {
    assert.equal(editsOfTexts({ documents: [file] }, base)(hashOf(base, brief)), 'all');
  });

  it('are told of many edits too: each alone, all but each, and the first ones', () => {
    const appended = Array.from(
      { length: 9 },
      (_, at) => ({ op: 'append', content: `Rule ${at}.`, rationale: 'r' }) as const,
    );
    const many = aReviewDocument(base, appended);
    const found = editsOfTexts({ documents: [many] }, base);
    const made = (kept: readonly number[]) =>
      hashOf(
        aReviewDocument(
          base,
          kept.flatMap((at) => appended[at] ?? []),
        ).candidateText,
      );
    assert.deepEqual(found(made([4])), ['E5']);
    assert.deepEqual(found(made([0, 1, 2])), ['E1', 'E2', 'E3']);
    assert.equal(found(made([0, 1, 2, 3, 5, 6, 7, 8]))?.length, 8);
    assert.equal(found(made([0, 1, 2, 3, 4, 5, 6, 7, 8])), 'all');
  });
});

function hashOf(text: string, beside?: string): string {
  return sha256(
    storedText({ skill: text, ...(beside === undefined ? {} : { files: { 'references/tone.md': beside } }) }),
  );
}
