import assert from 'node:assert/strict';
import { takenPart, unmeasuredSince, type TakenPart } from '../../../../src/app/proposals/takenPart.js';
import type { AdoptedVersion, PendingProposal } from '../../../../src/app/useCases.js';
import { aReviewProposal, betterVerdict } from '../../../builders/aReviewProposal.js';

describe('what is known of the text that a skill holds', () => {
  const accepted: PendingProposal['decisions'] = { E1: { kind: 'accepted' } };
  const rows: readonly (readonly [
    name: string,
    decisions: PendingProposal['decisions'] | undefined,
    history: readonly AdoptedVersion[],
    kind: TakenPart['kind'],
  ])[] = [
    ['nothing was decided', {}, [], 'none'],
    ['all that was decided is rejected', { E1: { kind: 'rejected', reason: undefined } }, [], 'none'],
    ['part is in the file', accepted, [aVersion({})], 'unmeasured'],
    ['part is in the file, which was never saved', accepted, [], 'unmeasured'],
    ['an edited part is in the file', { E1: { kind: 'edited' } }, [aVersion({})], 'unmeasured'],
    ['part was measured by itself', accepted, [aVersion({ measured: betterVerdict })], 'measured'],
    ['part follows a whole adoption', accepted, [aVersion({ proposalId: 'old', verdict: 'accepted' })], 'unmeasured'],
    ['the whole is in the file', accepted, [aVersion({ verdict: 'accepted' })], 'none'],
    ['part was taken and the rest rejected', undefined, [aVersion({})], 'unmeasured'],
    ['what others claim does not count', undefined, [aVersion({ own: false })], 'none'],
    ['part was taken back', undefined, [aVersion({ id: '2', action: 'undo' }), aVersion({})], 'none'],
    ['nothing was ever adopted', undefined, [], 'none'],
  ];
  for (const [name, decisions, history, kind] of rows) {
    it(`${name}: ${kind}`, () => {
      const pending = decisions === undefined ? undefined : { decisions, proposal: aReviewProposal([], { id: 'p' }) };
      assert.equal(takenPart({ pending, history }).kind, kind);
    });
  }

  it('is measured against the text from before the first of its edits', () => {
    const second = aVersion({ id: '3', beforeHash: 'b', afterHash: 'c' });
    const older = aVersion({ id: '1', proposalId: 'old', beforeHash: 'x', afterHash: 'a' });
    assert.equal(unmeasuredSince([second, aVersion({ id: '2' }), older], 'c'), '2');
    assert.equal(unmeasuredSince([second, aVersion({ id: '2' }), older], 'other'), undefined);
    assert.equal(unmeasuredSince([aVersion({ verdict: 'accepted' })], 'b'), undefined);
  });
});

function aVersion(parts: Partial<AdoptedVersion>): AdoptedVersion {
  return {
    id: '1',
    at: 0,
    action: 'adopt',
    proposalId: 'p',
    verdict: 'unmeasured',
    measured: undefined,
    beforeHash: 'a',
    afterHash: 'b',
    own: true,
    ...parts,
  };
}
