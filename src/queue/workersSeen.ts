import type { Redis } from 'ioredis';
import { FailedCall } from '../models/wrappers/failedCall.js';
import type { Clock } from '../ports/clock.js';
import type { Envelopes } from './envelope.js';
import { laneName, programLane, queuedEnvironments, type Lane } from './job.js';
import { queueGone, type RedisPulse } from './redisPulse.js';
import { modelName, ownServer, typedModel } from './told/modelNames.js';
import { readWorkers, type WorkersThere } from './workerCard.js';

interface SeenParts {
  readonly redis: Redis;
  readonly envelopes: Envelopes;
  readonly clock: Clock;
  readonly settings: { readonly patienceMs: number };
  readonly shown: string;
  readonly pulse: RedisPulse;
}

/** A lane, or every lane of a role and model. */
type LaneWish = Omit<Lane, 'environment'> & { readonly environment?: Lane['environment'] | undefined };

/** Who works on the queue, looked at once a second at most: nothing is queued for nobody. */
export class WorkersSeen {
  readonly #parts: SeenParts;
  #there: WorkersThere = { cards: [], otherSecret: 0, otherClock: 0 };
  #lookedAt = 0;
  #looking: Promise<WorkersThere> | undefined;
  #turn = 0;
  readonly #servedAt = new Map<string, number>();

  constructor(parts: SeenParts) {
    this.#parts = parts;
  }

  /** Waits for Redis where it is gone; throws where it stays so. */
  async connected(signal: AbortSignal): Promise<void> {
    const { redis, clock, settings, shown } = this.#parts;
    const since = clock.now();
    while (redis.status !== 'ready') {
      if (clock.now() - since > settings.patienceMs) throw queueGone(shown, 'not-sent');
      await clock.sleep(lookMs / 4, signal);
    }
  }

  /** Waits until somebody serves the lane; throws where nobody does for a while. */
  async waitFor(wanted: LaneWish, signal: AbortSignal): Promise<void> {
    const { clock, settings, shown } = this.#parts;
    const since = clock.now();
    while (!(await this.isServed(wanted, signal))) {
      if (clock.now() - since > settings.patienceMs) throw nobodyServes(wanted, shown, this.#there);
      await clock.sleep(lookMs, signal);
    }
  }

  async isServed(wanted: LaneWish, signal: AbortSignal): Promise<boolean> {
    await this.#look(signal);
    const lanes = (wanted.environment === undefined ? queuedEnvironments : [wanted.environment]).map((environment) =>
      laneName({ ...wanted, environment }),
    );
    return this.#there.cards.some((card) => card.lanes.some(({ lane }) => lanes.includes(lane)));
  }

  /** The lane of a worker that may run all of these programs, by their hashes: each in its turn. Undefined where there is none. */
  async laneWith(programs: readonly string[], signal: AbortSignal): Promise<Lane | undefined> {
    await this.#look(signal);
    const able = this.#there.cards.filter(({ programs: allowed = [] }) =>
      programs.every((hash) => allowed.includes(hash)),
    );
    this.#turn += 1;
    const card = able[this.#turn % able.length];
    return card === undefined ? undefined : programLane(card.programs ?? []);
  }

  /** For how long nobody has served the lane, by its name. */
  async unservedMs(lane: string, signal: AbortSignal): Promise<number> {
    await this.#look(signal);
    const now = this.#parts.clock.now();
    const isServed = this.#there.cards.some((card) => card.lanes.some((each) => each.lane === lane));
    if (isServed || !this.#servedAt.has(lane)) this.#servedAt.set(lane, now);
    return now - (this.#servedAt.get(lane) ?? now);
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { redis, envelopes, clock, pulse } = this.#parts;
    if (clock.now() - this.#lookedAt < lookMs) return;
    await this.connected(signal);
    this.#looking ??= readWorkers(redis, envelopes, clock.now()).finally(() => (this.#looking = undefined));
    this.#there = await pulse.within(this.#looking, 'not-sent');
    this.#lookedAt = clock.now();
  }
}

const lookMs = 1_000;
const unsent = { charged: false, sent: false } as const;

/** Says also why workers that are there do not count: another secret, another time, or the same name at another address. */
function nobodyServes({ role, model, environment }: LaneWish, shown: string, there: WorkersThere): FailedCall {
  const kind = environment === undefined || environment === 'chat' ? '' : ` --environments ${environment}`;
  const command = `whetstone worker --queue ${shown} --roles ${role}${kind} --model ${typedModel(model)}`;
  const server = ownServer(model);
  const name = server === undefined ? modelName(model) : `${modelName(model)} at ${server}`;
  const alike = there.cards
    .flatMap(({ lanes }) => lanes)
    .find((lane) => lane.role === role && lane.environment !== 'program' && lane.model === modelName(model));
  if (alike !== undefined && alike.server !== server)
    return failed(
      `No worker at ${shown} serves ${name} as ${role}: the one that is there asks it at ${alike.server ?? 'another address'}.`,
      `Name it on both sides in the same way, such as: ${command}; then resume the run.`,
    );
  if (there.otherSecret > 0)
    return failed(
      `No worker at ${shown} serves ${name} as ${role}; ${there.otherSecret} that were given another secret are there.`,
      'Give all machines the same file with the secret (--secret-file); then resume the run.',
    );
  if (there.otherClock > 0)
    return failed(
      `No worker at ${shown} serves ${name} as ${role}; ${there.otherClock} are there whose clock is more than a minute behind the one of this machine.`,
      'Set the clocks of all machines; then resume the run.',
    );
  return failed(`No worker at ${shown} serves ${name} as ${role}.`, `Start one: ${command}; then resume the run.`);
}

function failed(message: string, cure: string): FailedCall {
  return new FailedCall('endpoint', message, { ...unsent, cure });
}
