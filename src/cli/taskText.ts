import { importExamples } from '../wording/importExamples.js';
import type { ImportNote } from '../tasks/readers/importedTasks.js';
import type { Task } from '../tasks/task.js';
import type { TaskProblem } from '../tasks/taskProblem.js';
import type { SkillOverview } from '../app/results/overview.js';
import type { TaskView } from '../app/tasks/taskView.js';
import {
  answerTitle,
  broughtWords,
  closedSides,
  companions,
  knownText,
  sideLabel,
  standingWords,
} from '../wording/taskWords.js';
import { doubtLines, draftLines, noticeLines } from '../wording/harvest/draftWords.js';
import { typedWord, visibleText } from '../wording/shownText.js';
import { english } from '../wording/translate.js';
import { agentLines } from '../wording/work/agentLines.js';
import { draftMarks } from './tasks/draftMarks.js';
import { draftLines as typedForDrafts, waysToTasks } from './tasks/nextSteps.js';
import { table } from './table.js';
import { oneLine } from './terminal.js';

type Tasks = NonNullable<SkillOverview['tasks']>;

/** One task as `tasks list` shows it. */
export interface TaskRow {
  readonly id: string;
  /** `training`, `held-out`, `sealed`, `draft`, `set aside`, `disabled` or `error`. */
  readonly side: string;
  readonly environment: string;
  readonly checks: readonly string[];
  readonly tags: readonly string[];
  readonly prompt: string;
  /** Of a draft: what to look at before it is confirmed. */
  readonly marks?: readonly string[];
  readonly reason?: string;
}

const longestCell = 60;

/** What waits for the person's word, and what is typed to see it and to say it; none where nothing does. */
export function draftsLine({ name, drafts, skill }: WaitingFor): readonly string[] {
  if (drafts === 0) return [];
  const typed = typedWord(skill);
  return [
    oneLine(
      drafts === 1
        ? `1 draft waits for ${name}: “whetstone tasks list ${typed}” shows it, “whetstone tasks confirm ${typed} <id>” makes it count.`
        : `${drafts} drafts wait for ${name}: “whetstone tasks list ${typed}” shows them, “whetstone tasks confirm ${typed} <id>...” makes the good ones count.`,
    ),
  ];
}

interface WaitingFor {
  readonly name: string;
  readonly drafts: number;
  /** What a command finds the skill by. */
  readonly skill: string;
}

/** Every task there is, whether it counts or not. */
export function taskRows(tasks: Tasks): readonly TaskRow[] {
  return [
    ...tasks.training.map(row('training')),
    ...tasks.heldOut.map(row('held-out')),
    ...tasks.sealed.map(row('sealed')),
    ...tasks.drafts.map((task) => ({ ...row('draft')(task), ...marked(task, tasks) })),
    ...tasks.disabled.map(row('disabled')),
    ...tasks.setAside.map(({ task, reason }) => ({ ...row('set aside')(task), reason })),
    ...tasks.broken.map(({ task, reason }) => ({ ...row('error')(task), reason })),
  ];
}

function marked(task: Task, { onlySingly }: Tasks): Pick<TaskRow, 'marks'> {
  const marks = draftMarks(task, onlySingly?.has(task.id) === true);
  return marks.length === 0 ? {} : { marks };
}

function row(side: string): (task: Task) => TaskRow {
  return ({ id, environment, checks, expectations, tags, prompt }) => ({
    id,
    side,
    environment,
    checks: [...checks.map(({ check }) => check), ...expectations.map(() => 'expectation')],
    tags,
    prompt,
  });
}

/** The tasks that are there, those that environments will bring, and what is wrong with any. */
export function listText(rows: readonly TaskRow[], { problems, broughtBy = [] }: Tasks, skill: string): string {
  const more = [...broughtBy.map((name) => broughtWords(oneLine(name))), ...problemLines(problems)];
  if (rows.length === 0)
    return [...(broughtBy.length === 0 ? ['There are no tasks.', waysToTasks(skill)] : []), ...more].join('\n');
  const lines = rows.map(({ id, side, checks, prompt, reason, marks = [] }) => [
    cell(id),
    [side, ...marks].join(', '),
    cell(counted(checks)),
    cell(reason ?? prompt),
  ]);
  const next = rows.some(({ side }) => side === 'draft')
    ? ['', 'Drafts count for nothing yet. Look at them, then confirm the good ones:', ...typedForDrafts(skill)]
    : [];
  return [table([['task', 'side', 'judged by', 'prompt'], ...lines]), ...more, ...next].join('\n');
}

