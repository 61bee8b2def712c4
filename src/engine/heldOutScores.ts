import { compareStrictly, decideEarly, type StrictPair } from '../gate/strictRule.js';
import type { HeldOutTask } from '../tasks/task.js';
import { meanScore, type Metric, type Rollout } from './attempts.js';
import type { Candidate } from './candidate.js';
import { rollOut } from './rollOut.js';
import type { RunContext } from './runContext.js';
import type { Stage } from './runEvents.js';

/** How a candidate did against the current skill on the held-out tasks, by the strict rule. */
export interface Selection {
  readonly outcome: 'higher' | 'equal' | 'lower';
  readonly before: number;
  readonly after: number;
  /** Tasks that were not needed for the decision. */
  readonly open: readonly string[];
}

/** A wave smaller than this saves a call or two and costs a whole round trip. */
const smallestWave = 2;

/** The run's held-out scores, one attempt a task and text, remembered by content: no text is evaluated twice. */
export class HeldOutScores {
  readonly #context: RunContext;
  readonly #tasks: readonly HeldOutTask[];
  readonly #memory: string | undefined;
  readonly #known = new Map<string, Map<string, Rollout<HeldOutTask>>>();

  constructor(context: RunContext, tasks: readonly HeldOutTask[], memory: string | undefined) {
    this.#context = context;
    this.#tasks = tasks;
    this.#memory = memory;
  }

  /** Every held-out task under this text; what is known already is not attempted again. */
  async complete(
    candidate: Candidate,
    at: { readonly stage: Stage; readonly step: number },
    signal: AbortSignal,
  ): Promise<readonly Rollout<HeldOutTask>[]> {
    const open = this.#tasks.filter((task) => !this.#of(candidate).has(task.id));
    if (open.length > 0) await this.#evaluate(candidate, open, at, signal);
    return this.rollouts(candidate);
  }

  /** What is known of a text, in the order of the tasks. */
  rollouts(candidate: Candidate): readonly Rollout<HeldOutTask>[] {
    const known = this.#of(candidate);
    return this.#tasks.flatMap((task) => known.get(task.id) ?? []);
  }

  /** Compares by the strict rule, and stops once the open tasks cannot change the answer. */
  async compare(current: Candidate, candidate: Candidate, step: number, signal: AbortSignal): Promise<Selection> {
    const at = { stage: 'evaluate' as const, step };
    await this.complete(current, at, signal);
    for (;;) {
      const open = this.#tasks.filter((task) => !this.#of(candidate).has(task.id));
      const decided = this.#decided(current, candidate, open);
      if (decided !== undefined || open.length === 0) return this.#selection(current, candidate, open);
      await this.#evaluate(candidate, open.slice(0, this.#waveSize(current, candidate, open)), at, signal);
    }
  }

  #decided(current: Candidate, candidate: Candidate, open: readonly HeldOutTask[]): boolean | undefined {
    const { noRegression } = this.#context.options.gate;
    return decideEarly(
      this.#pairs(current, candidate),
      open.map((task) => ({ before: this.#score(current, task) })),
      { noRegression },
    );
  }

  /** As many as would decide if all of them came out well. */
  #waveSize(current: Candidate, candidate: Candidate, open: readonly HeldOutTask[]): number {
    const pairs = [...this.#pairs(current, candidate)];
    for (const [index, task] of open.entries()) {
      pairs.push({ before: this.#score(current, task), after: 1 });
      const rest = open.slice(index + 1).map((each) => ({ before: this.#score(current, each) }));
      if (decideEarly(pairs, rest, { noRegression: this.#context.options.gate.noRegression }) !== undefined) {
        return Math.max(smallestWave, index + 1);
      }
    }
    return open.length;
  }

  #selection(current: Candidate, candidate: Candidate, open: readonly HeldOutTask[]): Selection {
    const { outcome, before, after } = compareStrictly(this.#pairs(current, candidate));
    // Decided early and not higher: with the open tasks it could at best be equal, and nothing asks which.
    const decided = outcome !== 'higher' && open.length > 0 ? 'lower' : outcome;
    const vetoed = decided === 'higher' && this.#decided(current, candidate, open) === false;
    return { outcome: vetoed ? 'lower' : decided, before, after, open: open.map((task) => task.id) };
  }

  #pairs(current: Candidate, candidate: Candidate): readonly StrictPair[] {
    return this.#tasks
      .filter((task) => this.#of(candidate).has(task.id))
      .map((task) => ({ before: this.#score(current, task), after: this.#score(candidate, task) }));
  }

  #score(candidate: Candidate, task: HeldOutTask): number | undefined {
    const metric: Metric = this.#context.options.gate;
    const rollout = this.#of(candidate).get(task.id);
    return rollout === undefined ? undefined : meanScore(rollout, metric);
  }

  async #evaluate(
    candidate: Candidate,
    tasks: readonly HeldOutTask[],
    at: { readonly stage: Stage; readonly step: number },
    signal: AbortSignal,
  ): Promise<void> {
    this.#context.record({ kind: 'stage', ...at, planned: tasks.length });
    const family = `selection:${this.#context.options.train.seed}`;
    const plan = { ...at, skill: candidate.text, memory: this.#memory, attempts: [1], family };
    const rollouts = await rollOut(this.#context, tasks, plan, signal);
    for (const rollout of rollouts) this.#of(candidate).set(rollout.task.id, rollout);
  }

  #of(candidate: Candidate): Map<string, Rollout<HeldOutTask>> {
    const known = this.#known.get(candidate.hash) ?? new Map<string, Rollout<HeldOutTask>>();
    this.#known.set(candidate.hash, known);
    return known;
  }
}
