import type { WorkJudge } from '../ports/agentWork.js';
import type { AttemptRunner, PhysicalCall, ProgramCall } from '../ports/attemptRunner.js';
import type { ProgramRequest, ProgramResult, Programs } from '../ports/programs.js';
import type { Clock } from '../ports/clock.js';
import type { PortableProgram } from '../ports/workerPrograms.js';
import { canonicalJson, sha256 } from '../hash.js';
import { FolderReader } from '../storage/programs/folderReader.js';
import { isBound, portableProgram } from '../storage/programs/portableProgram.js';
import { letGo, type BlobParts } from './blobs.js';
import { jobId, type Lane } from './job.js';
import { resultKeptMs, type JobEnd } from './jobWatch.js';
import type { LeftForm } from './programForm.js';
import { fetchLeft, hashOfJudge, judgingToSend, programToSend } from './programJob.js';
import type { RedisPulse } from './redisPulse.js';
import type { TryNumbers } from './tryNumbers.js';
import type { WorkersSeen } from './workersSeen.js';

/** One job: where it is queued, under which name, and what is in it. */
export interface ProgramJob {
  readonly lane: Lane;
  readonly id: string;
  readonly runId: string;
  /** How long it may take once it is begun. */
  readonly limitMs: number;
  /** Lays down what the job names, and gives the rest. */
  readonly content: (to: BlobParts & { readonly expiresAt: number }) => Promise<object>;
}

interface PlacingParts {
  readonly workers: WorkersSeen;
  readonly tries: TryNumbers;
  readonly pulse: RedisPulse;
  readonly clock: Pick<Clock, 'now'>;
  /** Queues a job and waits for its end. */
  readonly ask: (asked: ProgramJob, signal: AbortSignal) => Promise<JobEnd | { readonly kind: 'taken' }>;
}

/** How often a program is queued that workers lose: then it runs here, for nothing is paid for it. */
const mostTries = 3;
const mostKept = 32;

/**
 * Runs programs on workers that have them in their list, and here where none does. A job that is lost or refused costs
 * nothing: it is queued under the next number, and in the end it runs where it was asked for.
 */
export class PlacedPrograms {
  readonly #parts: PlacingParts;
  /** The programs of the run, by their hash: the same folder is laid down once. */
  readonly #known = new Map<string, PortableProgram>();

  readonly #folders: FolderReader;

  constructor(parts: PlacingParts) {
    this.#parts = parts;
    this.#folders = new FolderReader(() => parts.clock.now());
  }

  async run({ runId, request }: ProgramCall, here: Programs['run'], signal: AbortSignal): Promise<ProgramResult> {
    const found = request.travels === true ? await this.#portable(request, signal) : undefined;
    if (found === undefined) return here(request, signal);
    const { hash, program } = found;
    const { input, timeLimitMs: limitMs, outputLimitBytes } = request;
    const about = { hash, input, limitMs, outputLimitBytes };
    const content: ProgramJob['content'] = (to) => programToSend(program, request, to);
    const [end] = (await this.#elsewhere({ runId, hashes: [hash], about, limitMs, content }, signal)) ?? [];
    return end ?? here(request, signal);
  }

  /** What the programs of a work say of what an agent left on a worker: another worker's, or this machine's. */
  async judge({ call, left }: LeftToJudge, blobs: BlobParts, signal: AbortSignal): Promise<readonly ProgramResult[]> {
    const { runId, request, workJudge } = call;
    const { work } = request;
    if (work === undefined || workJudge === undefined) return [];
    const fetched = left === undefined ? undefined : fetchLeft(left, blobs).catch(() => undefined);
    const folder = fetched && (await this.#parts.pulse.within(fetched, 'in-doubt'));
    if (folder === undefined) return work.judges.map(() => unjudged);
    const { fixture, skill, judges } = work;
    const plan = { fixture, skill, judges, skillsFolder: workJudge.skillsFolder, left: folder };
    const hashes = (await areBound(judges)) ? undefined : judges.map(hashOfJudge);
    const limitMs = judges.reduce((sum, { timeLimitMs }) => sum + timeLimitMs, 0);
    const about = { key: call.key(), left };
    const content: ProgramJob['content'] = (to) => judgingToSend(plan, to);
    try {
      const ends = hashes && (await this.#elsewhere({ runId, hashes, about, limitMs, content }, signal));
      return ends?.length === judges.length ? ends : await workJudge.judge(work, folder, signal);
    } finally {
      letGo(folder.changed, blobs, resultKeptMs).catch(() => undefined); // it expires all the same, later
    }
  }

  readonly staysHere: NonNullable<AttemptRunner['staysHere']> = async (request, signal) => {
    const found = await portableProgram(request, signal, this.#folders.read);
    if (found.kind === 'stays') return found.why;
    return (await this.#parts.workers.laneWith([found.hash], signal)) === undefined ? 'not-taken' : undefined;
  };

  async #portable(request: ProgramRequest, signal: AbortSignal): Promise<Portable | undefined> {
    const found = await portableProgram(request, signal, this.#folders.read);
    if (found.kind === 'stays') return undefined;
    const { hash } = found;
    const program = this.#known.get(hash) ?? found.program;
    if (this.#known.size >= mostKept) this.#known.clear();
    this.#known.set(hash, program);
    return { hash, program };
  }

  /** How the programs ended on a worker; undefined where none takes them, or all that did lost them. */
  async #elsewhere(sent: SentPrograms, signal: AbortSignal): Promise<readonly ProgramResult[] | undefined> {
    const { workers, tries, ask } = this.#parts;
    const { runId, hashes, about, limitMs, content } = sent;
    const key = sha256(canonicalJson(about));
    try {
      for (let tried = 0; tried < mostTries; tried += 1) {
        const lane = await workers.laneWith(hashes, signal);
        if (lane === undefined) return undefined;
        const id = jobId(runId, key, tries.next(`${runId} ${key}`));
        const end = await ask({ lane, id, runId, limitMs, content }, signal);
        const ends = end.kind === 'result' && end.result.kind === 'ended' ? end.result.ends : undefined;
        // What one machine lacks another one may have: in the end this one says it.
        if (ends?.every(({ kind }) => kind !== 'not-started') === true) return ends;
      }
    } catch {
      signal.throwIfAborted(); // Redis is gone, or it is too large for the queue: what is asked for is had here
    }
    return undefined;
  }
}

interface Portable {
  readonly hash: string;
  readonly program: PortableProgram;
}

interface LeftToJudge {
  readonly call: PhysicalCall;
  /** Undefined where it was too much for the queue. */
  readonly left: LeftForm | undefined;
}

/** Programs on their way to a worker that has all of them in its list. */
interface SentPrograms extends Pick<ProgramJob, 'runId' | 'limitMs' | 'content'> {
  readonly hashes: readonly string[];
  /** What tells this start from others. */
  readonly about: object;
}

const unjudged: ProgramResult = {
  kind: 'not-started',
  reason: 'what the agent left on the worker is too much for the queue, or cannot be read.',
};

/** Whether one of them names what only this machine has. */
async function areBound(judges: readonly WorkJudge[]): Promise<boolean> {
  const bound = await Promise.all(
    judges.map(({ command, arguments: words }) => isBound({ command, arguments: words, folder: undefined })),
  );
  return bound.includes(true);
}
