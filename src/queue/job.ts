import * as z from 'zod';
import { canonicalJson, sha256 } from '../hash.js';
import { parseJson } from '../parseJson.js';
import type { PhysicalCall } from '../ports/attemptRunner.js';
import type { ModelIdentity, ModelReply, ModelRequest } from '../ports/languageModel.js';
import { isHandoff } from '../models/handoff/handoffModel.js';
import type { ProgramResult } from '../ports/programs.js';
import { ProgramEnd, WorkLeft } from '../storage/runs/workLeft.js';
import { unopened, type Envelopes } from './envelope.js';
import { CallFailure } from './callFailure.js';
import { judgingForm, LeftForm, programForm } from './programForm.js';

/**
 * What is queued is one physical call, or one start of a program. Jobs of one role, kind of work and model share a lane, a queue of their own: a
 * worker listens to the lanes that it was started for and never sees another job.
 */
export interface Lane {
  readonly role: QueuedRole;
  readonly environment: QueuedEnvironment;
  readonly model: ModelIdentity;
}

export const queuedRoles = ['target', 'judge'] as const;
export type QueuedRole = (typeof queuedRoles)[number];

/**
 * `chat` is one answer to messages, whatever environment asks for it; `agent` is an agent at work in a folder; `program`
 * is a program of a task or a check, which sees answers and is the judge's alone.
 */
export const queuedEnvironments = ['chat', 'agent', 'program'] as const;
export type QueuedEnvironment = (typeof queuedEnvironments)[number];

export function laneName({ role, environment, model }: Lane): string {
  return `${role}-${environment}-${sha256(canonicalJson(model)).slice(0, 24)}`;
}

/** The lane of all workers with this very list of programs: whoever takes a job from it may run what the job names. */
export function programLane(allowed: Iterable<string>): Lane {
  const list = sha256(canonicalJson([...allowed].toSorted())).slice(0, 12);
  const model = { provider: 'programs', endpoint: '', model: list, simulated: false };
  return { role: 'judge', environment: 'program', model };
}

/**
 * The lane of a call; undefined for what stays on the machine that asks: the optimizer's calls, what people answer by
 * hand, and agents whose work programs judge where nobody could judge what comes back. What judges them never goes along:
 * it would tell them the answers.
 */
export function laneOf({
  model,
  request,
  workJudge,
}: Pick<PhysicalCall, 'model' | 'request' | 'workJudge'>): Lane | undefined {
  const { role, work } = request;
  if (role === 'optimizer' || isHandoff(model)) return undefined;
  if (work === undefined) return { role, environment: 'chat', model };
  return work.judges.length > 0 && workJudge === undefined ? undefined : { role, environment: 'agent', model };
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

/** A folder goes over the queue as base64 in JSON, which takes a third more. */
export const mostFolderBytes = 24 * 1024 * 1024;

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
  /** Others judge what is left. */
  returns: z.literal(true).exactOptional(),
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

const head = {
  version: z.literal(1),
  /** A result names it: one of another job with the same id is none. */
  nonce: z.string().min(16),
  lane: z.object({ role: z.enum(queuedRoles), environment: z.enum(queuedEnvironments), model: Identity }),
};

const CallJob = z.strictObject({
  ...head,
  request: Request,
  /** What other workers have learnt of the form that the server takes. */
  form: z.unknown().optional(),
});
export type CallJob = z.infer<typeof CallJob>;

const ProgramJob = z.strictObject({ ...head, ...programForm });
export type ProgramJob = z.infer<typeof ProgramJob>;

const JudgingJob = z.strictObject({ ...head, ...judgingForm });
export type JudgingJob = z.infer<typeof JudgingJob>;

const Job = z.union([CallJob, ProgramJob, JudgingJob]);
export type Job = z.infer<typeof Job>;

/** A request as it travels: with the addresses of its folders in the place of their bytes. */
export function requestToSend({ work: _folders, again: _again, ...request }: ModelRequest, work?: QueuedWork): unknown {
  return work === undefined ? request : { ...request, work };
}

/** How long a job may take once it is begun; 0 where nobody said. */
export function limitOf(job: Job): number {
  if ('task' in job) return job.task.timeLimitMs;
  if ('judging' in job) return job.judging.judges.reduce((sum, { timeLimitMs }) => sum + timeLimitMs, 0);
  return limitOfCall(job.request);
}

/** The same of a call that is not queued yet. */
export function limitOfCall({ work, timeoutMs }: CallLimits): number {
  return work?.limits.timeLimitMs ?? timeoutMs ?? 0;
}

interface CallLimits extends Pick<ModelRequest, 'timeoutMs'> {
  readonly work?: Pick<QueuedWork, 'limits'> | undefined;
}

/**
 * Why a worker does not run a job. `program`: one that is not in the worker's list; `archive`: a folder that would be
 * written elsewhere than in its place, or is too much.
 */
export const refusals = [
  ...unopened,
  'malformed',
  'role',
  'model',
  'environment',
  'replayed',
  'program',
  'archive',
] as const;
export type Refusal = (typeof refusals)[number];

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

function unfit(job: Job, found: string, offered: readonly Lane[]): Refusal | undefined {
  const { lane } = job;
  if (laneName(lane) !== found) return 'misplaced';
  const ofRole = offered.filter(({ role }) => role === lane.role);
  const { role, environment } = askedFor(job);
  if (ofRole.length === 0 || role !== lane.role) return 'role';
  const ofKind = ofRole.filter((each) => each.environment === lane.environment);
  if (ofKind.length === 0 || environment !== lane.environment) return 'environment';
  return ofKind.some((each) => laneName(each) === found) ? undefined : 'model';
}

/** What a job is, whatever its lane says. */
function askedFor(job: Job): Pick<Lane, 'role' | 'environment'> {
  if (!('request' in job)) return { role: 'judge', environment: 'program' };
  const { role, work } = job.request;
  return { role, environment: work === undefined ? 'chat' : 'agent' };
}

const Usage = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  exact: z.boolean(),
  usd: z.number().optional(),
  ms: z.number().optional(),
});

export const Reply = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'tool-calls']),
  toolCalls: z.array(ToolCall).readonly(),
  usage: Usage,
  cached: z.boolean(),
  work: WorkLeft.optional(),
  /** Said by the machine that asked to a window of its own; a worker says its name beside the reply. */
  worker: z.string().optional(),
});

const Result = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reply'),
    nonce: z.string(),
    worker: z.string(),
    reply: Reply,
    left: LeftForm.exactOptional(),
  }),
  z.object({ kind: z.literal('ended'), nonce: z.string(), worker: z.string(), ends: z.array(ProgramEnd) }),
  z.object({ kind: z.literal('failed'), nonce: z.string(), worker: z.string(), failure: CallFailure }),
]);
/** What a worker says of a job that it ran. */
export type Result = { readonly nonce: string; readonly worker: string } & JobReport;
export type JobReport =
  /** `left`: the folder of an agent, where others judge it and it is not too much. */
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly left?: LeftForm }
  /** One for each program. */
  | { readonly kind: 'ended'; readonly ends: readonly ProgramResult[] }
  | { readonly kind: 'failed'; readonly failure: CallFailure };

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
