import { shortVerdict } from '../../../src/wording/shortVerdict.js';
import { verdictReport } from '../../../src/wording/verdictReport.js';
import { strict as assert } from 'node:assert';
import { addPass, startCertification, type Certification } from '../../../src/gate/statistics/certification.js';
import { openErrorBudget, payCertification, type ErrorBudget } from '../../../src/gate/statistics/errorBudget.js';
import { certificationFigures, taskComparisons } from '../../../src/gate/verdict/figures.js';
import { startParsimony } from '../../../src/gate/statistics/parsimony.js';
import { copiesWarning, sealedWarning } from '../../../src/wording/verdictSentences.js';
import type { StrictPair } from '../../../src/gate/statistics/strictRule.js';
import type { PairResult } from '../../../src/gate/statistics/tally.js';
import type { UnmeasuredCause, Verdict } from '../../../src/gate/verdict/verdict.js';
import {
  certificationVerdict,
  errorBudgetEmpty,
  strictVerdict,
  tooFewTasks,
  unmeasured,
} from '../../../src/wording/verdicts.js';

describe('the verdict of a certification', () => {
  const table: readonly {
    readonly name: string;
    readonly begun: Certification;
    readonly passes: readonly string[];
    readonly kind: Verdict['kind'];
    readonly reason: string;
  }[] = [
    {
      name: 'accepted on twelve tasks',
      begun: startCertification({ n: 12, grid: 1 }),
      passes: ['WWWWWWWWWWWf'],
      kind: 'accepted',
      reason:
        'Better: 12 held-out tasks went from 0 % to 92 % in 1 pass, which luck alone gives at most once in 80 certifications.',
    },
    {
      name: 'accepted on fewer says on which tasks',
      begun: startCertification({ n: 8, grid: 1 }),
      passes: ['WWWWWWWW', 'WWWWWWWW'],
      kind: 'accepted',
      reason:
        'Better: 8 held-out tasks went from 0 % to 100 % in 2 passes, which luck alone gives at most once in 80 certifications (below 12 tasks: shown on these tasks only).',
    },
    {
      name: 'futile',
      begun: startCertification({ n: 8, grid: 1 }),
      passes: ['WLL..fff'],
      kind: 'rejected',
      reason:
        'Not shown to be better: 8 held-out tasks went from 50 % to 38 % in 1 pass; more passes would hardly show it, so no more was spent.',
    },
    {
      name: 'within luck to the end',
      begun: startCertification({ n: 8, grid: 1 }),
      passes: ['WWWW....', ...Array.from({ length: 7 }, () => '........')],
      kind: 'rejected',
      reason:
        'Not shown to be better: 8 held-out tasks went from 94 % to 100 % in 8 passes, which luck gives often enough.',
    },
    {
      name: 'beyond luck on too few tasks',
      begun: startCertification({ n: 8, grid: 1 }),
      passes: Array.from({ length: 8 }, () => 'W.......'),
      kind: 'rejected',
      reason:
        'Not shown to be better across tasks: 8 held-out tasks went from 88 % to 100 % in 8 passes, but too few of the tasks carry it.',
    },
    {
      name: 'vetoed',
      begun: startCertification({ n: 14, grid: 1, noRegression: true }),
      passes: Array.from({ length: 8 }, () => 'WWWWWWWWWWWWLL'),
      kind: 'rejected',
      reason: 'Better on average, but worse beyond noise on t13 and t14, and no task may get worse.',
    },
    {
      name: 'cut short',
      begun: startCertification({ n: 8, grid: 1 }),
      passes: ['WWW.....', 'W.......'],
      kind: 'inconclusive',
      reason: 'Undecided after 2 of at most 8 passes: the spending cap ended it.',
    },
    {
      name: 'void for lost pairs',
      begun: startCertification({ n: 8, grid: 1 }),
      passes: ['Wxxxxxxx'],
      kind: 'inconclusive',
      reason: 'Undecided: 7 of 8 pairs gave no result, and above a tenth nothing is decided.',
    },
    {
      name: 'void for loss on one side',
      begun: startCertification({ n: 20, grid: 1 }),
      passes: ['WaaaaaaW............'],
      kind: 'inconclusive',
      reason:
        'Undecided: attempts without result fall on one side (original 0, candidate 6), so what is left is no fair comparison.',
    },
    {
      name: 'shorter and as good',
      begun: startParsimony({ n: 12, grid: 1 }),
      passes: ['............'],
      kind: 'accepted',
      reason:
        'As good as before and shorter: 12 held-out tasks went from 100 % to 100 % in 1 pass, which after a loss of 10 points luck gives about once in 20 tests.',
    },
    {
      name: 'shorter and not shown to be as good',
      begun: startParsimony({ n: 12, grid: 1 }),
      passes: ['LLLLLLLL....'],
      kind: 'rejected',
      reason:
        'Not shown to stay within 10 points of before: 12 held-out tasks went from 100 % to 33 % in 1 pass; more passes would hardly show it, so no more was spent.',
    },
  ];
  for (const { name, begun, passes, kind, reason } of table) {
    it(`${name} → ${kind}`, () => {
      const verdict = verdictOf(run(begun, passes));
      assert.equal(verdict.kind, kind);
      assert.equal(verdict.reason, reason);
    });
  }

  it('says what would settle it, and what that costs', () => {
    const certification = run(startCertification({ n: 8, grid: 1 }), ['WWW.....', 'W.......']);
    const cost = { calls: 16, usd: 0.0333 };
    const verdict = certificationVerdict(named(certification), { endedBy: 'cap', cost });
    assert.deepEqual(cureOf(verdict), 'At most 6 more passes, about 96 calls, 0.20 USD.');
    const unpriced = certificationVerdict(named(certification), {
      endedBy: 'cap',
      cost: { calls: 16, usd: undefined },
    });
    assert.deepEqual(cureOf(unpriced), 'At most 6 more passes, about 96 calls.');
  });

  it('calls nothing free that costs a little', () => {
    const certification = run(startCertification({ n: 8, grid: 1 }), ['WWW.....', 'W.......']);
    const cureAt = (usd: number): string =>
      cureOf(certificationVerdict(named(certification), { endedBy: 'cap', cost: { calls: 16, usd } }));
    assert.equal(cureAt(0), 'At most 6 more passes, about 96 calls, free of charge.');
    assert.equal(cureAt(0.0001), 'At most 6 more passes, about 96 calls, less than 0.01 USD.');
  });

  it('prices the certification from the start that a void one would need', () => {
    const lossy = run(startCertification({ n: 8, grid: 1 }), ['Wxxxxxxx']);
    assert.equal(
      cureOf(certificationVerdict(named(lossy), { endedBy: 'cap', cost: { calls: 16, usd: 0.01 } })),
      'Once the model answers reliably, measure again (at most 8 passes, about 128 calls, 0.08 USD).',
    );
    const oneSided = run(startCertification({ n: 20, grid: 1 }), ['WaaaaaaW............']);
    assert.equal(
      cureOf(certificationVerdict(named(oneSided), { endedBy: 'cap', cost: { calls: 40, usd: undefined } })),
      'See why attempts under the candidate give no result, then measure again (at most 8 passes, about 320 calls).',
    );
  });

  it('shows no figure, and no 0 %, where no pair has a result', () => {
    const certified = certificationVerdict(named(run(startCertification({ n: 8, grid: 1 }), ['aaaabbxx'])));
    const strict = strictVerdict(strictTasks('aaaabbxx'), { noRegression: false });
    for (const verdict of [certified, strict]) {
      assert.ok(verdict.kind === 'inconclusive' && verdict.figures === undefined);
      const { before, after, difference } = verdictReport(verdict);
      assert.deepEqual([before, after, difference], [null, null, null]);
    }
  });

  it('shows no figure where a cap came before the first pass', () => {
    const verdict = verdictOf(startCertification({ n: 8, grid: 1 }));
    assert.ok(verdict.kind === 'inconclusive' && verdict.figures === undefined);
  });
});

