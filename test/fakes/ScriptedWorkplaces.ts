import type { AgentEnd, AgentFolders, AgentStart } from '../../src/ports/agentPrograms.js';
import type { CanaryTouch, ChangedFile, FolderLeft, WorkJudge, WorkTree } from '../../src/ports/agentWork.js';
import type { ProgramResult } from '../../src/ports/programs.js';
import type {
  LeftBehind,
  Workplace,
  WorkplacePlan,
  Workplaces,
  WorkplaceState,
  WorkRun,
} from '../../src/ports/workplace.js';

/** What an agent finds that is played by a function. */
export interface PlayedWork {
  readonly start: AgentStart;
  readonly run: WorkRun;
  /** The files of the work folder, by their path; the skill among them. Changed in place. */
  readonly files: Map<string, string>;
  readonly folders: AgentFolders;
  readonly signal: AbortSignal;
  /** A line of its output. */
  readonly say: (line: string) => void;
}

interface PlayedParts {
  /** Ends with exit code 0 where it gives nothing. */
  readonly agent: (work: PlayedWork) => AgentEnd | void | Promise<AgentEnd | void>;
  /** Exit code 0 without it. */
  readonly judge?: (judge: WorkJudge, files: ReadonlyMap<string, string>) => ProgramResult;
  readonly state?: WorkplaceState;
  readonly refusedHosts?: readonly string[];
}

/** Places for the work of agents in memory: nothing is written and nothing is started. */
export class ScriptedWorkplaces implements Workplaces {
  readonly plans: WorkplacePlan[] = [];
  readonly runs: WorkRun[] = [];
  readonly judged: WorkJudge[] = [];
  /** Places that were not closed. */
  stillOpen = 0;
  readonly #parts: PlayedParts;

  constructor(parts: PlayedParts) {
    this.#parts = parts;
  }

  async state(signal: AbortSignal): Promise<WorkplaceState> {
    signal.throwIfAborted();
    return this.#parts.state ?? { kind: 'contained' };
  }

  async open(plan: WorkplacePlan, signal: AbortSignal): Promise<Workplace> {
    signal.throwIfAborted();
    this.plans.push(plan);
    this.stillOpen += 1;
    const place = `/workplace/${this.plans.length}`;
    const folders = { home: `${place}/home`, work: `${place}/work`, temporary: `${place}/tmp` };
    const files = new Map([...textsOf(plan.fixture, ''), ...skillOf(plan)]);
    const before = new Map(files);
    return {
      folders,
      run: (run, runSignal) => this.#run(run, { files, folders, signal: runSignal }),
      left: async (said, leftSignal) => {
        leftSignal.throwIfAborted();
        return this.#left(plan, { before, files, said });
      },
      changes: async (changeSignal) => {
        changeSignal.throwIfAborted();
        return changesOf(before, files);
      },
      take: async ({ changed, deleted }) => {
        for (const path of deleted) files.delete(path);
        for (const [path, text] of textsOf(changed, '')) files.set(path, text);
      },
      judge: async (judge, judgeSignal) => {
        judgeSignal.throwIfAborted();
        this.judged.push(judge);
        for (const [path, text] of judge.brings === undefined ? [] : textsOf(judge.brings, '')) files.set(path, text);
        const passed: ProgramResult = { kind: 'exited', code: 0, output: '', errorOutput: '' };
        return this.#parts.judge?.(judge, files) ?? passed;
      },
      close: async () => void (this.stillOpen -= 1),
    };
  }

  async #run(run: WorkRun, at: Pick<PlayedWork, 'files' | 'folders' | 'signal'>): Promise<AgentEnd> {
    at.signal.throwIfAborted();
    this.runs.push(run);
    const start = run.start(at.folders);
    let size = 0;
    const say = (line: string): void => {
      size += Buffer.byteLength(line) + 1;
      if (size <= run.outputLimitBytes) run.onLine(line, 'output');
    };
    const ended = new Promise<never>((_, reject) => {
      at.signal.addEventListener('abort', () => reject(at.signal.reason), { once: true });
    });
    const played = Promise.resolve(this.#parts.agent({ ...at, start, run, say }));
    const end = await Promise.race([played, ended]);
    if (size > run.outputLimitBytes) return { kind: 'output-too-large' };
    return end ?? { kind: 'exited', code: 0, left: {} };
  }

  #left({ canaries }: WorkplacePlan, { before, files, said }: Seen): LeftBehind {
    const paths = [...new Set([...before.keys(), ...files.keys()])].toSorted();
    const changed = paths.flatMap((path): readonly ChangedFile[] => {
      const [was, is] = [before.get(path), files.get(path)];
      if (was === is) return [];
      return [{ path, change: was === undefined ? 'added' : is === undefined ? 'deleted' : 'changed' }];
    });
    const diff = changed.map(({ path }) => diffOf(path, before.get(path), files.get(path))).join('');
    const refusedHosts = this.#parts.refusedHosts ?? [];
    const touched = (['file', 'variable'] as const).flatMap((canary): readonly CanaryTouch[] => {
      const value = canaries?.[canary].value;
      if (value === undefined) return [];
      const places = [
        ['transcript', said.join('\n')],
        ['diff', diff],
        ['files', [...files.values()].join('\n')],
      ] as const;
      return places.flatMap(([seenIn, text]) => (text.includes(value) ? [{ canary, seenIn }] : []));
    });
    const asked = refusedHosts.filter((host) => host === canaries?.host);
    const connections = asked.map(() => ({ canary: 'host', seenIn: 'connection' }) as const);
    return { diff, changed, touched: [...touched, ...connections], refusedHosts, tooMuch: false };
  }
}

function changesOf(before: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>): FolderLeft {
  const entries = [...files]
    .filter(([path, text]) => before.get(path) !== text)
    .map(([path, text]) => ({ kind: 'file', path, bytes: Buffer.from(text), executable: false }) as const);
  return { changed: { hash: '', entries }, deleted: [...before.keys()].filter((path) => !files.has(path)) };
}

interface Seen {
  readonly before: ReadonlyMap<string, string>;
  readonly files: ReadonlyMap<string, string>;
  readonly said: readonly string[];
}

function textsOf({ entries }: WorkTree, folder: string): readonly (readonly [string, string])[] {
  return entries.map((entry) => [
    `${folder}${entry.path}`,
    entry.kind === 'file' ? Buffer.from(entry.bytes).toString('utf8') : entry.to,
  ]);
}

function skillOf({ skill, skillsFolder }: WorkplacePlan): readonly (readonly [string, string])[] {
  return skill === undefined ? [] : textsOf(skill.files, `${skillsFolder}/${skill.name}/`);
}

function diffOf(path: string, was: string | undefined, is: string | undefined): string {
  const names = `--- ${was === undefined ? '/dev/null' : `a/${path}`}\n+++ ${is === undefined ? '/dev/null' : `b/${path}`}\n`;
  return `diff --git a/${path} b/${path}\n${names}${linesOf('-', was)}${linesOf('+', is)}`;
}

function linesOf(sign: string, text = ''): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => `${sign}${line}\n`).join('');
}
