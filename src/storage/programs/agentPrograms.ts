import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../errors.js';
import { mayRun } from '../../mayRun.js';
import type {
  AgentEnd,
  AgentFolders,
  AgentPrograms,
  AgentRun,
  AgentStart,
  FoundProgram,
  WantedProgram,
} from '../../ports/agentPrograms.js';
import { foldersOfPath, lieOutside, searchedFolders } from '../../searchedFolders.js';
import { agentEnvironment } from './agentEnvironment.js';
import { lineReader } from './lineReader.js';
import { inOwnedFolder } from './ownedFolder.js';
import { codeOf, killGroup } from './processGroup.js';
import { readPlainFile } from './readPlainFile.js';
import { shimTarget } from './shimTarget.js';
import { endStrays, leaderOf, markName } from './strayProcesses.js';
import { writeFiles } from './workplace/writeInside.js';

export interface AgentSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders of the workspace: nothing in them is run. Without them, the folder that we were started in. */
  readonly workspace?: (() => readonly string[]) | undefined;
}

/** Agent programs of this machine, each start in folders of its own and with nothing of the person's around it. */
export function nodeAgentPrograms({ environment, workspace }: AgentSurroundings): AgentPrograms {
  const closed = (): readonly string[] => workspace?.() ?? [process.cwd()];
  const placesOf = ({ places }: WantedProgram): readonly string[] => {
    const home = environment['HOME'] ?? environment['USERPROFILE'] ?? os.homedir();
    return places.map((place) => path.resolve(home, place));
  };
  const folders = (places: readonly string[]): Promise<readonly string[]> =>
    searchedFolders([...foldersOfPath(environment), ...places], closed());
  // A folder outside may hold a link that leads inside.
  const isOutside: IsOutside = (files) => lieOutside(files, closed());
  return {
    find: async (wanted) => firstOf(wanted, await folders(placesOf(wanted)), isOutside),
    async findInWorkspace(wanted) {
      for (const folder of [...foldersOfPath(environment), ...placesOf(wanted)].filter((each) => path.isAbsolute(each)))
        for (const place of namesIn(folder, wanted.commands))
          if ((await mayRun(place)) && !(await isOutside([place]))) return place;
      return undefined;
    },
    run: async (run, signal) => {
      signal.throwIfAborted();
      const { command, before } = run.program;
      // It may have been found before it was known what is worked on.
      if (!(await isOutside([command, ...before]))) return { kind: 'not-started', reason: 'it lies in the workspace' };
      const searched = await folders([]);
      return inFreshFolders((fresh) =>
        runIn(fresh, run, { environment: agentEnvironment(environment, searched, fresh), signal }),
      );
    },
    readOwn,
  };
}

const windowsEndings = ['.exe', '.cmd'];

type IsOutside = (files: readonly string[]) => Promise<boolean>;

async function firstOf(
  wanted: WantedProgram,
  folders: readonly string[],
  isOutside: IsOutside,
): Promise<FoundProgram | undefined> {
  for (const folder of folders)
    for (const place of namesIn(folder, wanted.commands)) {
      if (!(await mayRun(place))) continue;
      const found = place.endsWith('.cmd') ? await behindShim(place, folders) : { command: place, before: [] };
      if (found !== undefined && (await isOutside([found.command, ...found.before]))) return { path: place, ...found };
    }
  return undefined;
}

/** As the system spells a program of these names. */
export function namesIn(folder: string, commands: readonly string[]): readonly string[] {
  const endings = process.platform === 'win32' ? windowsEndings : [''];
  return commands.flatMap((name) => endings.map((ending) => path.join(folder, name + ending)));
}

/** What a `.cmd` of npm starts: started as itself it would need a shell, which reads the arguments anew. */
export async function behindShim(
  shim: string,
  folders: readonly string[],
): Promise<Pick<FoundProgram, 'command' | 'before'> | undefined> {
  const target = shimTarget(await readFile(shim, 'utf8'), path.dirname(shim));
  if (target === undefined) return undefined;
  if (/\.exe$/iu.test(target)) return { command: target, before: [] };
  const node = [path.dirname(shim), ...folders].map((folder) => path.join(folder, 'node.exe'));
  for (const place of node) if (await mayRun(place)) return { command: place, before: [target] };
  return undefined;
}

