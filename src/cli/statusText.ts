import path from 'node:path';
import type { SkillOverview } from '../app/results/overview.js';
import type { CliContext } from './commandLine.js';
import { broughtWords } from '../wording/taskWords.js';
import { shortRun } from '../wording/shortVerdict.js';
import { paintedVerdict } from './gateTable.js';
import { hasNoTasks, waysToTasks } from './tasks/nextSteps.js';
import { draftsLine } from './taskText.js';
import { oneLine } from './terminal.js';

/** Where a skill stands, for programs. */
export function statusJson({
  name,
  skillPath,
  tasks,
  pending,
  runs,
  unfinished,
  handed = [],
  history,
  measurement,
  trouble,
  note,
}: SkillOverview): Readonly<Record<string, unknown>> {
  const [lastRun] = runs;
  return {
    name,
    skillPath,
    tasks:
      tasks === undefined
        ? null
        : {
            training: tasks.training.length,
            heldOut: tasks.heldOut.length,
            sealed: tasks.sealed.length,
            drafts: tasks.drafts.length,
            setAside: tasks.setAside.length,
          },
    pending:
      pending === undefined
        ? null
        : {
            id: pending.proposal.id,
            verdict: pending.proposal.verdict.kind,
            edits: pending.proposal.documents.flatMap((each) => each.edits).length,
            own: pending.own,
            stale: pending.stale,
          },
    lastRun: lastRun ?? null,
    unfinished: unfinished.map(({ runId, startedAt, progress }) => ({ run: runId, startedAt, progress })),
    handoff: handed.map(handedJson),
    adopted: history.filter((version) => version.action === 'adopt').length,
    measurement: measurement.kind,
    trouble: trouble ?? null,
    note: note ?? null,
  };
}

function handedJson({ run = null, refused, ...handed }: WaitingHandoff): Readonly<Record<string, unknown>> {
  const { purpose, folder, waiting, answered } = handed;
  return { run, purpose, folder, waiting, answered, refused };
}

type WaitingHandoff = Omit<NonNullable<SkillOverview['handed']>[number], 'run'> & {
  readonly run?: string | null | undefined;
};

/** Where each skill stands, for people. */
export function statusText(overviews: readonly SkillOverview[], face: CliContext): string {
  const { paint } = face.terminal;
  return overviews
    .map(({ name, skillPath, tasks, pending, measurement, runs, unfinished, lastGoesOn, trouble, note, handed }) => {
      const [lastRun] = runs;
      const word = wordFor({ name, skillPath }, face.cwd);
      const goesOn = lastGoesOn ? ` “whetstone optimize ${word} --resume” goes on with it.` : '';
      const waiting =
        pending === undefined
          ? 'no proposal waits'
          : `a proposal waits: ${paintedVerdict(pending.proposal.verdict, paint)}${pending.own ? '' : ', from another machine'}`;
      const last =
        lastRun === undefined
          ? 'never run'
          : `last run ${new Date(lastRun.startedAt).toLocaleString()}: ${endOf(lastRun)}${goesOn}`;
      return [
        `${paint('bold', oneLine(name))}${word === name ? '' : ` in ${oneLine(word)}`}`,
        ...[
          countsText(tasks),
          ...(tasks?.broughtBy ?? []).map((environment) => broughtWords(oneLine(environment))),
          ...draftsTexts(tasks, { name, word }),
          waiting,
          measurementText(measurement),
          last,
          ...unfinished.map((run) => unfinishedText(run, word)),
          ...handedTexts(handed),
          trouble ?? '',
          ...nextTexts({ tasks, trouble }, word),
          note ?? '',
        ]
          .filter((line) => line !== '')
          .map((line) => `  ${oneLine(line)}`),
      ].join('\n');
    })
    .join('\n');
}

/** Of a run that waits, how many prompts it left is told by what lies there now. */
function endOf(run: SkillOverview['runs'][number]): string {
  return run.outcome === 'waiting' ? 'It waits for answers by hand.' : shortRun(run);
}

/** What a command finds the skill by: its name where its folder bears it, else its folder. */
function wordFor({ name, skillPath }: Pick<SkillOverview, 'name' | 'skillPath'>, cwd: string): string {
  const folder = path.dirname(skillPath);
  return path.basename(folder) === name ? name : path.relative(cwd, folder) || '.';
}

function draftsTexts(
  tasks: SkillOverview['tasks'],
  { name, word }: { readonly name: string; readonly word: string },
): readonly string[] {
  return tasks === undefined ? [] : draftsLine({ name, drafts: tasks.drafts.length, skill: word });
}

/** Where tasks come from, for a skill without any; what is wrong with files of tasks is mended there. */
function nextTexts({ tasks, trouble }: Pick<SkillOverview, 'tasks' | 'trouble'>, word: string): readonly string[] {
  const isMissing = hasNoTasks(tasks) && (trouble === undefined || trouble.startsWith('No tasks yet'));
  return isMissing ? [`next: ${waysToTasks(word)}`] : [];
}

/** Nothing where all of them are brought at the start of a run. */
function countsText(tasks: SkillOverview['tasks']): string {
  if (tasks === undefined) return '';
  const { training, heldOut, sealed, broughtBy = [] } = tasks;
  if (broughtBy.length > 0 && training.length + heldOut.length + sealed.length === 0) return '';
  return `${training.length} training, ${heldOut.length} held-out, ${sealed.length} sealed tasks`;
}

/** Said only where something of a proposal is in the file that nobody measured as it is. */
function measurementText(measurement: SkillOverview['measurement']): string {
  if (measurement.kind !== 'unmeasured') return '';
  const { taken, of } = measurement;
  return of === 0
    ? 'the text was adopted without a measurement of its own'
    : `not measured: ${taken} of ${of} edits in the file`;
}

function unfinishedText({ runId, startedAt }: SkillOverview['unfinished'][number], name: string): string {
  const began = new Date(startedAt).toLocaleString();
  return `a run of ${began} was cut off; “whetstone optimize ${name} --resume ${runId}” goes on with it`;
}

function handedTexts(handed: SkillOverview['handed'] = []): readonly string[] {
  return handed.map(handedText);
}

/** What waits for answers by hand, in a few words. */
export function handedText({ waiting, answered, folder, refused }: WaitingHandoff): string {
  const wait = waiting === 1 ? '1 prompt waits for its answer' : `${waiting} prompts wait for answers`;
  if (waiting === 0) return `all ${answered} prompts in ${oneLine(folder)} are answered`;
  return [`${wait} in ${oneLine(folder)}`, ...refused.map(refusedText)].join('; ');
}

function refusedText({ name, why }: WaitingHandoff['refused'][number]): string {
  return `${oneLine(name)}.answer.md cannot be taken: ${why}`;
}
