import process from 'node:process';
import type { Command } from 'commander';
import { totalSpend } from '../../engine/journal/runSummary.js';
import type { EvaluatedTask, EvaluationResult } from '../../app/runs/evaluate.js';
import { freshHelp, runRequest, withRunOptions, type CliContext, type RunCommandOptions } from '../commandLine.js';
import type { EvaluationSize } from '../../app/runs/bound/evaluationSize.js';
import type { UseCases } from '../../app/useCases.js';
import { percentOrNone } from '../../wording/amounts.js';
import { isAtStake, sizeLine } from '../../wording/preflightLines.js';
import { openToSpend } from '../askCosts.js';
import { confirmSpend, confirmToldSpend } from '../confirmSpend.js';
import { createProgress, scoring } from '../progress/progressLine.js';
import { skillUseText } from '../resultText.js';
import { costText, storedText } from '../spendText.js';
import { table } from '../table.js';
import { problemLines } from '../taskText.js';
import { workText } from '../workText.js';
import { oneLine, type Paint, type Terminal } from '../terminal.js';
import { comparisonJson, comparisonText } from './compare.js';
import { shownModel } from '../../wording/programs/shownModel.js';

interface EvaluateOptions extends RunCommandOptions {
  readonly yes?: boolean;
  readonly withoutSkill?: boolean;
  readonly sealed?: boolean;
  readonly fresh?: boolean;
  /** The model to compare with. */
  readonly compare?: string;
  readonly task: readonly string[];
}

