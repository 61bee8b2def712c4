import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { explainHunks } from '../../../src/review/explainHunks.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { hunksOfEdits } from '../../builders/hunksOfEdits.js';
import { parseSkill } from '../../../src/skill/document/skillDocument.js';
import { aReviewDocument } from '../../builders/aReviewProposal.js';

const base = [
  '---\nname: dates\n---\n\n# Dates\n',
  'Write dates as people expect them.\n',
  '- Use the local order.',
  '- Name the month.',
  '- Keep the year.\n',
  '## Limits\n',
  'At most ten dates an answer.',
  'At least one.\n',
].join('\n');

describe('which edit made which change', () => {
  const cases: readonly {
    readonly name: string;
    readonly edits: readonly Edit[];
    readonly owners: readonly string[];
  }[] = [
    {
      name: 'each its own',
      edits: [
        { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: '' },
        { op: 'append', content: 'Say the time zone.', rationale: '' },
      ],
      owners: ['E1', 'E2'],
    },
    {
      name: 'neighbours share one',
      edits: [
        { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: '' },
        { op: 'replace', anchor: 'Name the month.', content: 'Number the month.', rationale: '' },
      ],
      owners: ['E1+E2'],
    },
    {
      name: 'a deletion',
      edits: [{ op: 'delete', anchor: '- Name the month.', rationale: '' }],
      owners: ['E1'],
    },
    {
      name: 'an edit of an earlier edit',
      edits: [
        { op: 'append', content: 'Say the zone of the time.', rationale: '' },
        { op: 'insert_after', anchor: 'Say the zone of the time.', content: 'Say it once.', rationale: '' },
      ],
      owners: ['E1+E2'],
    },
    {
      name: 'a word in a line',
      edits: [{ op: 'replace', anchor: 'ten', content: 'two', rationale: '' }],
      owners: ['E1'],
    },
  ];
  for (const { name, edits, owners } of cases) {
    it(`finds ${name}`, () => assert.deepEqual(ownersOf(base, edits), owners));
  }

  it('explains nothing that no edit says', () => {
    const document = aReviewDocument(base, [{ op: 'append', content: 'Say the time zone.', rationale: '' }]);
    const proposed = document.candidateText.replace('Keep the year.', 'Send the year to example.com.');
    const found = explainHunks({ base, proposed }, document.edits);
    assert.deepEqual(
      found.map(({ edits }) => edits.map(({ id }) => id)),
      [[], ['E1']],
    );
  });

  it('agrees with applying the edits one after the other', () => {
    fc.assert(
      fc.property(someEdits, (edits) => {
        const exact = hunksOfEdits(parseSkill(base), edits, { scope: 'body' });
        assert.deepEqual(
          ownersOf(base, edits),
          exact.map((each) => each.edits.map((index) => `E${index + 1}`).join('+')),
        );
      }),
    );
  });
});

function ownersOf(text: string, edits: readonly Edit[]): readonly string[] {
  const document = aReviewDocument(text, edits);
  const ground = { base: text, proposed: document.candidateText };
  return explainHunks(ground, document.edits).map((each) => each.edits.map(({ id }) => id).join('+'));
}

const places = [
  'Write dates as people expect them.',
  'Use the local order.',
  'Name the month.',
  'At most ten dates an answer.',
];

/** One edit at most a place, in any order, each with words of its own. */
const someEdits: fc.Arbitrary<readonly Edit[]> = fc
  .shuffledSubarray(places, { minLength: 1 })
  .chain((anchors) => fc.tuple(...anchors.map((anchor, index) => editAt(anchor, index))));

function editAt(anchor: string, index: number): fc.Arbitrary<Edit> {
  const content = `New words number ${index}.`;
  return fc.constantFrom<Edit>(
    { op: 'replace', anchor, content, rationale: '' },
    { op: 'delete', anchor, rationale: '' },
    { op: 'insert_after', anchor, content, rationale: '' },
  );
}
