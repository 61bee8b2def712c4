import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readRecord, writeRecord, type SkillRecord } from '../../../../src/app/results/record.js';
import type { UseCases } from '../../../../src/app/useCases.js';
import type { PendingProposal } from '../../../../src/app/proposals/pending.js';
import { aProposedEdit, betterVerdict } from '../../../builders/aReviewProposal.js';
import { scaledUseCases } from '../../../builders/manySkills.js';
import { stageProposal, type StagedSkill } from '../../../builders/stageProposal.js';

const text = '---\nname: dates\ndescription: Writes dates.\n---\n\nWrite dates.\n';
const edit = { op: 'append', content: 'Use ISO dates.', rationale: 'why' } as const;
const neverAborted = new AbortController().signal;

/** In an editor two things happen at once when everything is accepted: the last decision, and the save. */
describe('what an editor accepted', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-noted-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  for (const order of ['decided, then saved', 'saved, then decided'] as const) {
    it(`${order}: is measured as a whole, and in the record`, async () => {
      const { useCases, request, pending, skillFolder, documentPath } = await aStagedSkill(folder);
      const after = pending.proposal.documents[0]?.candidateText ?? '';
      const decide = () => useCases.decide({ ...request, decisions: { E1: { kind: 'accepted' } } }, neverAborted);
      const save = async () => {
        await writeFile(request.skillPath, after);
        return useCases.noteAdoption(
          { ...request, documentPath, before: text, after, edits: ['E1'], pending },
          neverAborted,
        );
      };
      if (order === 'decided, then saved') await decide();
      const version = await save();
      if (order === 'saved, then decided') await decide();
      assert.deepEqual([version.verdict, version.proposalId], ['accepted', pending.proposal.id]);
      assert.equal((await readRecord({ folder: skillFolder }))?.adopted.length, 1);
    });
  }

  it('is decided, explained and taken back also while the editor writes the file, which is empty for a moment', async () => {
    const { useCases, request, pending } = await aStagedSkill(folder);
    const decisions = async () => {
      await writeFile(request.skillPath, text);
      const overview = useCases.readMany()(request);
      return (await overview).pending?.decisions;
    };
    await writeFile(request.skillPath, '');
    const rejected = { kind: 'rejected', reason: undefined } as const;
    await useCases.decide({ ...request, decisions: { E1: rejected } }, neverAborted);
    assert.equal(await decisions(), undefined, 'the last decision puts the proposal away');
    await writeFile(request.skillPath, '');
    const { proposal } = pending;
    await useCases.explain({ ...request, proposal, edits: ['E1'], reason: 'too long' }, neverAborted);
    await useCases.reopen({ ...request, proposal, edits: ['E1'] }, neverAborted);
    assert.deepEqual(await decisions(), {}, 'it waits again, and nothing of it is decided');
  });

  it('has its receipt also where the editor just writes the file once more, which it empties first', async () => {
    const { useCases, request, pending, documentPath } = await aStagedSkill(folder);
    const after = pending.proposal.documents[0]?.candidateText ?? '';
    await writeFile(request.skillPath, '');
    const change = { documentPath, before: text, after, edits: ['E1'], pending };
    const [version] = await Promise.all([
      useCases.noteAdoption({ ...request, ...change }, neverAborted),
      wait(60).then(() => writeFile(request.skillPath, after)),
    ]);
    assert.equal(version.proposalId, pending.proposal.id);
  });

  it('is not measured where the person changed it', async () => {
    const { useCases, request, pending, skillFolder, documentPath } = await aStagedSkill(folder);
    const after = `${pending.proposal.documents[0]?.candidateText}And more.\n`;
    await writeFile(request.skillPath, after);
    const change = { documentPath, before: text, after, edits: ['E1'], pending };
    assert.equal((await useCases.noteAdoption({ ...request, ...change }, neverAborted)).verdict, 'unmeasured');
    assert.deepEqual((await readRecord({ folder: skillFolder }))?.adopted, []);
  });
});

