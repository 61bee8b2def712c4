import type { Clock } from '../ports/clock.js';
import { refusedAs } from './told/jobLoss.js';
import { laneName, type Lane, type Refusal } from './job.js';
import { modelName, ownServer } from './told/modelNames.js';
import type { LaneCard, WorkerCard } from './workerCard.js';

type About = Pick<WorkerCard, 'id' | 'name' | 'concurrency' | 'programs' | 'noPrograms'>;

interface LaneWork {
  readonly lane: Lane;
  active: number;
  answered: number;
  failed: number;
  ms: number;
  /** How many jobs ended in each second of the last minute. */
  readonly ends: Map<number, number>;
}

/** What a worker did, as it says it of itself and as its metrics tell. */
export class WorkTally {
  readonly #about: About;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #startedAt: number;
  readonly #lanes: ReadonlyMap<string, LaneWork>;
  readonly #refused: Record<string, number> = {};
  #failures: WorkerCard['failures'] = [];

  constructor({ clock, ...about }: About & { readonly clock: Pick<Clock, 'now'> }, lanes: readonly Lane[]) {
    this.#about = about;
    this.#clock = clock;
    this.#startedAt = clock.now();
    const nothing = { active: 0, answered: 0, failed: 0, ms: 0 };
    this.#lanes = new Map(lanes.map((lane) => [laneName(lane), { lane, ...nothing, ends: new Map() }]));
  }

  begin(lane: string): void {
    const worked = this.#lanes.get(lane);
    if (worked !== undefined) worked.active += 1;
  }

  end(
    lane: string,
    { job, ms, failure }: { readonly job: string; readonly ms: number; readonly failure?: string | undefined },
  ): void {
    const worked = this.#lanes.get(lane);
    if (worked === undefined) return;
    worked.active -= 1;
    worked.ms += ms;
    worked[failure === undefined ? 'answered' : 'failed'] += 1;
    const second = Math.floor(this.#clock.now() / 1_000);
    worked.ends.set(second, (worked.ends.get(second) ?? 0) + 1);
    for (const old of worked.ends.keys()) if (second - old >= 60) worked.ends.delete(old);
    if (failure !== undefined) this.#note(lane, job, failure);
  }

  refuse(lane: string, job: string, why: Refusal): void {
    this.#refused[why] = (this.#refused[why] ?? 0) + 1;
    this.#note(lane, job, refusedAs(why));
  }

  card(): WorkerCard {
    const now = this.#clock.now();
    const lanes = [...this.#lanes].map(([name, worked]): LaneCard => {
      const { lane, active, answered, failed, ms, ends } = worked;
      const { role, environment, model } = lane;
      const server = ownServer(model);
      const lastMinute = inLastMinute(ends, now);
      return {
        lane: name,
        role,
        environment,
        model: modelName(model),
        ...(server === undefined ? {} : { server }),
        active,
        answered,
        failed,
        lastMinute,
        ms,
      };
    });
    return {
      ...this.#about,
      startedAt: this.#startedAt,
      at: now,
      lanes,
      refused: { ...this.#refused },
      failures: this.#failures,
    };
  }

  #note(lane: string, job: string, why: string): void {
    const entry = { at: this.#clock.now(), job, lane, why: why.slice(0, longestReason) };
    this.#failures = [...this.#failures, entry].slice(-failuresKept);
  }
}

const failuresKept = 10;
const longestReason = 300;

function inLastMinute(ends: ReadonlyMap<number, number>, now: number): number {
  const second = Math.floor(now / 1_000);
  return [...ends].filter(([at]) => second - at < 60).reduce((sum, [, count]) => sum + count, 0);
}
