import * as z from 'zod';
import type { ModelIdentity, ModelRequest } from '../../ports/languageModel.js';
import { CallFailure } from '../callFailure.js';
import { Reply } from '../job.js';

/**
 * What a window and the command line say to each other, a line of JSON each. The window has no part for queues: it keeps
 * the run, the money and the results, and hands physical calls to `whetstone queue --calls`, which knows the way to Redis.
 * Raised where one side would not understand the other.
 */
export const bridgeProtocol = 2;

const id = z.number();
const count = z.number();

const Model: z.ZodType<ModelIdentity> = z.object({
  provider: z.string(),
  endpoint: z.string(),
  model: z.string(),
  simulated: z.boolean(),
  options: z.string().optional(),
});

const TreeEntry = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), path: z.string(), bytes: z.string(), executable: z.boolean() }),
  z.object({ kind: z.literal('link'), path: z.string(), to: z.string() }),
]);

/** Ours, made by this very program in the window; a worker reads it again, strictly. */
const Request = z.custom<Omit<ModelRequest, 'work'>>(
  (value) => z.object({ role: z.string(), messages: z.array(z.unknown()) }).safeParse(value).success,
);

/** What the window says. */
export const BridgeQuestion = z.discriminatedUnion('kind', [
  /** A folder that agents start from, once; later calls name it by its hash, until it is said to be gone. */
  z.object({ kind: z.literal('tree'), hash: z.string(), entries: z.array(TreeEntry) }),
  z.object({
    kind: z.literal('call'),
    id,
    runId: z.string(),
    key: z.string(),
    model: Model,
    request: Request,
    work: z.unknown().optional(),
  }),
  z.object({ kind: z.literal('reach'), id, model: Model, role: z.enum(['target', 'optimizer', 'judge']) }),
  z.object({ kind: z.literal('look'), id }),
  z.object({ kind: z.literal('cancel'), id }),
]);
export type BridgeQuestion = z.infer<typeof BridgeQuestion>;

const Lane = z.object({
  role: z.string(),
  environment: z.string(),
  model: z.string(),
  server: z.string().optional(),
});
const WorkerLane = Lane.extend({ active: count, answered: count, failed: count });
const Worker = z.object({
  name: z.string(),
  startedAt: count,
  concurrency: count,
  lanes: z.array(WorkerLane).readonly(),
  programs: z.array(z.string()).readonly().optional(),
  noPrograms: z.string().optional(),
  refused: z.record(z.string(), count).readonly(),
});
const LaneState = Lane.extend({
  workers: count,
  waiting: count,
  active: count,
  failed: count,
  answeredLastMinute: count,
});
const FailedJob = z.object({ at: count, job: z.string(), worker: z.string(), model: z.string(), why: z.string() });
const State = z.object({
  workers: z.array(Worker).readonly(),
  otherSecret: count.optional(),
  otherClock: count.optional(),
  lanes: z.array(LaneState).readonly(),
  failures: z.array(FailedJob).readonly(),
});

/** What the command line says. */
export const BridgeMessage = z.discriminatedUnion('kind', [
  /** The first line: Redis is reached. The address is as it may be shown. */
  z.object({ kind: z.literal('ready'), protocol: z.number(), version: z.string(), shown: z.string() }),
  z.object({ kind: z.literal('reply'), id, reply: Reply }),
  z.object({ kind: z.literal('failed'), id, failure: CallFailure }),
  /** The call goes to no queue: the window makes it. */
  z.object({ kind: z.literal('here'), id }),
  /** A folder that the call names is not held any more: nothing was made of it, and it is asked again with all of them. */
  z.object({ kind: z.literal('again'), id }),
  /** It was cancelled, and may have been made. */
  z.object({ kind: z.literal('stopped'), id }),
  z.object({ kind: z.literal('reached'), id, isListed: z.boolean() }),
  z.object({ kind: z.literal('queue'), id, state: State }),
]);
export type BridgeMessage = z.infer<typeof BridgeMessage>;

/** One that answers a question. */
export type Answer = Extract<BridgeMessage, { readonly id: number }>;
