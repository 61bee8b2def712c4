import { stat } from 'node:fs/promises';
import { lookAtProposal, proposalFile } from '../../storage/proposals/proposals.js';
import { count } from '../../wording/amounts.js';
import { describeTime } from '../../wording/describeTime.js';
import { english } from '../../wording/translate.js';
import type { OpenSkill } from '../openSkill.js';

/** What a night says where it proposes something while another proposal waits: only the newest does. Asked before it. */
export async function replacedProposal({ store }: OpenSkill, now: number): Promise<readonly string[]> {
  const reading = await lookAtProposal(store);
  if (reading.kind !== 'verified' && reading.kind !== 'made-elsewhere') return [];
  const { mtimeMs } = await stat(proposalFile(store));
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const edits = reading.proposal.documents.reduce((sum, document) => sum + document.edits.length, 0);
  const when = describeTime(mtimeMs, { now, timezone }, english);
  return [english('It takes the place of the proposal from {0} ({1}).', when, count(edits, 'edit', english))];
}
