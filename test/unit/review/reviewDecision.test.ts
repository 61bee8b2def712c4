import assert from 'node:assert/strict';
import { decisionSeen } from '../../../src/review/reviewDecision.js';
import type { Edit } from '../../../src/skill/edits/edit.js';
import { aProposedEdit } from '../../builders/aReviewProposal.js';

describe('what became of an edit, read from the file', () => {
  const append: Edit = { op: 'append', content: '- Use ISO.\r\n- Say the zone.\r\n', rationale: '' };
  const deletion: Edit = { op: 'delete', anchor: 'Use the local order.\n', rationale: '' };
  const bullet: Edit = { op: 'delete', anchor: '- Use the local order.', rationale: '' };
  const emptied: Edit = { op: 'replace', anchor: 'Use the local order.', content: '', rationale: '' };
  const cases: readonly (readonly [string, Edit, string, string])[] = [
    ['all its words are there', append, '# Dates\n- Use ISO.\n- Say the zone.\n', 'accepted'],
    ['some of its words are there', append, '# Dates\n- Use ISO.\n', 'edited'],
    ['none of its words are there', append, '# Dates\n', 'rejected'],
    ['what it deletes is gone', deletion, '# Dates\n', 'accepted'],
    ['what it deletes is there', deletion, 'Use the local order.\n', 'rejected'],
    ['what it deletes is there as a formatter left it', bullet, '* Use the local order.\n', 'rejected'],
    ['its words are there as a formatter left them', append, '* Use ISO.\n* Say the zone.\n', 'accepted'],
    ['what it replaces by nothing is gone', emptied, '# Dates\n', 'accepted'],
  ];
  for (const [name, edit, real, kind] of cases) {
    it(`${name}: ${kind}`, () => assert.equal(decisionSeen(aProposedEdit(edit), real).kind, kind));
  }
});
