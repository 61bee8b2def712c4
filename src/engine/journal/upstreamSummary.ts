import { metricScore } from '../../gate/statistics/scores.js';
import type { RunOptions } from '../runOptions.js';
import type { AttemptEvent } from './attemptEvent.js';
import { hardOf } from './attemptRow.js';
import { firstOrigins, originsAfter, upstreamHash, type TextOrigin } from './upstreamWords.js';
import type { RunEvent, Stage } from './runEvents.js';
import type { RunSummary, StepSummary } from './runSummary.js';
import { sealedAttempts } from './sideAttempts.js';
import { mean } from './taskFigures.js';

type Json = Readonly<Record<string, unknown>>;

/** A run that has come to its end, as far as its sums need it. */
export interface EndedRun {
  readonly events: readonly RunEvent[];
  readonly summary: RunSummary;
  readonly options: Pick<RunOptions, 'gate'>;
  /** Of the skill as it was. */
  readonly baseHash: string;
}

/**
 * What the summaries of the paper's trainer and of `skillrl` say of a run, under their names. What was not measured is
 * null. Scores of selection are over the held-out tasks that a text was tried on.
 */
export function upstreamSummary(run: EndedRun): Json {
  const { summary, events, baseHash } = run;
  const last = endOf(run);
  const baseline = selectionMeans(events, baseHash);
  const wall = Math.round(summary.workedMs / 100) / 10;
  return {
    ...counts(summary.steps),
    best_step: last.best.step,
    best_origin: last.best.origin,
    current_origin: last.current.origin,
    baseline_selection_score: last.baselineScore,
    baseline_selection_hard: baseline.hard,
    best_selection_score: last.best.score,
    best_selection_hard: selectionMeans(events, last.best.hash).hard,
    current_selection_score: last.current.score,
    final_selection_hard: selectionMeans(events, last.current.hash).hard,
    final_selection_soft: selectionMeans(events, last.current.hash).soft,
    ...testScores(run),
    epoch_stats: epochStats(summary.steps),
    initial_skill_hash: upstreamHash(baseHash),
    best_skill_hash: upstreamHash(last.best.hash),
    wall_time_s: wall,
    total_wall_time_s: wall,
    token_summary: Object.fromEntries(
      Object.entries(summary.stages).map(([stage, { calls, tokens }]) => [stage, { calls, total_tokens: tokens }]),
    ),
  };
}

function counts(steps: readonly StepSummary[]): Json {
  return { total_steps: steps.length, ...Object.fromEntries(tally(steps).map(([what, n]) => [`total_${what}`, n])) };
}

function tally(steps: readonly StepSummary[]): readonly (readonly [string, number])[] {
  const counted = (is: (action: string) => boolean): number => steps.filter(({ action }) => is(action)).length;
  return [
    ['accepts', counted((action) => action.includes('accept'))],
    ['rejects', counted((action) => action === 'reject')],
    ['skips', counted((action) => action.startsWith('skip'))],
  ];
}

function epochStats(steps: readonly StepSummary[]): readonly Json[] {
  return [...new Set(steps.map(({ epoch }) => epoch))].map((epoch) => {
    const own = steps.filter((step) => step.epoch === epoch);
    const last = own.at(-1);
    return {
      epoch,
      steps: own.map(({ step }) => step),
      ...Object.fromEntries(tally(own)),
      best_score_at_epoch_end: last?.bestScore ?? null,
      current_score_at_epoch_end: last?.currentScore ?? null,
    };
  });
}

interface BestText extends TextOrigin {
  readonly score: number | null;
}

/** The best text and the one that the run went on with, each with where it came from. */
function endOf({ events, baseHash, options: { gate } }: EndedRun): {
  readonly best: BestText;
  readonly current: BestText;
  readonly baselineScore: number | null;
} {
  const means = selectionMeans(events, baseHash);
  const known = means.hard === null || means.soft === null ? undefined : { hard: means.hard, soft: means.soft };
  const baselineScore = known === undefined ? null : (metricScore(known, gate.metric, gate.mixedWeight) ?? null);
  let origins = firstOrigins(baseHash);
  let scores: Scores = [baselineScore, baselineScore];
  for (const event of events) {
    if (event.kind !== 'step-ended' && event.kind !== 'slow-update') continue;
    scores = scoresAfter(event, ...scores);
    origins = originsAfter(origins, event);
  }
  const [bestScore, currentScore] = scores;
  return {
    best: { ...origins.best, score: bestScore },
    current: { ...origins.current, score: currentScore },
    baselineScore,
  };
}

type Scores = readonly [best: number | null, current: number | null];
function scoresAfter(
  event: Extract<RunEvent, { kind: 'step-ended' | 'slow-update' }>,
  best: number | null,
  current: number | null,
): Scores {
  if (event.kind === 'step-ended') return [event.bestScore ?? null, event.currentScore ?? null];
  const after = event.after ?? null;
  const isNew = event.currentHash === event.candidateHash;
  return [event.bestHash === event.candidateHash ? after : best, isNew ? after : current];
}

const selecting: ReadonlySet<Stage> = new Set(['baseline', 'evaluate', 'slow-update']);

interface Means {
  readonly hard: number | null;
  readonly soft: number | null;
}

function selectionMeans(events: readonly RunEvent[], hash: string): Means {
  return meansOf(
    events
      .filter((event) => event.kind === 'attempt')
      .filter(({ stage, skillHash }) => selecting.has(stage) && skillHash === hash),
  );
}

/** Plain means over the attempts that were scored, a share for `hard` as it was given. */
export function meansOf(attempts: readonly AttemptEvent[]): Means & { readonly n: number } {
  const scored = attempts.map(({ outcome }) => outcome).filter((outcome) => outcome.kind === 'scored');
  return { hard: mean(scored.map(hardOf)), soft: mean(scored.map(({ soft }) => soft)), n: scored.length };
}

function testScores({ events, baseHash }: EndedRun): Json {
  const sealed = sealedAttempts(events, baseHash);
  const [before, after] = [meansOf(sealed.before), meansOf(sealed.after)];
  const delta = before.hard === null || after.hard === null ? null : Number((after.hard - before.hard).toFixed(6));
  return {
    baseline_test_hard: before.hard,
    baseline_test_soft: before.soft,
    test_hard: after.hard,
    test_soft: after.soft,
    test_delta_hard: delta,
  };
}
