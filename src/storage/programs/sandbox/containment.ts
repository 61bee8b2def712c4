import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SandboxManager, type SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import type { ProgramRequest, ProgramResult } from '../../../ports/programs.js';
import { runProcess } from '../runProcess.js';
import { inThrowAwayCopy, NotCopiedError, removeFolder } from '../throwAwayCopy.js';
import { lookAtRequest, tellCarried } from './carriedValues.js';
import { controlGroup, type ControlGroup } from './controlGroup.js';
import { whyNotStarted } from './foundProgram.js';
import type { PlacedStart } from './helperProcess.js';
import { keyFilter } from './keyFilter.js';
import type { ProgramEnd, HelperSettings, SandboxLimits } from './messages.js';
import { helperMark } from './nothingLeft.js';
import { readRules, type ReadRules } from './readRules.js';
import { refusedIn, tellRefusedHosts } from './refused.js';
import { localPorts, startScript } from './startScript.js';
import { watchLimits } from './watchLimits.js';

/** The library, initialised once in this process. */
export interface Containment {
  run(
    request: ProgramRequest,
    signal: AbortSignal,
    how?: Partial<PlacedStart> & {
      /** A file that is open, for reading, in the process that starts the sandbox: it must not be inside. */
      readonly planted?: string | undefined;
    },
  ): Promise<ProgramEnd>;
  close(): Promise<void>;
}

/** Throws where anything is missing; what the library only warns of, such as open Unix sockets, is missing too. */
export async function openContainment(settings: HelperSettings): Promise<Containment> {
  const { tools, denied, own, masks } = settings;
  const config: SandboxRuntimeConfig = {
    network: { allowedDomains: [], deniedDomains: [], ...(masks ? readable : {}) },
    filesystem: { denyRead: [...denied], allowRead: [own], allowWrite: [], denyWrite: [] },
    ripgrep: { command: tools.rg },
    bwrapPath: tools.bwrap,
    socatPath: tools.socat,
    seccomp: { applyPath: settings.seccomp },
    ...(masks ? { credentials: { envVars: [] } } : {}), // without it the proxy puts nothing in
  };
  await writeFile(keyFilterIn(settings), keyFilter(process.arch), { mode: 0o400 });
  await SandboxManager.initialize(config);
  const { errors, warnings } = SandboxManager.checkDependencies({ command: tools.rg });
  const problems = [...errors, ...warnings];
  if (problems.length > 0) throw new Error(problems.join(' '));
  return {
    run: (request, signal, how) => runContained({ ...settings, ...how }, request, signal),
    close: () => SandboxManager.reset(),
  };
}

/** The proxy opens what is encrypted and looks at it; what it passes on is as it was sent. */
const readable = { tlsTerminate: {}, filterRequest: lookAtRequest, ambiguousRequestTarget: 'asSpelled' } as const;

/** Beside the folder that those in the sandbox read. */
function keyFilterIn({ own }: Pick<HelperSettings, 'own'>): string {
  return path.join(path.dirname(own), 'keys');
}

/** The settings, and what is special to one start: a file that is left open, for the attempt to break out, or its place. */
type RunSettings = HelperSettings & NonNullable<Parameters<Containment['run']>[2]>;

async function runContained(settings: RunSettings, request: ProgramRequest, signal: AbortSignal): Promise<ProgramEnd> {
  const { at } = settings;
  if (at !== undefined)
    return inOwnFolders(settings.attempts, ({ start }) =>
      runIn({ copy: at.work, home: at.home, temporary: at.temporary, start }, settings, request, signal),
    );
  try {
    return await inThrowAwayCopy({ ...request, place: settings.attempts }, (copy) =>
      inOwnFolders(settings.attempts, (folders) => runIn({ ...folders, copy }, settings, request, signal)),
    );
  } catch (error) {
    if (error instanceof NotCopiedError) return { result: { kind: 'not-started', reason: error.message }, refused: [] };
    throw error;
  }
}

