import type { TrainingTask } from '../../tasks/task.js';
import { lengthOf, type Candidate, type DocumentSlot, type Update } from '../candidate.js';
import type { FrontRow } from '../journal/frontEvents.js';
import { randomFor } from '../random.js';
import type { RunContext } from '../runContext.js';
import type { Rollout } from '../stages/attempts.js';
import { skippedStep, type GateEnd } from '../stages/gate.js';
import { rollOut } from '../stages/rollOut.js';
import { costsOf } from './choiceOptions.js';
import { bestOn, chooseBy, drawParent, frontOf, outcomeOn, scoreAmong, type MeasuredCandidate } from './front.js';
import { measured } from './measured.js';

/** What the front is kept on. */
interface FrontStart {
  readonly original: Candidate;
  readonly tasks: readonly TrainingTask[];
  readonly slot: DocumentSlot;
}

/** The step that made a candidate, and what it started from. */
interface MadeIn {
  readonly step: number;
  readonly parent: Candidate;
  /** The tasks that it learned from: they are tried first. */
  readonly batch: readonly TrainingTask[];
}

type Rollouts = readonly Rollout<TrainingTask>[];
type Pool = readonly [MeasuredCandidate, ...MeasuredCandidate[]];

/**
 * The candidates of a run by more than one measure, on training tasks alone: nothing of held-out tasks is spent on them. One
 * that is the best on some task stays a parent; one that another is as good as in everything drops out. Each text is tried
 * once on each task, and what a step learns from are those very attempts.
 */
export class TrainingFront {
  readonly #context: RunContext;
  readonly #start: FrontStart;
  readonly #rollouts = new Map<string, Rollouts>();
  readonly #steps = new Map<string, number>();
  #pool: Pool;

  constructor(context: RunContext, start: FrontStart) {
    this.#context = context;
    this.#start = start;
    this.#pool = [this.#measured(start.original)];
  }

  /** The original on every training task. */
  async begin(signal: AbortSignal): Promise<void> {
    const { original, tasks } = this.#start;
    await this.#try(original, tasks, 0, signal);
    this.#pool = [this.#measured(original)];
    this.#record({ step: 0, parent: original, batch: [] }, undefined);
  }

