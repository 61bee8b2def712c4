import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SkillOverview } from '../../../../src/app/results/overview.js';
import { scaledUseCases } from '../../../builders/manySkills.js';
import { stageProposal } from '../../../builders/stageProposal.js';

const neverAborted = new AbortController().signal;
const text = '---\nname: dates\ndescription: Writes dates.\n---\n\nWrite dates.\n';
const edits = ['Use ISO dates.', 'Say the time zone.'].map(
  (content) => ({ op: 'append', content, rationale: 'why' }) as const,
);

describe('an edit that the person did not take', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-taken-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is one of the proposal as long as that waits, and of an earlier one after that', async () => {
    const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
    const skillPath = await stageProposal(place, { name: 'dates', text, edits });
    const useCases = scaledUseCases(folder);
    const request = { skillPath, workspaceFolders: [place.workspace] };
    const rejected = async (): Promise<SkillOverview['rejected']> =>
      (await useCases.overview(request, neverAborted)).rejected;
    await useCases.decide({ ...request, decisions: { E1: { kind: 'rejected', reason: 'wrong' } } }, neverAborted);
    assert.deepEqual(await rejected(), [{ text: 'Use ISO dates.', reason: 'wrong', inProposal: true }]);
    await useCases.reject(request, neverAborted);
    assert.deepEqual(
      (await rejected()).map((each) => [each.text, each.inProposal]),
      [
        ['Say the time zone.', undefined],
        ['Use ISO dates.', undefined],
      ],
    );
  });
});
