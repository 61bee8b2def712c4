import { visibleText } from '../../wording/shownText.js';
import { gateTitle } from '../../wording/taskWords.js';
import { english } from '../../wording/translate.js';
import { diffFiles, fileHead, type ChangedText } from '../../wording/work/diffFiles.js';
import { stepLines, stepText } from '../../wording/work/stepLines.js';
import type { KeptWork } from './keptWork.js';
import { plain } from '../journal/reportTables.js';

/** What agents did at a held-out task: the last attempts without the edits and with them. */
export interface ReportedWork {
  readonly task: string;
  readonly attempts: readonly {
    readonly side: 'before' | 'after';
    readonly passed: boolean;
    readonly work: KeptWork;
  }[];
}

/** So many tasks are shown: a report is read, and the tree has all of them. */
export const mostReportedTasks = 6;

/** The same without the request, the answer and what commands wrote: a report is there to be shared. */
export function forReport({ events, diff }: KeptWork): KeptWork {
  const last = events.findLastIndex(({ kind }) => kind === 'assistant');
  const told = events.filter(({ kind }, at) => kind !== 'user' && at !== last);
  return { events: told.map((event) => (event.kind === 'tool' ? { ...event, output: '' } : event)), diff };
}

/** Steps and changes as sections of a report; nothing where no agent worked. */
export function workSections(worked: readonly ReportedWork[]): readonly string[] {
  if (worked.length === 0) return [];
  return [
    '## What agents did',
    'The last attempts at held-out tasks, without the requests, the answers and what commands wrote.',
    ...worked.flatMap(({ task, attempts }) => [
      `### ${plain(task)}`,
      ...attempts.flatMap(({ work, ...attempt }) => [`**${gateTitle(attempt, english)}**`, ...workParts(work)]),
    ]),
  ];
}

const mostSteps = 40;

function workParts({ events, diff }: KeptWork): readonly string[] {
  const steps = stepLines(events, english);
  const shown = steps.slice(0, mostSteps).map((step, at) => `${at + 1}. ${plain(stepText(step, english))}`);
  const more = steps.length > mostSteps ? [`${steps.length - mostSteps} more steps.`] : [];
  const { files, notes } = diffFiles(diff);
  return [
    ...(shown.length === 0 ? [] : [shown.join('\n')]),
    ...more,
    ...(files.length + notes.length === 0 ? ['It changed nothing.'] : files.flatMap(fileParts)),
    ...notes.map(plain),
  ];
}

const mostLines = 60;

/** In a fence that no line of it can close. */
function fileParts(file: ChangedText): readonly string[] {
  const head = plain(fileHead(file, english));
  if (file.lines.length === 0) return [head];
  const lines = file.lines.slice(0, mostLines).map((line) => visibleText(line, 500));
  const more = file.lines.length - lines.length;
  const longest = Math.max(2, ...[...lines.join('\n').matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const body = [...lines, ...(more > 0 ? [`… ${more} more lines`] : [])];
  return [head, [`${fence}diff`, ...body, fence].join('\n')];
}
