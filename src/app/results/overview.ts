import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import { messageOf } from '../../errors.js';
import { rejectedRow } from '../../engine/rejectedEdits.js';
import type { Proposal } from '../../ports/proposal.js';
import { rejectedEditsOf, rejectedKey } from '../../storage/proposals/rejectedEdits.js';
import { listRuns, type RunListing } from '../../storage/runs/summaries.js';
import { lookAtProposal, proposalFile } from '../../storage/proposals/proposals.js';
import { TasksMalformedError } from '../../tasks/taskFile.js';
import type { OpenSkill } from '../openSkill.js';
import { judgeStanding, type JudgeStanding } from '../judge/judgeStanding.js';
import { waitingDrafts, type WaitingDraft } from '../tasks/waitingDrafts.js';
import { readSkillTasks, type SkillTasks } from '../tasks/skillTasks.js';
import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { statusOnDisk, type MeasurementStatus } from '../../review/measurementStatus.js';
import { handedPromptsOf, type HandedPrompts } from '../handoff/waitingPrompts.js';
import { settledNow, type SettledNow } from '../runs/certifications/heldOutPower.js';
import { canGoOn, runsWithoutSummary } from '../runs/unfinishedRuns.js';
import { pendingOf, textOnDisk, type PendingProposal } from '../proposals/pending.js';
import { versionsOf, withMeasured, type AdoptedVersion } from '../proposals/versions.js';
import type { Task } from '../../tasks/task.js';
import { lookTwice, uncalledWords } from '../../tasks/uncalledWords.js';
import type { TaskMoves } from '../../tasks/split/moveTasks.js';
import { bringersOf } from '../../tasks/readers/whetstoneFile.js';
import { taskMoves } from '../tasks/moveTask.js';
import type { TaskPlace, TaskProblem } from '../../tasks/taskProblem.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { runFolder } from '../../storage/runs/runFolder.js';

/** An edit that was not taken, in a view. */
export interface RejectedEditView {
  /** What it said, or the text that it would have taken away. */
  readonly text: string;
  readonly reason: string;
  /** Set where it is an edit of the proposal that waits, which says itself what became of it. */
  readonly inProposal?: true;
}

/** Everything a view shows of one skill. Reading it starts no run and calls no model. */
export interface SkillOverview {
  readonly skillPath: string;
  readonly skillKey: string;
  readonly name: string;
  /** Undefined where there is no evals file. */
  readonly tasks:
    | {
        readonly training: readonly Task[];
        readonly heldOut: readonly Task[];
        readonly sealed: readonly Task[];
        /** Those out of sessions too, which no file holds before they are confirmed. */
        readonly drafts: readonly Task[];
        /** Of the latter where they come from, by id; missing where there are none. */
        readonly harvested?: ReadonlyMap<string, HarvestedDraft> | undefined;
        /** Those that carry instructions, or are doubtful: they are confirmed one by one, never with others. */
        readonly onlySingly?: ReadonlySet<string> | undefined;
        /** What drafts of a small model ask for that neither their request nor the skill says, by id. */
        readonly doubts?: ReadonlyMap<string, readonly string[]> | undefined;
        readonly setAside: readonly { readonly task: Task; readonly reason: string }[];
        readonly disabled: readonly Task[];
        /** Those with an error: shown, never attempted, never a zero. */
        readonly broken: readonly { readonly task: Task; readonly reason: string }[];
        readonly problems: readonly TaskProblem[];
        /** Where each may go, by id. */
        readonly moves: ReadonlyMap<string, TaskMoves>;
        /** Which of the held-out ones cannot decide, as far as runs know; missing where none is known to be so. */
        readonly settled?: SettledNow | undefined;
        /** Environments that bring more tasks at the start of a run, by name; nothing is started to look at them. */
        readonly broughtBy?: readonly string[];
      }
    | undefined;
  readonly pending: PendingProposal | undefined;
  /** Whether the text that the skill holds was ever measured. */
  readonly measurement: MeasurementStatus;
  readonly runs: readonly RunSummary[];
  /** Runs that were cut off before their end, newest first: they can go on. */
  readonly unfinished: readonly RunSummary[];
  /** Whether the newest of the runs that ended failed or was cancelled, and can go on. */
  readonly lastGoesOn: boolean;
  /** Prompts of its runs that wait for answers by hand, or have them; missing where there are none. */
  readonly handed?: readonly HandedPrompts[] | undefined;
  readonly history: readonly AdoptedVersion[];
  /** Edits of earlier runs that were not taken, newest first: they are not proposed again. */
  readonly rejected: readonly RejectedEditView[];
  /** What a person's labels say of the judge model; missing where nothing was labelled. */
  readonly judge?: JudgeStanding | undefined;
  /** What keeps the skill from being trained, as a sentence. */
  readonly trouble: string | undefined;
  /** Where in the task files it is, as far as that is known. */
  readonly troubleAt?: TaskPlace | undefined;
  readonly note: string | undefined;
}

