import { harvestedDraftsOf, type HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { learnedOriginsOf } from '../../storage/harvest/learnedOrigins.js';
import { taskArchiveOf, type PastSource, type PastTask } from '../../storage/state/taskArchive.js';
import { trainedTextsOf } from '../../storage/state/trainedTexts.js';
import { makeTask, textHashOf } from '../../tasks/makeTask.js';
import { sameTextKey, storedTextKeys } from '../../tasks/split/nearDuplicates.js';
import type { SplitAssignment } from '../../tasks/split/splitFile.js';
import { splittingTasks, type SplitResult } from '../../tasks/split/splitTasks.js';
import type { Task } from '../../tasks/task.js';
import { paced } from '../paced.js';
import type { OpenSkill } from '../openSkill.js';

/** Drafts out of sessions that nobody confirmed, where a night may learn from them. */
export interface UnconfirmedDrafts {
  /** On the training side of this night, and on no other side of any. */
  readonly taken: readonly PastTask[];
  /** Those beyond what one night takes: what is like tonight's may be recalled. */
  readonly older: readonly Task[];
}

/** A task that was made of a session, by where it says that it comes from. */
function isOfSession({ origin }: Task): boolean {
  return origin?.startsWith('session ') === true;
}

/** Tasks out of sessions that runs have learned from, without those whose words are there. */
export async function learnedSessionTasks({ store }: OpenSkill, there: readonly Task[]): Promise<readonly Task[]> {
  const learned = (await taskArchiveOf(store).all()).filter(isOfSession);
  if (learned.length === 0) return [];
  const known = new Set(there.map(sameTextKey));
  return learned.filter((task) => !known.has(sameTextKey(task))).map((task) => ({ ...task, draft: true }));
}

/** Writes down, before anything is learned from them, of which sessions tasks are; also of those that earlier versions noted. */
export async function noteLearned({ store }: OpenSkill, training: readonly Task[], signal: AbortSignal): Promise<void> {
  const known = new Set(await learnedOriginsOf(store).all());
  const all = [...(await taskArchiveOf(store).all()), ...training].filter(isOfSession);
  const origins = new Set(all.flatMap(({ origin = '' }) => (known.has(origin) ? [] : [origin])));
  await learnedOriginsOf(store).add([...origins], signal);
}

/** One task in the place of those that were learned from in each session of these tasks, whose words are not kept any more. */
async function placeholders({ store }: OpenSkill, tasks: readonly Task[]): Promise<readonly Task[]> {
  const learned = new Set(await learnedOriginsOf(store).all());
  const origins = new Set(tasks.flatMap(({ origin = '' }) => (learned.has(origin) ? [origin] : [])));
  return [...origins].map((origin) => ({ ...makeTask({ id: origin, prompt: origin, origin }), draft: true }));
}

/**
 * Splits the tasks of a skill. What was learned from before it was confirmed holds its session on the training side, also
 * where it was turned down since: otherwise the rest of the session would be held out as though it were new.
 */
export async function splitBesideLearned(
  skill: OpenSkill,
  tasks: readonly Task[],
  remembered: SplitAssignment,
): Promise<SplitResult> {
  const forgotten = await placeholders(skill, tasks);
  const learned = new Set([...(await trainedTextsOf(skill.store).all()), ...forgotten.flatMap(storedTextKeys)]);
  const beside = [...(await learnedSessionTasks(skill, tasks)), ...forgotten];
  const result = await paced(splittingTasks([...tasks, ...beside], remembered, learned));
  if (beside.length === 0) return result;
  const gone = new Set(beside);
  const without = (groups: SplitResult['groups'], least: number): SplitResult['groups'] =>
    groups.map((group) => group.filter((task) => !gone.has(task))).filter((group) => group.length >= least);
  return {
    ...result,
    recalled: new Map([...result.recalled].filter(([task]) => !gone.has(task))),
    sideOf: new Map([...result.sideOf].filter(([task]) => !gone.has(task))),
    groups: without(result.groups, 2),
    numbered: without(result.numbered, 2),
  };
}

/** What the person deletes is not recalled. One out of a session stays noted, because it holds the rest of its session. */
export async function forgetDeleted({ store }: OpenSkill, deleted: Task, signal: AbortSignal): Promise<void> {
  const archive = taskArchiveOf(store);
  const past = (await archive.all()).filter((task) => !isOfSession(task) && textHashOf(task) === textHashOf(deleted));
  if (past.length > 0) await archive.remove(past, signal);
}

/** By what rule a night may learn from a draft that nobody has seen; undefined where it may not. */
export function learnableBy({ marks, task, by, ground }: HarvestedDraft): PastSource | undefined {
  if (marks.length > 0 || task.environment !== 'chat') return undefined;
  return by === 'rules' ? 'by-rules' : ground;
}

/** Past training tasks that may be recalled, and how many out of sessions may not for want of a rule that let them in. */
export interface Recallable {
  readonly tasks: readonly Task[];
  readonly withoutRule: number;
}

/**
 * Past training tasks that may be recalled. One out of a session only while nights may learn from unconfirmed ones, where
 * today's rule would take it, and never one that the person deleted or turned down. None that stood in the files: where it
 * is there it takes part anyway, and where it is not the person took it out, by whatever means.
 */
export async function recallableTasks(
  { store }: OpenSkill,
  unconfirmed: UnconfirmedDrafts | undefined,
): Promise<Recallable> {
  const drafts = harvestedDraftsOf(store);
  const settled = await drafts.settled();
  const waiting = new Map((await drafts.all()).map((each) => [makeTask(each.task).contentHash, learnableBy(each)]));
  const past = (await taskArchiveOf(store).all()).filter(
    (task) => task.environment !== 'agent' || task.agent !== undefined,
  );
  const ofSessions =
    unconfirmed === undefined ? [] : past.filter((task) => isPastDraft(task) && !settled.has(sameTextKey(task)));
  const lawful = ofSessions.filter(({ from, contentHash }) => (from ?? waiting.get(contentHash)) !== undefined);
  const brought = past.filter(({ from }) => from === 'brought');
  return {
    tasks: [...brought, ...lawful, ...(unconfirmed?.older ?? [])].map(({ from: _from, ...task }: PastTask) => task),
    withoutRule: ofSessions.length - lawful.length,
  };
}

/** One that an earlier version archived may have been a draft or not: it did not say. */
function isPastDraft(task: PastTask): boolean {
  return isOfSession(task) && task.from !== 'files' && task.from !== 'brought';
}
