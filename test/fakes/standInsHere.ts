import fs, { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import type { AgentEnd, AgentFolders, AgentPrograms, AgentRun, AgentStart } from '../../src/ports/agentPrograms.js';
import { agentEnvironment } from '../../src/storage/programs/agentEnvironment.js';
import { leftIn } from '../../src/storage/programs/agentPrograms.js';
import { writeFiles } from '../../src/storage/programs/workplace/writeInside.js';

/**
 * The programs of a machine, with a stand-in run in this process: for what it says and how that is understood. A start of
 * its own would show no more of that, and takes a hundred times as long; that programs are started, held to their limits
 * and ended is shown with one that is started.
 */
export function standInsHere(
  programs: AgentPrograms,
  environment: Readonly<Record<string, string | undefined>>,
): AgentPrograms {
  return {
    ...programs,
    run: async (run, signal) => {
      signal.throwIfAborted();
      const folder = fs.realpathSync(mkdtempSync(path.join(os.tmpdir(), 'whetstone-here-')));
      const at = (name: string): string => path.join(folder, name);
      const folders = { home: at('home'), work: at('work'), temporary: at('tmp') };
      for (const place of Object.values(folders)) mkdirSync(place);
      try {
        return await runIn(folders, run, { environment: agentEnvironment(environment, [], folders), signal });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

async function runIn(
  folders: AgentFolders,
  run: AgentRun,
  { environment, signal }: { readonly environment: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<AgentEnd> {
  const start = run.start(folders);
  await writeFiles(folders.home, start.files ?? {});
  const env = { ...environment, ...start.environment };
  const code = await new StandInProcess(run, { ...start, environment: env }, folders.work).ended(signal);
  return { kind: 'exited', code, left: await leftIn(folders.home, start.leaves ?? []) };
}

/** Thrown where the script calls `process.exit`: nothing of it goes on then. */
class Exit extends Error {}

/** What is asked for of `process`. */
interface SeenProcess {
  exitCode: number | undefined;
  readonly [name: string]: unknown;
}

/** What a script of test/fakes/agents sees as its process: it ends when it says so, or has nothing left to wait for. */
class StandInProcess {
  readonly #run: AgentRun;
  readonly #start: AgentStart;
  readonly #process: SeenProcess;
  readonly #timers = new Set<NodeJS.Timeout>();
  #end: { readonly resolve: (code: number) => void; readonly reject: (error: unknown) => void } | undefined;

  constructor(run: AgentRun, start: AgentStart, folder: string) {
    this.#run = run;
    this.#start = start;
    const { execPath, pid } = process;
    this.#process = {
      argv: [execPath, run.program.command, ...start.arguments],
      env: start.environment,
      execPath,
      pid,
      exitCode: undefined,
      cwd: () => folder,
      exit: (code: number) => {
        this.#process.exitCode = code;
        throw new Exit();
      },
      stdout: { write: (text: string) => this.#says(text, 'output') },
      stderr: { write: (text: string) => this.#says(text, 'error') },
    };
  }

  /** Its exit code; throws the reason of the signal where that comes first. */
  async ended(signal: AbortSignal): Promise<number> {
    const stop = (): void => this.#end?.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise<number>((resolve, reject) => {
        this.#end = { resolve, reject };
        this.#goes(() => void this.#load(this.#run.program.command));
      });
    } finally {
      signal.removeEventListener('abort', stop);
      this.#end = undefined;
      this.#waitsForNothing();
    }
  }

  /** A turn of it. */
  #goes(turn: () => void): void {
    try {
      turn();
    } catch (error) {
      if (!(error instanceof Exit)) return this.#end?.reject(error);
      this.#waitsForNothing();
    }
    if (this.#timers.size === 0) this.#end?.resolve(this.#process.exitCode ?? 0);
  }

  #waitsForNothing(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #says(text: string, from: 'output' | 'error'): boolean {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (const line of lines) if (this.#end !== undefined) this.#run.onLine(line, from);
    return true;
  }

  /** A module of it, and what that exports. */
  #load(file: string): object {
    const exports = {};
    const given = {
      require: (name: string): unknown => this.#required(name, file),
      exports,
      process: this.#process,
      setTimeout: (turn: () => void, ms: number) => {
        const timer = setTimeout(() => {
          this.#timers.delete(timer);
          this.#goes(turn);
        }, ms);
        this.#timers.add(timer);
      },
      setInterval: (turn: () => void, ms: number) => void this.#timers.add(setInterval(() => this.#goes(turn), ms)),
    };
    const source = readFileSync(file, 'utf8').replace(/^#!.*/, '');
    Reflect.apply(vm.compileFunction(source, Object.keys(given), { filename: file }), undefined, Object.values(given));
    return exports;
  }

  /** Its input is what it was started with. */
  #required(name: string, from: string): unknown {
    if (name.startsWith('.')) return this.#load(path.join(path.dirname(from), name));
    if (name !== 'node:fs') return createRequire(from)(name);
    const read = (file: fs.PathOrFileDescriptor, encoding: BufferEncoding): string =>
      file === 0 ? this.#start.input : readFileSync(file, encoding);
    return { ...fs, readFileSync: read };
  }
}
