import type { TextStore } from '../../ports/stores.js';
import { prepareCheck } from '../../checks/registry.js';
import { english as say } from '../../wording/translate.js';
import { criteriaOf } from '../../checks/criteria.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { Proposal } from '../../ports/proposal.js';
import { lookAtProposal, takeOutProposal } from '../../storage/proposals/proposals.js';
import type { RunSummary } from '../../engine/journal/runSummary.js';
import { UserError } from '../../errors.js';
import { sha256 } from '../../hash.js';
import type { TaskMoves } from '../../tasks/split/moveTasks.js';
import type { Task } from '../../tasks/task.js';
import { readEvents } from '../runs/runJournal.js';
import type { OpenSkill } from '../openSkill.js';
import { keptAttempt, type KeptAttempt } from '../results/keptAttempts.js';
import type { SkillOverview } from '../results/overview.js';
import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { editsOfTexts, type EditsOfText } from './triedTexts.js';

/** Whether a task counts; `set-aside` and `broken` say why not. */
type TaskState = 'draft' | 'confirmed' | 'disabled' | 'set-aside' | 'broken';

/** An answer of the last run that attempted the task. */
interface LastAnswer extends KeptAttempt {
  /** Under which text of the skill: the one that the run began with, another one that it tried, or none. */
  readonly under: 'skill' | 'candidate' | 'no-skill';
  /** Of another text: the edits that it had, as far as they are known; missing where it is all that the run proposes. */
  readonly edits?: readonly string[];
}

/** A task as a person reads it. */
export interface TaskView {
  readonly task: Task;
  readonly state: TaskState;
  /** Why it is set aside or cannot be used. */
  readonly reason: string | undefined;
  /** What an answer is judged by, a sentence each. */
  readonly judgedBy: readonly string[];
  readonly moves: TaskMoves;
  /** Empty for a sealed task: looking at its answers would teach to the test. */
  readonly answers: readonly LastAnswer[];
  /** When the run of these answers began. */
  readonly answeredAt: number | undefined;
  /** Where it comes from, while it is a draft out of a session. */
  readonly fromSession?: HarvestedDraft | undefined;
  /** What it asks for that nothing calls for, while it is a draft. */
  readonly doubts?: readonly string[] | undefined;
}

/** What an answer to the task is judged by, a sentence each; an expression that no words describe stands there itself. */
export function judgedBy(task: Task): readonly string[] {
  const judged = criteriaOf(task);
  if (judged.kind === 'malformed') return [judged.reason];
  return judged.criteria.map(({ criterion }, at) => {
    const expression = expressionOf(task, at);
    return expression === undefined ? criterion : `${criterion} ${say('Its expression is {0}', expression)}`;
  });
}

/** The expression of a check that the optimizer is told nothing about: a person may read it. */
function expressionOf(task: Task, at: number): string | undefined {
  const spec = task.checks[at];
  const preparation = spec === undefined ? undefined : prepareCheck(spec, task);
  if (preparation?.kind !== 'prepared' || preparation.check.isDescribed !== false) return undefined;
  const pattern = spec?.arguments['pattern'];
  return typeof pattern === 'string' ? pattern : undefined;
}

/** Everything that is shown of one task. Asks no model. */
export async function taskView(
  skill: OpenSkill,
  { tasks, runs }: Pick<SkillOverview, 'tasks' | 'runs'>,
  { id, texts }: { readonly id: string; readonly texts: TextStore },
): Promise<TaskView> {
  const found = tasks === undefined ? undefined : stateOf(id, tasks);
  if (tasks === undefined || found === undefined) {
    throw new UserError(
      'tasks-missing',
      `There is no task “${id}”.`,
      'Look at the list of tasks and choose one of them.',
    );
  }
  const moves = tasks.moves.get(id) ?? { side: undefined, together: [], to: [] };
  const criteria = judgedBy(found.task);
  const last = moves.side === 'sealed' ? undefined : await lastAnswers(skill, runs, { id, criteria, texts });
  return {
    ...found,
    ...ofDraft(id, tasks),
    judgedBy: criteria,
    moves,
    answers: last?.answers ?? [],
    answeredAt: last?.at,
  };
}

type Tasks = NonNullable<SkillOverview['tasks']>;

function ofDraft(id: string, { harvested, doubts }: Tasks): Pick<TaskView, 'fromSession' | 'doubts'> {
  const [fromSession, doubtful] = [harvested?.get(id), doubts?.get(id)];
  return {
    ...(fromSession === undefined ? {} : { fromSession }),
    ...(doubtful === undefined ? {} : { doubts: doubtful }),
  };
}

