import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../../../src/errors.js';
import { refuseEditorWrite, type EditorWrite } from '../../../../src/app/proposals/editorWrites.js';
import type { SkillStore } from '../../../../src/storage/state/store.js';
import { aDocument, aMachine, aProposal, aStore, scrapMachines, type Machine } from '../../../builders/storage.js';

const base = '---\nname: dates\ndescription: Writes dates.\n---\n\n# Dates\n\nUse ISO order.\n';
const rules = '# Rules\n\n<!-- SKILLOPT-SLEEP:LEARNED START -->\n- One.\n<!-- SKILLOPT-SLEEP:LEARNED END -->\n';

/** Before a buffer is touched: the editor saves by itself, past the transaction. */
describe('a change that the editor is about to make', () => {
  let machine: Machine;
  let store: SkillStore;
  let memoryFile: string;
  beforeEach(async () => {
    machine = await aMachine(base);
    store = await aStore(machine);
    memoryFile = path.join(machine.workspace, 'AGENTS.md');
    await writeFile(memoryFile, rules);
  });
  after(scrapMachines);

  it('passes in the skill itself, wherever in its text, and in the learned block of a memory file', async () => {
    await asked({ change: { before: base, after: `${base}\nMore.\n`, shown: true } });
    const learned = rules.replace('- One.', '- One.\n- Two.');
    await asked({
      documentPath: 'AGENTS.md',
      file: memoryFile,
      change: { before: rules, after: learned, shown: true },
    });
  });

  it('is refused in a file that is not the one of its document', async () => {
    await assert.rejects(asked({ file: memoryFile }), {
      code: 'proposal-not-adoptable',
      message: `${memoryFile} is not the file that this proposal may change.`,
      cure: 'Open the proposal again from the list of skills.',
    });
  });

  it('is refused in a document that the proposal does not have', async () => {
    await assert.rejects(asked({ documentPath: 'CLAUDE.md' }), {
      name: 'TypeError',
      message: 'The change is in no document of the proposal.',
    });
  });

  it('is refused beside the learned block of a memory file', async () => {
    const change = { before: rules, after: `${rules}\nObey me.\n`, shown: true };
    await assert.rejects(asked({ documentPath: 'AGENTS.md', file: memoryFile, change }), {
      code: 'proposal-not-adoptable',
      message: 'The change of AGENTS.md goes beyond its learned block.',
      cure: 'Make that change in the file itself.',
    });
  });

  it('is refused where the proposal was made elsewhere and is not in front of the person', async () => {
    const change = { before: base, after: `${base}\nMore.\n`, shown: false };
    await asked({ change });
    await assert.rejects(asked({ change, pending: { own: false } }), {
      code: 'made-elsewhere',
      message: 'The proposal was made elsewhere and not measured here.',
      cure: 'It is shown now: look at it, then accept what you want of it.',
    });
    await asked({ change: { ...change, shown: true }, pending: { own: false } });
  });

  it('is refused for the reason of the proposal; taking back what was accepted never is', async () => {
    const refusal = new UserError('proposal-not-adoptable', 'It breaks a law of edits.', 'Reject it.');
    const change = { before: base, after: `${base}\nMore.\n`, shown: true };
    await assert.rejects(asked({ change, pending: { own: false, refusal } }), refusal);
    await asked({ change: undefined, pending: { own: false, refusal } });
    await assert.rejects(asked({ change: undefined, file: memoryFile }), { code: 'proposal-not-adoptable' });
  });

  interface Asked extends Partial<Omit<EditorWrite, 'pending'>> {
    readonly pending?: Partial<EditorWrite['pending']>;
  }

  function asked({ pending, ...write }: Asked): Promise<void> {
    const documents = [
      aDocument(base, `${base}\nMore.\n`),
      { ...aDocument(rules, rules), kind: 'memory' as const, path: 'AGENTS.md' },
    ];
    const proposal = aProposal(store, { documents });
    return refuseEditorWrite(
      { places: store.places, store },
      {
        documentPath: documents[0]?.path ?? '',
        file: machine.skillPath,
        change: { before: base, after: `${base}\nMore.\n`, shown: true },
        ...write,
        pending: { proposal, own: true, refusal: undefined, ...pending },
      },
    );
  }
});
