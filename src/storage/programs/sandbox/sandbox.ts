import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../../errors.js';
import { harmlessEnvironment } from '../../../harmlessEnvironment.js';
import type { ProgramRequest, ProgramResult } from '../../../ports/programs.js';
import type { Sandbox, SandboxState } from '../../../ports/sandbox.js';
import { forkHelper, type Helper } from './helperProcess.js';
import type { HelperSettings, Refused, SandboxLimits } from './messages.js';
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
  readonly onRefused?: ((refused: Refused) => void) | undefined;
}

/** How long a helper without work is kept. */
const idleMs = 20_000;

/** The sandbox of one run. Nothing is started before it is asked for its state or to run something. */
export function createSandbox(parts: SandboxParts): Sandbox {
  let known: Promise<SandboxState> | undefined;
  let opened: Promise<Helper> | undefined;
  const told = new Set<string>();
  const helper = (): Promise<Helper> => {
    opened ??= openHelper(parts, () => (opened = undefined));
    return opened;
  };
  return {
    state: (signal) => {
      signal.throwIfAborted();
      known ??= findState(parts, helper);
      return known;
    },
    async run(request, signal) {
      signal.throwIfAborted();
      const environment = { ...harmlessEnvironment(parts.environment), ...request.environment };
      let ended: { readonly result: ProgramResult; readonly refused: readonly Refused[] };
      try {
        ended = await (await helper()).run({ ...request, environment: defined(environment) }, signal);
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'not-started', reason: messageOf(error) };
      }
      signal.throwIfAborted();
      for (const refused of ended.refused) {
        const key = JSON.stringify(refused);
        if (!told.has(key)) parts.onRefused?.(refused);
        told.add(key);
      }
      return withRefused(ended.result, ended.refused);
    },
  };
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
  if (!existsSync(helper)) return 'The sandbox is not part of this program.';
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
      ? ' This system keeps programs from it: “sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0” lifts that.'
      : '';
  } catch {
    return '';
  }
}

async function openHelper(parts: SandboxParts, onGone: () => void): Promise<Helper> {
  const folder = await realpath(await mkdtemp(path.join(await attemptsFolder(), 'whetstone-sandbox-')));
  const gone = async (): Promise<void> => {
    onGone();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const settings = await settingsFor(parts, folder);
    const empty = path.join(folder, 'empty');
    // What the library looks for by name is looked for outside of the workspace.
    const folders = await trustedFolders(parts.environment['PATH'], settings.kept);
    const mark = { [helperMark]: randomBytes(16).toString('hex') };
    const own = { HOME: parts.home, TMPDIR: settings.own, PATH: folders.join(path.delimiter), ...mark };
    await Promise.all([mkdir(empty), mkdir(settings.own)]);
    const env = { ...harmlessEnvironment(parts.environment), ...wayOut(parts.environment), ...own };
    return await forkHelper({ file: parts.helper, cwd: empty, env, settings, idleMs }, gone);
  } catch (error) {
    await gone();
    throw error;
  }
}

const outwards = /^(?:https?_proxy|no_proxy|all_proxy|node_extra_ca_certs)$/iu;

/** How declared hosts are reached from this machine, for the helper alone. */
function wayOut(environment: SandboxParts['environment']): SandboxParts['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => outwards.test(name)));
}

async function settingsFor(parts: SandboxParts, folder: string): Promise<HelperSettings> {
  const tools = await findTools(parts.environment['PATH'], parts);
  if ('kind' in tools) throw new Error(`The sandbox needs programs that are not installed: ${tools.install}`);
  const attempts = await attemptsFolder();
  const closed = await Promise.all(parts.closed.map(real));
  const kept = closed.filter((place) => place !== '/'); // it would close the system too
  if (closed.length > 0 && kept.length === 0)
    throw new Error('The workspace is the root of the file system, which no sandbox can close: open a folder of it.');
  return {
    tools,
    seccomp: path.join(path.dirname(parts.helper), 'vendor', 'seccomp', seccompFolder() ?? '', 'apply-seccomp'),
    denied: await deniedPlaces([parts.home, attempts, ...kept]),
    kept,
    sealed: await Promise.all((parts.sealed ?? []).map(real)),
    home: await real(parts.home),
    attempts,
    own: path.join(folder, 'own'),
    masks: parts.masks ?? false,
    limits: { ...usualLimits(), ...parts.limits },
  };
}

async function real(place: string): Promise<string> {
  return realpath(place).catch(() => path.resolve(place));
}

/** Inside the sandbox `/dev` is another one: what lies there cannot be handed in. */
async function attemptsFolder(): Promise<string> {
  const usual = await realpath(os.tmpdir());
  return usual.startsWith('/dev/') ? realpath('/tmp') : usual;
}

const gigabyte = 1024 ** 3;

function usualLimits(): SandboxLimits {
  // Half of the machine: programs that load models of their own take gigabytes.
  const memoryBytes = Math.max(2 * gigabyte, Math.floor(os.totalmem() / 2));
  return { processes: 512, memoryBytes, diskBytes: 2 * gigabyte, files: 200_000 };
}
