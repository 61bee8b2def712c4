import { writeFile } from 'node:fs/promises';
import type { Receipt } from '../../src/storage/adoption/receipts.js';
import { documentTarget } from '../../src/storage/adoption/documentTarget.js';
import { saveInEditor } from '../../src/storage/adoption/editorChange.js';
import { readProposal } from '../../src/storage/proposals/proposals.js';
import type { SkillStore } from '../../src/storage/state/store.js';

/** Accepts the whole proposal that waits as an editor does: it writes the files itself, one after the other. */
export async function acceptInEditor(store: SkillStore): Promise<Receipt | undefined> {
  const reading = await readProposal(store);
  if (reading.kind !== 'verified') throw new Error('No proposal waits.');
  const documents = await Promise.all(
    reading.proposal.documents.map(async ({ kind, path: documentPath, baseText, candidateText }) => {
      const target = await documentTarget(store.places, { kind, documentPath });
      return { kind, documentPath, before: Buffer.from(baseText), after: Buffer.from(candidateText), target };
    }),
  );
  const edits = reading.proposal.documents.flatMap((document) => document.edits.map(({ id }) => id));
  const note = { proposalId: reading.proposal.id, verdict: reading.proposal.verdict.kind, edits };
  return saveInEditor(
    store,
    { note, documents },
    async () => {
      for (const [index, { target, after }] of documents.entries()) {
        store.probe(`editor:${index}`);
        await writeFile(target, after);
      }
    },
    new AbortController().signal,
  );
}
