import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainText } from '../../../../src/review/proposalTexts.js';
import { firstMemo } from '../../../../src/review/reviewMemo.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { scaledUseCases } from '../../../builders/manySkills.js';
import { stageProposal } from '../../../builders/stageProposal.js';

const neverAborted = new AbortController().signal;
const base = '# Dates\n\nUse the local order.\n\n- Name the month.\n- Keep the year.\n\nAt most ten dates an answer.\n';
const edits: readonly Edit[] = [
  { op: 'replace', anchor: 'ten', content: 'two', rationale: '' },
  { op: 'insert_after', anchor: 'Keep the year.', content: '- Say the time zone.', rationale: '' },
  { op: 'append', content: 'Ask when in doubt.', rationale: '' },
];

/** What a review in the editor begins with, and what `whetstone rebase` stages. */
describe('a stale proposal in the editor and on the command line', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-faces-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const rows: readonly (readonly [name: string, now: string, kept: readonly string[]])[] = [
    ['another line was changed', base.replace('# Dates', '# Dates and times'), ['E1', 'E2', 'E3']],
    ['something was appended', `${base}\nMine.\n`, ['E1', 'E2', 'E3']],
    ['the line of an edit was changed beside its anchor', base.replace('an answer', 'a reply'), ['E1', 'E2', 'E3']],
    [
      'paragraphs changed places',
      '# Dates\n\nAt most ten dates an answer.\n\nUse the local order.\n\n- Name the month.\n- Keep the year.\n',
      ['E1', 'E2', 'E3'],
    ],
    ['the file already has an edit', base.replace('ten', 'two'), ['E2', 'E3']],
    ['a formatter changed the bullets', base.replaceAll('- ', '* '), ['E1', 'E2', 'E3']],
    ['an anchor is gone', base.replace('- Keep the year.\n', ''), ['E1', 'E3']],
    ['an item was added where an edit adds one', base.replace('year.\n', 'year.\n- Mine.\n'), ['E1', 'E2', 'E3']],
    ['the line breaks are others', `${base}\nMine.\n`.replaceAll('\n', '\r\n'), ['E1', 'E2', 'E3']],
  ];
  for (const [name, now, kept] of rows) {
    it(`is the same text with the same edits where ${name}`, async () => {
      const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
      const skillPath = await stageProposal(place, { name: 'dates', text: base, edits, now });
      const request = { skillPath, workspaceFolders: [place.workspace] };
      const useCases = scaledUseCases(folder);
      const { pending } = await useCases.overview(request, neverAborted);
      const [document] = pending?.proposal.documents ?? [];
      assert.ok(pending !== undefined && document !== undefined);

      const about = { skillPath, file: skillPath, proposalId: pending.proposal.id, document };
      const inEditor = firstMemo(about, plainText(now));
      const { proposal, lost } = await useCases.rebase(request, neverAborted);
      const [moved] = proposal.documents;
      assert.ok(moved !== undefined);

      assert.equal(inEditor.texts.proposed, plainText(moved.candidateText));
      assert.deepEqual(Object.keys(inEditor.texts.hunks), kept);
      assert.deepEqual(
        moved.edits.map(({ id }) => id),
        kept,
      );
      assert.deepEqual(inEditor.texts.hunks, Object.fromEntries(moved.edits.map(({ id, hunks }) => [id, hunks])));
      assert.deepEqual(inEditor.lost, lost);
      assert.equal(inEditor.rebased, true);
    });
  }

  it('keeps out of it what was rejected, also after the file changed', async () => {
    const place = { workspace: path.join(folder, 'rejected'), state: path.join(folder, 'state'), home: folder };
    const skillPath = await stageProposal(place, { name: 'dates', text: base, edits });
    const request = { skillPath, workspaceFolders: [place.workspace] };
    const useCases = scaledUseCases(folder);
    await useCases.reject({ ...request, edits: ['E2'], reason: 'never' }, neverAborted);
    await writeFile(skillPath, `${base}\nBy hand.\n`);
    const { proposal } = await useCases.rebase(request, neverAborted);
    assert.deepEqual(
      proposal.documents[0]?.edits.map(({ id }) => id),
      ['E1', 'E3'],
    );
    assert.doesNotMatch(proposal.documents[0]?.candidateText ?? '', /Say the time zone/);
    await useCases.adopt(request, neverAborted);
    const text = await readFile(skillPath, 'utf8');
    assert.match(text, /At most two dates[^]*By hand\.[^]*Ask when in doubt\./);
    assert.doesNotMatch(text, /Say the time zone/);
  });

  it('is given once more where it was moved and nobody came to measure it', async () => {
    const place = { workspace: path.join(folder, 'moved'), state: path.join(folder, 'state'), home: folder };
    const skillPath = await stageProposal(place, { name: 'dates', text: base, edits, now: `${base}\nBy hand.\n` });
    const request = { skillPath, workspaceFolders: [place.workspace] };
    const useCases = scaledUseCases(folder);
    const { proposal } = await useCases.rebase(request, neverAborted);
    assert.equal(proposal.verdict.kind, 'unmeasured');
    const again = await useCases.rebase(request, neverAborted);
    assert.deepEqual([again.proposal.id, again.proposal.documents], [proposal.id, proposal.documents]);
  });

  it('keeps its verdict where the files are still those of the run: nothing is moved', async () => {
    const place = { workspace: path.join(folder, 'workspace'), state: path.join(folder, 'state'), home: folder };
    const skillPath = await stageProposal(place, { name: 'dates', text: base, edits });
    const request = { skillPath, workspaceFolders: [place.workspace] };
    const useCases = scaledUseCases(folder);
    const before = (await useCases.overview(request, neverAborted)).pending?.proposal;
    await assert.rejects(useCases.rebase(request, neverAborted), /nothing to rebase/);
    assert.deepEqual((await useCases.overview(request, neverAborted)).pending?.proposal, before);
  });
});
