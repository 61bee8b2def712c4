import type { Preflight } from '../app/runs/preflight.js';
import { holdingLine, serverLines, sizeLine, sizeLines } from '../wording/preflightLines.js';
import { timeLines } from '../wording/preflight/paidInTime.js';
import { withOwnWay } from '../wording/preflight/strongerModel.js';
import { settledAdvice } from '../wording/powerSentence.js';
import { roundsLines } from '../wording/amounts.js';
import { exactText } from '../wording/shownText.js';
import { t } from '../wording/translate.js';
import { draftsLine } from './taskText.js';
import { oneLine } from './terminal.js';
import { shownModels } from '../wording/programs/shownModel.js';

/** What a run would do and cost, for people; nothing of it has happened yet. */
export function preflightText(preflight: Preflight): string {
  const { tasks } = preflight;
  const models = shownModels(preflight.models);
  return [
    sizeLine(preflight),
    ...timeLines(preflight, { face: 'terminal', lined: false }),
    `${oneLine(preflight.skillName)}: ${tasks.training} training, ${tasks.heldOut} held-out and ${tasks.sealed} sealed tasks${rest(tasks)}.`,
    ...draftsLine({ name: preflight.skillName, drafts: tasks.drafts, skill: preflight.skillPath }),
    oneLine(`Models: target ${models.target}, optimizer ${models.optimizer}, judge ${models.judge}.`),
    ...serverLines(preflight.servers),
    ...sizeLines(preflight),
    ...roundsLines(preflight),
    ...preflight.prices,
    holdingLine(preflight.holds, t, preflight.callCap),
    ...preflight.caps,
    preflight.power,
    ...settledText(preflight),
    ...preflight.problems.filter(isOfItsOwn).map((problem) => oneLine(problemText(problem))),
    ...(preflight.asides ?? []).map(oneLine),
    ...preflight.notes.filter(isNews(preflight.problems)).map((note) => oneLine(withOwnWay(note, 'terminal'))),
    'Nothing was run: this is what a run would take.',
  ].join('\n');
}

/** What is to be done about an error budget that is used up, and about tasks that cannot decide. */
export function settledText({ settled, taskPower, skillPath, emptyBudget }: Preflight): readonly string[] {
  const skill = exactText(skillPath);
  const advice = {
    harder: [`Harder tasks would show more: “whetstone tasks draft ${skill}” drafts some.`],
    checks: [`Look at their checks first: “whetstone tasks show ${skill} ${taskPower.alwaysFail[0]?.id ?? ''}”.`],
    nothing: [],
  };
  const refill = `After the run “whetstone gather ${skill} --refill "<why>"” records that decision and certifies what waits.`;
  return [...(emptyBudget === true ? [refill] : []), ...settled, ...advice[settledAdvice(taskPower)]].map(oneLine);
}

/** What is wrong with the tasks is listed one by one above: a note that tells of the first says nothing more. */
function isNews(problems: Preflight['problems']): (note: string) => boolean {
  return (note) => !problems.some(({ severity, message }) => severity === 'error' && note.includes(message));
}

/** Names its task, unless the message does. */
function problemText({ severity, taskId, message }: Preflight['problems'][number]): string {
  const named = taskId === undefined || message.includes(taskId) ? '' : `${taskId}: `;
  return `${severity}: ${named}${message}`;
}

/** Checks that nobody has described are named together, in a note. */
function isOfItsOwn({ code }: Preflight['problems'][number]): boolean {
  return code !== 'not-described';
}

function rest({ setAside }: Preflight['tasks']): string {
  return setAside === 0 ? '' : ` (and ${setAside} set aside)`;
}
