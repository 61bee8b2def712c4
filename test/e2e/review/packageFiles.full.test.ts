import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { aProposedEdit } from '../../builders/aReviewProposal.js';
import type { StagedSkill } from '../../builders/stageProposal.js';
import { pictureOnFailure } from '../driver/pictureOnFailure.js';
import type { Workbench } from '../driver/workbench.js';
import { openForReviews, placeOf, pressIn, rowTexts, stage, waitForRow } from './reviewDriver.js';

const guide = `# Tone of voice

Readers are in a hurry and have seen many notes.

- Open with a greeting.
- Write at least 900 words.
- Name the place first.
`;

/** A skill whose proposal changes SKILL.md and a file that it points to. */
const notes: StagedSkill = {
  name: 'field-notes',
  text: `---
name: field-notes
description: Writes notes on what was seen outside.
---

# Field notes

How a note sounds stands in [the guide](references/tone.md).

## Format

- Plain verbs.
- Times are in UTC.
`,
  edits: [
    aProposedEdit(
      {
        op: 'insert_after',
        anchor: '- Times are in UTC.',
        content: '- Say who saw it.',
        rationale: 'Four tasks asked for the observer.',
      },
      { id: 'E1', worth: { kind: 'measured', effect: 0.21, interval: [0.08, 0.34], group: [] } },
    ),
  ],
  file: {
    path: 'references/tone.md',
    text: guide,
    edits: [
      aProposedEdit(
        {
          op: 'replace',
          file: 'references/tone.md',
          anchor: '- Write at least 900 words.',
          content: '- Keep it under 120 words.',
          rationale: 'Every note was longer than its readers want.',
        },
        { id: 'E2', worth: { kind: 'measured', effect: 0.4, interval: [0.25, 0.55], group: [] } },
      ),
      aProposedEdit(
        {
          op: 'delete',
          file: 'references/tone.md',
          anchor: '- Open with a greeting.',
          rationale: 'Greetings cost the first line.',
        },
        { id: 'E3' },
      ),
    ],
  },
};

describe('a proposal with edits in two files, as a person sees it', () => {
  let workbench: Workbench;
  pictureOnFailure(() => workbench);
  before(async () => {
    workbench = await openForReviews();
  });
  after(() => workbench.close());

  it('has a diff for each file, is gone through over both, and is decided edit by edit', async () => {
    const skill = await stage(workbench, notes);
    await workbench.run('workbench.action.closeAllEditors');
    await workbench.run('whetstone.skills.focus');
    await workbench.run('whetstone.refresh');
    await workbench.tree('Skills').row('field-notes');
    await workbench.run('whetstone.review', skill);
    // Nobody unfolded the skill: its edits are shown with the review.
    await workbench.tree('Skills').row('E1 + Say who saw it.');
    await waitForRow(workbench, /1 of 3 · E1\b/);
    await workbench.screenshot('review-two-files');
    await pressIn(workbench, /· E1\b/, 'Next in references/tone.md');
    await waitForRow(workbench, /3 of 3 · E2\b/);
    await workbench.screenshot('review-two-files-next');
    const rows = (await rowTexts(workbench)).join('\n');
    assert.match(rows, /Accept \| Reject \| Why \| 2 of 3 · E3\b/);
    assert.match(rows, /Accept \| Reject \| Why \| 3 of 3 · E2\b.*Next in SKILL\.md/);
    await pressIn(workbench, /· E2\b/, 'Accept');
    await waitForRow(workbench, /Not measured: 1 of 3 edits/);
    const file = path.join(placeOf(workbench).workspace, '.claude/skills/field-notes/references/tone.md');
    assert.equal(readFileSync(file, 'utf8'), guide.replace('Write at least 900 words', 'Keep it under 120 words'));
    await workbench.screenshot('review-two-files-decided');
    await workbench.page.setViewportSize({ width: 1000, height: 700 });
    await waitForRow(workbench, /2 of 2 · E3\b/);
    await workbench.screenshot('review-two-files-1000');
  });
});
