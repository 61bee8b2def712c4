import path from 'node:path';
import process from 'node:process';
import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import { defaultTime } from '../../schedule/scheduleSettings.js';
import type { OsScheduleRequest, OsScheduleView } from '../../app/osSchedule/osInstallation.js';
import { giveUpLine } from '../../wording/preflightLines.js';
import { exactText } from '../../wording/shownText.js';
import { listed, readCaps, wholeCap } from '../caps.js';
import { skillEntry } from './night.js';
import type { FindSkills } from '../namedSkills.js';
import { runRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';

interface ScheduleOptions extends RunCommandOptions {
  readonly print?: boolean;
  readonly install?: boolean;
  readonly remove?: boolean;
  readonly at: string;
  readonly exclude: readonly string[];
  readonly autoAdopt: readonly string[];
  readonly skipOnBattery?: boolean;
}

/** `whetstone schedule`: nights that the operating system starts while no window is open. */
export function addSchedule(
  program: Command,
  face: CliContext,
  { cli, findSkills }: { readonly cli: string; readonly findSkills: FindSkills },
): void {
  withRunOptions(
    program.command('schedule').argument('[folders...]', 'folders whose skills are trained (default: here)'),
  )
    .description('let the operating system start nights: show the exact text, install it, or take it away')
    .option('--print', 'show what would be installed; changes nothing (the default)')
    .option('--install', 'check that a night would run, then install it')
    .option('--remove', 'take the schedule of these folders away')
    .option('--at <time>', 'a time such as 03:17, or five cron fields such as "17 3 * * 1-5"', defaultTime)
    .option('--exclude <skill>', 'leave this skill alone, by name (repeatable)', collect, [])
    .option(
      '--auto-adopt <skill>',
      'adopt what is proved better for this skill, by path, without asking (repeatable)',
      collect,
      [],
    )
    .option('--skip-on-battery', 'let a night go while the machine runs on battery')
    .action(async (given: readonly string[], options: ScheduleOptions) => {
      const folders = (given.length === 0 ? [face.cwd] : given).map((folder) => path.resolve(face.cwd, folder));
      if (options.remove === true) {
        const removed = await face.open({}).removeOsSchedule(folders, face.signal);
        face.terminal.out(removed ? 'The schedule is taken away.\n' : 'No schedule was installed for these folders.\n');
        return;
      }
      const skills = [...new Set((await Promise.all(folders.map(findSkills))).flat())];
      await showOrInstall(face, requestOf(face, { folders, skills }, options, cli), options);
    });
}

async function showOrInstall(face: CliContext, request: OsScheduleRequest, options: ScheduleOptions): Promise<void> {
  const useCases = face.open(options);
  const view = await useCases.showOsSchedule(request, face.signal);
  if (options.json !== true) face.terminal.out(viewText(view));
  if (options.install === true) {
    await useCases.installOsSchedule(request, face.signal);
    // Typing the model into this command is the person's word for it.
    const { folders, skills: optionsFor = [] } = request;
    await useCases.agreeToNights({ folders, workspaceFolders: folders, models: true, optionsFor }, face.signal);
  }
  const installed = options.install === true || view.installed;
  if (options.json === true) face.terminal.json({ ...view, installed });
  else face.terminal.out(`${outcomeText(options, installed)}\n`);
}

function requestOf(
  face: CliContext,
  { folders, skills }: { readonly folders: readonly string[]; readonly skills: readonly string[] },
  options: ScheduleOptions,
  cli: string,
): OsScheduleRequest {
  const all = options.model ?? process.env['WHETSTONE_MODEL'];
  const models = { target: options.target ?? all, optimizer: options.optimizer, judge: options.judge };
  if (models.target === undefined && options.install === true)
    throw new UserError(
      'model-not-chosen',
      'No model is named for the nights.',
      'Add --model, such as --model ollama/llama3.2.',
    );
  const { preset, settings } = runRequest(face, '', options);
  return {
    folders,
    skills,
    at: options.at,
    models,
    preset,
    settings,
    excluded: options.exclude,
    autoAdopt: options.autoAdopt.map((entry) => skillEntry(face.cwd, entry)),
    onBattery: options.skipOnBattery === true ? 'skip' : 'run',
    caps: capsOf(options),
    cli,
    host: { path: process.execPath, electron: process.versions['electron'] !== undefined, replaceable: false },
    keys: {},
  };
}

/** Of a night, `run` is the whole of it. */
function capsOf(options: ScheduleOptions): OsScheduleRequest['caps'] {
  const { run, day, month } = readCaps([...listed(process.env['WHETSTONE_CAPS']), ...(options.cap ?? [])]);
  const night = {
    ...run,
    calls: wholeCap('--max-calls', options.maxCalls) ?? run.calls,
    tokens: wholeCap('--max-tokens', options.maxTokens) ?? run.tokens,
  };
  return { night, day, month };
}

function viewText({ text, files, logFile, givesUp }: OsScheduleView): string {
  return [
    text.trimEnd(),
    '',
    'Files:',
    ...files.map(
      ({ path: file, mode, secret }) => `  ${exactText(file)} (${mode}${secret ? ', holds keys, not shown' : ''})`,
    ),
    `  ${exactText(logFile)} (what nights say)`,
    '',
    giveUpLine(givesUp),
    '',
  ].join('\n');
}

function outcomeText(options: ScheduleOptions, installed: boolean): string {
  if (options.install === true) return 'Installed. “whetstone schedule --remove” takes it away.';
  return installed
    ? 'A schedule is installed for these folders.'
    : 'Nothing is installed. Add --install to install it.';
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
