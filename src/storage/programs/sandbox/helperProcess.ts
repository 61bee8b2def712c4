import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import type { ProgramRequest } from '../../../ports/programs.js';
import type { ProgramEnd, FromHelper, HelperSettings, ProgramOutput, StartPlaces, ToHelper } from './messages.js';

/** A helper that has shown that it holds. */
export interface Helper {
  run(request: ProgramRequest, signal: AbortSignal, placed?: PlacedStart): Promise<ProgramEnd>;
  /** Once it has ended, and its relays with it. */
  readonly gone: Promise<void>;
}

/** A start in folders that are there, and who is told what it writes, and which hosts it was kept from. */
export interface PlacedStart {
  readonly at: StartPlaces;
  readonly onSaid: (said: ProgramOutput) => void;
  readonly onRefused: (host: string) => void;
  /** Told of a planted value that a request carried. */
  readonly onCarried: (canary: 'file' | 'variable') => void;
}

export interface HelperStart {
  readonly file: string;
  /** An empty folder: the library guards files of the folder that it is called in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: HelperSettings;
  /** How long it is kept without work. */
  readonly idleMs: number;
}

const mostPatienceMs = 60_000; // a start and the attempt to break out take less than a second on a quiet machine

/**
 * Starts a helper process and has it try to break out. Throws the reason where it does not hold. From `onLeaving` on it
 * takes nothing more: whoever has something to run needs another.
 */
export async function forkHelper(start: HelperStart, onLeaving: () => void): Promise<Helper> {
  const child = fork(start.file, [], {
    cwd: start.cwd,
    // In the editor the Node that runs us is Electron, which is told to be nothing else.
    env: { ...start.env, ELECTRON_RUN_AS_NODE: '1' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
  });
  const helper = new RunningHelper(child, start.idleMs, onLeaving);
  await helper.begin(start.settings);
  return helper;
}

interface Running {
  readonly resolve: (ended: ProgramEnd) => void;
  readonly placed: PlacedStart | undefined;
}

class RunningHelper implements Helper {
  readonly #child: ChildProcess;
  readonly #running = new Map<number, Running>();
  readonly #idleMs: number;
  readonly #onLeaving: () => void;
  readonly gone: Promise<void>;
  #started: ((refusal: string | undefined) => void) | undefined;
  #next = 0;
  #idle: NodeJS.Timeout | undefined;
  #errors = '';

  constructor(child: ChildProcess, idleMs: number, onLeaving: () => void) {
    this.#child = child;
    this.#onLeaving = onLeaving;
    this.#idleMs = idleMs;
    child.on('message', (message: FromHelper) => this.#take(message)); // our own bundle says nothing else
    child.on('error', () => undefined); // told by its exit
    if (child.stderr instanceof Socket) child.stderr.unref(); // it keeps nobody from ending
    child.stderr?.on('data', (chunk: Buffer) => (this.#errors = `${this.#errors}${String(chunk)}`.slice(-2_000)));
    this.gone = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => this.#gone());
  }

  async begin(settings: HelperSettings): Promise<void> {
    const refusal = await new Promise<string | undefined>((resolve) => {
      this.#started = resolve;
      setTimeout(
        () =>
          resolve(
            `The sandbox did not start within ${mostPatienceMs / 1000} s. Where this machine is busy, try again later.`,
          ),
        mostPatienceMs,
      ).unref();
      this.#send({ kind: 'start', settings });
    });
    if (refusal !== undefined) {
      this.#end();
      throw new Error(refusal);
    }
    this.#rest();
  }

  async run(request: ProgramRequest, signal: AbortSignal, placed?: PlacedStart): Promise<ProgramEnd> {
    this.#work();
    this.#next += 1;
    const id = this.#next;
    const abort = (): void => this.#send({ kind: 'abort', id });
    // One of its own: a run has one signal for all of its programs, and Node warns of many who listen to it.
    const own = AbortSignal.any([signal]);
    own.addEventListener('abort', abort, { once: true });
    try {
      return await new Promise<ProgramEnd>((resolve) => {
        this.#running.set(id, { resolve, placed });
        this.#send({ kind: 'run', id, request, at: placed?.at });
      });
    } finally {
      own.removeEventListener('abort', abort);
      this.#running.delete(id);
      if (this.#running.size === 0) this.#rest();
    }
  }

  #take(message: FromHelper): void {
    if (message.kind === 'started') this.#started?.(message.refusal);
    else this.#hear(message, this.#running.get(message.id));
  }

  #hear(message: Exclude<FromHelper, { kind: 'started' }>, running: Running | undefined): void {
    if (running === undefined) return;
    const { placed, resolve } = running;
    if (message.kind === 'said') placed?.onSaid(message);
    else if (message.kind === 'refused') placed?.onRefused(message.host);
    else if (message.kind === 'carried') placed?.onCarried(message.canary);
    else resolve(message);
  }

  #send(message: ToHelper): void {
    if (this.#child.connected) this.#child.send(message, () => undefined); // a failure is told by its exit
  }

  #gone(): void {
    this.#onLeaving();
    clearTimeout(this.#idle);
    // Its relays, where it was killed before it could end them.
    if (this.#child.pid !== undefined) endGroup(this.#child.pid);
    const why = this.#errors.trim().split('\n').at(-1) ?? '';
    const reason = `The helper process of the sandbox ended before the program did: run it again.${why === '' ? '' : ` ${why}`}`;
    this.#started?.(reason);
    for (const { resolve } of this.#running.values()) resolve({ result: { kind: 'not-started', reason }, refused: [] });
  }

  /** While something runs, whoever waits for it is kept alive. */
  #work(): void {
    clearTimeout(this.#idle);
    this.#child.ref();
    this.#child.channel?.ref();
  }

  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => this.#end(), this.#idleMs);
    this.#idle.unref();
  }

  #end(): void {
    this.#onLeaving();
    if (this.#child.connected) this.#child.disconnect();
  }
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // All of it has ended already.
  }
}
