import { seeded, type Random } from '../../../src/gate/rules/random.js';
import type { RecordedOutcomes } from '../../../src/gate/rules/recordedOutcomes.js';
import { attemptPass, clip, drawTasks, type SimulatedTask } from '../../../src/gate/rules/simulatedTasks.js';
import { startCertification } from '../../../src/gate/statistics/certification.js';
import { isWorse } from '../../../src/gate/statistics/losses.js';
import {
  isFutile,
  isShown,
  startSequentialTest,
  stepSequentialTest,
} from '../../../src/gate/statistics/sequentialTest.js';
import { addToTally, emptyTally, type PairResult } from '../../../src/gate/statistics/tally.js';

/** What earlier attempts under the present text say of a task; none of them is used in the test. */
type Known = 'varies' | 'passed' | 'failed';

/** Which attempts of a pass are made, fixed by the earlier ones. Every one of them leaves the test exact. */
interface Allocation {
  readonly name: string;
  readonly passes: number;
  /** `candidate`: the base is attempted only where the candidate failed, so that a settled task can show no gain. */
  readonly attempts: (known: Known, pass: number) => 'both' | 'candidate' | 'none';
  /** Tasks that always passed get two passes only where the others would accept, and can only take that back. */
  readonly atTheEnd?: true;
  readonly weight?: (known: Known) => number;
  /** Where it ends as futile, as in the plan of a certification; that of the gate where it is left out. */
  readonly futility?: readonly number[];
}

const twoPasses = 2;
const allocations: readonly Allocation[] = [
  { name: 'today: every task in every pass', passes: 8, attempts: () => 'both' },
  {
    name: 'always passed: two passes',
    passes: 8,
    attempts: (known, pass) => (known === 'passed' && pass > twoPasses ? 'none' : 'both'),
  },
  {
    name: 'the same, the base only where the candidate failed',
    passes: 8,
    attempts: (known, pass) => (known !== 'passed' ? 'both' : pass > twoPasses ? 'none' : 'candidate'),
  },
  {
    name: 'always passed: two passes, before an acceptance alone',
    passes: 8,
    attempts: (known) => (known === 'passed' ? 'none' : 'both'),
    atTheEnd: true,
  },
  {
    name: 'always passed, always failed: two passes',
    passes: 8,
    attempts: (known, pass) => (known !== 'varies' && pass > twoPasses ? 'none' : 'both'),
  },
  {
    name: 'always passed: two passes; the others: up to ten, ended sooner where nothing shows',
    passes: 10,
    attempts: (known, pass) => (known === 'passed' && pass > twoPasses ? 'none' : 'both'),
    futility: [0.75, 0.37, 0.27, 0.22, 0.18, 0.15, 0.13, 0.11, 0.1],
  },
  {
    name: 'every task, settled ones count double',
    passes: 8,
    attempts: () => 'both',
    weight: (known) => (known === 'varies' ? 1 : 2),
  },
];

/** An edit: nothing, a gain in points, or 40 points with three tasks broken that always passed. */
const edits = [0, 20, 40, 'broken'] as const;
type Edit = (typeof edits)[number];

/** What was tried to spend attempts where they can decide: a table for the page. The same outcomes for every allocation. */
export function allocationTable(outcomes: RecordedOutcomes, runs: number): string {
  const rates = outcomes.scores.map((row) => row.reduce((sum, score) => sum + score, 0) / row.length);
  const head = [
    'known',
    'attempts are spent on',
    ...['recorded', 'assumed'].flatMap((where) => [
      `${where}: attempts at nothing, +20, +40`,
      `${where}: +20, +40 found`,
      `${where}: broken accepted`,
    ]),
  ];
  const rows = [5, 20].flatMap((known) => {
    const measured = allocations.map((allocation) =>
      [rates, undefined].map((fixed) =>
        edits.map((edit) => cell(allocation, { rates: fixed, n: rates.length, edit, known, runs })),
      ),
    );
    return allocations.map(({ name }, at) =>
      line([
        String(known),
        name,
        ...(measured[at] ?? []).flatMap((cells, where) => cellsOf(cells, measured[0]?.[where] ?? [])),
      ]),
    );
  });
  const note = `${runs} certifications a figure, seed (2, known, edit, rates), the same outcomes for every allocation; in brackets what it saves. “Known”: earlier attempts at each task under the present text.`;
  return [line(head), line(head.map(() => '---')), ...rows, '', note].join('\n');
}

interface Cell {
  readonly accepted: number;
  readonly attempts: number;
}

