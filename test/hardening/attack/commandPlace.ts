import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { writtenTasks, type WrittenTask } from '../../builders/aWorkspace.js';
import { builtProgram } from '../../flow/children/builtProgram.js';

export interface PlacedEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  readonly ms: number;
  /** What it had of the processor when it was ended from outside, in milliseconds; undefined where nobody knows. */
  readonly ownMs: number | undefined;
}

/** How a process is ended before its time: at the n-th call that changes a file, or after so many milliseconds. */
export type Kill =
  | { readonly kind: 'call'; readonly at: number; readonly how: 'before' | 'torn' | 'after' }
  | { readonly kind: 'time'; readonly ms: number };

export interface RunWish {
  readonly kill?: Kill;
  /** After which it is ended and counts as hung. */
  readonly patienceMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A reply that arrived, by the hash of its request, after so much of the process's own time. */
export interface Arrival {
  readonly key: string;
  readonly atMs: number;
}

/** A workspace, a home and the built command line to work on them; `note` is what the killer wrote down. */
export interface CommandPlace {
  readonly root: string;
  readonly folder: string;
  readonly home: string;
  readonly skillPath: string;
  run(words: readonly string[], wish?: RunWish): Promise<PlacedEnd>;
  note(): { readonly count?: number; readonly killedAtMs?: number };
  /** The replies that arrived at the last process. */
  arrivals(): readonly Arrival[];
  /** Keeps everything as it is now, to come back to. */
  keep(): void;
  comeBack(): void;
  /** Lets the locks and drafts of a process that was killed look as if their time had run out. */
  age(): void;
  dispose(): void;
}

const skillName = 'words';
export const plainSkill = '---\nname: words\n---\n\n# Words\n\nAnswer in words.\n';
const inMemory = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

export async function aCommandPlace({
  skill = plainSkill,
  tasks = writtenTasks({ training: 2, heldOut: 6, sealed: 1 }, ['Visibility:', 'fathoms']),
}: { readonly skill?: string; readonly tasks?: readonly WrittenTask[] } = {}): Promise<CommandPlace> {
  const [{ cli }, preload] = [await builtProgram(), await builtPreload()];
  const root = realpathSync(mkdtempSync(path.join(inMemory, 'whetstone-attack-')));
  const [place, kept, noteFile] = [path.join(root, 'place'), path.join(root, 'kept'), path.join(root, 'note.json')];
  const repliesFile = `${noteFile}.replies`;
  const folder = path.join(place, 'workspace');
  const home = path.join(place, 'home');
  const skillPath = path.join(folder, 'skills', skillName, 'SKILL.md');
  writeSkill(skillPath, skill, tasks);
  mkdirSync(path.join(folder, '.git'));
  mkdirSync(home);
  return {
    root,
    folder,
    home,
    skillPath,
    run: (words, wish = {}) => {
      for (const file of [noteFile, repliesFile]) rmSync(file, { force: true });
      const { kill, patienceMs = 60_000, environment = {} } = wish;
      const env = { PATH: process.env['PATH'] ?? '', HOME: home, WHETSTONE_HOME: path.join(home, 'state') };
      const killing = kill?.kind === 'call' ? { WHETSTONE_KILL_AT: String(kill.at), WHETSTONE_KILL_HOW: kill.how } : {};
      return ended(['--require', preload, cli, ...words], {
        cwd: folder,
        env: { ...env, WHETSTONE_KILL_NOTE: noteFile, ...killing, ...environment },
        ms: kill?.kind === 'time' ? kill.ms : patienceMs,
      });
    },
    note: () => (existsSync(noteFile) ? JSON.parse(readFileSync(noteFile, 'utf8')) : {}),
    arrivals: () => (existsSync(repliesFile) ? arrivalsIn(readFileSync(repliesFile, 'utf8')) : []),
    keep: () => replace(kept, place),
    comeBack: () => replace(place, kept),
    age: () => makeOld(path.join(home, 'state', 'locks'), path.join(path.dirname(skillPath), 'evals')),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

function replace(to: string, from: string): void {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** Every file, folder and link below a folder, with its bytes or where it leads; links are not followed. */
export function everythingBelow(folder: string, within = ''): ReadonlyMap<string, string> {
  const entries = readdirSync(path.join(folder, within), { withFileTypes: true });
  return new Map(
    entries.flatMap((entry): readonly (readonly [string, string])[] => {
      const name = path.posix.join(within, entry.name);
      const file = path.join(folder, name);
      if (entry.isDirectory()) return [[name, 'folder'], ...everythingBelow(folder, name)];
      return [[name, entry.isFile() ? readFileSync(file).toString('base64') : `link to ${readlinkSync(file)}`]];
    }),
  );
}

function writeSkill(skillPath: string, skill: string, tasks: readonly WrittenTask[]): void {
  const evals = path.join(path.dirname(skillPath), 'evals');
  mkdirSync(evals, { recursive: true });
  writeFileSync(skillPath, skill);
  const listed = tasks.map(({ id, prompt }) => ({ id, prompt, expected_output: '' }));
  const own = Object.fromEntries(tasks.map(({ id, side, checks }) => [id, { checks, split: side }]));
  writeFileSync(path.join(evals, 'evals.json'), JSON.stringify({ skill_name: skillName, evals: listed }));
  writeFileSync(
    path.join(evals, 'whetstone.json'),
    JSON.stringify({ format: 'whetstone.tasks', version: 1, tasks: own }),
  );
}

function makeOld(locks: string, evals: string): void {
  const then = Date.now() / 1000 - 120;
  const files = [locks, evals].flatMap((folder) => (existsSync(folder) ? namesIn(folder) : []));
  for (const file of files) utimesSync(file, then, then);
}

function namesIn(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => path.join(folder, name));
}

async function ended(
  words: readonly string[],
  { cwd, env, ms }: { readonly cwd: string; readonly env: Record<string, string>; readonly ms: number },
): Promise<PlacedEnd> {
  const started = Date.now();
  const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (data: Buffer) => (said.out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.err += data.toString()));
  let ownMs: number | undefined;
  const timer = setTimeout(() => {
    child.kill('SIGSTOP');
    ownMs = processorMs(child.pid ?? 0);
    child.kill('SIGKILL');
  }, ms);
  await once(child, 'close');
  clearTimeout(timer);
  return { code: child.exitCode, signal: child.signalCode, ...said, ms: Date.now() - started, ownMs };
}

/** Linux counts it in hundredths of a second. */
function processorMs(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

function arrivalsIn(text: string): readonly Arrival[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [key = '', atMs] = line.split(' ');
    return { key, atMs: Number(atMs) };
  });
}

let preloadFile: Promise<string> | undefined;

function builtPreload(): Promise<string> {
  preloadFile ??= buildPreload();
  return preloadFile;
}

async function buildPreload(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'whetstone-preload-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const outfile = path.join(folder, 'killPreload.cjs');
  const entryPoints = [path.resolve('test/hardening/attack/killPreload.ts')];
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'cjs', target: 'node20.19' });
  return outfile;
}