function stateOf(id: string, tasks: Tasks): Pick<TaskView, 'task' | 'state' | 'reason'> | undefined {
  const listed: readonly (readonly [TaskState, readonly { readonly task: Task; readonly reason?: string }[]])[] = [
    ['confirmed', [...tasks.training, ...tasks.heldOut, ...tasks.sealed].map((task) => ({ task }))],
    ['draft', tasks.drafts.map((task) => ({ task }))],
    ['disabled', tasks.disabled.map((task) => ({ task }))],
    ['set-aside', tasks.setAside],
    ['broken', tasks.broken],
  ];
  for (const [state, list] of listed) {
    const found = list.find(({ task }) => task.id === id);
    if (found !== undefined) return { task: found.task, state, reason: found.reason };
  }
  return undefined;
}

const withoutSkill = sha256('');
const mostRuns = 5; // further back the task was another one more often than not
type Attempt = Extract<RunEvent, { kind: 'attempt' }>;

/** The last answer under each text of the skill, of the newest run that attempted the task and whose answers are kept. */
async function lastAnswers(
  skill: OpenSkill,
  runs: readonly RunSummary[],
  { id, criteria, texts }: { readonly id: string; readonly criteria: readonly string[]; readonly texts: TextStore },
): Promise<{ readonly answers: readonly LastAnswer[]; readonly at: number } | undefined> {
  for (const { runId, startedAt } of runs.slice(0, mostRuns)) {
    const events = await readEvents(skill.store, runId);
    const attempts = new Map<string, Attempt>();
    for (const event of events)
      if (event.kind === 'attempt' && event.taskId === id) attempts.set(event.skillHash, event);
    if (attempts.size === 0) continue;
    const textOf = await textsTried(skill, events);
    const answers = [...attempts.values()].map(async (attempt) => {
      const kept = await keptAttempt(attempt, criteria, texts);
      return kept === undefined ? [] : [{ ...kept, ...textOf(attempt) }];
    });
    const kept = (await Promise.all(answers)).flat();
    if (kept.length > 0) return { answers: inOrder(kept), at: startedAt };
  }
  return undefined;
}

type TriedText = Pick<LastAnswer, 'under' | 'edits'>;

/** Says under which text an attempt of a run was made. */
async function textsTried(skill: OpenSkill, events: readonly RunEvent[]): Promise<(attempt: Attempt) => TriedText> {
  const begun = events.find((event) => event.kind === 'run-started');
  const proposal = await proposalOf(skill, events);
  const partOf = partsTried(proposal, skill.text);
  return ({ skillHash, stage }) => {
    if (skillHash === begun?.baseHash) return { under: 'skill' };
    if (skillHash === withoutSkill) return { under: 'no-skill' };
    // What a run certifies is what it proposes; a measurement by itself is of a part.
    const isProposed = ['certify', 'sealed'].includes(stage) && begun?.purpose !== 'measure';
    return { under: 'candidate', ...partOf(skillHash, isProposed) };
  };
}

/** Looked for only where a text is neither the skill nor none. */
function partsTried(
  proposal: Proposal | undefined,
  skill: string,
): (hash: string, isProposed: boolean) => Pick<LastAnswer, 'edits'> {
  let editsOf: EditsOfText | undefined;
  return (hash, isProposed) => {
    editsOf ??= proposal === undefined ? () => undefined : editsOfTexts(proposal, skill);
    const edits = editsOf(hash) ?? (isProposed ? 'all' : []);
    return edits === 'all' ? {} : { edits };
  };
}

/** What a run proposed, where it waits or was decided last; of a run that proposed nothing itself, what waits. */
async function proposalOf({ store }: OpenSkill, events: readonly RunEvent[]): Promise<Proposal | undefined> {
  const id = events.findLast((event) => event.kind === 'verdict')?.proposalId;
  const waiting = await lookAtProposal(store);
  const known = waiting.kind === 'verified' ? waiting.proposal : undefined;
  if (id === undefined || known?.id === id) return known;
  return takeOutProposal(store, id);
}

/** The skill as it was, then what the run proposes, or else the last text that it tried: it tries many, and two can be compared. */
function inOrder(answers: readonly LastAnswer[]): readonly LastAnswer[] {
  return (['no-skill', 'skill', 'candidate'] as const).flatMap((under) => {
    const found = answers.filter((answer) => answer.under === under);
    return found.find(({ edits }) => edits === undefined) ?? found.at(-1) ?? [];
  });
}
