import { compareStrictly, decideEarly, lowerScores, type StrictPair } from '../../gate/statistics/strictRule.js';
import type { HeldOutTask } from '../../tasks/task.js';
import { meanScore, pairScores, type Attempt, type Metric, type Rollout } from './attempts.js';
import { storedText, type Candidate, type DocumentSlot, type TargetInput } from '../candidate.js';
import { askingAhead, onceEach } from '../askAhead.js';
import type { Spare } from '../concurrently.js';
import { sha256 } from '../../hash.js';
import type { Selection } from './gate.js';
import { rollOut } from './rollOut.js';
import type { RunContext } from '../runContext.js';
import type { Stage } from '../journal/runEvents.js';

/** A wave smaller than this saves a call or two and costs a whole round trip. */
const smallestWave = 2;
const sameScore = 1e-9;

type At = { readonly stage: Stage; readonly step: number };
type Rollouts = readonly Rollout<HeldOutTask>[];
type KnownRollouts = Map<string, Map<string, Rollout<HeldOutTask>>>;

/** The run's held-out scores, one attempt a task and text, remembered by content: no text is evaluated twice. */
export class HeldOutScores {
  readonly #context: RunContext;
  readonly #tasks: readonly HeldOutTask[];
  readonly #slot: DocumentSlot;
  readonly #known: KnownRollouts;
  readonly #stage: Stage;
  readonly #keys = new WeakMap<Candidate, string>();

  constructor(
    context: RunContext,
    tasks: readonly HeldOutTask[],
    slot: DocumentSlot,
    { known = new Map(), stage = 'evaluate' }: { readonly known?: KnownRollouts; readonly stage?: Stage } = {},
  ) {
    this.#context = context;
    this.#tasks = tasks;
    this.#slot = slot;
    this.#known = known;
    this.#stage = stage;
  }

