import type { Command } from 'commander';
import { UserError } from '../../errors.js';
import type { RecordCheck } from '../../app/results/checkRecord.js';
import {
  freshHelp,
  runRequest,
  skillRequest,
  withRunOptions,
  type CliContext,
  type RunCommandOptions,
} from '../commandLine.js';
import { percent, percents } from '../../wording/amounts.js';
import { openToSpend } from '../askCosts.js';
import { isAtStake } from '../../wording/preflightLines.js';
import { tellSize } from '../confirmSpend.js';
import { createProgress } from '../progressLine.js';
import { costText, storedText } from '../spendText.js';
import { oneLine, type Paint } from '../terminal.js';

interface CheckOptions extends RunCommandOptions {
  readonly update?: boolean;
  readonly fresh?: boolean;
  readonly allow: string;
}

/** `whetstone check`: for CI. Fails when a skill scores below what its committed record says. */
export function addCheck(
  program: Command,
  face: CliContext,
  findSkills: (folder: string) => Promise<readonly string[]>,
): void {
  withRunOptions(program.command('check').argument('<places...>', 'skills, or folders to look for skills in'))
    .description('score skills and compare with evals/record.json; exit code 1 when one falls below its record')
    .option('--update', 'write the record from what the skill scores now, asked anew')
    .option('--fresh', freshHelp)
    .option('--allow <points>', 'how many points (0 to 100) a score may lie below its record', '0')
    .action(async (places: readonly string[], options: CheckOptions) => {
      const skills = (await Promise.all(places.map(findSkills))).flat();
      if (skills.length === 0) throw new UserError('skill-missing', 'No skill was found there.', 'Name a SKILL.md.');
      const results = await checkAll(face, skills, options);
      const text = results.map((result) => resultText(result, face.terminal.paint)).join('\n');
      if (options.json === true) face.terminal.json(results);
      else face.terminal.out(`${text}\n`);
      if (results.some(({ kind }) => kind === 'fell')) face.exit(1);
    });
}

async function checkAll(
  face: CliContext,
  skills: readonly string[],
  options: CheckOptions,
): Promise<readonly RecordCheck[]> {
  const opened = face.open(options);
  for (const skill of skills) await opened.refuseUnfitTarget(skillRequest(face, skill, options));
  const useCases = await openToSpend(face, options);
  const allow = sharesOf(options.allow);
  const progress = createProgress(face.terminal);
  const quiet = options.json === true;
  const results: RecordCheck[] = [];
  for (const skill of skills) {
    const request = {
      ...runRequest(face, skill, options),
      purpose: 'optimize' as const,
      update: options.update === true,
      fresh: options.fresh === true,
      allow,
    };
    const size = await useCases.evaluationSize([{ ...request, withoutSkill: false }], face.signal);
    if (isAtStake(size)) tellSize(face, size);
    const show: typeof progress.show = (event, summary) => (quiet ? undefined : progress.show(event, summary));
    results.push(await useCases.checkRecord(request, show, face.signal).finally(() => progress.clear()));
  }
  return results;
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
  const took = [...stored, costText(result.spend)].map((line) => `    ${line}`);
  if (kind === 'updated') {
    const before = recorded === undefined ? '' : `, before ${percent(recorded)}`;
    return [`${paint('green', '✓')} ${skillName}: recorded ${percent(now)} ${over}${before}`, ...took].join('\n');
  }
  const mark = kind === 'fell' ? paint('red', '✗') : paint('green', '✓');
  const word = kind === 'fell' ? 'fell below its record' : 'holds its record';
  const lines = result.worse.map(
    (task) => `    ${oneLine(task.id)}: ${percents({ before: task.recorded, after: task.now })}`,
  );
  const drift = [
    ...(result.added > 0 ? [`    ${result.added} tasks are not in the record yet`] : []),
    ...(result.gone > 0 ? [`    ${result.gone} tasks of the record are gone`] : []),
  ];
  const head = `${mark} ${skillName}: ${word}: ${percents({ before: recorded ?? 0, after: now })} ${over}`;
  return [head, ...lines, ...drift, ...took].join('\n');
}