describe('the figures beneath', () => {
  const certification = run(startCertification({ n: 8, grid: 1 }), ['WWWWLf..', 'WWWW.ff.']);

  it('are those of the pairs that both sides have', () => {
    const figures = certificationFigures(named(certification));
    assert.deepEqual(
      { ...figures, interval: undefined },
      {
        rule: 'confident',
        metric: 'hard',
        before: 5 / 16,
        after: 12 / 16,
        difference: 7 / 16,
        interval: undefined,
        p: 10 / 512,
        pTask: 1 / 16,
        alpha: 0.0125,
        n: 8,
        passes: 2,
        invalid: 0,
        fixed: ['t1', 't2', 't3', 't4'],
        regressed: ['t5'],
        warnings: [],
      },
    );
    const [low, high] = figures.interval ?? assert.fail('no interval');
    assert.ok(low < 7 / 16 && high > 7 / 16);
  });

  it('give every task its row', () => {
    const lossy = run(startCertification({ n: 12, grid: 100 }), ['W.L........x', 'a..........b']);
    const rows = taskComparisons(named(lossy));
    assert.deepEqual(rows[0], {
      id: 't1',
      before: { passes: 1, valid: 2, invalid: 0, score: 0.5 },
      after: { passes: 1, valid: 1, invalid: 1, score: 1 },
    });
    assert.deepEqual(rows[11], {
      id: 't12',
      before: { passes: 0, valid: 0, invalid: 2, score: undefined },
      after: { passes: 1, valid: 1, invalid: 1, score: 1 },
    });
    assert.equal(certificationFigures(named(lossy)).invalid, 3);
  });

  it('weigh every task the same, also one that lost a pair', () => {
    // Task 1 has one pair (won), the others two (tied): its mean difference is 1, theirs 0.
    const lossy = run(startCertification({ n: 12, grid: 1 }), ['Wf..........', 'x...........']);
    assert.equal(certificationFigures(named(lossy)).difference, 1 / 12);
  });
});

