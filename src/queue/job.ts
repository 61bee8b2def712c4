import * as z from 'zod';
import { canonicalJson, sha256 } from '../hash.js';
import { parseJson } from '../parseJson.js';
import type { PhysicalCall } from '../ports/attemptRunner.js';
import type { ModelIdentity, ModelReply, ModelRequest } from '../ports/languageModel.js';
import { isHandoff } from '../models/handoff/handoffModel.js';
import { WorkLeft } from '../storage/runs/workLeft.js';
import type { Envelopes, Unopened } from './envelope.js';
import { CallFailure } from './callFailure.js';

/**
 * What is queued is one physical call. Jobs of one role, kind of work and model share a lane, a queue of their own: a
 * worker listens to the lanes that it was started for and never sees another job.
 */
export interface Lane {
  readonly role: QueuedRole;
  readonly environment: QueuedEnvironment;
  readonly model: ModelIdentity;
}

export const queuedRoles = ['target', 'judge'] as const;
export type QueuedRole = (typeof queuedRoles)[number];

/** `chat` is one answer to messages, whatever environment asks for it; `agent` is an agent at work in a folder. */
export const queuedEnvironments = ['chat', 'agent'] as const;
export type QueuedEnvironment = (typeof queuedEnvironments)[number];

export function laneName({ role, environment, model }: Lane): string {
  return `${role}-${environment}-${sha256(canonicalJson(model)).slice(0, 24)}`;
}

/**
 * The lane of a call; undefined for what stays on the machine that asks: the optimizer's calls, what people answer by
 * hand, and agents whose work is judged by programs there, for what judges them would tell them the answers.
 */
export function laneOf({ model, request }: Pick<PhysicalCall, 'model' | 'request'>): Lane | undefined {
  const { role, work } = request;
  if (role === 'optimizer' || isHandoff(model)) return undefined;
  if (work === undefined) return { role, environment: 'chat', model };
  return work.judges.length > 0 ? undefined : { role, environment: 'agent', model };
}

/** The name of the reply and the number of the try, within a run: two runs share no job. */
export function jobId(runId: string, key: string, tryNumber: number): string {
  return `${sha256(runId).slice(0, 12)}.${key}.${tryNumber}`;
}

const Identity = z.object({
  provider: z.string(),
  endpoint: z.string(),
  model: z.string(),
  simulated: z.boolean(),
  options: z.string().exactOptional(),
});

const ToolCall = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
const Schema = z.record(z.string(), z.unknown());

const Message = z.union([
  z.object({ role: z.enum(['system', 'user']), content: z.string() }),
  z.object({ role: z.literal('assistant'), content: z.string(), toolCalls: z.array(ToolCall).exactOptional() }),
  z.object({ role: z.literal('tool'), toolCallId: z.string(), content: z.string() }),
]);

/** Folders are named by the address of what is in them; programs that judge do not travel. */
const Work = z.object({
  fixture: z.string(),
  skill: z.object({ name: z.string(), files: z.string() }).exactOptional(),
  mode: z.enum(['offered', 'forced']),
  limits: z.object({ maxTokens: z.number(), maxTurns: z.number(), timeLimitMs: z.number() }),
  canaries: z
    .object({
      file: z.object({ path: z.string(), value: z.string() }),
      variable: z.object({ name: z.string(), value: z.string() }),
      host: z.string(),
    })
    .exactOptional(),
});
export type QueuedWork = z.infer<typeof Work>;

const Request = z.strictObject({
  role: z.enum(queuedRoles),
  messages: z.array(Message),
  maxOutputTokens: z.number(),
  thinkingTokens: z.number().exactOptional(),
  temperature: z.number().exactOptional(),
  tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: Schema })).exactOptional(),
  replySchema: z.object({ name: z.string(), schema: Schema }).exactOptional(),
  attempt: z.number(),
  dependsOn: z.array(z.string()).exactOptional(),
  timeoutMs: z.number().exactOptional(),
  restMs: z.number().exactOptional(),
  formless: z.literal(true).exactOptional(),
  work: Work.exactOptional(),
});

