import assert from 'node:assert/strict';
import {
  statusOnDisk,
  unmeasuredSince,
  type MeasurementStatus,
  type TextOnDisk,
  type WrittenVersion,
} from '../../../src/review/measurementStatus.js';
import { aReviewDocument, betterVerdict } from '../../builders/aReviewProposal.js';

type Decisions = TextOnDisk['decisions'];

const document = aReviewDocument('a\n', [
  { op: 'append', content: 'b', rationale: '' },
  { op: 'append', content: 'c', rationale: '' },
]);
/** The proposal changes no file beside the skill. */
const files = { taken: 0, of: 0 };
const accepted: Decisions = { E1: { kind: 'accepted' } };
const rejected: Decisions = { E1: { kind: 'rejected', reason: undefined } };
const partly = { kind: 'unmeasured', cause: 'partly-accepted', taken: 1, of: 2 } as const;
const uncounted = { kind: 'unmeasured', cause: 'edited-by-hand', taken: 0, of: 0 } as const;
const untouched = { kind: 'untouched' } as const;
const measured = { kind: 'measured', verdict: betterVerdict, simulated: undefined } as const;

describe('whether the text of a file was measured, while a proposal waits', () => {
  const rows: readonly (readonly [string, Decisions, readonly WrittenVersion[], MeasurementStatus])[] = [
    ['nothing was decided', {}, [], untouched],
    ['all that was decided is rejected', rejected, [], untouched],
    ['part is in the file', accepted, [aVersion({})], partly],
    ['part is in its editor, which was never saved', accepted, [], partly],
    ['an edited part is in the file', { E1: { kind: 'edited' } }, [aVersion({})], partly],
    ['part was measured by itself', accepted, [aVersion({ measured: betterVerdict })], measured],
    ['part follows a whole adoption', accepted, [aVersion({ proposalId: 'old', verdict: 'accepted' })], partly],
    ['the whole is in the file', accepted, [aVersion({ verdict: 'accepted' })], { kind: 'whole' }],
    ['what was decided is about the memory file', { M1: { kind: 'accepted' } }, [], untouched],
  ];
  for (const [name, decisions, history, status] of rows) {
    it(`${name}: ${status.kind}`, () => {
      const pending = { proposalId: 'p', document, files };
      assert.deepEqual(statusOnDisk({ hash: 'b', pending, decisions, history }), status);
    });
  }

  it('is untouched where what was written is gone again, as by git', () => {
    const pending = { proposalId: 'p', document, files };
    const text = { hash: document.baseHash, pending, decisions: accepted, history: [aVersion({})] };
    assert.deepEqual(statusOnDisk(text), untouched);
  });

  it('is untouched where what was written was undone', () => {
    const pending = { proposalId: 'p', document, files };
    const undone = aVersion({ action: 'undo', proposalId: undefined, afterHash: document.baseHash });
    const text = { hash: document.baseHash, pending, decisions: accepted, history: [undone, aVersion({})] };
    assert.deepEqual(statusOnDisk(text), untouched);
  });

  it('is still unmeasured where an undo went back to an earlier part of the proposal', () => {
    const first = aVersion({ id: '1', afterHash: 'b' });
    const second = aVersion({ id: '2', beforeHash: 'b', afterHash: 'c' });
    const undone = aVersion({ id: '3', action: 'undo', beforeHash: 'c', afterHash: 'b' });
    const text = { hash: 'b', pending: undefined, decisions: accepted, history: [undone, second, first] };
    assert.equal(statusOnDisk(text).kind, 'unmeasured');
    assert.equal(unmeasuredSince(text), '1');
  });

  it('is whole where the file is what the verdict is about, however it came to be', () => {
    const pending = { proposalId: 'p', document, files };
    const text = { hash: document.candidateHash, pending, decisions: accepted, history: [] };
    assert.deepEqual(statusOnDisk(text), { kind: 'whole' });
  });

  const beside: readonly (readonly [number, string, MeasurementStatus['kind']])[] = [
    [0, document.candidateHash, 'unmeasured'],
    [1, document.candidateHash, 'whole'],
    [0, document.baseHash, 'untouched'],
    [1, document.baseHash, 'unmeasured'],
  ];
  for (const [taken, hash, kind] of beside) {
    const skill = hash === document.candidateHash ? 'all' : 'none';
    it(`is ${kind} with ${skill} of its own edits and ${taken} of 1 in a file beside it`, () => {
      const pending = { proposalId: 'p', document, files: { taken, of: 1 } };
      const decisions: Decisions = skill === 'all' ? { E1: { kind: 'accepted' }, E2: { kind: 'accepted' } } : {};
      const history = taken + (skill === 'all' ? 1 : 0) === 0 ? [] : [aVersion({ afterHash: hash })];
      assert.equal(statusOnDisk({ hash, pending, decisions, history }).kind, kind);
    });
  }
});