describe('the verdict of the strict rule', () => {
  const table: readonly {
    readonly name: string;
    readonly row: string;
    readonly noRegression: boolean;
    readonly kind: Verdict['kind'];
    readonly reason: string;
  }[] = [
    {
      name: 'a higher mean',
      row: 'WWL.ffff',
      noRegression: false,
      kind: 'accepted',
      reason: 'Higher (strict rule: one look, luck not excluded): 8 held-out tasks went from 25 % to 38 %.',
    },
    {
      name: 'a tie',
      row: 'WL......',
      noRegression: false,
      kind: 'rejected',
      reason: 'Not higher (strict rule: one look, luck not excluded): 8 held-out tasks went from 88 % to 88 %.',
    },
    {
      name: 'a lower score where none may fall',
      row: 'WWL.....',
      noRegression: true,
      kind: 'rejected',
      reason: 'Higher on average, but lower on t3, and no score may fall (strict rule: one look, luck not excluded).',
    },
    {
      name: 'a gain on four tasks, labelled so',
      row: 'WWWW',
      noRegression: false,
      kind: 'accepted',
      reason:
        'Higher (strict rule with fewer than 5 held-out tasks: one look, luck not excluded): 4 held-out tasks went from 0 % to 100 %.',
    },
    {
      name: 'no gain on three tasks, labelled so',
      row: 'WL.',
      noRegression: false,
      kind: 'rejected',
      reason:
        'Not higher (strict rule with fewer than 5 held-out tasks: one look, luck not excluded): 3 held-out tasks went from 67 % to 67 %.',
    },
    {
      name: 'a lower score on four tasks where none may fall, labelled so',
      row: 'WWL.',
      noRegression: true,
      kind: 'rejected',
      reason:
        'Higher on average, but lower on t3, and no score may fall (strict rule with fewer than 5 held-out tasks: one look, luck not excluded).',
    },
    {
      name: 'too few tasks',
      row: 'WW',
      noRegression: false,
      kind: 'inconclusive',
      reason: 'Undecided: with 2 held-out tasks nothing can be shown, 3 are the least.',
    },
    {
      name: 'too many lost',
      row: 'WWWWWWax',
      noRegression: false,
      kind: 'inconclusive',
      reason: 'Undecided: 2 of 8 pairs gave no result, and above a tenth nothing is decided.',
    },
  ];
  for (const { name, row, noRegression, kind, reason } of table) {
    it(`${name} → ${kind}`, () => {
      const verdict = strictVerdict(strictTasks(row), { noRegression });
      assert.equal(verdict.kind, kind);
      assert.equal(verdict.reason, reason);
    });
  }

  it('has no probability and no error rate beneath it', () => {
    const verdict = strictVerdict(strictTasks('WWL.ffff'), { noRegression: false });
    assert.ok(verdict.kind === 'accepted');
    const { p, pTask, alpha, fixed, regressed, passes } = verdict.figures;
    assert.deepEqual([p, pTask, alpha, passes], [undefined, undefined, undefined, 1]);
    assert.deepEqual([fixed, regressed], [['t1', 't2'], ['t3']]);
  });

  it('counts tasks that were not needed any more', () => {
    const verdict = strictVerdict({ ...strictTasks('WWW'), notNeeded: 2 }, { noRegression: false });
    assert.ok(verdict.kind === 'accepted' && verdict.figures.n === 5);
  });

  it('speaks of the tasks that have a result on both sides, and of no others', () => {
    const verdict = strictVerdict(strictTasks('WWWWWWWWWWWa'), { noRegression: true });
    assert.ok(verdict.kind === 'accepted' && verdict.figures.n === 12 && verdict.figures.unpaired === 1);
    assert.equal(
      verdict.reason,
      'Higher (strict rule: one look, luck not excluded): the 11 of 12 held-out tasks with a result went from 0 % to 100 %.',
    );
    const certified = verdictOf(run(startCertification({ n: 12, grid: 1 }), ['WWWWWWWWWWWx']));
    assert.match(certified.reason, /: the 11 of 12 held-out tasks with a result went from 0 % to 100 % in 1 pass/);
    assert.equal(shortVerdict(verdict).split('.')[0], improvedOn);
  });

  it('claims nothing about tasks that were not attempted', () => {
    assert.equal(
      reasonFor('WW', 3),
      'Higher (strict rule: one look, luck not excluded) on the 2 of 5 held-out tasks that were attempted: from 0 % to 100 %; the other 3 were not needed.',
    );
    assert.equal(
      reasonFor('LLLL', 4),
      'Not higher (strict rule: one look, luck not excluded) on the 4 of 8 held-out tasks that were attempted: from 100 % to 0 %; the other 4 were not needed.',
    );
    assert.equal(
      reasonFor('WW', 1),
      'Higher (strict rule with fewer than 5 held-out tasks: one look, luck not excluded) on the 2 of 3 held-out tasks that were attempted: from 0 % to 100 %; the other one was not needed.',
    );
  });
});

