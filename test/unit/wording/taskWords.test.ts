import assert from 'node:assert/strict';
import { english } from '../../../src/wording/translate.js';
import { answerTitle, typeGrid } from '../../../src/wording/taskWords.js';
import { typesTable } from '../../../src/editor/report/reportWords.js';

const figures = [
  {
    type: 'dates',
    training: { n: 4, share: 0.25 },
    heldOut: { before: { n: 6, share: 0.5 }, after: { n: 6, share: 1 } },
    sealed: undefined,
  },
  { type: '', training: undefined, heldOut: undefined, sealed: { before: { n: 1, share: 0 }, after: undefined } },
];

describe('under which text an answer was given', () => {
  const rows = [
    [undefined, 'With the proposed text: failed'],
    [['E2'], 'With edit E2: failed'],
    [['E1', 'E3'], 'With edits E1 and E3: failed'],
    [['E1', 'E2', 'E4'], 'With edits E1, E2 and E4: failed'],
    [[], 'With another text that was tried: failed'],
  ] as const;
  for (const [edits, title] of rows)
    it(title, () => assert.equal(answerTitle({ under: 'candidate', passed: false, edits }), title));
});

describe('figures by type of task', () => {
  it('are a row for each, with a dash where nothing was measured', () => {
    assert.deepEqual(typeGrid(figures, english), {
      head: ['type', 'training', 'held-out before', 'held-out after', 'sealed before', 'sealed after'],
      rows: [
        ['dates', '25 % of 4', '50 % of 6', '100 % of 6', '–', '–'],
        ['other', '–', '–', '–', '0 % of 1', '–'],
      ],
    });
  });

  it('are a table of the report page only where there are any', () => {
    assert.equal(typesTable([], english), undefined);
    assert.equal(typesTable(undefined, english), undefined);
    const table = typesTable(figures, english);
    assert.equal(table?.title, 'Tasks by Type');
    assert.equal(table.rows.length, 2);
  });
});