/** The folders of one attempt: the copy that it works in, a home and a place for temporary files, and how it is started. */
interface AttemptFolders {
  readonly copy: string;
  readonly home: string;
  readonly temporary: string;
  /** Read only: a folder that may be read must hold none that may be written. */
  readonly start: string;
}

async function inOwnFolders<T>(place: string, work: (folders: Omit<AttemptFolders, 'copy'>) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(place, 'whetstone-at-'));
  const folders = {
    home: path.join(folder, 'home'),
    temporary: path.join(folder, 'tmp'),
    start: path.join(folder, 'start'),
  };
  try {
    for (const each of Object.values(folders)) await mkdir(each, { mode: 0o700 });
    return await work(folders);
  } finally {
    await removeFolder(folder);
  }
}

async function runIn(
  folders: AttemptFolders,
  settings: RunSettings,
  request: ProgramRequest,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const missing = await whyNotStarted(request, folders.copy);
  if (missing !== undefined) return { result: { kind: 'not-started', reason: missing }, refused: [] };
  const command = `exec /bin/sh ${quoted(path.join(folders.start, 'start.sh'))}`;
  await writeFile(path.join(folders.start, 'start.sh'), startScript(request, settings), { mode: 0o500 });
  const id = randomBytes(18).toString('base64url'); // whoever knows it has the hosts of this command
  const group = await controlGroup(settings.limits);
  const violations = SandboxManager.getSandboxViolationStore();
  const stopListening = tellRefusedHosts(violations, id, settings);
  const stopLooking = tellCarried(settings);
  try {
    const argv = await wrapped({ command, id }, folders, { settings, request }, signal);
    const { HOME: _, TMPDIR: __, ...environment } = request.environment ?? {};
    const watch = watchLimits(settings, [folders.copy, folders.home, folders.temporary]);
    const result = await runProcess(
      {
        ...request,
        ...group.entering(withOpen(settings, argv)),
        cwd: folders.copy,
        // A shell that finds a socket as its input takes it for a login from afar and reads start files: not from the second on.
        env: { ...environment, ...marked(), HOME: folders.home, TMPDIR: folders.temporary, SHLVL: '2' },
        watch,
        onData: settings.onSaid && ((chunk, from) => settings.onSaid?.({ chunk, from })),
      },
      signal,
    );
    const ended = await withReason(result, group, settings.limits);
    return {
      result: ended,
      refused: await refusedIn(result, violations, { id, settings }),
    };
  } finally {
    await stopLooking();
    stopListening();
    SandboxManager.unregisterCommandNetworkLists(id);
    SandboxManager.cleanupAfterCommand();
    await group.remove();
  }
}

const fileTooLarge = 128 + 25; // the signal of the kernel for that

/** The kernel ends what takes too much memory, or writes too large a file, without a word. */
async function withReason(
  result: ProgramResult,
  group: ControlGroup,
  { diskBytes }: SandboxLimits,
): Promise<ProgramResult> {
  if (result.kind !== 'exited' || result.code === 0) return result;
  const why =
    result.code === fileTooLarge
      ? `The sandbox ended it: it wrote a file of more than ${Math.round(diskBytes / 1024 ** 2)} MB.`
      : await group.whyEnded();
  return why === undefined ? result : { ...result, told: [...(result.told ?? []), why] };
}

/** One at a time: what is wrapped reads variables of this process. */
let wrapping: Promise<unknown> = Promise.resolve();

