import assert from 'node:assert/strict';
import path from 'node:path';
import { aProposedEdit, aReviewDocument, aReviewProposal } from '../../builders/aReviewProposal.js';
import { stageProposal } from '../../builders/stageProposal.js';
import { proposedNode } from '../../../src/editor/tree/editNodes.js';
import { EditChoices } from '../../../src/review/editChoices.js';
import { rationaleMarkdown } from '../../../src/wording/rationale.js';
import { closeAll, onDisk, open, place, press, rowsOf } from './reviewWindow.js';
import { inFull } from '../../builders/few.js';

const text = '---\nname: scripted\ndescription: Checks a folder.\n---\n\n# Check\n\nRun scripts/check.js.\n';
const script = 'const files = [];\r\nconsole.log("done");\r\n';
const edit = aProposedEdit(
  {
    op: 'replace',
    file: 'scripts/check.js',
    anchor: 'console.log("done");',
    content: 'console.log("checked");',
    rationale: 'Two tasks looked for that word.',
  },
  { id: 'E1', changesCode: true },
);
const mended = script.replace('done', 'checked');
const warning = /changes a script that agents run/;

describe('an edit of a script in review', () => {
  afterEach(closeAll);

  inFull('is warned of beside its buttons and accepted as any other, with its line breaks', async () => {
    const file = { path: 'scripts/check.js', text: script, edits: [edit] };
    const skillPath = await stageProposal(place(), { name: 'scripted-lens', text, edits: [], file });
    const scriptPath = path.join(path.dirname(skillPath), file.path);
    const { candidate } = await open(skillPath, scriptPath);
    assert.match(
      (await rowsOf(candidate)).join('\n'),
      /Accept \| Reject \| Why \| 1 of 1 · E1 .*changes a script that agents run/,
    );
    await press(candidate, 'Accept', warning);
    assert.equal(await onDisk(scriptPath), mended);
  });

  it('is warned of in the tree, in words and to who hears them, and in its reason', async () => {
    const document = aReviewDocument(script, [edit], { kind: 'file', path: './scripts/check.js' });
    const proposal = aReviewProposal([document]);
    const pending = {
      proposal,
      file: '',
      documentFiles: {},
      own: true,
      dropped: [],
      refusal: undefined,
      stale: false,
      bound: [],
      decisions: {},
    };
    const skillPath = '/skills/scripted/SKILL.md';
    const [row] = await proposedNode(skillPath, pending, new EditChoices()).children();
    assert.match(row?.row().description ?? '', /^scripts\/check\.js · open · .*changes a script that agents run/);
    assert.match(row?.row().says ?? '', warning);
    const origin = { kind: 'proposed', edits: [edit], edited: false, saysMore: false } as const;
    const reason = rationaleMarkdown({ origin, overwrites: false, hidden: [], tokens: 0 }, { proposal, skillPath });
    assert.match(
      reason,
      /\$\(warning\) It changes a script that agents run, on your machine too\. Read every line of it\./,
    );
  });
});
