import { crontabBlock, shellEnvironmentFile } from './crontab.js';
import { launchdLabel, launchdPlist } from './launchd.js';
import { environmentFileMode, type OsEntry } from './osEntry.js';
import { schtasksCommands, windowsEnvironmentFile, windowsTaskXml, windowsWrapper } from './windowsTask.js';

export type OsScheduler = 'crontab' | 'launchd' | 'schtasks';

/** A file the installation writes, in the order written. */
export interface ScheduledFile {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  readonly encoding: 'utf8' | 'utf16le-bom';
  /** Never printed: it holds keys. */
  readonly secret: boolean;
}

/** Everything an installation would do, so that the person sees it first and a test can do it for real. */
export interface OsPlan {
  readonly scheduler: OsScheduler;
  /** What the person is shown: the exact text that the scheduler gets. */
  readonly text: string;
  readonly files: readonly ScheduledFile[];
  /** Programs with arguments, run in order after the files are written; empty for a crontab, which is merged. */
  readonly install: readonly (readonly string[])[];
  readonly remove: readonly (readonly string[])[];
}

export interface OsPlanRequest {
  readonly entry: OsEntry;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the launch agent, or the wrapper and the task's definition, go. Not used for a crontab. */
  readonly folder: string;
}

/** The scheduler of a platform (`process.platform`). */
export function schedulerOf(platform: string): OsScheduler {
  if (platform === 'win32') return 'schtasks';
  return platform === 'darwin' ? 'launchd' : 'crontab';
}

/** Writes down the whole installation without doing any of it. */
export function planOsSchedule(scheduler: OsScheduler, request: OsPlanRequest): OsPlan {
  switch (scheduler) {
    case 'crontab':
      return crontabPlan(request);
    case 'launchd':
      return launchdPlan(request);
    case 'schtasks':
      return schtasksPlan(request);
  }
}

function crontabPlan({ entry, environment }: OsPlanRequest): OsPlan {
  return {
    scheduler: 'crontab',
    text: crontabBlock(entry),
    files: [secretFile(entry, shellEnvironmentFile(environment))],
    install: [],
    remove: [],
  };
}

function launchdPlan({ entry, environment, folder }: OsPlanRequest): OsPlan {
  const path = `${folder}/${launchdLabel(entry.id)}.plist`;
  const text = launchdPlist(entry);
  return {
    scheduler: 'launchd',
    text,
    files: [
      secretFile(entry, shellEnvironmentFile(environment)),
      { path, text, mode: 0o644, encoding: 'utf8', secret: false },
    ],
    install: [['/bin/launchctl', 'load', '-w', path]],
    remove: [['/bin/launchctl', 'unload', '-w', path]],
  };
}

function schtasksPlan({ entry, environment, folder }: OsPlanRequest): OsPlan {
  const wrapper = `${folder}\\night-${entry.id}.cmd`;
  const definition = `${folder}\\night-${entry.id}.xml`;
  const text = windowsTaskXml(entry, wrapper);
  const wrapperText = windowsWrapper(entry);
  const { install, remove } = schtasksCommands(entry.id, definition);
  return {
    scheduler: 'schtasks',
    text: `${text}\r\n${wrapper}:\r\n${wrapperText}`,
    files: [
      secretFile(entry, windowsEnvironmentFile(environment)),
      { path: wrapper, text: wrapperText, mode: 0o700, encoding: 'utf8', secret: false },
      { path: definition, text, mode: 0o600, encoding: 'utf16le-bom', secret: false },
    ],
    install: [install],
    remove: [remove],
  };
}

function secretFile(entry: OsEntry, text: string): ScheduledFile {
  return { path: entry.environmentFile, text, mode: environmentFileMode, encoding: 'utf8', secret: true };
}
