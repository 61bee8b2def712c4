import type { TrainingTask } from '../../tasks/task.js';
import type { Candidate, DocumentSlot } from '../candidate.js';
import type { Stage } from '../journal/runEvents.js';
import { randomFor, shuffled } from '../random.js';
import type { RunContext } from '../runContext.js';
import { meanScore, scoredAttempts, type Attempt, type Rollout } from '../stages/attempts.js';
import { failureEvidence, successEvidence } from '../stages/evidence.js';
import { hasFailed } from '../stages/attempts.js';
import { rollOut, trainingPlan } from '../stages/rollOut.js';

/** What became of a task between the two skills, in upstream's words. */
export type PairKind = 'improved' | 'regressed' | 'persistent_fail' | 'stable_success';

/** The same training task under the skill of an epoch's beginning and of its end. */
export interface EpochPair {
  readonly kind: PairKind;
  readonly before: Rollout<TrainingTask>;
  readonly after: Rollout<TrainingTask>;
}

/** Attempts that the epoch made already, and the text that they were made under. */
export interface KnownAttempts {
  readonly hash: string;
  readonly rollouts: readonly Rollout<TrainingTask>[];
}

/** Which two texts are compared, where in the run, and what is known of them. */
export interface EpochTexts {
  readonly epoch: number;
  /** The last step of the epoch. */
  readonly step: number;
  readonly first: Candidate;
  readonly last: Candidate;
  readonly slot: DocumentSlot;
  readonly tasks: readonly TrainingTask[];
  readonly known: readonly KnownAttempts[];
}

/**
 * The same tasks, sampled from the training side, under both texts. Where only some kinds of pairs are wanted and too few
 * of the sample are of them, more tasks take part, until there are as many as were to be sampled or no task is left. An
 * attempt that a step of the epoch made is not made again, and where the text did not change both sides are one. A task
 * without a score on either side is left out. Only training tasks fit in: others do not compile.
 */
export async function compareEpoch(
  context: RunContext,
  texts: EpochTexts,
  stage: Stage,
  signal: AbortSignal,
): Promise<readonly EpochPair[]> {
  const { samples, pairs: policy } = context.options.slowUpdate;
  const order = await comparedFirst(context, texts, signal);
  const isShown = ({ kind }: EpochPair): boolean => policies[policy].includes(kind);
  const pairs: EpochPair[] = [];
  let taken = 0;
  while (taken < order.length) {
    // Where all kinds are wanted, a task counts also where it could not be scored.
    const missing = samples - (policy === 'mixed' ? taken : pairs.filter(isShown).length);
    if (missing <= 0) break;
    const more = order.slice(taken, taken + missing);
    taken += more.length;
    pairs.push(...(await pairsOf(context, texts, { stage, tasks: more }, signal)));
  }
  await recordPairs(context, texts, { stage, pairs, isShown, leftOut: taken - pairs.length });
  return pairs.filter(isShown);
}

/** Those that environments say stand for the others, then the rest as the seed has them. */
async function comparedFirst(
  { hooks, options: { slowUpdate, train } }: RunContext,
  { tasks, epoch }: EpochTexts,
  signal: AbortSignal,
): Promise<readonly TrainingTask[]> {
  const order = shuffled(tasks, randomFor('slow-update', train.seed, epoch));
  const first = await hooks?.representatives?.(tasks, { epoch, count: slowUpdate.samples }, signal);
  return [...new Set([...(first ?? []), ...order])];
}

/** These tasks under both texts. */
async function pairsOf(
  context: RunContext,
  { epoch, step, first, last, slot, known }: EpochTexts,
  { stage, tasks }: { readonly stage: Stage; readonly tasks: readonly TrainingTask[] },
  signal: AbortSignal,
): Promise<readonly EpochPair[]> {
  const under = async (current: Candidate): Promise<readonly Rollout<TrainingTask>[]> => {
    const begun = { take: (task: { readonly id: string }) => attemptIn(known, current.hash, task.id) };
    const open = tasks.filter((task) => attemptIn(known, current.hash, task.id) === undefined);
    context.record({ kind: 'stage', stage, step, planned: open.length });
    const plan = { ...trainingPlan(context, { step, epoch, slot, current }), stage, attempts: [1], begun };
    return rollOut(context, tasks, plan, signal);
  };
  const before = await under(first);
  const after = first.hash === last.hash ? before : await under(last);
  return before.flatMap((rollout, index) => pairOf(context, rollout, after[index]));
}