/** `whetstone evaluate <skill>`: scores every task once and proposes nothing. */
export function addEvaluate(program: Command, face: CliContext): void {
  withRunOptions(program.command('evaluate').argument('<skill>', 'a SKILL.md, or the folder that holds one'))
    .description('score every task once under the skill; proposes nothing')
    .option('--yes', 'begin without asking, whatever it may cost')
    .option('--without-skill', 'score the tasks without the skill as well, as a baseline')
    .option('--fresh', freshHelp)
    .option('--sealed', 'score the sealed tasks as well, which are kept for the final exam')
    .option(
      '--task <id>',
      'only this task (repeatable)',
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option('--compare <model>', 'score the tasks on this model as well, and show both side by side')
    .action((skill: string, options: EvaluateOptions) =>
      options.compare === undefined
        ? printEvaluation(face, skill, options)
        : printComparison(face, skill, { ...options, compare: options.compare }),
    );
}

/** Scores the tasks that are named, or all, and prints it. */
export async function printEvaluation(face: CliContext, skill: string, options: EvaluateOptions): Promise<void> {
  const opened = await openEvaluation(face, skill, options);
  await confirmSpend(face, opened.size, options);
  printResult(face, await evaluated(face, opened, options), options);
}

function printResult(face: CliContext, result: EvaluationResult, options: EvaluateOptions): void {
  const { terminal } = face;
  if (nothingScored(result)) face.exit(1); // whoever looks at the exit code alone must know
  if (options.json === true) terminal.json(evaluationJson(result));
  else terminal.out(`${evaluationText(result, terminal)}\n`);
}

/** One model after the other, graded by the same judge: a judge that changed with the target would compare nothing. */
async function printComparison(
  face: CliContext,
  skill: string,
  options: EvaluateOptions & { readonly compare: string },
): Promise<void> {
  const { terminal } = face;
  const judge = options.judge ?? options.model ?? process.env['WHETSTONE_MODEL'] ?? options.target;
  const one = await openEvaluation(face, skill, options);
  const other = await openEvaluation(face, skill, { ...options, target: options.compare, judge });
  await confirmBoth(face, one, other, options);
  const first = await evaluated(face, one, options);
  if (nothingScored(first)) return printResult(face, first, options);
  const second = await evaluated(face, other, options);
  if (nothingScored(second)) face.exit(1);
  const compared = { first, second };
  if (options.json === true) terminal.json(comparisonJson(compared));
  else terminal.out(`${comparisonText(compared, terminal.paint)}\n`);
}

/** Each of them and the sum, which is what is agreed to: once, before either is begun. */
async function confirmBoth(
  face: CliContext,
  first: OpenEvaluation,
  second: OpenEvaluation,
  options: EvaluateOptions,
): Promise<void> {
  const sum = first.useCases.sumOfSizes(first.size, [second.size]);
  if (!isAtStake(sum)) return;
  const each = [first, second].map(({ size }) => `${oneLine(shownModel(size.models.target))}: ${sizeLine(size)}`);
  face.terminal.err(`${[...each, `Both together: ${sizeLine(sum)}`].join('\n')}\n`);
  await confirmToldSpend(face, sum, options);
}

function nothingScored({ totals }: EvaluationResult): boolean {
  return totals.all.invalid === totals.all.n;
}

/** What is about to be scored, on which models, and what that takes. */
interface OpenEvaluation {
  readonly useCases: UseCases;
  readonly request: Parameters<UseCases['evaluate']>[0];
  readonly size: EvaluationSize;
}

async function openEvaluation(face: CliContext, skill: string, options: EvaluateOptions): Promise<OpenEvaluation> {
  const request = {
    ...runRequest(face, skill, options),
    purpose: 'optimize' as const,
    withoutSkill: options.withoutSkill === true,
    sealed: options.sealed === true,
    fresh: options.fresh === true,
    only: options.task.length === 0 ? undefined : options.task,
  };
  const useCases = await openToSpend(face, options, request);
  const size = await useCases.evaluationSize([request], face.signal);
  for (const line of size.placed ?? []) face.terminal.err(`${oneLine(line)}\n`);
  await useCases.reachModels(face.signal); // nobody is asked about a server that is not there
  return { useCases, request, size };
}

function evaluated(
  face: CliContext,
  { useCases, request }: OpenEvaluation,
  options: EvaluateOptions,
): Promise<EvaluationResult> {
  const progress = createProgress(face.terminal, scoring);
  const quiet = options.json === true;
  return useCases
    .evaluate(request, (event, summary) => (quiet ? undefined : progress.show(event, summary)), face.signal)
    .finally(() => (quiet ? undefined : progress.clear()));
}

/** What `--json` prints: stable names for scripts. */
function evaluationJson(result: EvaluationResult): Readonly<Record<string, unknown>> {
  const { skillName, model, simulated, tasks, totals, baseline, notScored, problems, summary } = result;
  const { calls, cachedCalls, failedCalls, tokens, usd } = totalSpend(summary);
  const answers = allAnswers(result);
  return {
    skill: skillName,
    model,
    simulated,
    tasks: taskRows(tasks),
    totals: totalRows(totals),
    answers: answers.all,
    storedAnswers: answers.stored,
    calls,
    cachedCalls,
    failedCalls,
    tokens,
    usd: usd ?? null,
    skillUse: summary.skillUse ?? null,
    ...(baseline === undefined
      ? {}
      : { baseline: { tasks: taskRows(baseline.tasks), totals: totalRows(baseline.totals) } }),
    notScored,
    problems: problems.map(({ severity, code, message, place }) => ({
      severity,
      code,
      message,
      file: place.path,
      line: place.start.line,
    })),
  };
}

/** With the skill and without it. */
function allAnswers({ answers, baseline }: EvaluationResult): EvaluationResult['answers'] {
  const without = baseline?.answers ?? { all: 0, stored: 0 };
  return { all: answers.all + without.all, stored: answers.stored + without.stored };
}

function taskRows(list: EvaluationResult['tasks']): readonly unknown[] {
  return list.map(({ id, split, hard, soft, checks, invalid }) => ({
    id,
    split,
    hard: hard ?? null,
    soft: soft ?? null,
    checks: checks.map(({ name, pass, reason, notAsked }) => ({
      name,
      pass,
      reason,
      ...(notAsked === true ? { notAsked } : {}),
    })),
    ...(invalid === undefined ? {} : { invalid }),
  }));
}

function totalRows(totals: EvaluationResult['totals']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(totals).map(([side, { hard, soft, n, invalid }]) => [
      side,
      { hard: hard ?? null, soft: soft ?? null, n, invalid },
    ]),
  );
}

