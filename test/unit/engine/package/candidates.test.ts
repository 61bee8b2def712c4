import assert from 'node:assert/strict';
import {
  asMemory,
  asSkill,
  lengthOf,
  originalCandidate,
  skillIn,
  storedText,
  textsOf,
} from '../../../../src/engine/candidate.js';
import { pairCandidate } from '../../../../src/engine/certify/verdictOf.js';
import { withCandidate } from '../../../../src/engine/front/proposedCandidates.js';
import { candidateHashOf, changedDocuments } from '../../../../src/engine/package/changedDocuments.js';
import { withEdits } from '../../../../src/engine/stages/update.js';
import { sha256 } from '../../../../src/hash.js';
import type { Edit } from '../../../../src/skill/edits/edit.js';
import { aPatchEdit } from '../../../builders/aPatch.js';
import { aProposedEdit, aReviewDocument, aReviewProposal } from '../../../builders/aReviewProposal.js';
import { aRunContext } from '../../../builders/aRunContext.js';
import { neverAborted } from '../../../builders/storage.js';

const skill = '# S\n\nBe brief.\n';
const files = { 'a.md': '# A\n\nBe calm.\n', 'b.md': '# B\n\nBe kind.\n' };
const inA: Edit = { op: 'replace', file: 'a.md', anchor: 'Be calm.', content: 'Be swift.', rationale: 'r' };
const back: Edit = { op: 'replace', file: 'a.md', anchor: 'Be swift.', content: 'Be calm.', rationale: 'r' };
const inSkill: Edit = { op: 'append', content: 'Say who.', rationale: 'r' };

describe('a candidate of a package', () => {
  const { context } = aRunContext();
  const original = originalCandidate(skill, files);
  const made = async (...edits: readonly Edit[]) => {
    const items = edits.map((edit) => aPatchEdit(edit));
    return (await withEdits(context, original, items, neverAborted)).candidate;
  };

  it('has the hash, the texts and the request of the skill alone as long as no file is changed', async () => {
    const changed = await made(inSkill);
    assert.equal(original.hash, sha256(skill));
    assert.deepEqual(asSkill('m')(original), { skill, memory: 'm' });
    assert.equal(changed.hash, sha256(changed.text));
    assert.equal(
      changed.hash,
      (await withEdits(context, originalCandidate(skill), [aPatchEdit(inSkill)], neverAborted)).candidate.hash,
    );
    assert.equal(pairCandidate(asSkill(undefined)(changed)).hash, changed.hash);
  });

  it('is another one where a file is changed, and the same again where that is taken back', async () => {
    const changed = await made(inA);
    assert.equal(changed.text, skill);
    assert.notEqual(changed.hash, original.hash);
    assert.deepEqual(asSkill(undefined)(changed).files, { 'a.md': '# A\n\nBe swift.\n' });
    assert.equal(pairCandidate(asSkill(undefined)(changed), files).hash, changed.hash);
    assert.equal(lengthOf(changed) - lengthOf(original), 1);
    assert.equal((await made(inA, back)).hash, original.hash);
    assert.deepEqual(asMemory(textsOf(changed))({ text: 'm', hash: '' }), { ...textsOf(changed), memory: 'm' });
  });

  it('is kept under its hash, and gives the text of the skill back', async () => {
    for (const each of [original, await made(inA), await made(inA, inSkill)]) {
      const stored = storedText(textsOf(each));
      assert.deepEqual([sha256(stored), skillIn(stored)], [each.hash, each.text]);
    }
    assert.equal(skillIn('{"files":{ is how this skill begins'), '{"files":{ is how this skill begins');
  });

  it('proposes one document a file that it changes, and SKILL.md only where that is changed', async () => {
    const edits = [aProposedEdit(inSkill, { id: 'E1' }), aProposedEdit(inA, { id: 'E2' })];
    const kinds = (candidate: typeof original, always: boolean, own: typeof edits) =>
      changedDocuments({ path: 's/SKILL.md', base: original, candidate, always }, own).map(
        (each) => `${each.kind} ${each.path} ${each.edits.map(({ id }) => id).join()}`,
      );
    assert.deepEqual(kinds(await made(inSkill, inA), false, edits), ['skill s/SKILL.md E1', 'file ./a.md E2']);
    assert.deepEqual(kinds(await made(inA), false, edits.slice(1)), ['file ./a.md E2']);
    assert.deepEqual(kinds(await made(inA), true, edits.slice(1)), ['skill s/SKILL.md ', 'file ./a.md E2']);
  });

  it('gives way to another one of the front and comes back with its files', () => {
    const document = aReviewDocument(skill, [inSkill], { path: 's/SKILL.md' });
    const a = aReviewDocument(files['a.md'], [aProposedEdit(inA, { id: 'E2' })], { kind: 'file', path: './a.md' });
    const figures = { score: 1, tasks: 1, skillTokens: 1, answerTokens: undefined, answerMs: undefined };
    const inB: Edit = { ...back, file: 'b.md', anchor: 'Be kind.', content: 'Be swift.' };
    const other = {
      ...figures,
      id: 'C2',
      outcome: 'higher' as const,
      candidateHash: 'h',
      candidateText: skill,
      files: [{ path: './b.md', baseText: files['b.md'], candidateText: '# B\n\nBe swift.\n' }],
      edits: [aProposedEdit(inB)].map(({ hunks: _hunks, ...edit }) => edit),
    };
    const proposed = { ...figures, id: 'C1', outcome: 'higher' as const };
    const candidates = { rule: 'score', original: figures, proposed, others: [other] };
    const before = aReviewProposal([document, a], { candidates });
    const chosen = withCandidate(before, 'C2');
    assert.deepEqual(
      chosen?.documents.map(({ kind, path, candidateText }) => [kind, path, candidateText]),
      [
        ['skill', 's/SKILL.md', skill],
        ['file', './b.md', '# B\n\nBe swift.\n'],
      ],
    );
    assert.equal(chosen.candidates?.others[0]?.candidateHash, candidateHashOf(before, ''));
    assert.deepEqual(withCandidate(chosen, 'C1')?.documents, before.documents);
  });
});
