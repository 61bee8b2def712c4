import type { EvaluatedTask } from '../app/runs/evaluate.js';
import { t } from '../wording/translate.js';
import { checkMark, checkOutcome, checkResult } from '../wording/work/checkResult.js';
import { diffFiles, fileHead } from '../wording/work/diffFiles.js';
import { stepLines, stepText } from '../wording/work/stepLines.js';
import { oneLine, type Paint } from './terminal.js';

/** What an agent did and changed in one attempt, and what each check says of it. */
export function workText(title: string, task: EvaluatedTask, paint: Paint): readonly string[] {
  const { work } = task;
  if (work === undefined) return [];
  const did = stepLines(work.events, t).map((step, at) => `  ${at + 1}. ${oneLine(stepText(step, t))}`);
  return [
    paint('bold', `${title}, the agent did:`),
    ...(did.length === 0 ? ['  (nothing)'] : did),
    paint('bold', 'and changed:'),
    ...diffLines(work.diff, paint),
    paint('bold', 'Checks:'),
    ...task.checks.map(checkLine),
    '',
  ];
}

/** Context lines keep the space that marks them: a diff without it cannot be read, nor applied. */
function diffLines(diff: string, paint: Paint): readonly string[] {
  const { files, notes } = diffFiles(diff);
  if (files.length + notes.length === 0) return ['  (nothing)'];
  return [
    ...files.flatMap((file) => [`  ${fileHead(file, t)}`, ...file.lines.map((line) => `  ${painted(line, paint)}`)]),
    ...notes.map((note) => `  ${oneLine(note)}`),
  ];
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}

function checkLine({ criterion, reason, ...check }: EvaluatedTask['checks'][number]): string {
  const outcome = checkOutcome(check);
  return `  ${checkMark({ outcome })} ${oneLine(criterion)} ${oneLine(checkResult({ outcome, reason }, t))}`;
}