/** The runs of a workspace, as listed by storage. */
export type ListedRuns = readonly RunListing<RunSummary>[];

/**
 * What views show of a skill: tasks, the pending proposal, runs and history. Calls no model and writes nothing. Those
 * who look at many skills of a workspace list its runs once and hand them in.
 */
export async function overviewOf(skill: OpenSkill, listed?: Promise<ListedRuns>): Promise<SkillOverview> {
  const tasks = await tasksOf(skill);
  const [pending, history] = await Promise.all([pendingOf(skill), versionsOf(skill)]);
  const onDisk = await textOnDisk(skill, pending, history);
  const runs = await (listed ?? listRuns(skill.store, RunSummarySchema));
  const { unfinished, ended } = await runsWithoutSummary(skill, runs);
  const own = newestFirst([...ownRuns(skill, runs), ...ended]);
  const handed = await handedPromptsOf(skill, [...unfinished, ...own]);
  const judge = await judgeStanding(skill, tasks.tasks, own[0]?.models?.judge);
  return {
    skillPath: skill.places.skillPath,
    skillKey: skill.places.skillKey,
    name: skill.name,
    tasks: withSettled(tasks.tasks, own, skill),
    pending,
    measurement: statusOnDisk(onDisk),
    runs: own,
    lastGoesOn: own[0] !== undefined && canGoOn(own[0]),
    unfinished,
    ...(handed.length === 0 ? {} : { handed }),
    history: withMeasured(history, onDisk.beside?.measured),
    rejected: await rejectedOf(skill, pending?.proposal),
    ...(judge === undefined ? {} : { judge }),
    trouble: tasks.trouble ?? (await proposalTrouble(skill, pending)),
    troubleAt: tasks.troubleAt,
    note: skill.places.note,
  };
}

function withSettled(tasks: Tasks | undefined, runs: readonly RunSummary[], skill: OpenSkill): Tasks | undefined {
  const settled = settledNow(runs, tasks?.heldOut ?? [], skill.hash);
  return tasks === undefined || settled === undefined ? tasks : { ...tasks, settled };
}

/** A proposal that a newer version wrote is not shown, and no run takes its place. */
async function proposalTrouble(skill: OpenSkill, pending: PendingProposal | undefined): Promise<string | undefined> {
  if (pending !== undefined || (await lookAtProposal(skill.store)).kind !== 'newer') return undefined;
  return `${proposalFile(skill.store)} was written by a newer Whetstone. Update Whetstone, or move the file away.`;
}

async function tasksOf(skill: OpenSkill): Promise<Pick<SkillOverview, 'tasks' | 'trouble' | 'troubleAt'>> {
  try {
    const found = await readSkillTasks(skill);
    const there = [...(found?.read.tasks ?? []), ...(found?.read.broken ?? []).map(({ task }) => task)];
    const waiting = await waitingDrafts(skill, there);
    if (found === undefined && waiting.length === 0)
      return { tasks: undefined, trouble: 'No tasks yet: there is no evals/evals.json beside the skill.' };
    return {
      tasks: { ...(found === undefined ? noTasks : tasksIn(found)), ...withWaiting(skill, found, waiting) },
      trouble: undefined,
    };
  } catch (error) {
    const troubleAt = error instanceof TasksMalformedError ? error.place : undefined;
    return { tasks: undefined, trouble: messageOf(error), troubleAt };
  }
}

type Tasks = NonNullable<SkillOverview['tasks']>;

const noTasks: Tasks = {
  training: [],
  heldOut: [],
  sealed: [],
  drafts: [],
  setAside: [],
  disabled: [],
  broken: [],
  problems: [],
  moves: new Map(),
};

