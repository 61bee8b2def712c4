import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../../../src/errors.js';
import type { Proposal } from '../../../../src/ports/proposal.js';
import { compareWithRecord } from '../../../../src/app/results/checkRecord.js';
import {
  readRecord,
  recordAdoption,
  recordFile,
  writeRecord,
  type SkillRecord,
} from '../../../../src/app/results/record.js';
import type { EvaluatedTask, EvaluationResult } from '../../../../src/app/runs/evaluate.js';
import { emptySummary } from '../../../../src/engine/journal/runSummary.js';
import { aReviewDocument, aReviewProposal, betterVerdict, someFigures } from '../../../builders/aReviewProposal.js';

describe('a check against the record', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, number>>, number, CheckKind])[] = [
    ['the same scores hold', { a: 1, b: 1 }, 0, 'held'],
    ['better scores hold', { a: 1, b: 1, c: 1 }, 0, 'held'],
    ['one task worse falls', { a: 1, b: 0 }, 0, 'fell'],
    ['one task worse within the allowance holds', { a: 1, b: 0 }, 0.5, 'held'],
    ['a new task that fails changes nothing', { a: 1, b: 1, c: 0 }, 0, 'held'],
    ['a task that is gone changes nothing', { a: 1 }, 0, 'held'],
  ];
  for (const [name, scores, allow, kind] of rows) {
    it(name, () => assert.equal(compareWithRecord(aRecord({ a: 1, b: 1 }), evaluated(scores), allow).kind, kind));
  }

  it('names the tasks that got worse', () => {
    const { worse, recorded, now } = compareWithRecord(aRecord({ a: 1, b: 1 }), evaluated({ a: 1, b: 0 }), 0);
    assert.deepEqual(worse, [{ id: 'b', recorded: 1, now: 0 }]);
    assert.deepEqual([recorded, now], [1, 0.5]);
  });

  it('refuses to compare two models', () => {
    const other = { ...evaluated({ a: 1 }), model: 'other' };
    assert.throws(() => compareWithRecord(aRecord({ a: 1 }), other, 0), isCode('record-other-model'));
  });

  it('refuses a result that is missing instead of counting it as 0', () => {
    const result = evaluated({ a: 1 });
    const [task] = result.tasks;
    assert.ok(task);
    const broken = { ...result, tasks: [{ ...task, hard: undefined, invalid: 'no answer within 60 s' }] };
    assert.throws(() => compareWithRecord(aRecord({ a: 1 }), broken, 0), isCode('program-failed'));
  });
});

const skillText = '---\nname: dates\ndescription: Writes dates.\n---\n\nWrite dates.\n';
const aDocument = aReviewDocument(skillText, [{ op: 'append', content: 'Use ISO dates.', rationale: 'why' }]);

describe('the record of an adoption', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'whetstone-record-'));
    await mkdir(path.join(folder, 'evals'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('holds scores and the verdict, and no text of the skill, a task or an answer', async () => {
    const proposal: Proposal = {
      ...aReviewProposal([aDocument]),
      verdict: betterVerdict,
      comparisons: [aComparison('a')],
    };
    await writeRecord({ folder }, aRecord({ a: 0, gone: 1 }));
    await recordAdoption({ folder, hash: 'now' }, proposal, 0);
    const text = await readFile(recordFile({ folder }), 'utf8');
    const record = await readRecord({ folder });
    assert.deepEqual(record?.tasks, { a: 1 });
    assert.equal(record?.adopted[0]?.verdict, 'accepted');
    for (const { candidateText } of proposal.documents) assert.ok(!text.includes(candidateText));
  });

  it('counts the tasks that were attempted, and none that the strict rule did not need', async () => {
    const figures = someFigures({ rule: 'strict', n: 5, notNeeded: 3 });
    const verdict = { kind: 'accepted', reason: 'Higher.', figures } as const;
    await writeRecord({ folder }, aRecord({ a: 0 }));
    await recordAdoption(
      { folder, hash: 'now' },
      { ...aReviewProposal([aDocument]), verdict, comparisons: [aComparison('a')] },
      0,
    );
    assert.equal((await readRecord({ folder }))?.adopted[0]?.heldOut, 2);
  });

  it('is begun by the person: an adoption beside no record writes none', async () => {
    await recordAdoption({ folder, hash: 'now' }, { ...aReviewProposal([aDocument]), verdict: betterVerdict }, 0);
    assert.equal(await readRecord({ folder }), undefined);
  });

  it('is left alone by what was never measured', async () => {
    const verdict = { kind: 'unmeasured', reason: 'The gate is off.', cause: 'gate-off' } as const;
    await recordAdoption({ folder, hash: 'now' }, { ...aReviewProposal([aDocument]), verdict }, 0);
    assert.equal(await readRecord({ folder }), undefined);
  });

  it('refuses a file that is no record', async () => {
    await writeFile(recordFile({ folder }), '{"format":"whetstone-record","version":2}');
    await assert.rejects(readRecord({ folder }), isCode('record-malformed'));
  });
});

type CheckKind = ReturnType<typeof compareWithRecord>['kind'];

function aRecord(tasks: SkillRecord['tasks']): SkillRecord {
  return {
    format: 'whetstone-record',
    version: 1,
    skill: 'dates',
    skillHash: '',
    recordedAt: '',
    model: 'model',
    simulated: true,
    score: 1,
    tasks,
    adopted: [],
  };
}

function evaluated(scores: Readonly<Record<string, number>>): EvaluationResult {
  const tasks = Object.entries(scores).map(([id, hard]): EvaluatedTask => ({
    id,
    split: 'heldOut',
    hard,
    soft: hard,
    checks: [],
    invalid: undefined,
    answer: undefined,
  }));
  const total = { hard: undefined, soft: undefined, n: 0, invalid: 0 };
  return {
    skillName: 'dates',
    model: 'model',
    simulated: true,
    tasks,
    totals: { all: total, training: total, heldOut: total, sealed: total },
    answers: { all: tasks.length, stored: 0 },
    baseline: undefined,
    summary: emptySummary('r', 0),
    notScored: [],
    sealedLeftOut: 0,
    problems: [],
  };
}

function aComparison(id: string): Proposal['comparisons'][number] {
  return {
    id,
    before: { passes: 0, valid: 1, invalid: 0, score: 0 },
    after: { passes: 1, valid: 1, invalid: 0, score: 1 },
  };
}

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof UserError && error.code === code;
}
