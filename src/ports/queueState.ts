/** What a person sees of a queue. */
export interface QueueState {
  readonly workers: readonly WorkerState[];
  /** How many workers are there that were given another secret, where there are any. */
  readonly otherSecret?: number | undefined;
  /** How many are there whose clock is far behind the one of this machine, where there are any: they do not count. */
  readonly otherClock?: number | undefined;
  readonly lanes: readonly LaneState[];
  /** The newest last. */
  readonly failures: readonly FailedJob[];
}

export interface WorkerState {
  readonly name: string;
  readonly startedAt: number;
  /** Jobs of each role and model at a time. */
  readonly concurrency: number;
  readonly lanes: readonly WorkerLane[];
  /** The programs that it runs, by what it knows them by; or why it runs none. */
  readonly programs?: readonly string[] | undefined;
  readonly noPrograms?: string | undefined;
  /** How many jobs it refused, by reason. */
  readonly refused: Readonly<Record<string, number>>;
}

/** What a worker does for one role and model. */
export interface WorkerLane {
  readonly role: string;
  readonly environment: string;
  readonly model: string;
  /** Host and port, where the server is the person's own: the same name is another model at another address. */
  readonly server?: string | undefined;
  readonly active: number;
  readonly answered: number;
  readonly failed: number;
}

/** The jobs of one role and model. */
export interface LaneState {
  readonly role: string;
  readonly environment: string;
  readonly model: string;
  readonly server?: string | undefined;
  readonly workers: number;
  readonly waiting: number;
  readonly active: number;
  /** Jobs that workers lost or refused, of the last hour. */
  readonly failed: number;
  readonly answeredLastMinute: number;
}

export interface FailedJob {
  readonly at: number;
  readonly job: string;
  readonly worker: string;
  readonly model: string;
  readonly why: string;
}