const both: Decisions = { ...accepted, E2: { kind: 'rejected', reason: undefined } };

describe('whether the text of a file was measured, once the proposal is decided', () => {
  const rows: readonly (readonly [string, string, readonly WrittenVersion[], MeasurementStatus])[] = [
    ['part was taken and the rest rejected', 'b', [aVersion({})], partly],
    ['the whole was taken', 'b', [aVersion({ verdict: 'accepted' })], { kind: 'whole' }],
    ['part was measured by itself', 'b', [aVersion({ verdict: 'accepted', measured: betterVerdict })], measured],
    ['the person changed what was not measured', 'mine', [aVersion({})], uncounted],
    ['the person changed what was measured', 'mine', [aVersion({ verdict: 'accepted' })], untouched],
    ['the text from before is back, as by git', 'a', [aVersion({})], untouched],
    ['what others claim does not count', 'b', [aVersion({ own: false })], untouched],
    ['part was taken back', 'a', [aVersion({ id: '2', action: 'undo' }), aVersion({})], untouched],
    ['nothing was ever adopted', 'b', [], untouched],
  ];
  for (const [name, hash, history, status] of rows) {
    it(`${name}: ${status.kind}`, () => {
      assert.deepEqual(statusOnDisk({ hash, pending: undefined, decisions: both, history }), status);
    });
  }

  const withFiles: readonly (readonly [string, TextOnDisk['beside'], readonly WrittenVersion[], MeasurementStatus])[] =
    [
      ['edits of files alone were taken', { verdict: 'unmeasured', measured: undefined }, [], partly],
      ['they were measured by themselves', { verdict: 'unmeasured', measured: betterVerdict }, [], measured],
      ['the last file made it whole', { verdict: 'accepted', measured: undefined }, [aVersion({})], { kind: 'whole' }],
      [
        'the skill was measured without its files',
        { verdict: 'unmeasured', measured: undefined },
        [aVersion({ verdict: 'accepted', measured: betterVerdict })],
        partly,
      ],
    ];
  for (const [name, beside, history, status] of withFiles) {
    it(`${name}: ${status.kind}`, () => {
      assert.deepEqual(statusOnDisk({ hash: 'b', pending: undefined, decisions: both, history, beside }), status);
    });
  }

  it('is measured against the text from before the first of its edits', () => {
    const second = aVersion({ id: '3', beforeHash: 'b', afterHash: 'c' });
    const older = aVersion({ id: '1', proposalId: 'old', beforeHash: 'x', afterHash: 'a' });
    assert.equal(since('c', [second, aVersion({ id: '2' }), older]), '2');
    assert.equal(since('mine', [second, aVersion({ id: '2' }), older]), '2');
    assert.equal(since('a', [second, aVersion({ id: '2' }), older]), undefined);
    assert.equal(since('b', [aVersion({ verdict: 'accepted' })]), undefined);
  });
});

function since(hash: string, history: readonly WrittenVersion[]): string | undefined {
  return unmeasuredSince({ hash, pending: undefined, decisions: both, history });
}

function aVersion(parts: Partial<WrittenVersion>): WrittenVersion {
  return {
    id: '1',
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
