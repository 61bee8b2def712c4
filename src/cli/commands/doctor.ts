import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { DoctorResult } from '../../app/osSchedule/doctor.js';
import { oneLine } from '../terminal.js';
import { withModelOptions, type CliContext, type ModelOptions } from '../commandLine.js';

interface DoctorOptions extends ModelOptions {
  readonly json?: boolean;
  readonly report?: boolean;
  readonly scheduled?: string;
}

/** `whetstone doctor`: whether a run would work here; exit code 1 where something is wrong. */
export function addDoctor(
  program: Command,
  face: CliContext,
  parts: { readonly version: string; readonly findSkills: (folder: string) => Promise<readonly string[]> },
): void {
  withModelOptions(program.command('doctor').argument('[folders...]', 'folders with skills (default: here)'))
    .description('check programs, folders, skills and one answer of the model; changes nothing')
    .option('--json', 'print one JSON object instead of text')
    .option('--report', 'print a report for others, with nothing secret in it')
    .option('--scheduled <id>', 'as an installed night finds it')
    .action(async (given: readonly string[], options: DoctorOptions) => {
      const { folders, models } = await placesOf(face, given, options);
      const skills = (await Promise.all(folders.map((folder) => parts.findSkills(folder).catch(() => [])))).flat();
      const request = { version: parts.version, folders, skills };
      const result = await face.open(models).doctor(request, face.signal);
      if (options.json === true) face.terminal.json(result);
      else face.terminal.out(textOf(result, options, parts.version));
      if (!result.healthy) face.exit(1);
    });
}

async function placesOf(
  face: CliContext,
  given: readonly string[],
  options: DoctorOptions,
): Promise<{ readonly folders: readonly string[]; readonly models: ModelOptions }> {
  if (options.scheduled === undefined) {
    const folders = (given.length === 0 ? [face.cwd] : given).map((folder) => path.resolve(face.cwd, folder));
    return { folders, models: options };
  }
  const installed = await face.open({}).installedOsSchedule({ id: options.scheduled });
  if (installed === undefined) throw notInstalled(options.scheduled);
  return { folders: installed.folders, models: { ...installed.models, caps: installed.caps } };
}

/** The error of an entry that outlived what it was installed with. */
export function notInstalled(id: string): UserError {
  return new UserError(
    'schedule-refused',
    `Nothing is installed here under ${id}.`,
    'Run “whetstone schedule --install” in the folder of the skills.',
  );
}

const marks: Readonly<Record<DoctorResult['findings'][number]['state'], string>> = {
  ok: '✓',
  warning: '!',
  failed: '✗',
  skipped: '·',
};

function textOf(result: DoctorResult, options: DoctorOptions, version: string): string {
  const lines = result.findings.flatMap(({ check, state, what, cure }) => [
    `${marks[state]} ${check}: ${oneLine(what)}`,
    ...(cure === '' ? [] : [`    ${oneLine(cure)}`]),
  ]);
  if (options.report !== true) return `${lines.join('\n')}\n`;
  const { platform, arch, version: node } = process;
  return [
    '# Whetstone doctor',
    '',
    `Whetstone ${version}, Node.js ${node}, ${platform} ${arch}.`,
    '',
    '```',
    ...lines,
    '```',
    '',
  ].join('\n');
}
