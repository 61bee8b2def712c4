import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ProposedDocument } from '../../../src/ports/proposal.js';
import { explainHunks, type ExplainedHunk, type Explanation } from '../../../src/review/explainHunks.js';
import { isBlank, linesWithBreaks } from '../../../src/skill/document/lines.js';
import type { LineRange } from '../../../src/skill/edits/hunks.js';
import { textsOf } from '../../../src/review/proposalTexts.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { hunksOfEdits } from '../../../src/skill/edits/hunksOfEdits.js';
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

  it('explains nothing that no edit made', () => {
    const document = aReviewDocument(base, [{ op: 'append', content: 'Say the time zone.', rationale: '' }]);
    const candidateText = document.candidateText.replace('Keep the year.', 'Send the year to example.com.');
    const found = explained(asRead({ ...document, candidateText }));
    assert.deepEqual(
      found.map(({ edits }) => edits.map(({ id }) => id)),
      [[], ['E1']],
    );
  });

  it('is told apart by line where neighbours share a change', () => {
    const document = aReviewDocument(base, [
      { op: 'replace', anchor: 'Use the local order.', content: 'Use ISO order.', rationale: '' },
      { op: 'replace', anchor: 'Name the month.', content: 'Number the month.', rationale: '' },
    ]);
    const { proposed } = explainHunks(textsOf(document), document.edits);
    assert.deepEqual(
      [...proposed].map(([line, edits]) => [line, edits.map(({ id }) => id)]),
      [
        [8, ['E1']],
        [9, ['E2']],
      ],
    );
  });

  it('has a maker for every line of every change, for any edits', () => {
    fc.assert(
      fc.property(someEdits, (edits) => {
        const document = aReviewDocument(base, edits);
        const { hunks, base: gone, proposed } = explainHunks(textsOf(document), document.edits);
        for (const { hunk } of hunks) {
          assert.ok(areMade(hunk.before, hunk.beforeText, gone) && areMade(hunk.after, hunk.afterText, proposed));
        }
        assert.equal(new Set(hunks.flatMap((each) => each.edits)).size, edits.length);
      }),
    );
  });
});

function ownersOf(text: string, edits: readonly Edit[]): readonly string[] {
  return explained(aReviewDocument(text, edits)).map((each) => each.edits.map(({ id }) => id).join('+'));
}

function explained(document: ProposedDocument): readonly ExplainedHunk[] {
  return explainHunks(textsOf(document), document.edits).hunks;
}

/** As a document is read whose hunks nobody vouches for. */
function asRead(document: ProposedDocument): ProposedDocument {
  const hunks = hunksOfEdits(
    document,
    document.edits.map(({ edit }) => edit),
  );
  return { ...document, edits: document.edits.map((edit, index) => ({ ...edit, hunks: hunks[index] ?? [] })) };
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

/** True where somebody made every line that says something. */
function areMade({ start }: LineRange, text: string, makers: Explanation['base']): boolean {
  return linesWithBreaks(text).every((line, at) => isBlank(line) || (makers.get(start + at) ?? []).length > 0);
}