function evaluationText(result: EvaluationResult, screen: Pick<Terminal, 'paint' | 'live'>): string {
  const { all, training, heldOut, sealed } = result.totals;
  const notScored = result.notScored.map(({ id, reason }) => `  ${oneLine(`${id}: ${reason}`)}`);
  return [
    evaluationTable(result, screen),
    '',
    ...singleText(result, screen.paint),
    `${oneLine(`${result.skillName} on ${shownModel(result.model)}`)}: ${total('all', all)}; ${total('training', training)}, ${total('held-out', heldOut)}${sealed.n === 0 ? '' : `, ${total('sealed', sealed)}`}.`,
    ...(result.sealedLeftOut === 0 ? [] : [sealedText(result.sealedLeftOut)]),
    ...(result.baseline === undefined ? [] : [`Without the skill: ${total('all', result.baseline.totals.all)}.`]),
    ...skillUseText(result.summary, screen.paint),
    ...storedText(allAnswers(result)),
    costText(totalSpend(result.summary)),
    ...(notScored.length === 0 ? [] : ['', 'Not scored:', ...notScored]),
    // What the optimizer is told is of no interest where nothing is learned.
    ...problemLines(result.problems.filter(({ code }) => code !== 'not-described')),
  ].join('\n');
}

/** Of a single task that an agent worked on: what it did and changed, without the skill and with it. */
function singleText({ tasks: [task, ...others], baseline }: EvaluationResult, paint: Paint): readonly string[] {
  if (task?.work === undefined || others.length > 0) return [];
  const without = baseline?.tasks[0];
  return [
    ...(without === undefined ? [] : workText('Without the skill', without, paint)),
    ...workText('With the skill', task, paint),
  ];
}

function sealedText(count: number): string {
  const what = count === 1 ? '1 sealed task was' : `${count} sealed tasks were`;
  return `${what} left alone, for the final exam; --sealed scores them too.`;
}

function evaluationTable(result: EvaluationResult, { paint, live }: Pick<Terminal, 'paint' | 'live'>): string {
  const without = new Map((result.baseline?.tasks ?? []).map((task) => [task.id, task]));
  const titles = ['', 'task', 'side', 'hard', 'soft', ...(result.baseline === undefined ? [] : ['without']), 'why'];
  const rows = result.tasks.map((task) => [
    markOf(task, paint),
    task.id,
    task.split === 'heldOut' ? 'held-out' : task.split,
    percentOrNone(task.hard),
    percentOrNone(task.soft),
    ...(result.baseline === undefined ? [] : [percentOrNone(without.get(task.id)?.hard)]),
    whyOf(task, live),
  ]);
  return table([titles.map((word) => paint('bold', word)), ...rows]);
}

function markOf(task: EvaluatedTask, paint: Paint): string {
  if (task.invalid !== undefined) return paint('yellow', '?');
  return task.hard === 1 ? paint('green', '✓') : paint('red', '✗');
}

const longestWhy = 120;

/** Whole where it is piped to somewhere: only a line of a screen has an end. */
function whyOf({ invalid, checks }: EvaluatedTask, live: boolean): string {
  const failed = checks.filter((check) => !check.pass).map((check) => check.reason.replace(/[^.!?]$/u, '$&.'));
  const why = oneLine(invalid ?? failed.join(' '));
  return !live || why.length <= longestWhy ? why : `${why.slice(0, longestWhy - 1)}…`;
}

function total(name: string, { hard, n, invalid }: EvaluationResult['totals']['all']): string {
  const missing = invalid === 0 ? '' : `, ${invalid} without a result`;
  return `${name} ${percentOrNone(hard)} (${n} ${n === 1 ? 'task' : 'tasks'}${missing})`;
}
