import { unlink, mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../errors.js';
import { entryIn, withEntry, withoutEntry } from '../../schedule/crontab.js';
import { launchdLabel } from '../../schedule/launchd.js';
import type { OsEntry } from '../../schedule/osEntry.js';
import { schedulerOf, type OsPlan, type ScheduledFile } from '../../schedule/osSchedule.js';
import { schtasksCommands } from '../../schedule/windowsTask.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { findProgram, runCommand, type CommandResult } from './osCommand.js';
import type { World } from '../world.js';

/** Enters the plan into the machine's scheduler. Every line of a crontab that is not ours keeps its bytes. */
export async function enterSchedule(
  world: World,
  { entry, plan }: { readonly entry: OsEntry; readonly plan: OsPlan },
  signal: AbortSignal,
): Promise<void> {
  if (plan.scheduler === 'crontab') {
    await changeCrontab(world, (before) => withEntry(before, entry), signal);
    return;
  }
  // launchd refuses a second loading of the same label.
  if (plan.scheduler === 'launchd') for (const words of plan.remove) await run(world, words, signal);
  for (const words of plan.install) orRefuse(words, await run(world, words, signal));
}

/** Takes the entry out again. False where it was not there. */
export async function leaveSchedule(
  world: World,
  { id, folder }: { readonly id: string; readonly folder: string },
  signal: AbortSignal,
): Promise<boolean> {
  switch (schedulerOf(world.platform)) {
    case 'crontab': {
      const before = await readCrontab(world, signal);
      if (before === undefined || entryIn(before, id) === undefined) return false;
      await changeCrontab(world, (text) => withoutEntry(text, id), signal);
      return true;
    }
    case 'launchd': {
      const file = path.posix.join(folder, `${launchdLabel(id)}.plist`);
      const { code } = await run(world, ['/bin/launchctl', 'unload', '-w', file], signal);
      await unlessMissing(unlink(file));
      return code === 0;
    }
    case 'schtasks': {
      const { code } = await run(world, schtasksCommands(id, '').remove, signal);
      for (const ending of ['cmd', 'xml'])
        await unlessMissing(unlink(path.win32.join(folder, `night-${id}.${ending}`)));
      return code === 0;
    }
  }
}

async function changeCrontab(world: World, change: (text: string) => string, signal: AbortSignal): Promise<void> {
  const before = await readCrontab(world, signal);
  if (before === undefined) throw noCrontab();
  const after = change(before);
  if (after === before) return;
  const program = await crontab(world);
  const environment = plain(world);
  orRefuse([program, '-'], await runCommand({ program, arguments: ['-'], environment, input: after }, signal));
}

/** The person's crontab; empty where they have none, undefined where there is no cron. */
async function readCrontab(world: World, signal: AbortSignal): Promise<string | undefined> {
  const program = await findProgram('crontab', world.environment, world.platform);
  if (program === undefined) return undefined;
  const { code, output } = await runCommand({ program, arguments: ['-l'], environment: plain(world) }, signal);
  if (code === 0) return output;
  if (/no crontab/i.test(output)) return '';
  throw refused(`The crontab cannot be read: ${output.trim()}`);
}

async function crontab(world: World): Promise<string> {
  const found = await findProgram('crontab', world.environment, world.platform);
  if (found === undefined) throw noCrontab();
  return found;
}

function run(world: World, words: readonly string[], signal: AbortSignal): Promise<CommandResult> {
  const [program = '', ...rest] = words;
  return runCommand({ program, arguments: rest, environment: plain(world) }, signal);
}

/** Without keys: the scheduler's own programs need none. The answers we read must be in English. */
function plain({ environment }: World): Readonly<Record<string, string | undefined>> {
  const { PATH, HOME, USER, LOGNAME, SystemRoot } = environment;
  return { PATH, HOME, USER, LOGNAME, SystemRoot, LC_ALL: 'C' };
}

function orRefuse(words: readonly string[], { code, output }: CommandResult): void {
  if (code !== 0) throw refused(`“${words.join(' ')}” failed: ${output.trim() || `exit code ${code}`}`);
}

function noCrontab(): UserError {
  return new UserError(
    'schedule-refused',
    'There is no “crontab” program on this machine.',
    'Install cron, or give the text of “whetstone schedule --print” to the scheduler that you have.',
  );
}

function refused(what: string): UserError {
  return new UserError('schedule-refused', what.endsWith('.') ? what : `${what}.`, 'Fix it and try again.');
}

/** Writes a file of an installation with its mode from the first byte on: what holds keys is never open to others. */
export async function writeScheduledFile({ path: file, text, mode, encoding }: ScheduledFile): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const fresh = `${file}.new`;
  const handle = await open(fresh, 'w', mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(encoding === 'utf8' ? Buffer.from(text, 'utf8') : Buffer.from(`\ufeff${text}`, 'utf16le'));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, file);
}