const memoryText = '# Rules\n\nBe short.\n';
const rule = { op: 'append', content: 'Say the time zone.', rationale: 'why' } as const;

describe('what an editor accepted of the memory file', () => {
  let folder: string;
  let staged: Awaited<ReturnType<typeof aStagedSkill>>;
  let memory: { readonly path: string; readonly file: string; readonly after: string };
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-memory-'));
    staged = await aStagedSkill(folder, { path: 'CLAUDE.md', text: memoryText, edits: [rule] });
    const [, document] = staged.pending.proposal.documents;
    const file = staged.pending.documentFiles['CLAUDE.md'] ?? '';
    memory = { path: document?.path ?? '', file, after: document?.candidateText ?? '' };
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lies in the root of the workspace state, beside no skill', () => {
    assert.equal(path.basename(path.dirname(memory.file)), 'workspace');
  });

  it('has a receipt, is undone byte for byte, and restored from the history', async () => {
    const { useCases, request } = staged;
    const version = await acceptMemory();
    assert.deepEqual([version.document, version.files, version.verdict], ['memory', [memory.file], 'unmeasured']);
    const texts = (side: 'before' | 'after') => useCases.versionText({ ...request, version: version.id, side });
    assert.deepEqual([await texts('before'), await texts('after')], [memoryText, memory.after]);
    const undone = await useCases.undo(request, neverAborted);
    assert.deepEqual(undone.files, [memory.file]);
    assert.equal(await readFile(memory.file, 'utf8'), memoryText);
    await useCases.restore({ ...request, version: version.id }, neverAborted);
    assert.equal(await readFile(memory.file, 'utf8'), memory.after);
  });

  it('is measured once the skill holds its part too, and in the record', async () => {
    const { useCases, request, pending, skillFolder, documentPath } = staged;
    assert.equal((await acceptMemory()).verdict, 'unmeasured');
    assert.deepEqual((await readRecord({ folder: skillFolder }))?.adopted, []);
    const after = pending.proposal.documents[0]?.candidateText ?? '';
    await writeFile(request.skillPath, after);
    const change = { documentPath, before: text, after, edits: ['E1'], pending };
    assert.equal((await useCases.noteAdoption({ ...request, ...change }, neverAborted)).verdict, 'accepted');
    assert.equal((await readRecord({ folder: skillFolder }))?.adopted.length, 1);
  });

  it('says nothing about the text of the skill', async () => {
    const { useCases, request } = staged;
    await acceptMemory();
    assert.equal((await useCases.overview(request, neverAborted)).measurement.kind, 'untouched');
  });

  it('is taken back where the editor saved the text from before', async () => {
    const { useCases, request, pending } = staged;
    const version = await acceptMemory();
    await writeFile(memory.file, memoryText);
    const back = { documentPath: memory.path, before: memory.after, after: memoryText, edits: [], pending };
    assert.equal((await useCases.noteAdoption({ ...request, ...back }, neverAborted)).action, 'undo');
    assert.equal(version.action, 'adopt');
    await assert.rejects(() => useCases.undo(request, neverAborted), /left to undo/);
  });

  async function acceptMemory() {
    const { useCases, request, pending } = staged;
    await writeFile(memory.file, memory.after);
    const change = { documentPath: memory.path, before: memoryText, after: memory.after, edits: ['M1'], pending };
    await useCases.decide({ ...request, decisions: { M1: { kind: 'accepted' } } }, neverAborted);
    return useCases.noteAdoption({ ...request, ...change }, neverAborted);
  }
});