  /** The candidate that a step starts from, drawn with the seed of the run. */
  parent(step: number): Candidate {
    const random = randomFor('parent', this.#context.options.train.seed, step);
    return drawParent(this.#front(), random)?.candidate ?? this.#start.original;
  }

  /** The attempts that were made under a candidate at these tasks. */
  rollouts({ hash }: Candidate, tasks: readonly TrainingTask[]): Rollouts {
    const ids = new Set(tasks.map(({ id }) => id));
    return (this.#rollouts.get(hash) ?? []).filter(({ task }) => ids.has(task.id));
  }

  /** Every attempt so far, by the text that it was made under. */
  known(): readonly { readonly hash: string; readonly rollouts: Rollouts }[] {
    return [...this.#rollouts].map(([hash, rollouts]) => ({ hash, rollouts }));
  }

  /** The one that the rule names. */
  choice(): Candidate {
    return chooseBy(this.#context.options.choice.rule, this.#pool).candidate;
  }

  /** How a candidate did against the original. */
  outcome({ hash }: Candidate): ReturnType<typeof outcomeOn> {
    const found = this.#pool.find(({ candidate }) => candidate.hash === hash);
    return found && outcomeOn(this.#pool[0], found);
  }

  /** What one of them came to. */
  measuresOf(candidate: Candidate): FrontRow {
    return this.#row(this.#pool.find((each) => each.candidate.hash === candidate.hash) ?? this.#measured(candidate));
  }

  /** The candidates of the front with their measures, but for the original and the one that the rule names. */
  others(): readonly (FrontRow & { readonly candidate: Candidate })[] {
    const left = new Set([this.#start.original.hash, this.choice().hash]);
    return this.#front()
      .filter(({ candidate }) => !left.has(candidate.hash))
      .map((each) => ({ ...this.#row(each), candidate: each.candidate }));
  }

  /** Measures what a step made; it stays where it is on the front. What the run goes on with is what the rule names then. */
  async admit(made: MadeIn, updated: Update, signal: AbortSignal): Promise<GateEnd> {
    const before = this.choice();
    const { candidate } = updated;
    const skipped = skippedStep(made.parent, updated) ?? this.#seen(candidate);
    if (skipped !== undefined) {
      this.#record(made, undefined);
      return { ...skipped, current: before, selection: undefined };
    }
    await this.#try(candidate, made.batch, made.step, signal);
    const worse = this.#isWorseOn(made.batch, made.parent, candidate);
    if (!worse) {
      await this.#try(candidate, this.#start.tasks, made.step, signal);
      this.#steps.set(candidate.hash, made.step);
      this.#pool = [...this.#pool, this.#measured(candidate)];
    }
    this.#record(made, candidate);
    return { ...this.#decided(before, candidate, worse), current: this.choice(), selection: undefined };
  }

  #decided(before: Candidate, candidate: Candidate, worse: boolean): Pick<GateEnd, 'action' | 'why'> {
    if (worse) return { action: 'reject', why: 'the training tasks that it learned from scored lower' };
    if (this.choice().hash !== before.hash) return { action: 'accept_new_best', why: this.#whyChosen(before) };
    if (this.#front().some((each) => each.candidate.hash === candidate.hash))
      return { action: 'accept', why: 'it stays on the front: no other candidate is as good in everything' };
    return { action: 'reject', why: 'another candidate is as good on every training task and in every measure' };
  }

  #whyChosen(before: Candidate): string {
    const of = (hash: string) => this.#pool.find((each) => each.candidate.hash === hash);
    const [was, is] = [of(before.hash), of(this.choice().hash)];
    const outcome = was && is && outcomeOn(was, is);
    if (outcome === 'higher') return 'training tasks scored higher';
    const shorter = was !== undefined && is !== undefined && lengthOf(is.candidate) < lengthOf(was.candidate);
    return shorter && outcome === 'equal'
      ? 'training tasks scored the same, and the skill got shorter'
      : 'the rule of choice prefers it on training tasks';
  }

  #seen({ hash }: Candidate): Pick<GateEnd, 'action' | 'why'> | undefined {
    return this.#rollouts.has(hash) ? { action: 'skip_no_change', why: 'the same text was tried before' } : undefined;
  }

  /** Lower on the tasks that it learned from and the best on none of them: nothing more is spent on it. */
  #isWorseOn(batch: readonly TrainingTask[], parent: Candidate, candidate: Candidate): boolean {
    const on = (each: Candidate): MeasuredCandidate => this.#measured(each, this.rollouts(each, batch));
    const now = on(candidate);
    if (now.scores.size === 0) return true;
    const isBest = [...now.scores].some(([task, score]) =>
      this.#pool.every((each) => (each.scores.get(task) ?? 0) < score),
    );
    return !isBest && outcomeOn(on(parent), now) === 'lower';
  }

  async #try(candidate: Candidate, tasks: readonly TrainingTask[], step: number, signal: AbortSignal): Promise<void> {
    const known = this.#rollouts.get(candidate.hash) ?? [];
    const open = tasks.filter(({ id }) => !known.some(({ task }) => task.id === id));
    if (open.length === 0) return;
    const { attempts, seed } = this.#context.options.train;
    const numbers = Array.from({ length: attempts }, (_, index) => index + 1);
    const at = { stage: 'front' as const, step };
    this.#context.record({ kind: 'stage', ...at, planned: open.length * attempts });
    const plan = { ...at, ...this.#start.slot(candidate), attempts: numbers, family: `front:${seed}` };
    this.#rollouts.set(candidate.hash, [...known, ...(await rollOut(this.#context, open, plan, signal))]);
  }

  #measured(candidate: Candidate, rollouts = this.#rollouts.get(candidate.hash) ?? []): MeasuredCandidate {
    return measured(candidate, rollouts, this.#context.options.gate);
  }

  #front(): readonly MeasuredCandidate[] {
    return frontOf(this.#pool, costsOf(this.#context.options.choice));
  }

  #row(each: MeasuredCandidate): FrontRow {
    return {
      hash: each.candidate.hash,
      step: this.#steps.get(each.candidate.hash) ?? 0,
      ...scoreAmong(each, this.#pool),
      bestOn: bestOn(each, this.#pool).length,
      skillTokens: each.costs['skill-tokens'] ?? 0,
      answerTokens: each.costs['answer-tokens'],
      answerMs: each.costs['answer-time'],
    };
  }

  #record({ step, parent, batch }: MadeIn, candidate: Candidate | undefined): void {
    this.#context.record({
      kind: 'front',
      step,
      parentHash: parent.hash,
      tasks: batch.map(({ id }) => id),
      candidateHash: candidate?.hash,
      candidate: candidate && this.measuresOf(candidate),
      choiceHash: this.choice().hash,
      rows: this.#front().map((each) => this.#row(each)),
    });
  }
}
