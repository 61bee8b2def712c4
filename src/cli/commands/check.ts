import path from 'node:path';
import type { Command } from 'commander';
import { cureIn, isPassing, messageOf, ModelError, UserError, type UserErrorCode } from '../../errors.js';
import type { UseCases } from '../../app/useCases.js';
import type { RecordCheck } from '../../app/results/checkRecord.js';
import {
  freshHelp,
  runRequest,
  skillRequest,
  withRunOptions,
  type CliContext,
  type RunCommandOptions,
} from '../commandLine.js';
import { count, percent, percents } from '../../wording/amounts.js';
import { english } from '../../wording/translate.js';
import { openToSpend } from '../askCosts.js';
import { isAtStake } from '../../wording/preflightLines.js';
import { ownCure } from '../../wording/ownCure.js';
import { tellSize } from '../confirmSpend.js';
import { exitCodeOf } from '../exitCode.js';
import { skillsAt, type FindSkills } from '../namedSkills.js';
import { createProgress, scoring } from '../progress/progressLine.js';
import { costText, storedText } from '../spendText.js';
import { problemLines, problemRows } from '../taskText.js';
import { oneLine, type Paint } from '../terminal.js';

interface CheckOptions extends RunCommandOptions {
  readonly update?: boolean;
  readonly fresh?: boolean;
  readonly allow: string;
}

/** `whetstone check`: for CI. Fails when a skill scores below what its committed record says. */
export function addCheck(program: Command, face: CliContext, findSkills: FindSkills): void {
  withRunOptions(
    program.command('check').argument('<places...>', 'skills by name or path, or folders to look for skills in'),
  )
    .description('score skills and compare with evals/record.json; exit code 1 when one falls below its record')
    .option('--update', 'write the record from what the skill scores now, asked anew')
    .option('--fresh', freshHelp)
    .option('--allow <points>', 'how many points (0 to 100) a score may lie below its record', '0')
    .action(async (places: readonly string[], options: CheckOptions) => {
      const skills = await skillsAt(
        places.map((place) => path.resolve(face.cwd, place)),
        findSkills,
      );
      if (skills.length === 0) throw new UserError('skill-missing', 'No skill was found there.', 'Name a SKILL.md.');
      const { rows, thrown } = await checkAll(face, skills, options);
      if (options.json === true) face.terminal.json(rows.map(jsonOf));
      else if (rows.length > 0)
        face.terminal.out(`${rows.map((row) => rowText(row, face.terminal.paint)).join('\n')}\n`);
      if (thrown !== undefined) throw thrown.error;
      face.exit(exitOf(rows));
    });
}

/** A skill that could not be checked keeps no other from its check. */
interface RefusedCheck {
  readonly kind: 'refused';
  readonly skillName: string;
  readonly error: unknown;
}

type CheckRow = RecordCheck | RefusedCheck;

interface CheckedSkills {
  readonly rows: readonly CheckRow[];
  /** What ended the command: no fault of one skill, or of the only one. */
  readonly thrown?: { readonly error: unknown };
}

async function checkAll(face: CliContext, skills: readonly string[], options: CheckOptions): Promise<CheckedSkills> {
  const allow = sharesOf(options.allow);
  const opened = face.open(options);
  const unfit = new Map<string, unknown>();
  for (const skill of skills)
    await opened.refuseUnfitTarget(skillRequest(face, skill, options)).catch((error: unknown) => {
      if (skills.length === 1 || !isOfSkill(error)) throw error;
      unfit.set(skill, error);
    });
  const useCases = unfit.size === skills.length ? opened : await openToSpend(face, options);
  const rows: CheckRow[] = [];
  for (const skill of skills) {
    try {
      if (unfit.has(skill)) throw unfit.get(skill);
      rows.push(await checkOne(face, useCases, { skill, options, allow }));
    } catch (error) {
      if (skills.length === 1 || face.signal.aborted || !isOfSkill(error)) return { rows, thrown: { error } };
      rows.push({ kind: 'refused', skillName: nameIn(face.cwd, skill), error });
    }
  }
  return { rows };
}