describe('what an editor accepted in two files at once', () => {
  let folder: string;
  let staged: Awaited<ReturnType<typeof aStagedSkill>>;
  const tone = '# Tone\n\nBe calm.\n';
  const toneEdit = { op: 'append', file: 'references/tone.md', content: 'Be brief.', rationale: 'why' } as const;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-together-'));
    const file = { path: 'references/tone.md', text: tone, edits: [aProposedEdit(toneEdit, { id: 'E2' })] };
    staged = await aStagedSkill(folder, undefined, file);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is one version over both, measured and in the record, and undone as one', async () => {
    const { useCases, request, skillFolder } = staged;
    const version = await acceptBoth(async () => undefined);
    assert.deepEqual([version?.verdict, version?.files.length], ['accepted', 2]);
    assert.equal((await readRecord({ folder: skillFolder }))?.adopted.length, 1);
    const undone = await useCases.undo(request, neverAborted);
    assert.deepEqual(undone.takenBack, ['E1', 'E2']);
    assert.deepEqual(await textsNow(), [text, tone]);
    assert.equal((await useCases.overview(request, neverAborted)).pending?.proposal.id, staged.pending.proposal.id);
  });

  it('is open again whole where both files are reopened in the same moment, as one undo of an editor does', async () => {
    const { useCases, request, pending } = staged;
    const decisions = { E1: { kind: 'accepted' }, E2: { kind: 'accepted' } } as const;
    await useCases.decide({ ...request, decisions }, neverAborted);
    assert.equal((await useCases.overview(request, neverAborted)).pending, undefined);
    await Promise.all(
      ['E1', 'E2'].map((id) => useCases.reopen({ ...request, proposal: pending.proposal, edits: [id] }, neverAborted)),
    );
    assert.deepEqual((await useCases.overview(request, neverAborted)).pending?.decisions, {});
  });

  it('is neither a version nor in the record where the second file cannot be saved', async () => {
    const { useCases, request, skillFolder } = staged;
    await assert.rejects(
      acceptBoth(() => Promise.reject(new Error('It is read-only.'))),
      /read-only/,
    );
    assert.deepEqual(await textsNow(), [text, tone]);
    assert.deepEqual((await useCases.overview(request, neverAborted)).history, []);
    assert.deepEqual((await readRecord({ folder: skillFolder }))?.adopted, []);
  });

  /** \`between\` happens once the first file is saved. */
  function acceptBoth(between: () => Promise<void>) {
    const { useCases, request, pending } = staged;
    const documents = pending.proposal.documents.map(({ path: documentPath, baseText, candidateText }) => {
      return { documentPath, before: baseText, after: candidateText };
    });
    const save = async (): Promise<void> => {
      for (const [at, { documentPath, after }] of documents.entries()) {
        if (at > 0) await between();
        await writeFile(pending.documentFiles[documentPath] ?? '', after);
      }
    };
    return useCases.saveTogether({ ...request, documents, edits: ['E1', 'E2'], pending }, save, neverAborted);
  }

  async function textsNow(): Promise<readonly string[]> {
    const { documentFiles, proposal } = staged.pending;
    return Promise.all(proposal.documents.map((document) => readFile(documentFiles[document.path] ?? '', 'utf8')));
  }
});

async function aStagedSkill(
  folder: string,
  memory?: StagedSkill['memory'],
  file?: StagedSkill['file'],
): Promise<{
  readonly useCases: UseCases;
  readonly request: { readonly skillPath: string; readonly workspaceFolders: readonly string[] };
  readonly pending: PendingProposal;
  readonly skillFolder: string;
  /** Of the skill in its proposal. */
  readonly documentPath: string;
}> {
  const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
  const skill = {
    name: 'dates',
    text,
    edits: [edit],
    proposal: { verdict: betterVerdict },
    ...(memory === undefined ? {} : { memory }),
    ...(file === undefined ? {} : { file }),
  };
  const skillPath = await stageProposal(place, skill);
  const skillFolder = path.dirname(skillPath);
  await mkdir(path.join(skillFolder, 'evals'));
  await writeRecord({ folder: skillFolder }, aRecord);
  const useCases = scaledUseCases(folder);
  const request = { skillPath, workspaceFolders: [place.workspace] };
  const { pending } = await useCases.overview(request, neverAborted);
  assert.ok(pending);
  const documentPath = pending.proposal.documents[0]?.path ?? '';
  return { useCases, request, pending, skillFolder, documentPath };
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
