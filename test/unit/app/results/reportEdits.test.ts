import assert from 'node:assert/strict';
import { adoptedParts, reportedEdits } from '../../../../src/app/results/reportEdits.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { readProposal } from '../../../../src/storage/proposals/proposals.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { aCommandLine, type CommandLine } from '../../../builders/commandLine.js';
import { stagedStore, stageProposal } from '../../../builders/stageProposal.js';

const text = '---\nname: dates\n---\n\n# Dates\n\n- Name the month.\n- Keep the year.\n';
const edits: readonly Edit[] = [
  { op: 'insert_after', anchor: '- Name the month.', content: '- In words.', rationale: 'r' },
  { op: 'append', content: 'Look twice.', rationale: 'r' },
];

/** What a report says of a proposal that no longer waits. */
describe('the edits in a report', () => {
  let line: CommandLine;
  let store: SkillStore;
  let id = '';
  let run: (verb: string, ...more: readonly string[]) => Promise<void>;
  beforeEach(async () => {
    line = aCommandLine();
    const place = { workspace: line.folder, state: line.home, home: line.home };
    const skillPath = await stageProposal(place, { name: 'dates', text, edits });
    store = await stagedStore(place, skillPath);
    const reading = await readProposal(store);
    id = reading.kind === 'verified' ? reading.proposal.id : '';
    run = async (verb, ...more) => {
      const { code, err } = await line.run(verb, skillPath, '--root', line.folder, ...more);
      assert.equal(code, 0, err);
    };
  });
  afterEach(() => line.dispose());
  const decided = async () =>
    (await reportedEdits(store, id, undefined)).map((edit) => `${edit.id} ${edit.decision} ${edit.worth.kind}`);

  it('are listed with worth and decision once all of them are decided', async () => {
    await run('adopt', '--edits', 'E1');
    await run('reject', '--edits', 'E2', '--reason', 'too long');
    assert.deepEqual(
      (await decided()).map((row) => row.split(' ').slice(0, 2).join(' ')),
      ['E1 accepted', 'E2 rejected'],
    );
    assert.equal((await adoptedParts(store))(id), 'part');
  });

  it('name those that each can only be decided with', async () => {
    const inside = { op: 'insert_after', anchor: '- In words.', content: '- In full.', rationale: 'r' } as const;
    const place = { workspace: line.folder, state: line.home, home: line.home };
    const own = await stagedStore(
      place,
      await stageProposal(place, { name: 'bound', text, edits: [...edits, inside] }),
    );
    const reading = await readProposal(own);
    const pending = reading.kind === 'verified' ? { proposal: reading.proposal, decisions: {} } : undefined;
    const rows = await reportedEdits(own, pending?.proposal.id, pending);
    assert.deepEqual(
      rows.map(({ together }) => together),
      [['E1', 'E3'], [], ['E1', 'E3']],
    );
  });

  it('are all accepted where the proposal was adopted at once, and none is where that was undone', async () => {
    await run('adopt');
    assert.equal((await decided()).filter((row) => row.includes(' accepted ')).length, 2);
    assert.equal((await adoptedParts(store))(id), 'all');
    await run('undo');
    assert.equal((await adoptedParts(store))(id), 'none');
  });

  it('are all in the skill where they were adopted one after the other, and part of them after an undo', async () => {
    await run('adopt', '--edits', 'E1');
    await run('adopt', '--edits', 'E2');
    assert.equal((await adoptedParts(store))(id), 'all');
    await run('undo');
    assert.equal((await adoptedParts(store))(id), 'part');
  });

  it('are none where nothing of the proposal is kept', async () => {
    assert.deepEqual(await reportedEdits(store, 'another', undefined), []);
    assert.equal((await adoptedParts(store))('another'), 'none');
  });
});