async function checkOne(
  face: CliContext,
  useCases: UseCases,
  { skill, options, allow }: { readonly skill: string; readonly options: CheckOptions; readonly allow: number },
): Promise<RecordCheck> {
  const progress = createProgress(face.terminal, scoring);
  const quiet = options.json === true;
  const request = {
    ...runRequest(face, skill, options),
    purpose: 'optimize' as const,
    update: options.update === true,
    fresh: options.fresh === true,
    allow,
  };
  const size = await useCases.evaluationSize([{ ...request, withoutSkill: false }], face.signal);
  if (isAtStake(size)) tellSize(face, size);
  for (const line of size.placed ?? []) face.terminal.err(`${oneLine(line)}\n`);
  const show: typeof progress.show = (event, summary) => (quiet ? undefined : progress.show(event, summary));
  return useCases.checkRecord(request, show, face.signal).finally(() => progress.clear());
}

/** The models, the options and the caps are those of all of them: another skill would end the same way. */
const ofAll: readonly UserErrorCode[] = [
  'usage',
  'options-malformed',
  'model-not-chosen',
  'model-key-missing',
  'model-key-exposed',
  'model-failed',
  'model-refused',
  'cap-reached',
  'workspace-untrusted',
  'answers-awaited',
  'cancelled',
];

function isOfSkill(error: unknown): boolean {
  if (error instanceof UserError) return !ofAll.includes(error.code);
  return !(error instanceof ModelError) && cureIn(error) !== '' && !isPassing(error);
}

function nameIn(cwd: string, skill: string): string {
  const folder = path.dirname(skill);
  return path.relative(cwd, folder) || path.basename(folder);
}

/** One that fell below its record or broke is a failure; where all others are refusals, the command was refused. */
function exitOf(rows: readonly CheckRow[]): number {
  const codes = rows.map((row) => (row.kind === 'refused' ? exitCodeOf(row.error) : isFailure(row) ? 1 : 0));
  return codes.includes(1) ? 1 : Math.max(...codes);
}

/** What could not be attempted was not checked. Whoever records is told, and may want to record the rest. */
function isFailure({ kind, broken }: RecordCheck): boolean {
  return kind === 'fell' || (kind === 'held' && broken > 0);
}

function jsonOf(row: CheckRow): Readonly<Record<string, unknown>> {
  if (row.kind !== 'refused') return { ...row, problems: problemRows(row.problems) };
  const { kind, skillName, error } = row;
  return { kind, skillName, reason: messageOf(error), cure: ownCure(cureIn(error), 'terminal') };
}

function rowText(row: CheckRow, paint: Paint): string {
  if (row.kind !== 'refused') return resultText(row, paint);
  const why = `${messageOf(row.error)} ${ownCure(cureIn(row.error), 'terminal')}`;
  return `${paint('yellow', '!')} ${oneLine(`${row.skillName}: could not be checked: ${why}`)}`;
}

function sharesOf(points: string): number {
  const number = Number(points);
  if (Number.isFinite(number) && number >= 0 && number <= 100) return number / 100;
  throw new UserError('usage', `“${points}” is not a number of points.`, 'Give a number from 0 to 100.');
}

function resultText(result: RecordCheck, paint: Paint): string {
  const { kind, recorded, now, tasks, model } = result;
  const skillName = oneLine(result.skillName);
  const over = `over ${tasks} tasks on ${oneLine(model)}`;
  const stored = storedText({ all: result.answers, stored: result.storedAnswers });
  const took = [...[...stored, costText(result.spend)].map((line) => `    ${line}`), ...problemLines(result.problems)];
  if (kind === 'updated') {
    const before = recorded === undefined ? '' : `, before ${percent(recorded)}`;
    return [`${paint('green', '✓')} ${skillName}: recorded ${percent(now)} ${over}${before}`, ...took].join('\n');
  }
  const mark = isFailure(result) ? paint('red', '✗') : paint('green', '✓');
  const word = kind === 'fell' ? 'fell below its record' : 'holds its record';
  const lines = result.worse.map(
    (task) => `    ${oneLine(task.id)}: ${percents({ before: task.recorded, after: task.now })}`,
  );
  const drift = [
    ...(result.broken > 0 ? [`    ${count(result.broken, 'task', english)} could not be attempted: see below`] : []),
    ...(result.added > 0 ? [`    ${result.added} tasks are not in the record yet`] : []),
    ...(result.gone > 0 ? [`    ${result.gone} tasks of the record are gone`] : []),
  ];
  const head = `${mark} ${skillName}: ${word}: ${percents({ before: recorded ?? 0, after: now })} ${over}`;
  return [head, ...lines, ...drift, ...took].join('\n');
}