  /** The same scores for candidates of another document: what was evaluated under one stays known under the other. */
  forSlot(slot: DocumentSlot): HeldOutScores {
    return new HeldOutScores(this.#context, this.#tasks, slot, { known: this.#known });
  }

  /** The same scores; what is attempted for a comparison is written down in that stage. */
  inStage(stage: Stage): HeldOutScores {
    return new HeldOutScores(this.#context, this.#tasks, this.#slot, { known: this.#known, stage });
  }

  /** Every held-out task under this text; what is known already is not attempted again. `spare`: for idle places. */
  async complete(candidate: Candidate, at: At, signal: AbortSignal, spare?: Spare): Promise<Rollouts> {
    const open = this.#open(candidate);
    if (open.length > 0) await this.#evaluate(candidate, { tasks: open, spare }, at, signal);
    return this.rollouts(candidate);
  }

  /** What is known of a text, in the order of the tasks. */
  rollouts(candidate: Candidate): Rollouts {
    const known = this.#of(candidate);
    return this.#tasks.flatMap((task) => known.get(task.id) ?? []);
  }

  /** The mean over the tasks that this text was tried on and could be scored in, and how many they are. */
  scored(candidate: Candidate): { readonly score: number | undefined; readonly tasks: number } {
    const scores = this.#tasks.map((task) => this.#score(candidate, task)).filter((score) => score !== undefined);
    const sum = scores.reduce((total, score) => total + score, 0);
    return { score: scores.length === 0 ? undefined : sum / scores.length, tasks: scores.length };
  }

  /**
   * Compares by the strict rule, in waves that grow, and stops once the open tasks cannot change the answer. Equal means
   * equal to the last task, and no partial score lower: only then may an edit stay as a working branch.
   */
  async compare(current: Candidate, candidate: Candidate, step: number, signal: AbortSignal): Promise<Selection> {
    const at = { stage: this.#stage, step };
    const rest = () => onceEach(this.#open(candidate), this.#plan(candidate, at));
    await askingAhead(this.#context, () => this.complete(current, at, signal), rest, signal);
    for (let least = smallestWave; ; least *= 2) {
      const open = this.#open(candidate);
      const outcome = this.#settled(current, candidate, open);
      if (outcome !== undefined) return this.#selection(current, candidate, { outcome, open });
      const tasks = open.slice(0, Math.max(least, this.#promisingWave(current, candidate, open)));
      const wave = (): Promise<void> => this.#evaluate(candidate, { tasks }, at, signal);
      await askingAhead(this.#context, wave, rest, signal);
    }
  }

  /** How a text compares with another on what is known of both; undefined where nothing is. Attempts nothing. */
  known(current: Candidate, candidate: Candidate): Selection['outcome'] | undefined {
    const { outcome, compared } = compareStrictly(this.#pairs(current, candidate));
    return compared === 0 ? undefined : outcome;
  }

  #open(candidate: Candidate): readonly HeldOutTask[] {
    return this.#tasks.filter((task) => !this.#of(candidate).has(task.id));
  }

  /** The outcome, as soon as no score of the open tasks can change it. */
  #settled(current: Candidate, candidate: Candidate, open: readonly HeldOutTask[]): Selection['outcome'] | undefined {
    const pairs = this.#pairs(current, candidate);
    const { noRegression } = this.#context.options.gate;
    const rest = open.map((task) => ({ before: this.#score(current, task) }));
    const { outcome, before, after, compared } = compareStrictly(pairs);
    if (decideEarly(pairs, rest, { noRegression }) === true) return 'higher';
    if (noRegression && lowerScores(pairs).length > 0) return 'lower';
    if (open.length === 0) return outcome === 'equal' && !this.#isPartlyLower(current, candidate) ? 'equal' : 'lower';
    const most = rest.reduce((sum, task) => sum + 1 - (task.before ?? 0), (after - before) * compared);
    return most < -sameScore ? 'lower' : undefined;
  }

  /** Between equals the partial scores tell a step in the right direction from one in the wrong. */
  #isPartlyLower(current: Candidate, candidate: Candidate): boolean {
    const partly: Metric = { metric: 'soft', mixedWeight: 1 };
    const pairs = this.#tasks.map((task) => this.#pair(current, candidate, task, partly));
    return compareStrictly(pairs).outcome === 'lower';
  }

  /** As many as would decide if all of them came out well. */
  #promisingWave(current: Candidate, candidate: Candidate, open: readonly HeldOutTask[]): number {
    const { noRegression } = this.#context.options.gate;
    const pairs = [...this.#pairs(current, candidate)];
    const at = open.findIndex((task, index) => {
      pairs.push({ before: this.#score(current, task), after: 1 });
      const rest = open.slice(index + 1).map((each) => ({ before: this.#score(current, each) }));
      return decideEarly(pairs, rest, { noRegression }) !== undefined;
    });
    return at < 0 ? open.length : at + 1;
  }

  #selection(
    current: Candidate,
    candidate: Candidate,
    { outcome, open }: { readonly outcome: Selection['outcome']; readonly open: readonly HeldOutTask[] },
  ): Selection {
    const { before, after, compared } = compareStrictly(this.#pairs(current, candidate));
    const measured = compared === 0 ? { before: undefined, after: undefined } : { before, after };
    const worse = outcome === 'lower' ? this.#vetoes(current, candidate) : [];
    return { outcome, ...measured, open: open.map(({ id }) => id), ...(worse.length === 0 ? {} : { worse }) };
  }

  /** The tasks that reject a candidate by themselves, where none may get worse. */
  #vetoes(current: Candidate, candidate: Candidate): readonly string[] {
    if (!this.#context.options.gate.noRegression) return [];
    const isLower = (task: HeldOutTask): boolean => lowerScores([this.#pair(current, candidate, task)]).length > 0;
    return this.#tasks.filter(isLower).map(({ id }) => id);
  }

  #pairs(current: Candidate, candidate: Candidate): readonly StrictPair[] {
    return this.#tasks
      .filter((task) => this.#of(candidate).has(task.id))
      .map((task) => this.#pair(current, candidate, task));
  }

  #pair(
    current: Candidate,
    candidate: Candidate,
    task: HeldOutTask,
    metric: Metric = this.#context.options.gate,
  ): StrictPair {
    const attemptOf = (text: Candidate): Attempt | undefined => this.#of(text).get(task.id)?.attempts[0];
    return pairScores(attemptOf(current), attemptOf(candidate), metric);
  }

  #score(candidate: Candidate, task: HeldOutTask): number | undefined {
    const rollout = this.#of(candidate).get(task.id);
    return rollout === undefined ? undefined : meanScore(rollout, this.#context.options.gate);
  }

  #plan(candidate: Candidate, at: At) {
    return { ...at, ...this.#slot(candidate), attempts: [1], family: `selection:${this.#context.options.train.seed}` };
  }

  async #evaluate(
    candidate: Candidate,
    { tasks, spare }: { readonly tasks: readonly HeldOutTask[]; readonly spare?: Spare | undefined },
    at: At,
    signal: AbortSignal,
  ): Promise<void> {
    this.#context.record({ kind: 'stage', ...at, planned: tasks.length });
    const rollouts = await rollOut(this.#context, tasks, { ...this.#plan(candidate, at), spare }, signal);
    for (const rollout of rollouts) this.#of(candidate).set(rollout.task.id, rollout);
  }

  #of(candidate: Candidate): Map<string, Rollout<HeldOutTask>> {
    const key = this.#keys.get(candidate) ?? keyOf(this.#slot(candidate));
    this.#keys.set(candidate, key);
    const known = this.#known.get(key) ?? new Map<string, Rollout<HeldOutTask>>();
    this.#known.set(key, known);
    return known;
  }
}

function keyOf({ skill, memory, files }: TargetInput): string {
  return sha256(JSON.stringify([storedText({ skill, ...(files === undefined ? {} : { files }) }), memory]));
}
