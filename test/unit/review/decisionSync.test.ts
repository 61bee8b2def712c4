import assert from 'node:assert/strict';
import { DecisionSync } from '../../../src/review/decisionSync.js';
import type { ReviewedHunk } from '../../../src/review/reviewHunks.js';
import { UserError } from '../../../src/errors.js';
import type { PendingProposal } from '../../../src/app/proposals/pending.js';
import type { EditDecision } from '../../../src/review/reviewDecision.js';
import { aProposedEdit, aReviewDocument, aReviewProposal } from '../../builders/aReviewProposal.js';

const first = aProposedEdit({ op: 'append', content: 'Say alpha.', rationale: 'why' }, { id: 'E1' });
const second = aProposedEdit({ op: 'append', content: 'Say beta.', rationale: 'why' }, { id: 'E2' });

describe('what is told of the decisions of a review', () => {
  it('is what the texts show, once the person changed something here', async () => {
    const { sync, told, see } = aSync();
    await see([second], 'Say alpha.');
    assert.deepEqual(told, []);
    sync.noteTyping();
    await see([second], 'Say alpha.');
    assert.deepEqual(told, [{ decided: { E1: { kind: 'accepted' } } }]);
  });

  it('is what the person said, where they said it', async () => {
    const { sync, told, see } = aSync();
    sync.expect(['E1'], { kind: 'rejected', reason: 'too long' });
    await see([second], '');
    assert.deepEqual(told, [{ decided: { E1: { kind: 'rejected', reason: 'too long' } } }]);
  });

  it('is taken back where an edit is open again', async () => {
    const { sync, told, see } = aSync();
    sync.noteTyping();
    await see([second], 'Say alpha.');
    await see([first, second], '');
    assert.deepEqual(told.at(-1), { reopened: ['E1'] });
    await see([first, second], '');
    assert.equal(told.length, 2, 'once');
  });

  it('is taken back also where what was read before it was told is learned after', async () => {
    const { sync, told, see } = aSync();
    sync.noteTyping();
    await see([], 'Say alpha. Say beta.');
    sync.reload(); // of the time in which nothing was decided
    await see([first, second], '');
    assert.deepEqual(told.at(-1), { reopened: ['E1', 'E2'] });
  });

  it('is left alone where another window decided', async () => {
    const { sync, told, see, learn } = aSync();
    learn({ E1: { kind: 'accepted' } });
    sync.reload();
    await see([second], 'Say alpha.');
    assert.deepEqual(told, []);
  });

  it('is explained after the fact, also where it was the last and put the proposal away', async () => {
    const { sync, told, see } = aSync();
    sync.expect(['E1', 'E2'], { kind: 'rejected', reason: undefined });
    await see([], '');
    await sync.explain(['E1', 'E2'], 'too long');
    assert.deepEqual(told.at(-1), { explained: ['E1', 'E2'], reason: 'too long' });
  });

  it('is not explained where it was no rejection, or is not told yet', async () => {
    const { sync, told, see } = aSync();
    sync.noteTyping();
    await see([second], 'Say alpha.');
    sync.expect(['E2'], { kind: 'rejected', reason: undefined });
    await sync.explain(['E1', 'E2'], 'wrong');
    await see([], 'Say alpha.');
    assert.deepEqual(told, [
      { decided: { E1: { kind: 'accepted' } } },
      { decided: { E2: { kind: 'rejected', reason: 'wrong' } } },
    ]);
  });

  it('is told with the next look where it could not be told: what was decided, and what was taken back', async () => {
    const failing = [true, false, true, false];
    const fail = async (): Promise<void> => {
      if (failing.shift() === true) throw new Error('The disk is full.');
    };
    const { sync, told, see } = aSync(fail, fail);
    sync.noteTyping();
    await assert.rejects(see([second], 'Say alpha.'), /full/);
    await see([second], 'Say alpha.');
    const accepted = { decided: { E1: { kind: 'accepted' } } };
    assert.deepEqual(told, [accepted, accepted]);
    sync.expect(['E2'], { kind: 'rejected', reason: undefined });
    await assert.rejects(see([first], 'Say beta.'), /full/);
    await see([first], 'Say beta.');
    const takenBack = { reopened: ['E1'] };
    const rejected = { decided: { E2: { kind: 'rejected', reason: undefined } } };
    assert.deepEqual(told.slice(2), [takenBack, takenBack, rejected]);
    await see([first], 'Say beta.');
    assert.equal(told.length, 5, 'once');
  });

  it('is no error where the proposal was put away meanwhile', async () => {
    const { sync, see } = aSync(() => Promise.reject(new UserError('proposal-missing', 'Gone.', 'Optimize.')));
    sync.noteTyping();
    await see([second], 'Say alpha.');
  });
});

function aSync(
  decide: () => Promise<void> = () => Promise.resolve(),
  reopen: () => Promise<void> = () => Promise.resolve(),
) {
  let decisions: Readonly<Record<string, EditDecision>> = {};
  const told: unknown[] = [];
  const proposal = aReviewProposal([aReviewDocument('# Words\n', [first, second])]);
  const review = {
    skillPath: '/words/SKILL.md',
    edits: [first, second],
    superseded: false,
    get pending(): PendingProposal {
      return {
        proposal,
        file: '',
        documentFiles: {},
        own: true,
        dropped: [],
        refusal: undefined,
        stale: false,
        bound: [],
        decisions,
      };
    },
  };
  const sync = new DecisionSync(review, {
    decide: async (_skill, decided) => {
      told.push({ decided });
      await decide();
    },
    explain: async (_skill, _proposal, explained, reason) => void told.push({ explained, reason }),
    reopen: async (_skill, _proposal, reopened) => {
      told.push({ reopened });
      await reopen();
    },
  });
  return {
    sync,
    told,
    learn: (known: typeof decisions) => void (decisions = known),
    see: (open: readonly (typeof first)[], realText: string) =>
      sync.settle({ hunks: open.map((edit) => aHunk(edit)), realText }),
  };
}

function aHunk(edit: typeof first): ReviewedHunk {
  const nowhere = { start: 0, end: 0 };
  return {
    key: edit.id,
    name: edit.id,
    hunk: { before: nowhere, after: nowhere, beforeText: '', afterText: '' },
    origin: { kind: 'proposed', edits: [edit], edited: false, saysMore: false },
    overwrites: false,
    tokens: 0,
    hidden: [],
  };
}
