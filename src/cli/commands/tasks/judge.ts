import type { Command } from 'commander';
import { UserError } from '../../../errors.js';
import type { AnswerToLabel, JudgeReport } from '../../../app/judge/judge.js';
import type { UseCases } from '../../../app/useCases.js';
import { gradeWord, judgeSentences } from '../../../wording/judge/judgeWords.js';
import { typedWord, visibleText } from '../../../wording/shownText.js';
import { english } from '../../../wording/translate.js';
import { skillRequest, type CliContext } from '../../commandLine.js';
import { skillWord } from '../../tasks/skillWord.js';
import { oneLine } from '../../terminal.js';

interface JudgeOptions {
  readonly json?: boolean;
  readonly root?: string;
  readonly report?: boolean;
  readonly label: readonly string[];
  readonly withOthers?: boolean;
  readonly ownOnly?: boolean;
}

type Request = Parameters<UseCases['judgeReport']>[0];

/** `whetstone judge <skill>`: label answers that the judge model graded, and see how far it agrees with you. */
export function addJudge(program: Command, face: CliContext): void {
  program
    .command('judge')
    .argument('<skill>', 'a SKILL.md, or the folder that holds one')
    .description('label answers that the judge model graded, one key each, and see how far it agrees with you')
    .option('--report', 'only say what the labels so far tell')
    .option('--label <id=verdict>', 'label an answer as pass or fail, by its id in --json (repeatable)', collect, [])
    .option('--with-others', 'count also the labels that lie there now and are not yours, from now on')
    .option('--own-only', 'count no labels but your own any more')
    .option('--json', 'print one JSON object instead of text')
    .option('--root <folder>', 'the folder whose .whetstone holds proposals and runs')
    .action(async (skill: string, options: JudgeOptions) => {
      const request = skillRequest(face, skill, options);
      const useCases = face.open({});
      const labels = Object.fromEntries(options.label.map(labelIn));
      await othersCount(useCases, request, options, face.signal);
      if (options.label.length > 0) await useCases.labelAnswers({ ...request, labels }, face.signal);
      else if (options.json !== true && options.report !== true && !saysWhoseCount(options))
        await labelling(face, useCases, request);
      const report = await useCases.judgeReport(request, face.signal);
      if (options.json === true) face.terminal.json(report);
      else face.terminal.out(`${[reportText(report), ...nextLines(report, skillWord(skill, face.cwd))].join('\n')}\n`);
    });
}

function saysWhoseCount({ withOthers = false, ownOnly = false }: JudgeOptions): boolean {
  return withOthers || ownOnly;
}

async function othersCount(
  useCases: UseCases,
  request: Request,
  options: JudgeOptions,
  signal: AbortSignal,
): Promise<void> {
  if (!saysWhoseCount(options)) return;
  if (options.withOthers === true && options.ownOnly === true)
    throw new UserError('usage', '--with-others and --own-only contradict each other.', 'Give one of them.');
  await useCases.countOthersLabels(request, options.withOthers === true, signal);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function labelIn(text: string): readonly [string, 'pass' | 'fail'] {
  const [, id, label] = /^([0-9a-f]+)=(pass|fail)$/.exec(text) ?? [];
  if (id !== undefined && (label === 'pass' || label === 'fail')) return [id, label];
  throw new UserError('usage', `“${text}” labels nothing.`, 'Write an id of --json, “=”, and pass or fail.');
}

/** One answer after the other; each label is kept at once. Nothing is asked where nobody is there to answer. */
async function labelling({ terminal, signal }: CliContext, useCases: UseCases, request: Request): Promise<void> {
  const { askKey } = terminal;
  if (askKey === undefined) return;
  const { toLabel } = await useCases.judgeReport(request, signal);
  let at = 0;
  for (let answer = toLabel[at]; answer !== undefined; answer = toLabel[at]) {
    terminal.err(`\n${answerText(answer, { number: at + 1, of: toLabel.length })}\n`);
    const pressed = await askKey('Does it? p pass, f fail, s skip, b back, q stop ', signal);
    const key = keys.get(pressed.toLowerCase());
    terminal.err(`${key?.said ?? ''}\n`);
    if (key?.said === 'stopped') return;
    const { label, step = 0 } = key ?? {};
    if (label !== undefined) await useCases.labelAnswers({ ...request, labels: { [answer.id]: label } }, signal);
    at = Math.max(0, at + step);
  }
}

/** What each key does: the label that it gives, and where it leads. Every other asks once more. */
const keys: ReadonlyMap<string, { readonly said: string; readonly label?: 'pass' | 'fail'; readonly step?: number }> =
  new Map([
    ['p', { said: 'pass', label: 'pass', step: 1 }],
    ['f', { said: 'fail', label: 'fail', step: 1 }],
    ['s', { said: 'skipped', step: 1 }],
    ['b', { said: 'back', step: -1 }],
    ['q', { said: 'stopped' }],
  ]);

const longestText = 20_000; // characters of an answer

function answerText(answer: AnswerToLabel, { number, of }: { readonly number: number; readonly of: number }): string {
  const { task, prompt, context, expected, criterion, work } = answer;
  return [
    `Answer ${number} of ${of}, task ${oneLine(task)}`,
    ...section('Asks', prompt),
    ...(context === undefined ? [] : section('Context', context)),
    ...expected.flatMap((text) => section('Expected', text)),
    ...section('Answer', answer.answer),
    ...(work === undefined ? [] : section('What it changed', work.diff)),
    ...section('Does the answer meet this', criterion),
  ].join('\n');
}

function section(title: string, text: string): readonly string[] {
  return [
    '',
    `${title}:`,
    ...visibleText(text, longestText)
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}

function reportText({ judge, disagreements, ...rest }: JudgeReport): string {
  if (judge === undefined) {
    return 'No answer that a judge model graded is kept for this skill. Give its tasks expectations or a rubric, then run or evaluate it.';
  }
  const sentences = judgeSentences({ judge, ...rest }, english);
  return [
    ...(sentences.length === 0 ? [`Nothing is labelled yet of what ${oneLine(judge)} graded.`] : sentences),
    ...disagreements.flatMap(disagreementLines),
  ].join('\n');
}

/** What is typed to label answers, and to let labels of others count or to end that. */
function nextLines({ toLabel, notYours, letIn }: JudgeReport, skill: string): readonly string[] {
  const typed = typedWord(skill);
  return [
    ...(toLabel.length === 0
      ? []
      : ['', `Answers to label: ${toLabel.length}. At a terminal, one key each: whetstone judge ${typed}`]),
    ...(notYours === 0 ? [] : [`To count the labels of others too: whetstone judge ${typed} --with-others`]),
    ...(letIn === 0 ? [] : [`To count your own labels alone: whetstone judge ${typed} --own-only`]),
  ];
}

function disagreementLines(apart: JudgeReport['disagreements'][number]): readonly string[] {
  const { task, criterion, label, grade, answer, reason } = apart;
  const said = `you said ${gradeWord(label, english)}, the judge ${gradeWord(grade, english)}`;
  const shown = answer === undefined ? 'no longer stored (answers are kept for 30 days)' : shortened(answer);
  return [
    '',
    oneLine(`${task}: ${said}. ${criterion}`),
    ...(reason === undefined ? [] : [`  ${oneLine(`The judge: ${reason}`)}`]),
    `  ${oneLine(`The answer: ${shown}`)}`,
  ];
}

const longestShown = 400;

function shortened(text: string): string {
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
}