function tasksIn(found: SkillTasks): Tasks {
  const { split } = found.result;
  return {
    training: split.training,
    heldOut: split.heldOut,
    sealed: split.sealed,
    drafts: found.read.tasks.filter((task) => task.draft),
    setAside: split.setAside,
    disabled: found.read.tasks.filter((task) => !task.enabled && !task.draft),
    broken: found.read.broken,
    problems: found.read.problems,
    moves: taskMoves(found),
    broughtBy: bringersOf(found.read.environments, 'items'),
  };
}

/** Drafts of the files first, then those that no file holds. */
function withWaiting(
  { text }: OpenSkill,
  found: SkillTasks | undefined,
  waiting: readonly WaitingDraft[],
): Pick<Tasks, 'drafts' | 'harvested' | 'onlySingly' | 'doubts'> {
  const drafts = [...(found?.read.tasks ?? []).filter(({ draft }) => draft), ...waiting.map(({ task }) => task)];
  const doubts = doubtsAbout(drafts, text);
  const marked = waiting.filter(({ draft: { marks } }) => marks.length > 0).map(({ task }) => task.id);
  return {
    drafts,
    ...(waiting.length === 0 ? {} : { harvested: new Map(waiting.map(({ task, draft }) => [task.id, draft])) }),
    ...(waiting.length + doubts.size === 0 ? {} : { onlySingly: new Set([...marked, ...doubts.keys()]) }),
    ...(doubts.size === 0 ? {} : { doubts }),
  };
}

function doubtsAbout(drafts: readonly Task[], skill: string): ReadonlyMap<string, readonly string[]> {
  const told = drafts
    .filter(({ tags }) => tags.includes(lookTwice))
    .map((task) => [task.id, uncalledWords(task, skill)] as const);
  return new Map(told.filter(([, words]) => words.length > 0));
}

/** The runs of this skill that this user made here, newest first. */
async function runsOf(skill: OpenSkill): Promise<readonly RunSummary[]> {
  return ownRuns(skill, await listRuns(skill.store, RunSummarySchema));
}

async function rejectedOf(skill: OpenSkill, waiting: Proposal | undefined): Promise<readonly RejectedEditView[]> {
  const { documents = [], dropped = [], leftOut = [] } = waiting ?? {};
  const known = [...documents.flatMap(({ edits }) => edits), ...dropped, ...leftOut];
  const keys = new Set(known.map(({ edit }) => rejectedKey(rejectedRow(edit, ''))));
  const all = await rejectedEditsOf(skill.store).all();
  return all.toReversed().map((row) => ({
    text: row.content ?? row.anchor ?? '',
    reason: row.reason,
    ...(keys.has(rejectedKey(row)) ? { inProposal: true } : {}),
  }));
}

function ownRuns(skill: OpenSkill, listed: ListedRuns): readonly RunSummary[] {
  return newestFirst(
    listed.flatMap((run) =>
      run.kind === 'verified' && run.summary.skillKey === skill.places.skillKey ? [run.summary] : [],
    ),
  );
}

/** Ids tell the second; of two runs in one second only the journal knows which came first. */
function newestFirst(runs: readonly RunSummary[]): readonly RunSummary[] {
  return runs.toSorted((a, b) => b.startedAt - a.startedAt);
}

/** The newest `report.md` that a run of this skill left, or that of the run that is named. */
export async function lastReport(skill: OpenSkill, wanted: string | undefined): Promise<string | undefined> {
  const runs = (await runsOf(skill)).filter(({ runId }) => wanted === undefined || runId === wanted);
  for (const { runId, verdict } of runs) {
    const text = await unlessMissing(readFile(path.join(runFolder(skill.places, runId), 'report.md'), 'utf8'));
    if (text !== undefined) return wanted === undefined ? `${await proposedNow(skill, verdict)}${text}` : text;
  }
  return undefined;
}

/** What is proposed by now, where that is another candidate than the one that the report heads with. */
async function proposedNow(skill: OpenSkill, said: RunSummary['verdict']): Promise<string> {
  const pending = await pendingOf(skill);
  const candidates = pending?.own === true ? pending.proposal.candidates : undefined;
  if (pending === undefined || candidates === undefined) return '';
  const { verdict } = pending.proposal;
  if (said?.kind === verdict.kind && said.reason === verdict.reason) return '';
  return `> Proposed now: ${candidates.proposed.id}. ${verdict.reason}\n\n`;
}
