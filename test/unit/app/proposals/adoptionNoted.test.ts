import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readRecord, writeRecord, type SkillRecord } from '../../../../src/app/results/record.js';
import type { PendingProposal, UseCases } from '../../../../src/app/useCases.js';
import { betterVerdict } from '../../../builders/aReviewProposal.js';
import { scaledUseCases } from '../../../builders/manySkills.js';
import { stageProposal } from '../../../builders/stageProposal.js';

const text = '---\nname: dates\ndescription: Writes dates.\n---\n\nWrite dates.\n';
const edit = { op: 'append', content: 'Use ISO dates.', rationale: 'why' } as const;
const calm = new AbortController().signal;

/** In an editor two things happen at once when everything is accepted: the last decision, and the save. */
describe('what an editor accepted', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-noted-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const order of ['decided, then saved', 'saved, then decided'] as const) {
    it(`${order}: is measured as a whole, and in the record`, async () => {
      const { useCases, request, pending, skillFolder } = await aStagedSkill(folder);
      const after = pending.proposal.documents[0]?.candidateText ?? '';
      const decide = () => useCases.decide({ ...request, decisions: { E1: { kind: 'accepted' } } }, calm);
      const save = async () => {
        await writeFile(request.skillPath, after);
        return useCases.noteAdoption({ ...request, before: text, after, edits: ['E1'], pending }, calm);
      };
      if (order === 'decided, then saved') await decide();
      const version = await save();
      if (order === 'saved, then decided') await decide();
      assert.deepEqual([version.verdict, version.proposalId], ['accepted', pending.proposal.id]);
      assert.equal((await readRecord({ folder: skillFolder }))?.adopted.length, 1);
    });
  }

  it('is not measured where the person changed it', async () => {
    const { useCases, request, pending, skillFolder } = await aStagedSkill(folder);
    const after = `${pending.proposal.documents[0]?.candidateText}And more.\n`;
    await writeFile(request.skillPath, after);
    const change = { before: text, after, edits: ['E1'], pending };
    assert.equal((await useCases.noteAdoption({ ...request, ...change }, calm)).verdict, 'unmeasured');
    assert.deepEqual((await readRecord({ folder: skillFolder }))?.adopted, []);
  });
});

async function aStagedSkill(folder: string): Promise<{
  readonly useCases: UseCases;
  readonly request: { readonly skillPath: string; readonly workspaceFolders: readonly string[] };
  readonly pending: PendingProposal;
  readonly skillFolder: string;
}> {
  const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
  const skill = { name: 'dates', text, edits: [edit], proposal: { verdict: betterVerdict } };
  const skillPath = await stageProposal(place, skill);
  const skillFolder = path.dirname(skillPath);
  await mkdir(path.join(skillFolder, 'evals'));
  await writeRecord({ folder: skillFolder }, aRecord);
  const useCases = scaledUseCases(folder);
  const request = { skillPath, workspaceFolders: [place.workspace] };
  const { pending } = await useCases.overview(request, calm);
  assert.ok(pending);
  return { useCases, request, pending, skillFolder };
}

const aRecord: SkillRecord = {
  format: 'whetstone-record',
  version: 1,
  skill: 'dates',
  skillHash: '',
  recordedAt: '2026-01-01T00:00:00.000Z',
  model: 'simulated',
  simulated: true,
  score: 0,
  tasks: { one: 0 },
  adopted: [],
};
