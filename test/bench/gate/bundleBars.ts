import { runBundles, type BundleResult } from './bundle.js';
import { hold, type Finding, type Measured, type Scale } from './finding.js';

/** What attribution may spend by default in a run of this size. */
const bounded = 80;

/** Runs of the rows that show something plain. */
const fewer = 10;

interface GroupFindings {
  readonly cells: readonly never[];
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

/**
 * Bundles of four edits on 20 training and 20 held-out tasks: as attribution does without a bound, and within the one that
 * holds by default. Less is chosen within it, and no harmful edit gets through more often.
 */
export function bundles(scale: Scale): GroupFindings {
  const bad = rowOf([0.12, 0.12, 0.12, -0.2], scale.bundles, scale.bundles);
  const small = rowOf([0.12, 0.12, 0.12, -0.1], scale.bundles / 2, scale.bundles / 2);
  const none = rowOf([0, 0, 0, 0], scale.bundles, scale.bundles / 4);
  const together = [undefined, bounded].map((mostCalls) => neededTogether(scale, mostCalls));
  return {
    cells: [],
    findings: [
      ...freeFindings(scale, bad.free, none.free),
      ...heldFindings(scale, { bad, small, none }),
      ...together.map(({ finding }) => finding),
    ],
    notes: [
      ...notesOf(names.bad, bad),
      ...notesOf(names.small, small),
      ...notesOf('four useless edits', none),
      ...together.map(({ note }) => note),
    ],
  };
}

const names = {
  bad: '20 + 20 tasks, edits at +12, +12, +12 and -20',
  small: '20 + 20 tasks, edits at +12, +12, +12 and -10',
};

function rowOf(effects: readonly number[], freeRuns: number, heldRuns: number): Row {
  const [n, free, held] = [20, Math.ceil(freeRuns), Math.ceil(heldRuns)];
  return {
    free: runBundles({ runs: free, n, effects }),
    held: runBundles({ runs: held, n, effects, mostCalls: bounded }),
  };
}

interface Row {
  readonly free: BundleResult;
  readonly held: BundleResult;
}

function freeFindings(scale: Scale, bad: BundleResult, none: BundleResult): readonly Finding[] {
  const name = names.bad;
  return [
    hold(`${name}: the right three certified`, share(bad.rightCertified, bad), ['at least', 0.97], scale),
    hold(`${name}: passes`, { value: bad.passes, runs: bad.runs, unit: 'passes' }, ['at most', 13], scale),
    hold('four useless edits: certified', share(none.certified, none), ['at most', 0.0125], scale),
  ];
}

/** A harmful edit of 20 points is certified in hardly any run either way; one of 10 no more often than without a bound. */
function heldFindings(
  scale: Scale,
  rows: { readonly bad: Row; readonly small: Row; readonly none: Row },
): readonly Finding[] {
  const { bad, small, none } = rows;
  const within = `within ${bounded} calls`;
  const more = Math.max(0, small.held.harmfulCertified - small.free.harmfulCertified);
  const made = Math.max(...[bad, small, none].map(({ held }) => held.mostMade));
  return [
    hold(
      `${names.bad}, ${within}: the harmful one certified`,
      share(bad.held.harmfulCertified, bad.held),
      ['at most', 0.001],
      scale,
    ),
    hold(
      `${names.bad}, ${within}: something certified`,
      share(bad.held.certified, bad.held),
      ['at least', 0.55],
      scale,
    ),
    hold(
      `${names.small}, ${within}: the harmful one certified more often`,
      share(more, small.held),
      ['at most', 0.002],
      scale,
    ),
    hold(`four useless edits, ${within}: certified`, share(none.held.certified, none.held), ['at most', 0.0125], scale),
    hold(
      `four edits, ${within}: calls`,
      { value: made, runs: Number.POSITIVE_INFINITY, unit: 'passes' },
      ['at most', bounded],
      scale,
    ),
  ];
}

/** Tasks that hardly ever pass, and nearly always with the first edit and any one of the others. */
function worth(kept: readonly number[]): number {
  return kept.includes(0) && kept.length > 1 ? 0.9 : 0;
}

function neededTogether(scale: Scale, mostCalls: number | undefined) {
  const effects = [0.9, 0.9, 0.9, 0.9];
  const result = runBundles({
    runs: Math.ceil(scale.bundles / fewer),
    n: 20,
    effects,
    worth,
    rate: 0.05,
    ...(mostCalls === undefined ? {} : { mostCalls }),
  });
  const name = `20 + 20 tasks, +90 with the first of four edits and any other${mostCalls === undefined ? '' : `, within ${mostCalls} calls`}`;
  return {
    finding: hold(`${name}: certified`, share(result.certified, result), ['at least', 0.97], scale),
    note: `${name}: certified ${percent(result.certified)}, ${result.calls.toFixed(0)} calls`,
  };
}

function notesOf(name: string, { free, held }: Row): readonly string[] {
  return [
    `${name}: right ones chosen ${percent(free.rightChosen)}, certified ${percent(free.rightCertified)}, ${figures(free)}; strict gate on the whole bundle: accepted ${percent(free.strictAccepted)}, a bad edit with it`,
    `${name}, within ${bounded} calls: right ones certified ${percent(held.rightCertified)}, ${figures(held)}`,
  ];
}

function figures({ certified, harmfulCertified, gain, calls, passes }: BundleResult): string {
  return `anything certified ${percent(certified)}, a harmful one with it ${percent(harmfulCertified)}, ${(100 * gain).toFixed(1)} points on average, ${calls.toFixed(0)} calls, ${passes.toFixed(1)} passes`;
}

function share(value: number, { runs }: BundleResult): Measured {
  return { value, runs, unit: 'share' };
}

function percent(value: number): string {
  return `${(100 * value).toFixed(2)} %`;
}
