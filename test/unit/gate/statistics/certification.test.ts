import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  addPass,
  neverVaries,
  startCertification,
  worseTasks,
  type Certification,
  type CertificationDecision,
} from '../../../../src/gate/statistics/certification.js';
import { fixedProbability, taskProbability } from '../../../../src/gate/statistics/sequentialTest.js';
import type { PairResult } from '../../../../src/gate/statistics/tally.js';
import { seeded } from '../../../../src/gate/rules/random.js';
import { attemptPass, drawTasks } from '../../../../src/gate/rules/simulatedTasks.js';
import { attemptSoftPass } from '../../../bench/gate/softPass.js';
import { crossingLooks, signPatterns } from '../enumeration.js';

const full = process.env['WHETSTONE_FULL'] === '1';

/** One letter a task: W won, L lost, `.` tied, b and a an invalid before or after, x both. */
const letters: Readonly<Record<string, Omit<PairResult, 'task'>>> = {
  W: { before: 0, after: 1 },
  L: { before: 1, after: 0 },
  '.': { before: 1, after: 1 },
  b: { before: 'invalid', after: 1 },
  a: { before: 1, after: 'invalid' },
  x: { before: 'invalid', after: 'invalid' },
};

describe('a certification', () => {
  const table: readonly {
    readonly name: string;
    readonly passes: readonly string[];
    readonly decision: CertificationDecision;
  }[] = [
    { name: 'ten wins in one pass', passes: ['WWWWWWWWWW'], decision: { kind: 'accepted' } },
    { name: 'nine wins in one pass', passes: ['WWWWWWWWW.'], decision: { kind: 'continue' } },
    { name: 'nothing but ties', passes: ['........'], decision: { kind: 'rejected', cause: 'futile' } },
    { name: 'more losses than wins', passes: ['WLLL....'], decision: { kind: 'rejected', cause: 'futile' } },
    { name: 'a probability of exactly 3/4 after pass 1', passes: ['WL......'], decision: { kind: 'continue' } },
    {
      name: 'a probability of exactly 1/2 after pass 2',
      passes: ['WL......', 'W.......'],
      decision: { kind: 'continue' },
    },
    {
      name: 'more than 1/2 after pass 2',
      passes: ['WL......', '........'],
      decision: { kind: 'rejected', cause: 'futile' },
    },
    {
      name: 'eight wins of one lucky task: beyond noise, not across tasks',
      passes: Array.from({ length: 8 }, () => 'W.......'),
      decision: { kind: 'rejected', cause: 'not-shown' },
    },
    {
      name: 'a budget that ties exactly: seven wins, no loss, by pass 5',
      passes: ['WW......', '..WW....', '....W...', '.....W..', '......W.'],
      decision: { kind: 'accepted' },
    },
    {
      name: 'five tasks, five wins twice: the least that five tasks can show',
      passes: ['WWWWW', 'WWWWW'],
      decision: { kind: 'accepted' },
    },
    {
      name: 'twelve tasks, six of them (1/64 across tasks)',
      passes: ['WWWWWW......', 'WWWWWW......'],
      decision: { kind: 'continue' },
    },
    {
      name: 'twelve tasks, seven of them (1/128 across tasks)',
      passes: ['WWWWWWW.....', 'WWWWWWW.....'],
      decision: { kind: 'accepted' },
    },
  ];
  for (const { name, passes, decision } of table) {
    it(`${name} → ${decision.kind}`, () => assert.deepEqual(run(passes).decision, decision));
  }

  it('decides every pattern of five tasks and two passes as enumeration does', function () {
    this.timeout(full ? 600_000 : 180_000);
    const rows = patternsOfThree(5);
    const looks = new Map<string, readonly (number | undefined)[]>();
    for (const [index, first] of rows.entries()) {
      for (const second of full ? rows : rows.filter((_, at) => at % 81 === index % 81)) {
        assert.deepEqual(
          run([first, second], 'stop').decision,
          enumerated([first, second], looks),
          `${first} ${second}`,
        );
      }
    }
  });

  it('refuses fewer than five tasks before anything is spent', () => {
    assert.throws(() => startCertification({ n: 4, grid: 1 }), RangeError);
  });

  it('is never re-opened', () => {
    assert.throws(() => addPass(run(['........']), passOf('WWWWWWWW')), /has ended/);
  });

  it('takes complete passes only', () => {
    const begun = startCertification({ n: 5, grid: 1 });
    const pass = passOf('WWWWW');
    assert.throws(() => addPass(begun, pass.slice(1)), /each of the 5 tasks once/);
    assert.throws(() => addPass(begun, [...pass.slice(1), { task: 1, before: 0, after: 1 }]), /twice/);
    assert.throws(() => addPass(begun, [...pass.slice(1), { task: 5, before: 0, after: 1 }]), /no task 5/);
  });

  it('takes whole scores of its grid only', () => {
    const begun = startCertification({ n: 5, grid: 1 });
    for (const after of [0.5, 2, -1, Number.NaN]) {
      assert.throws(() => addPass(begun, [{ task: 0, before: 0, after }, ...passOf('WWWWW').slice(1)]), /whole number/);
    }
  });

  it('does not care for the order of the tasks in a pass', () => {
    const begun = startCertification({ n: 8, grid: 1 });
    const pass = passOf('WLWbWW.W');
    assert.deepEqual(addPass(begun, pass), addPass(begun, pass.toReversed()));
  });
});

