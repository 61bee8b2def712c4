import assert from 'node:assert/strict';
import { originalCandidate } from '../../../src/engine/candidate.js';
import { noProposalReason, type NothingCause } from '../../../src/engine/noProposal.js';
import type { AttemptCount } from '../../../src/engine/watchRun.js';
import type { StepEnd } from '../../../src/engine/step.js';
import type { TrainingResult } from '../../../src/engine/train.js';
import type { EditOutcome } from '../../../src/skill/edits/edit.js';
import { anOptimizer, aRun, edits, say } from '../../builders/aRunContext.js';

const fine: AttemptCount = { attempts: 12, invalid: 0, last: undefined };
const nowhere: EditOutcome = { kind: 'unmatched', reason: 'anchor-missing', detail: 'The anchor is not there.' };

interface Row {
  readonly name: string;
  readonly trained?: Partial<TrainingResult>;
  readonly lost?: readonly string[];
  readonly counted?: AttemptCount;
  readonly cause: NothingCause;
  readonly says: RegExp;
}

const rows: readonly Row[] = [
  {
    name: 'no attempt gave a result',
    trained: { stopped: 'no-headroom' },
    counted: { attempts: 3, invalid: 3, last: 'The server is gone.' },
    cause: 'backend-failed',
    says: /No task could be attempted: The server is gone\. Nothing was scored/,
  },
  {
    name: 'a cap ended it',
    trained: { stopped: 'cap', cap: 'At most 5 calls.' },
    cause: 'cap',
    says: /ended at its cap.*At most 5 calls\./,
  },
  {
    name: 'all tasks pass',
    trained: { stopped: 'no-headroom' },
    cause: 'nothing-to-learn',
    says: /already passes its tasks/,
  },
  {
    name: 'all training tasks pass, which says nothing about the others',
    trained: { stopped: 'no-headroom', steps: [aStep([], 0)] },
    cause: 'nothing-to-learn',
    says: /^There is nothing to learn from: no training task failed\. Held-out tasks may still fail/,
  },
  {
    name: 'there is nothing to train on',
    trained: { stopped: 'no-training-tasks' },
    cause: 'nothing-to-learn',
    says: /no task is on the training side/,
  },
  {
    name: 'no held-out task could be attempted',
    trained: { stopped: 'no-baseline' },
    counted: { attempts: 8, invalid: 3, last: 'The server is gone' },
    cause: 'backend-failed',
    says: /^No held-out task could be attempted: The server is gone\. The skill stays as it is\.$/,
  },
  {
    name: 'no edit helped',
    trained: { steps: [aStep([{ kind: 'applied' }])] },
    cause: 'edits-did-not-help',
    says: /none made the held-out tasks score higher/,
  },
  {
    name: 'no edit found a place',
    trained: { steps: [aStep([nowhere])] },
    cause: 'edits-did-not-apply',
    says: /none could be applied.*The anchor is not there\./,
  },
  {
    name: 'no training task failed',
    trained: { steps: [aStep([], 0)] },
    cause: 'nothing-to-learn',
    says: /no training task failed/,
  },
  {
    name: 'the optimizer had no idea',
    trained: { steps: [aStep([])] },
    cause: 'edits-did-not-help',
    says: /looked at the failures and proposed no edit/,
  },
  {
    name: 'the optimizer wanted none of the edits',
    trained: { steps: [{ ...aStep([]), action: 'skip_no_patches', why: 'the optimizer wanted none of them' }] },
    lost: ['failure analyst: the reply is malformed'],
    cause: 'edits-did-not-help',
    says: /^Edits were proposed, and asked how many to take the optimizer wanted none of them\./,
  },
  {
    name: 'the optimizer gave nothing readable',
    trained: { steps: [aStep([])] },
    lost: ['failure analyst: the reply is malformed'],
    cause: 'backend-failed',
    says: /no usable reply \(failure analyst: the reply is malformed\)/,
  },
];

describe('why nothing is proposed', () => {
  for (const { name, trained, lost, counted, cause, says } of rows) {
    it(`is told where ${name}`, () => {
      const nothing = noProposalReason(aTrained(trained ?? {}), lost ?? [], counted ?? fine);
      assert.equal(nothing.cause, cause);
      assert.match(nothing.reason, says);
    });
  }

  it('says how many rejected edits the optimizer was told of where it proposed none, and how they are forgotten', () => {
    const trained = aTrained({ steps: [aStep([])] });
    const told = (count: number): string => noProposalReason(trained, [], fine, Array.from({ length: count })).reason;
    assert.doesNotMatch(told(0), /rejected/);
    assert.match(told(1), /told of 1 edit that was not taken earlier.*“whetstone rejected --forget”/);
    assert.match(told(3), /told of 3 edits that were not taken earlier.*“Forget Edits Not Taken” in VS Code/);
    assert.match(told(50), /told of 12 edits/, 'no more than it is shown');
    const tried = aTrained({ steps: [aStep([{ kind: 'applied' }])] });
    assert.doesNotMatch(noProposalReason(tried, [], fine, [1]).reason, /not taken earlier/);
  });

  it('names the edits that were tried and refused, each with its reason', () => {
    const trained = aTrained({ steps: [aStep([{ kind: 'applied' }, nowhere])] });
    assert.deepEqual(
      noProposalReason(trained, [], fine).tried.map(({ why }) => why),
      ['held-out tasks did not score higher', 'The anchor is not there.'],
    );
  });

  it('says how often the model came to no end, which looks like a fault of the skill', async () => {
    const optimizer = anOptimizer({ reflect: edits(say('omega')) });
    const { result } = await aRun({ optimizer, ability: () => ({ text: 'na '.repeat(2_000), finish: 'length' }) });
    assert.ok(result.kind === 'nothing');
    assert.match(
      result.nothing.reason,
      /In 6 of 6 attempts at the held-out tasks the model said the same over and over/,
    );
  });

  it('tells how the skill does as it is', async () => {
    const optimizer = anOptimizer({ reflect: edits(say('omega')) });
    const { result } = await aRun({ optimizer });
    assert.ok(result.kind === 'nothing');
    assert.deepEqual(result.nothing.baseline, { score: 0, tasks: 6 });
    assert.deepEqual(
      [...new Set(result.nothing.tried.map(({ edit }) => ('content' in edit ? edit.content : '')))],
      ['- Say “omega”.'],
    );
  });
});

function aTrained(parts: Partial<TrainingResult>): TrainingResult {
  const original = originalCandidate('text');
  return { original, best: original, heldOut: undefined, stopped: 'patience', steps: [], cap: undefined, ...parts };
}

function aStep(outcomes: readonly EditOutcome[], failed = 2): StepEnd {
  const report = outcomes.map((outcome, index) => ({ index, edit: say('x'), outcome }));
  const action = 'reject' as const;
  return {
    action,
    current: originalCandidate('text'),
    candidate: originalCandidate('text'),
    selection: undefined,
    trainingScore: 0,
    rollouts: [],
    report,
    history: { step: 1, action, failed, attempted: 3, patterns: [], report },
  };
}