const Job = z.strictObject({
  version: z.literal(1),
  /** A result names it: one of another job with the same id is none. */
  nonce: z.string().min(16),
  lane: z.object({ role: z.enum(queuedRoles), environment: z.enum(queuedEnvironments), model: Identity }),
  request: Request,
  /** What other workers have learnt of the form that the server takes. */
  form: z.unknown().optional(),
});
export type Job = z.infer<typeof Job>;

/** A request as it travels: with the addresses of its folders in the place of their bytes. */
export function requestToSend({ work: _folders, again: _again, ...request }: ModelRequest, work?: QueuedWork): unknown {
  return work === undefined ? request : { ...request, work };
}

/** Why a worker does not run a job. */
export type Refusal = Unopened | 'malformed' | 'role' | 'model' | 'environment' | 'replayed';

export type ReadJob =
  | { readonly kind: 'job'; readonly job: Job; readonly runId: string; readonly expiresAt: number }
  | { readonly kind: 'refused'; readonly why: Refusal };

interface FoundJob {
  readonly id: string;
  /** The queue that it was taken from. */
  readonly lane: string;
  readonly now: number;
}

/** Opens a job for a worker that offers these lanes. All that is wrong with it is a refusal, and it never runs. */
export function readJob(
  sealed: unknown,
  at: FoundJob,
  { envelopes, offered }: { readonly envelopes: Envelopes; readonly offered: readonly Lane[] },
): ReadJob {
  const opened = envelopes.open(sealed, { kind: 'job', id: at.id, now: at.now });
  if (opened.kind === 'refused') return refuse(opened.why);
  const read = Job.safeParse(parseJson(opened.content.toString('utf8')));
  if (!read.success) return refuse('malformed');
  const why = unfit(read.data, at.lane, offered);
  const { runId, expiresAt } = opened.label;
  return why === undefined ? { kind: 'job', job: read.data, runId, expiresAt } : refuse(why);
}

function refuse(why: Refusal): ReadJob {
  return { kind: 'refused', why };
}

function unfit({ lane, request }: Job, found: string, offered: readonly Lane[]): Refusal | undefined {
  if (laneName(lane) !== found) return 'misplaced';
  const ofRole = offered.filter(({ role }) => role === lane.role);
  if (ofRole.length === 0 || request.role !== lane.role) return 'role';
  const isWork = request.work !== undefined;
  const ofKind = ofRole.filter(({ environment }) => environment === lane.environment);
  if (ofKind.length === 0 || isWork !== (lane.environment === 'agent')) return 'environment';
  return ofKind.some((each) => laneName(each) === found) ? undefined : 'model';
}

const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  exact: z.boolean(),
  usd: z.number().optional(),
  ms: z.number().optional(),
});

const Reply = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'tool-calls']),
  toolCalls: z.array(ToolCall).readonly(),
  usage: Usage,
  cached: z.boolean(),
  work: WorkLeft.optional(),
});

const Result = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reply'), nonce: z.string(), worker: z.string(), reply: Reply }),
  z.object({ kind: z.literal('failed'), nonce: z.string(), worker: z.string(), failure: CallFailure }),
]);
/** What a worker says of a job that it ran. */
export type Result =
  | { readonly kind: 'reply'; readonly nonce: string; readonly worker: string; readonly reply: ModelReply }
  | { readonly kind: 'failed'; readonly nonce: string; readonly worker: string; readonly failure: CallFailure };

interface FoundResult {
  readonly id: string;
  readonly runId: string;
  /** Undefined where an earlier process of the run queued the job and nobody knows it any more. */
  readonly nonce: string | undefined;
  readonly now: number;
}

/** Undefined where it is no result of this very job, whoever wrote it. */
export function readResult(
  sealed: unknown,
  { id, runId, nonce, now }: FoundResult,
  envelopes: Envelopes,
): Result | undefined {
  const opened = envelopes.open(sealed, { kind: 'result', id, runId, now });
  if (opened.kind === 'refused') return undefined;
  const read = Result.safeParse(parseJson(opened.content.toString('utf8')));
  return read.success && (nonce === undefined || read.data.nonce === nonce) ? read.data : undefined;
}