describe('a resumed certification', () => {
  it('decides as an unbroken one, pass by pass', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 5, max: 20 }),
        fc.boolean(),
        fc.boolean(),
        (seed, n, soft, strict) => {
          const random = seeded(seed, n);
          const tasks = drawTasks(random, n, () => 0.25);
          const attempt = soft ? attemptSoftPass : attemptPass;
          let unbroken = startCertification({ n, grid: soft ? 100 : 1, noRegression: strict });
          let resumed = unbroken;
          while (unbroken.decision.kind === 'continue') {
            const pass = attempt(random, tasks).map((pair) =>
              random() < 0.03 ? { ...pair, after: 'invalid' as const } : pair,
            );
            unbroken = addPass(unbroken, pass);
            resumed = addPass(storedAndRead(resumed), pass);
            assert.deepEqual(storedAndRead(resumed), unbroken);
          }
        },
      ),
      { seed: 6, numRuns: full ? 500 : 40 },
    );
  });

  it('keeps the constants that it began with', () => {
    const begun = startCertification({ n: 12, grid: 1, alpha: 0.01 });
    assert.deepEqual(storedAndRead(begun).settings.plan, begun.settings.plan);
    assert.equal(begun.settings.plan.alpha, 0.01);
  });
});

describe('lost pairs', () => {
  it('are left out: the rest decides as if they had tied', () => {
    const lost = run(['WWWWWWWWWWa']);
    assert.equal(lost.decision.kind, 'accepted');
    assert.deepEqual(lost.test, run(['WWWWWWWWWW.']).test);
  });

  it('delay a decision while more than a tenth is missing, for a complete pass can bring the share down', () => {
    assert.deepEqual(run(['WWWWWWWWWWab']).decision, { kind: 'continue' });
    assert.deepEqual(run(['WWWWWWWWWWab', 'WWWWWWWWWW..']).decision, { kind: 'accepted' });
    assert.deepEqual(run(['....x...']).decision, { kind: 'continue' });
    assert.deepEqual(run(['....x...', '........']).decision, { kind: 'rejected', cause: 'futile' });
  });

  it('void it once more than a tenth of all possible pairs is missing', () => {
    // 8 tasks and 8 passes are 64 pairs: six may be lost, the seventh ends it.
    assert.deepEqual(run(['WWxxxxxx']).decision, { kind: 'continue' });
    assert.deepEqual(run(['Wxxxxxxx']).decision, { kind: 'void', cause: 'too-many-lost' });
  });

  it('void it when they fall on one side', () => {
    assert.deepEqual(run(['aaaaa...............']).decision.kind, 'continue');
    assert.deepEqual(run(['aaaaaa..............']).decision, { kind: 'void', cause: 'loss-differs-by-side' });
    assert.deepEqual(run(['bbbbbb..............']).decision, { kind: 'void', cause: 'loss-differs-by-side' });
    assert.deepEqual(run(['aaabbb..............']).decision.kind, 'continue');
  });
});

describe('noRegression', () => {
  const held = ['WWWWWWWWWWWL', 'WWWWWWWWWWW.'];

  it('changes nothing where no task lost', () => {
    assert.equal(run(['WWWWWWWWWWW.'], 'all', true).decision.kind, 'accepted');
  });

  it('holds an acceptance back while a task is worse beyond its noise', () => {
    assert.equal(run(held, 'stop').decision.kind, 'accepted');
    const waiting = run(held, 'all', true);
    assert.equal(waiting.decision.kind, 'continue');
    assert.deepEqual(worseTasks(waiting), [11]);
  });

  it('lets it pass once that task has won as often as it lost', () => {
    assert.equal(run([...held, 'WWWWWWWWWWWW'], 'all', true).decision.kind, 'accepted');
  });

  it('rejects at the last pass where the task stayed worse', () => {
    const passes = Array.from({ length: 8 }, () => 'WWWWWWWWWWWL');
    assert.deepEqual(run(passes, 'all', true).decision, { kind: 'rejected', cause: 'regression' });
  });
});