const policies: Readonly<Record<'mixed' | 'changed' | 'unchanged', readonly PairKind[]>> = {
  mixed: ['regressed', 'persistent_fail', 'improved', 'stable_success'],
  changed: ['regressed', 'improved'],
  unchanged: ['persistent_fail', 'stable_success'],
};

function attemptIn(known: readonly KnownAttempts[], hash: string, task: string): Promise<Attempt> | undefined {
  const made = known
    .filter((each) => each.hash === hash)
    .flatMap(({ rollouts }) => rollouts.filter((rollout) => rollout.task.id === task))
    .flatMap(({ attempts }) => attempts)
    .find(({ number }) => number === 1);
  return made === undefined ? undefined : Promise.resolve(made);
}

const sameScore = 1e-9;

function pairOf(
  { options: { gate } }: RunContext,
  before: Rollout<TrainingTask>,
  after: Rollout<TrainingTask> | undefined,
): readonly EpochPair[] {
  const [from, to] = [meanScore(before, gate), after && meanScore(after, gate)];
  if (after === undefined || from === undefined || to === undefined) return [];
  if (to > from + sameScore) return [{ kind: 'improved', before, after }];
  if (to < from - sameScore) return [{ kind: 'regressed', before, after }];
  return [{ kind: hasFailed(after, gate) ? 'persistent_fail' : 'stable_success', before, after }];
}

interface ComparedPairs {
  readonly stage: Stage;
  readonly pairs: readonly EpochPair[];
  /** Whether the optimizer sees it. */
  readonly isShown: (pair: EpochPair) => boolean;
  readonly leftOut: number;
}

async function recordPairs(
  { texts, record }: RunContext,
  { epoch, step, first, last }: EpochTexts,
  { stage, pairs, isShown, leftOut }: ComparedPairs,
): Promise<void> {
  const rows = pairs.map((pair) => ({
    id: pair.before.task.id,
    category: pair.kind,
    prev: scoresOf(pair.before),
    curr: scoresOf(pair.after),
    ...(isShown(pair) ? {} : { shown: false }),
  }));
  const counted = (kind: PairKind): number => pairs.filter((pair) => pair.kind === kind).length;
  record({
    kind: 'epoch-compared',
    stage,
    epoch,
    step,
    firstHash: first.hash,
    lastHash: last.hash,
    improved: counted('improved'),
    regressed: counted('regressed'),
    persistentFail: counted('persistent_fail'),
    stableSuccess: counted('stable_success'),
    leftOut,
    textHash: await texts.put(JSON.stringify(rows, undefined, 2)),
  });
}

function scoresOf(rollout: Rollout<TrainingTask>): unknown {
  const [attempt] = scoredAttempts(rollout);
  return attempt && { hard: attempt.hard, soft: attempt.soft };
}

const titles: Readonly<Record<PairKind, string>> = {
  regressed: 'Got worse: the earlier skill did better',
  persistent_fail: 'Fail under both skills',
  improved: 'Got better: the later skill does better',
  stable_success: 'Pass under both skills',
};

/** What the optimizer is shown: what got worse first, the answers of all but what passes both times. */
export function pairsText(pairs: readonly EpochPair[], { options: { gate } }: Pick<RunContext, 'options'>): string {
  const shown = (rollout: Rollout<TrainingTask>): string =>
    (hasFailed(rollout, gate) ? failureEvidence : successEvidence)([rollout], gate);
  const parts = policies.mixed.map((kind) => {
    const own = pairs.filter((pair) => pair.kind === kind);
    if (own.length === 0) return '';
    const title = `# ${titles[kind]} (${own.length} of ${pairs.length} tasks)`;
    if (kind === 'stable_success') return `${title}\n\nTasks: ${own.map(({ after }) => after.task.id).join(', ')}.`;
    const texts = own.map(({ before, after }) =>
      kind === 'persistent_fail'
        ? shown(after)
        : `Under the earlier skill:\n\n${shown(before)}\n\nUnder the later skill:\n\n${shown(after)}`,
    );
    return [title, ...texts].join('\n\n');
  });
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The tasks whose attempts taught something. */
export function lessonsIn(pairs: readonly EpochPair[]): readonly string[] {
  return pairs.filter(({ kind }) => kind !== 'stable_success').map(({ after }) => after.task.id);
}
