import { existsSync, readFileSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../../errors.js';
import { harmlessEnvironment } from '../../../harmlessEnvironment.js';
import type { ProgramRequest } from '../../../ports/programs.js';
import type { Sandbox, SandboxState } from '../../../ports/sandbox.js';
import { withClones } from '../../../searchedFolders.js';
import { inOwnedFolder, type OwnedFolder } from '../ownedFolder.js';
import { markName } from '../strayProcesses.js';
import { forkHelper, type Helper, type PlacedStart } from './helperProcess.js';
import type { ProgramEnd, HelperSettings, SandboxRefusal, SandboxLimits } from './messages.js';
import { helperMark } from './nothingLeft.js';
import { deniedPlaces } from './readRules.js';
import { findTools, trustedFolders } from './sandboxTools.js';
import { withRefused } from './toldRefused.js';

/** What the sandbox is made with. */
export interface SandboxParts {
  /** The bundle of the helper process; the library's `apply-seccomp` lies in `vendor/seccomp` beside it. */
  readonly helper: string;
  /** Further places of ripgrep: an editor brings one. */
  readonly ripgrep?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** What is closed beside homes and temporary files: the workspace, our state. */
  readonly closed: readonly string[];
  /** Those of them that no declaration opens: our state. */
  readonly sealed?: readonly string[] | undefined;
  readonly masks?: boolean | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
  /** Told once of each thing that a program was kept from. */
  readonly onRefused?: ((refused: SandboxRefusal) => void) | undefined;
}

/** How long a helper without work is kept. */
const idleMs = 20_000;

/** One that also starts programs in folders that are there, with the environment of the request and nothing else. */
export interface PlacingSandbox extends Sandbox {
  runAt(request: ProgramRequest, placed: PlacedStart, signal: AbortSignal): Promise<ProgramEnd>;
}

/** The sandbox of one run. Nothing is started before it is asked for its state or to run something. */
export function createSandbox(parts: SandboxParts): PlacingSandbox {
  let known: Promise<SandboxState> | undefined;
  let opened: Promise<Helper> | undefined;
  const told = new Set<string>();
  const helper = (): Promise<Helper> => {
    if (opened !== undefined) return opened;
    const opening = openHelper(parts, () => {
      if (opened === opening) opened = undefined;
    });
    opened = opening;
    return opening;
  };
  return {
    state: (signal) => {
      signal.throwIfAborted();
      known ??= findState(parts, helper);
      return known;
    },
    async runAt(request, placed, signal) {
      return started(helper, { request, placed }, signal);
    },
    async run(request, signal) {
      const environment = { ...harmlessEnvironment(parts.environment), ...request.environment };
      const ended = await started(helper, { request: { ...request, environment: defined(environment) } }, signal);
      for (const refused of ended.refused) {
        const key = JSON.stringify(refused);
        if (!told.has(key)) parts.onRefused?.(refused);
        told.add(key);
      }
      return withRefused(ended.result, ended.refused);
    },
  };
}

async function started(
  helper: () => Promise<Helper>,
  { request, placed }: { readonly request: ProgramRequest; readonly placed?: PlacedStart },
  signal: AbortSignal,
): Promise<ProgramEnd> {
  signal.throwIfAborted();
  try {
    const ended = await (await helper()).run(request, signal, placed);
    signal.throwIfAborted();
    return ended;
  } catch (error) {
    signal.throwIfAborted();
    return { result: { kind: 'not-started', reason: messageOf(error) }, refused: [] };
  }
}

function defined(variables: Readonly<Record<string, string | undefined>>): NonNullable<ProgramRequest['environment']> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

async function findState(parts: SandboxParts, helper: () => Promise<Helper>): Promise<SandboxState> {
  const unsupported = whyNowhere(parts);
  if (unsupported !== undefined) return { kind: 'unsupported', reason: unsupported };
  const tools = await findTools(parts.environment['PATH'], parts);
  if ('kind' in tools) return tools;
  try {
    await helper();
    return { kind: 'available' };
  } catch (error) {
    return { kind: 'unsupported', reason: `${messageOf(error)}${advice()}` };
  }
}

function whyNowhere({ platform, helper }: SandboxParts): string | undefined {
  if (platform === 'win32') return 'There is no sandbox on Windows: open the folder in WSL 2 to have one.';
  if (platform !== 'linux') return 'The sandbox is for Linux alone so far.';
  if (!existsSync(helper)) return 'This copy of Whetstone holds no sandbox: install it again.';
  return seccompFolder() === undefined ? `The sandbox is not made for ${os.arch()} processors.` : undefined;
}

function seccompFolder(): string | undefined {
  return process.arch === 'x64' || process.arch === 'arm64' ? process.arch : undefined;
}

/** Ubuntu closes what the sandbox needs to all programs that it does not know. */
function advice(): string {
  try {
    const restricted = readFileSync('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', 'utf8').trim() === '1';
    return restricted
      ? ' This system keeps programs from it: “sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0” lifts that until the machine starts again.'
      : '';
  } catch {
    return '';
  }
}

/** A helper, in a folder that is removed once it is gone; where we are killed with it, by the next who opens one. */
async function openHelper(parts: SandboxParts, onLeaving: () => void): Promise<Helper> {
  const place = await temporaryFolder();
  return new Promise((resolve, reject) => {
    inOwnedFolder(place, 'whetstone-sandbox-', (folder) => untilGone(folder, parts, { onOpened: resolve, onLeaving }))
      .catch(reject)
      .finally(onLeaving);
  });
}

async function untilGone(
  { path: folder, mark }: OwnedFolder,
  parts: SandboxParts,
  { onOpened, onLeaving }: { readonly onOpened: (helper: Helper) => void; readonly onLeaving: () => void },
): Promise<void> {
  const settings = await settingsFor(parts, folder);
  const empty = path.join(folder, 'empty');
  // What the library looks for by name is looked for outside of the workspace.
  const folders = await trustedFolders(parts.environment['PATH'], settings.kept);
  const own = { HOME: parts.home, TMPDIR: settings.own, PATH: folders.join(path.delimiter) };
  for (const each of [empty, settings.own, settings.attempts]) await mkdir(each, { mode: 0o700 });
  const marks = { [helperMark]: mark, [markName]: mark };
  const env = { ...harmlessEnvironment(parts.environment), ...wayOut(parts.environment), ...own, ...marks };
  const start = { file: parts.helper, cwd: empty, env, settings, idleMs };
  const helper = await forkHelper(start, onLeaving);
  onOpened(helper);
  await helper.gone;
}

const outwards = /^(?:https?_proxy|no_proxy|all_proxy|node_extra_ca_certs)$/iu;

/** How declared hosts are reached from this machine, for the helper alone. */
function wayOut(environment: SandboxParts['environment']): SandboxParts['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => outwards.test(name)));
}

async function settingsFor(parts: SandboxParts, folder: string): Promise<HelperSettings> {
  const tools = await findTools(parts.environment['PATH'], parts);
  if ('kind' in tools) throw new Error(`The sandbox needs programs that are not installed: ${tools.install}`);
  const closed = [...new Set([...(await Promise.all(parts.closed.map(real))), ...(await withClones(parts.closed))])];
  const kept = closed.filter((place) => place !== '/'); // it would close the system too
  if (closed.length > 0 && kept.length === 0)
    throw new Error('The workspace is the root of the file system, which no sandbox can close: open a folder of it.');
  return {
    tools,
    seccomp: path.join(path.dirname(parts.helper), 'vendor', 'seccomp', seccompFolder() ?? '', 'apply-seccomp'),
    denied: await deniedPlaces([parts.home, await temporaryFolder(), ...kept]),
    kept,
    sealed: await Promise.all((parts.sealed ?? []).map(real)),
    home: await real(parts.home),
    attempts: path.join(folder, 'attempts'),
    own: path.join(folder, 'own'),
    masks: parts.masks ?? false,
    limits: { ...usualLimits(), ...parts.limits },
  };
}

async function real(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}

/** Inside the sandbox `/dev` is another one: what lies there cannot be handed in. */
export async function temporaryFolder(): Promise<string> {
  const usual = await realpath(os.tmpdir());
  return usual.startsWith('/dev/') ? realpath('/tmp') : usual;
}

const gigabyte = 1024 ** 3;

function usualLimits(): SandboxLimits {
  // Half of the machine: programs that load models of their own take gigabytes.
  const memoryBytes = Math.max(2 * gigabyte, Math.floor(os.totalmem() / 2));
  return { processes: 512, memoryBytes, diskBytes: 2 * gigabyte, files: 200_000 };
}
