import assert from 'node:assert/strict';
import { originalCandidate, type Candidate } from '../../../../src/engine/candidate.js';
import type { StepAction } from '../../../../src/engine/journal/upstreamWords.js';
import { gate, reasonOf, type Selection } from '../../../../src/engine/stages/gate.js';

type Outcome = Selection['outcome'];

const neverAborted = new AbortController().signal;
const original = originalCandidate('# Skill\n\n- Be polite.\n- Be brief.\n');
const longer = originalCandidate(`${original.text}- Give the date.\n`);
const shorter = originalCandidate('# Skill\n\n- Be brief.\n');
const best = originalCandidate(`${original.text}- Name the owner of every step.\n`);
const applied = [
  { index: 0, edit: { op: 'append', content: '- x', rationale: '' }, outcome: { kind: 'applied' } },
] as const;

interface Row {
  readonly name: string;
  readonly candidate: Candidate;
  readonly best?: Candidate;
  /** Against the current skill, then against the best of the run. */
  readonly outcomes: readonly Outcome[];
  readonly after?: number;
  readonly action: StepAction;
  readonly goesOn: 'candidate' | 'current';
}

const rows: readonly Row[] = [
  { name: 'a higher score', candidate: longer, outcomes: ['higher'], action: 'accept_new_best', goesOn: 'candidate' },
  { name: 'a lower score', candidate: longer, outcomes: ['lower'], action: 'reject', goesOn: 'current' },
  { name: 'an equal score', candidate: longer, outcomes: ['equal'], action: 'keep_as_branch', goesOn: 'candidate' },
  {
    name: 'an equal score of a shorter text',
    candidate: shorter,
    outcomes: ['equal'],
    action: 'accept_new_best',
    goesOn: 'candidate',
  },
  {
    name: 'an equal score of a shorter text where nothing passes',
    candidate: shorter,
    outcomes: ['equal'],
    after: 0,
    action: 'keep_as_branch',
    goesOn: 'candidate',
  },
  {
    name: 'a higher score that is not above the best of the run',
    candidate: longer,
    best,
    outcomes: ['higher', 'lower'],
    action: 'accept',
    goesOn: 'candidate',
  },
];

describe('the gate of a step', () => {
  for (const row of rows) {
    it(`says ${row.action} to ${row.name}`, async () => {
      const compared: string[] = [];
      const heldOut = {
        compare: async (before: Candidate): Promise<Selection> => {
          const outcome = row.outcomes[compared.length] ?? 'lower';
          compared.push(before.hash);
          return { outcome, before: 0.5, after: row.after ?? 0.5, open: [] };
        },
      };
      const start = { step: 1, current: original, best: row.best ?? original, heldOut };
      const end = await gate(start, { candidate: row.candidate, report: applied }, neverAborted);
      assert.equal(end.action, row.action);
      assert.equal(end.current, row.goesOn === 'candidate' ? row.candidate : original);
      assert.equal(compared.length, row.outcomes.length);
    });
  }

  it('compares nothing where no edit was proposed, none applied, or the gate is off', async () => {
    const heldOut = {
      compare: (): Promise<Selection> => {
        throw new Error('nothing may be attempted');
      },
    };
    const start = { step: 1, current: original, best: original, heldOut };
    const actions = [
      await gate(start, { candidate: original, report: [] }, neverAborted),
      await gate(start, { candidate: original, report: applied }, neverAborted),
      await gate({ ...start, heldOut: undefined }, { candidate: longer, report: applied }, neverAborted),
    ].map(({ action }) => action);
    assert.deepEqual(actions, ['skip_no_patches', 'skip_no_change', 'force_accept']);
  });

  it('names the tasks that got worse, where none may', () => {
    const selection = { outcome: 'lower', before: 0.5, after: 0.7, open: [] } as const;
    assert.equal(reasonOf({ action: 'reject', selection }), 'held-out tasks did not score higher');
    assert.equal(
      reasonOf({ action: 'reject', selection: { ...selection, worse: ['login-loop'] } }),
      'a held-out task got worse, which gate.noRegression rules out: login-loop',
    );
    const many = { ...selection, worse: ['a', 'b', 'c', 'd', 'e'] };
    assert.match(reasonOf({ action: 'reject', selection: many }), /tasks got worse, .*: a, b, c and 2 more$/);
  });

  it('gives another reason for a best that only got shorter', () => {
    const selection = { outcome: 'equal', before: 1, after: 1, open: [] } as const;
    assert.match(reasonOf({ action: 'accept_new_best', selection }), /shorter/);
    assert.match(reasonOf({ action: 'accept_new_best', selection: { ...selection, outcome: 'higher' } }), /higher/);
  });
});