/** One task as `tasks show` prints it. */
export function taskText(view: TaskView): string {
  const { task, judgedBy, answers } = view;
  const { moves } = view;
  return [
    `${oneLine(task.id)}: ${oneLine(standingWords(view))}`,
    ...doubtLines(view.doubts, english).map((line) => oneLine(line)),
    ...noticeLines(task, english).map((line) => oneLine(line)),
    ...(view.fromSession === undefined ? [] : draftLines(view.fromSession, english).map((line) => oneLine(line))),
    ...section('Asks', visibleText(task.prompt, longestText)),
    ...(task.context === undefined ? [] : section('Context', visibleText(task.context, longestText))),
    ...(task.files.length === 0 ? [] : section('Files', listOf(task.files))),
    ...(task.agent === undefined ? [] : section('Agent', listOf(agentLines(task.agent)))),
    ...section('A good answer', listOf(judgedBy)),
    ...(moves.to.length === 0 ? [] : section('May move to', moveLines(view).join('\n'))),
    ...answers.flatMap(({ answer, ...given }) => section(answerTitle(given), visibleText(answer, longestText))),
  ].join('\n');
}

function listOf(lines: readonly string[]): string {
  return lines.map((line) => `- ${oneLine(line)}`).join('\n');
}

const longestText = 20_000; // characters of an answer

function moveLines(view: TaskView): readonly string[] {
  const open = view.moves.to.filter(({ refused }) => refused === undefined).map(({ side }) => sideLabel(side));
  const along = companions(view);
  return [...open, ...closedSides(view), ...(along === undefined ? [] : [along])].map((line) => `- ${oneLine(line)}`);
}

function section(title: string, text: string): readonly string[] {
  return ['', `${title}:`, ...text.split('\n').map((line) => `  ${line}`)];
}

export function splitText(tasks: Tasks): string {
  const rows = [
    sideRow('training', tasks.training),
    sideRow('held-out', tasks.heldOut),
    sideRow('sealed', tasks.sealed),
  ];
  return [table(rows), ...problemLines(tasks.problems)].join('\n');
}

function sideRow(name: string, list: readonly Task[]): readonly string[] {
  return [name, String(list.length), list.map(({ id }) => id).join(', ')];
}

export function importText({
  added,
  notes,
}: {
  readonly added: number;
  readonly notes: readonly ImportNote[];
}): string {
  const refused = notes.filter(({ kind }) => kind === 'refused').map(({ message }) => message);
  const known = notes.filter(({ kind }) => kind === 'known').map(({ message }) => message);
  const others = notes
    .filter(({ kind }) => kind === 'no-equal' || kind === 'changed')
    .map(({ taskId, field, message }) => `${taskId ?? 'file'}: ${field}: ${message}`);
  const unusable = notes
    .filter(({ kind }) => kind === 'unusable')
    .map(({ taskId, message }) => `${taskId ?? 'file'}: ${message}`);
  const unseen = notes
    .filter(({ kind }) => kind === 'not-described')
    .map(({ taskId, field }) => `${taskId ?? 'file'}: ${field}`);
  return [
    `${added === 1 ? 'One task was' : `${added} tasks were`} added.`,
    ...listed(`${knownText(known.length)}:`, known),
    ...listed('Not read (an example of each format: whetstone tasks import --help):', refused),
    ...listed(unusableTitle, unusable),
    ...listed(undescribedTitle, unseen),
    ...listed('What had no equal, or was changed to have one:', others),
  ].join('\n');
}

const unusableTitle =
  'These cannot be used as they are, and count for nothing until their checks in evals/whetstone.json are mended:';

const undescribedTitle =
  'The optimizer is not told what these checks demand. Say it in their field “criterion” in evals/whetstone.json:';

function listed(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${oneLine(line)}`)];
}

/** What the help of the import shows: a file of each format. */
export function exampleText(): string {
  const shown = importExamples.map(({ name, text }) => `  ${name}\n${text.replaceAll(/^/gmu, '    ')}`);
  return ['', 'Examples of files:', '', shown.join('\n\n'), ''].join('\n');
}

/** What is wrong with tasks, for scripts. */
export function problemRows(problems: readonly TaskProblem[]): readonly unknown[] {
  return problems.map(({ severity, code, message, taskId, place }) => ({
    severity,
    code,
    message,
    task: taskId ?? null,
    file: place.path,
    line: place.start.line,
    column: place.start.column,
  }));
}

/** `error: path:line: message`, as compilers write it, so that terminals make links of it. */
export function problemLines(problems: readonly TaskProblem[]): readonly string[] {
  if (problems.length === 0) return [];
  const lines = problems.map(
    ({ severity, place, message }) =>
      `${severity}: ${place.path}:${place.start.line}:${place.start.column}: ${message}`,
  );
  return ['', ...lines.map(oneLine)];
}

function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`)).join(', ');
}

function cell(text: string): string {
  const words = oneLine(text);
  return words.length <= longestCell ? words : `${words.slice(0, longestCell - 1)}…`;
}