const improvedOn = 'Improved from 0 % to 100 % on the 11 of 12 held-out tasks with a result';

describe('verdicts without a measurement', () => {
  it('say what is missing before anything is spent', () => {
    assert.equal(cureOf(tooFewTasks(4)), '1 more held-out task.');
    assert.equal(cureOf(tooFewTasks(0)), '5 more held-out tasks.');
  });

  it('say what would refill an empty error budget', () => {
    const known = Array.from({ length: 8 }, (_, task) => `t${task}`);
    const spent = ['1', '2', '3', '4'].reduce<ErrorBudget>(
      (budget, id) => payCertification(budget, id) ?? budget,
      openErrorBudget(known),
    );
    const verdict = errorBudgetEmpty(spent, 8);
    assert.equal(verdict.reason, 'Undecided: 4 certifications used up the error budget of these held-out tasks.');
    assert.equal(cureOf(verdict), '3 new held-out tasks, or your recorded decision to start the budget afresh.');
  });

  it('say under which other skills the error budget was spent', () => {
    const empty = { ...openErrorBudget(['t']), remaining: 0 };
    const copy = { name: 'copy/skills/words/SKILL.md', certifications: 3 };
    const gone = { name: undefined, certifications: 1 };
    const used = 'Undecided: 4 certifications used up the error budget of these held-out tasks, 4 of them on the same';
    assert.equal(errorBudgetEmpty(empty, 8, [copy, gone]).reason, `${used} tasks under “${copy.name}”.`);
    assert.equal(
      errorBudgetEmpty(empty, 8, [gone]).reason,
      'Undecided: 1 certification used up the error budget of these held-out tasks.',
    );
  });

  const causes: readonly UnmeasuredCause[] = [
    'gate-off',
    'no-held-out',
    'leaked',
    'partly-accepted',
    'edited-by-hand',
    'nothing-proposed',
    'made-elsewhere',
  ];
  for (const cause of causes) {
    it(`unmeasured (${cause}) says so in one sentence`, () => {
      const verdict = unmeasured(cause);
      assert.ok(verdict.kind === 'unmeasured' && verdict.cause === cause);
      assert.match(verdict.reason, /^Not measured( here)?: [^.]+\.$/);
    });
  }
});

