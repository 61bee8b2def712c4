import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ModelError, UserError } from '../../errors.js';
import type { OsEntry } from '../../schedule/osEntry.js';
import { shellCommand } from '../../schedule/crontab.js';
import { windowsWrapper } from '../../schedule/windowsTask.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { runCommand, type Command } from './osCommand.js';
import type { World } from '../world.js';

/**
 * Runs the doctor exactly as a night will be started: same program, same copy, same environment file, and otherwise
 * the bare environment of a scheduler. Throws with the first thing that is wrong.
 */
export async function assertNightRuns(world: World, entry: OsEntry, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'whetstone-doctor-'));
  try {
    const logFile = path.join(folder, 'doctor.log');
    const [cli = '', , ...rest] = entry.arguments;
    const asked: OsEntry = { ...entry, logFile, arguments: [cli, 'doctor', ...rest] };
    const { code, output } = await runCommand(await commandFor(world, asked, folder), signal);
    if (code === 0) return;
    const said = [(await unlessMissing(readFile(logFile, 'utf8'))) ?? '', output].join('\n').trim();
    throw new UserError(
      'schedule-refused',
      // The reason first: a notification shows one line.
      `${firstFailure(said)} So a night would not run while VS Code is closed.`,
      'Fix that and install again. Nothing was installed.',
      { cause: causeIn(said) },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function commandFor(world: World, entry: OsEntry, folder: string): Promise<Command> {
  if (world.platform === 'win32') {
    const wrapper = path.join(folder, 'doctor.cmd');
    await writeFile(wrapper, windowsWrapper(entry));
    const { SystemRoot = 'C:\\Windows', TEMP } = world.environment;
    const program = path.win32.join(SystemRoot, 'System32', 'cmd.exe');
    return {
      program,
      arguments: ['/d', '/c', wrapper],
      environment: { SystemRoot, TEMP, PATH: `${SystemRoot}\\System32` },
    };
  }
  return { program: '/bin/sh', arguments: ['-c', shellCommand(entry)], environment: bareEnvironment(world) };
}

/** What cron hands to the programs that it starts, and no more. */
export function bareEnvironment({ home, environment }: World): Readonly<Record<string, string | undefined>> {
  return {
    HOME: home,
    LOGNAME: environment['LOGNAME'] ?? environment['USER'],
    SHELL: '/bin/sh',
    PATH: '/usr/bin:/bin',
  };
}

/** What failed, as the error that it would be elsewhere: a face knows where that is mended. */
function causeIn(text: string): ModelError | undefined {
  const check = /^\s*✗ ([\w ]+?):/mu.exec(text)?.[1] ?? '';
  if (check === 'key') return new ModelError('auth', check);
  return ['address', 'reachable', 'tiny call'].includes(check) ? new ModelError('unavailable', check) : undefined;
}

/** The first line that says what failed, else the last that was said. */
function firstFailure(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const at = lines.findIndex((line) => line.startsWith('✗'));
  if (at < 0) return lines.at(-1) ?? 'it ended without a word.';
  const [what = '', cure = ''] = lines.slice(at, at + 2);
  const said = what.replace(/^✗ (?:[\w ]+?: )?/, '');
  return /^[✓✗!·]/.test(cure) ? said : `${said} ${cure}`.trim();
}
