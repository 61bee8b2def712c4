import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Proposal } from '../../src/ports/proposal.js';
import { EditSubsets } from '../../src/review/editSubsets.js';
import { parseSkill, printSkill } from '../../src/skill/document/skillDocument.js';
import { applyEdits } from '../../src/skill/edits/applyEdits.js';
import { readProposal } from '../../src/storage/proposals/proposals.js';
import { stagedStore } from '../builders/stageProposal.js';
import { aCommandLine, type CommandLine } from '../builders/commandLine.js';

const isFull = process.env['WHETSTONE_FULL'] === '1';

/** The five edits that everybody sees first, four of them in neighbouring lines. */
describe('the edits of the demo', () => {
  let line: CommandLine;
  let skill = '';
  let document: Proposal['documents'][number];
  before(async function () {
    line = aCommandLine();
    const to = path.join(line.home, 'demo');
    skill = path.join(to, '.claude/skills/incident-summary/SKILL.md');
    assert.equal((await line.run('demo', '--to', to)).code, 0);
    const reading = await readProposal(await stagedStore({ workspace: to, state: line.home, home: line.home }, skill));
    assert.equal(reading.kind, 'verified');
    const [first] = reading.kind === 'verified' ? reading.proposal.documents : [];
    assert.ok(first);
    document = first;
  });
  after(() => line.dispose());

  it('are five decisions', () => {
    const { baseText: base, edits, scope } = document;
    const subsets = new EditSubsets({ base, edits, scope, code: 'refused' });
    assert.deepEqual(subsets.units, [['E1'], ['E2'], ['E3'], ['E4'], ['E5']]);
  });

  it('are written in every choice exactly as applying it makes the skill, and undone byte for byte', async function () {
    const { baseText, edits, scope } = document;
    const choices = Array.from({ length: 31 }, (_, at) =>
      edits.filter((_edit, place) => ((at + 1) >> place) % 2 === 1),
    );
    for (const chosen of isFull ? choices : choices.filter((_, at) => at === 21)) {
      const ids = chosen.map(({ id }) => id).toReversed();
      for (const id of ids) {
        const { code, err } = await line.run('adopt', skill, '--edits', id);
        assert.equal(code, 0, err);
      }
      const bare = chosen.map(({ edit }) => edit);
      const made = printSkill(applyEdits(parseSkill(baseText), bare, { scope }).document);
      assert.equal(readFileSync(skill, 'utf8'), made, ids.join(' '));
      // One undo for each adoption, the last one first.
      for (const id of ids) assert.equal((await line.run('undo', skill)).code, 0, id);
      assert.equal(readFileSync(skill, 'utf8'), baseText);
    }
  });
});