const longestFile = 1024 * 1024;

async function readOwn(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true || found.size > longestFile) return undefined;
  return readFile(file, 'utf8').catch(() => undefined);
}

/** The folders of one start, and what everything that it starts is known by. */
interface FreshFolders extends AgentFolders {
  readonly mark: string;
}

function inFreshFolders<T>(work: (folders: FreshFolders) => Promise<T>): Promise<T> {
  return inOwnedFolder(os.tmpdir(), 'whetstone-agent-', async ({ path: folder, mark }) => {
    const fresh = {
      home: path.join(folder, 'home'),
      work: path.join(folder, 'work'),
      temporary: path.join(folder, 'tmp'),
    };
    for (const place of Object.values(fresh)) await mkdir(place, { mode: 0o700 });
    return work({ ...fresh, mark });
  });
}

async function runIn(
  { mark, ...folders }: FreshFolders,
  run: AgentRun,
  { environment, signal }: { readonly environment: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<AgentEnd> {
  const start = run.start(folders);
  await writeFiles(folders.home, start.files ?? {});
  const child = started(run.program, start, {
    cwd: folders.work,
    env: { ...environment, ...start.environment, [markName]: mark },
  });
  if (typeof child === 'string') return { kind: 'not-started', reason: child };
  const leader = child.pid === undefined ? undefined : leaderOf(child.pid);
  let end: AgentEnd;
  try {
    end = await Promise.race([endOf(child, run), aborted(signal)]);
  } finally {
    await killGroup(child);
    if (leader !== undefined) await endStrays(mark, leader);
  }
  return end.kind === 'exited' ? { ...end, left: await leftIn(folders.home, start.leaves ?? []) } : end;
}

const longestLeft = 8 * 1024 * 1024; // telemetry of a long answer is the most that any of them leaves

export async function leftIn(home: string, names: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const read = await Promise.all(names.map(async (name) => [name, await leftAs(path.join(home, name))] as const));
  return Object.fromEntries(read.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

/** Its home is a real path; a folder in it that is a link leads elsewhere. */
async function leftAs(file: string): Promise<string | undefined> {
  const folder = path.dirname(file);
  const real = await realpath(folder).catch(() => undefined);
  return real === folder ? readPlainFile(file, longestLeft) : undefined;
}

function started(
  { command, before }: FoundProgram,
  { arguments: words, input }: AgentStart,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess | string {
  try {
    const child = spawn(command, [...before, ...words], {
      cwd,
      env,
      stdio: 'pipe',
      // A group of its own: whatever it starts can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // It need not read its input; left open, some of them wait for ever.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    return child;
  } catch (error) {
    return messageOf(error);
  }
}

const drainMs = 300; // a child that outlives the program may hold its pipes open for ever

function endOf(child: ChildProcess, run: AgentRun): Promise<AgentEnd> {
  return new Promise((resolve) => {
    let size = 0;
    const follow = (stream: ChildProcess['stdout'], from: 'output' | 'error'): (() => void) => {
      const lines = lineReader((line) => run.onLine(line, from));
      stream?.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > run.outputLimitBytes || !lines.take(chunk)) resolve({ kind: 'output-too-large' });
      });
      return () => lines.end();
    };
    const ends = [follow(child.stdout, 'output'), follow(child.stderr, 'error')];
    const exited = (code: number | null, killedBy: NodeJS.Signals | null): void => {
      for (const end of ends.splice(0)) end();
      resolve({ kind: 'exited', code: code ?? codeOf(killedBy), left: {} });
    };
    child.on('error', (error) => resolve({ kind: 'not-started', reason: messageOf(error) }));
    child.on('close', exited);
    child.on('exit', (code, killedBy) => setTimeout(() => exited(code, killedBy), drainMs).unref());
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}