function wrapped(
  { command, id }: { readonly command: string; readonly id: string },
  folders: AttemptFolders,
  { settings, request }: { readonly settings: HelperSettings; readonly request: ProgramRequest },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const next = wrapping.then(async () => {
    const { hosts = [], secrets = {} } = request.reach ?? {};
    const allowedDomains = [...hosts, ...localPorts(request.reach).map((port) => `127.0.0.1:${port}`)];
    if (allowedDomains.length > 0) SandboxManager.registerCommandNetworkLists(id, { allowedDomains });
    const { denyRead, allowRead, links } = await readRules(request, settings);
    const filesystem = {
      denyRead,
      allowRead: [...allowRead, folders.start],
      allowWrite: [folders.copy, folders.home, folders.temporary],
      denyWrite: [],
    };
    const injectHosts = allowedDomains.map((host) => host.replace(/:\d+$/u, ''));
    const envVars = Object.keys(secrets).map((name) => ({ name, mode: 'mask' as const, injectHosts }));
    process.env['CLAUDE_CODE_TMPDIR'] = folders.temporary; // what it sets TMPDIR to
    Object.assign(process.env, secrets);
    try {
      const custom = { filesystem, ...(envVars.length > 0 ? { credentials: { envVars } } : {}) };
      const place = folders.copy;
      const options = { commandId: id };
      const { argv } = await SandboxManager.wrapWithSandboxArgv(
        command,
        settings.tools.bash,
        custom,
        signal,
        place,
        options,
      );
      const around = { filter: keyFilterIn(settings), links };
      return argv.map((word, index) => (index === argv.length - 1 ? closed(word, around) : word));
    } finally {
      for (const name of Object.keys(secrets)) delete process.env[name];
    }
  });
  wrapping = next.catch(() => undefined);
  return next;
}

const anchor = ' --proc /proc --unsetenv ';

/**
 * Closes what none of the library's rules closes, as mounts that come last, or nothing runs: its own folder for temporary
 * files, which every command may read and write where it is there, and for root the settings of the kernel, which root
 * may write in any sandbox, and with them name a program that runs outside; and the keys of the person's session.
 */
function closed(line: string, { filter, links }: { readonly filter: string } & Pick<ReadRules, 'links'>): string {
  const own = existsSync('/tmp/claude') ? ['--tmpfs', '/tmp/claude'] : [];
  const kernel = ['/proc/sys', '/proc/sysrq-trigger', '/proc/fs', '/proc/irq', '/proc/bus', '/proc/scsi', '/proc/acpi'];
  const settings = process.geteuid?.() === 0 ? kernel.filter((place) => existsSync(place)) : [];
  const named = links.flatMap(({ name, leadsTo }) => ['--symlink', quoted(leadsTo), quoted(name)]);
  const mounts = [...own, ...settings.flatMap((place) => ['--ro-bind', place, place]), ...named];
  const parts = line.split(anchor);
  if (parts.length !== 2)
    throw new Error(
      'The sandbox cannot be closed around programs: its library is not the one that Whetstone was made with. Install Whetstone again.',
    );
  const closing = `--unshare-ipc --seccomp ${filterDescriptor} ${mounts.join(' ')}`;
  const open = `exec ${filterDescriptor}<${quoted(filter)} || { echo "The sandbox could not be closed around the program: its filter for keys is gone." >&2; exit 126; }; `;
  return `${closeDescriptors}${open}${parts.join(` --proc /proc ${closing} --unsetenv `)}`;
}

/** What this process has open, whoever left it open, is not handed on: relative to an open folder every file is in reach. */
const closeDescriptors =
  '[ -d /proc/self/fd ] || { echo "The sandbox could not be closed around the program: it sees no list of what is open." >&2; exit 126; }; for fd in /proc/self/fd/*; do fd="${fd##*/}"; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done; ';

const filterDescriptor = 8; // the library may use the one after it

export const plantedDescriptor = 40; // Node closes the low ones by itself

function withOpen({ planted, tools }: RunSettings, argv: readonly string[]): readonly string[] {
  if (planted === undefined) return argv;
  return [tools.bash, '-c', `exec ${plantedDescriptor}<"$0" && exec "$@"`, planted, ...argv];
}

function marked(): Readonly<Record<string, string>> {
  return { [helperMark]: process.env[helperMark] ?? '' };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