describe('repeats that look like copies', () => {
  it('are noticed after two passes', () => {
    assert.equal(neverVaries(run(['W..WW.W.'])), false);
    assert.equal(neverVaries(run(['W..WW.W.', 'W..WW.W.'])), true);
  });

  it('are none where a single score differs once', () => {
    assert.equal(neverVaries(run(['W..WW.W.', 'W..WWWW.'])), false);
  });
});

describe('what a certification reports', () => {
  it('is the fixed and the task probability of the pairs that it saw', () => {
    const { test } = run(['WWWL....', 'WW.W....'], 'stop');
    // Six wins and one loss: 8 of 128. By task +2, +2, +1, 0: flips reach 5 in one of eight ways.
    assert.equal(fixedProbability(test), 8 / 128);
    assert.equal(taskProbability(test), 1 / 8);
  });
});

function run(passes: readonly string[], until: 'all' | 'stop' = 'all', noRegression = false): Certification {
  let certification = startCertification({ n: passes[0]?.length ?? 0, grid: 1, noRegression });
  for (const pass of passes) {
    if (until === 'stop' && certification.decision.kind !== 'continue') break;
    certification = addPass(certification, passOf(pass));
  }
  return certification;
}

function passOf(row: string): readonly PairResult[] {
  return Array.from(row).map((letter, task) => ({ task, ...(letters[letter] ?? assert.fail(`no letter ${letter}`)) }));
}

function storedAndRead(certification: Certification): Certification {
  const read: unknown = JSON.parse(JSON.stringify(certification));
  return read as Certification; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the round trip is what is tested
}

/** Every row of W, L and `.` for so many tasks. */
function patternsOfThree(tasks: number): readonly string[] {
  return Array.from({ length: 3 ** tasks }, (_, pattern) =>
    Array.from({ length: tasks }, (__, task) => 'WL.'[Math.floor(pattern / 3 ** task) % 3]).join(''),
  );
}

/** The whole procedure by counting sign patterns, for two passes over fewer than twelve tasks. */
function enumerated(passes: readonly [string, string], looks: Looks): CertificationDecision {
  for (const seen of [passes.slice(0, 1), passes]) {
    const signs = seen.flatMap(signsOf);
    const byTask = Array.from(passes[0], (_, task) => total(seen.map((pass) => signOf(pass[task]))));
    const spread = shareAtLeast(byTask) <= 0.05 + 1e-12;
    if (isCrossed(seen, looks) && total(byTask) > 0 && spread) return { kind: 'accepted' };
    if (shareAtLeast(signs) > (seen.length === 1 ? 0.75 : 0.5) + 1e-12) return { kind: 'rejected', cause: 'futile' };
  }
  return { kind: 'continue' };
}

/** The boundary depends only on how many pairs differ in each pass; it is enumerated once for each such key. */
type Looks = Map<string, readonly (number | undefined)[]>;

function isCrossed(passes: readonly string[], looks: Looks): boolean {
  const differing = passes.map((pass) => signsOf(pass).map(() => 1));
  const key = differing.map((pass) => pass.length).join();
  const plan = { alpha: 0.0125, maxPasses: 8, futility: [], taskLimit: 0.05 };
  const boundary = looks.get(key) ?? crossingLooks(plan, differing);
  looks.set(key, boundary);
  const pattern = total(passes.flatMap(signsOf).map((sign, at) => (sign === 1 ? 2 ** at : 0)));
  return boundary[pattern] !== undefined;
}

function signsOf(pass: string): readonly number[] {
  return Array.from(pass, signOf).filter((sign) => sign !== 0);
}

function signOf(letter: string | undefined): number {
  return { W: 1, L: -1 }[letter ?? ''] ?? 0;
}

/** Share of all sign flips of these values that reach their total. */
function shareAtLeast(values: readonly number[]): number {
  const patterns = signPatterns(values.length);
  const reached = patterns.filter(
    (signs) => total(values.map((value, at) => Math.abs(value) * (signs[at] ?? 1))) >= total(values),
  );
  return reached.length / patterns.length;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