function cell(
  allocation: Allocation,
  setting: {
    readonly rates: readonly number[] | undefined;
    readonly n: number;
    readonly edit: Edit;
    readonly known: number;
    readonly runs: number;
  },
): Cell {
  const { rates, n, edit, known, runs } = setting;
  const random = seeded(2, known, edits.indexOf(edit), rates === undefined ? 1 : 0);
  let accepted = 0;
  let attempts = 0;
  for (let run = 0; run < runs; run++) {
    const before = rates ?? drawTasks(random, n, () => 0).map((task) => task.before);
    const tasks = edited(before, edit);
    const kinds = tasks.map((task) => knownOf(random, task.before, known));
    // Ten passes are drawn whatever becomes of them: every allocation sees the same.
    const columns = Array.from({ length: 10 }, () => attemptPass(random, tasks));
    const outcome = certify(allocation, kinds, columns);
    accepted += outcome.accepted ? 1 : 0;
    attempts += outcome.attempts;
  }
  return { accepted: accepted / runs, attempts: attempts / runs };
}

function edited(before: readonly number[], edit: Edit): readonly SimulatedTask[] {
  if (edit !== 'broken') return before.map((rate) => ({ before: rate, after: clip(rate + edit / 100) }));
  // Where nothing was recorded the first three tasks are made such that always pass.
  const settled = before.includes(1) ? before.map((rate) => rate === 1) : before.map((_, task) => task < 3);
  return before.map((rate, task) =>
    settled[task] === true ? { before: 1, after: 0 } : { before: rate, after: clip(rate + 0.4) },
  );
}

function knownOf(random: Random, rate: number, attempts: number): Known {
  let passed = 0;
  for (let attempt = 0; attempt < attempts; attempt++) passed += random() < rate ? 1 : 0;
  return passed === attempts ? 'passed' : passed === 0 ? 'failed' : 'varies';
}

/** One certification by the gate's own test, limits and veto; what is not attempted counts as a tie. */
function certify(
  allocation: Allocation,
  kinds: readonly Known[],
  columns: readonly (readonly PairResult[])[],
): { readonly accepted: boolean; readonly attempts: number } {
  const today = startCertification({ n: kinds.length, grid: 1 }).settings.plan;
  const plan = { ...today, maxPasses: allocation.passes, futility: allocation.futility ?? today.futility };
  let test = startSequentialTest(kinds.length);
  let tallies = kinds.map(() => emptyTally);
  let attempts = 0;
  const take = (column: readonly PairResult[], how: (known: Known) => ReturnType<Allocation['attempts']>) => {
    const seen = column.map((pair, task) => outcomeOf(pair, how(kinds[task] ?? 'varies')));
    attempts += seen.reduce((sum, each) => sum + each.attempts, 0);
    tallies = tallies.map((tally, task) => addToTally(tally, seen[task]?.pair ?? { task, before: 0, after: 0 }, 1));
    return seen.map(({ difference }, task) => difference * (allocation.weight?.(kinds[task] ?? 'varies') ?? 1));
  };
  const breaks = (): boolean => kinds.some((known, task) => known === 'passed' && isWorse(tallies[task] ?? emptyTally));
  for (let pass = 1; pass <= allocation.passes; pass++) {
    const column = columns[pass - 1] ?? [];
    test = stepSequentialTest(
      plan,
      test,
      take(column, (known) => allocation.attempts(known, pass)),
    );
    if (isShown(plan, test)) {
      if (allocation.atTheEnd === true) {
        const settled = columns
          .slice(0, twoPasses)
          .map((each) => take(each, (known) => (known === 'passed' ? 'both' : 'none')));
        const byTask = test.byTask.map((sum, task) => settled.reduce((total, each) => total + (each[task] ?? 0), sum));
        return { accepted: isShown(plan, { ...test, byTask }) && !breaks(), attempts };
      }
      if (allocation === allocations[0] || !breaks()) return { accepted: true, attempts };
    }
    if (isFutile(plan, test)) break;
  }
  return { accepted: false, attempts };
}

function outcomeOf(pair: PairResult, how: ReturnType<Allocation['attempts']>) {
  const tie = { pair: { ...pair, before: 0, after: 0 }, difference: 0 };
  if (how === 'none') return { ...tie, attempts: 0 };
  if (how === 'candidate' && pair.after === 1) return { ...tie, attempts: 1 };
  return { pair, difference: Number(pair.after) - Number(pair.before), attempts: 2 };
}

function cellsOf(cells: readonly Cell[], today: readonly Cell[]): readonly string[] {
  const [nothing, twenty, forty, broken] = cells;
  const attempts = [nothing, twenty, forty].map((each, at) => {
    const saved = 100 * (1 - (each?.attempts ?? 0) / (today[at]?.attempts ?? 1));
    return `${each?.attempts.toFixed(0)} (${saved.toFixed(0)} %)`;
  });
  const percent = (each: Cell | undefined, digits: number): string =>
    `${(100 * (each?.accepted ?? 0)).toFixed(digits)} %`;
  return [attempts.join(', '), `${percent(twenty, 1)}, ${percent(forty, 1)}`, percent(broken, 2)];
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