describe('warnings', () => {
  it('name a sealed part that fell while the held-out part rose', () => {
    assert.equal(
      sealedWarning(0.25, { before: 0.75, after: 0.5, n: 4 }),
      'The held-out tasks rose (+25 points) but the 4 sealed tasks fell (−25 points): the gain may not carry over to other tasks.',
    );
  });

  it('are silent where both rose, both fell, or nothing moved', () => {
    assert.equal(sealedWarning(0.25, { before: 0.5, after: 0.5, n: 4 }), undefined);
    assert.equal(sealedWarning(0.25, { before: 0.5, after: 0.75, n: 4 }), undefined);
    assert.equal(sealedWarning(-0.25, { before: 0.75, after: 0.5, n: 4 }), undefined);
  });

  it('name repeats that never differ', () => {
    assert.match(copiesWarning(3), /^No task ever gave two different scores in 3 passes: /);
  });
});

/** W won, L lost, `.` both pass, f both fail, a only before, b only after, x neither; full marks of the grid. */
function run(begun: Certification, passes: readonly string[]): Certification {
  const { grid } = begun.settings;
  return passes.reduce((certification, row) => addPass(certification, passOf(row, grid)), begun);
}

function passOf(row: string, fullMarks: number): readonly PairResult[] {
  return Array.from(row, (letter, task) => ({
    task,
    before: 'bx'.includes(letter) ? 'invalid' : 'L.a'.includes(letter) ? fullMarks : 0,
    after: 'ax'.includes(letter) ? 'invalid' : 'W.b'.includes(letter) ? fullMarks : 0,
  }));
}

function reasonFor(row: string, notNeeded: number): string {
  return strictVerdict({ ...strictTasks(row), notNeeded }, { noRegression: false }).reason;
}

function strictTasks(row: string) {
  const pairs: readonly StrictPair[] = passOf(row, 1).map(({ before, after }) => ({
    before: before === 'invalid' ? undefined : before,
    after: after === 'invalid' ? undefined : after,
  }));
  return { pairs, metric: 'hard' as const, taskIds: namesOf(row.length) };
}

function named(certification: Certification) {
  return { certification, metric: 'hard' as const, taskIds: namesOf(certification.tallies.length) };
}

function verdictOf(certification: Certification): Verdict {
  return certificationVerdict(named(certification));
}

function namesOf(tasks: number): readonly string[] {
  return Array.from({ length: tasks }, (_, task) => `t${task + 1}`);
}

function cureOf(verdict: Verdict): string {
  return verdict.kind === 'inconclusive' ? verdict.cure : assert.fail(`a ${verdict.kind} verdict has no cure`);
}
