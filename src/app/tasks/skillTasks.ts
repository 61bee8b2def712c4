import { isDeepStrictEqual } from 'node:util';
import { checkCatalog, knowsOwnChecks } from '../../checks/registry.js';
import { UserError } from '../../errors.js';
import { withFixtureProblems } from '../../tasks/fixtureProblems.js';
import { joiningBrought, type BroughtItems } from '../../tasks/readers/broughtItems.js';
import { readingTasks, type ReadTasks, type TaskFiles } from '../../tasks/readers/readTasks.js';
import { bringersOf } from '../../tasks/readers/whetstoneFile.js';
import { rememberUse, type TaskUse } from '../../tasks/split/moveTasks.js';
import { emptyAssignment, printSplitFile, readSplitFile, type SplitAssignment } from '../../tasks/split/splitFile.js';
import { splitProblems } from '../../tasks/split/splitProblems.js';
import type { SplitResult } from '../../tasks/split/splitTasks.js';
import type { Side, Task } from '../../tasks/task.js';
import type { TaskPlace } from '../../tasks/taskProblem.js';
import { readSplit, writeSplit } from '../../storage/state/splitStore.js';
import { typedWord } from '../../wording/shownText.js';
import type { OpenSkill } from '../openSkill.js';
import { paced } from '../paced.js';
import { fixtureFaults } from './fixtureFaults.js';
import { splitBesideLearned, type UnconfirmedDrafts } from './learnedSessions.js';
import { placeOfDeclaration, readTaskTexts } from './taskTexts.js';
import { draftsToConfirm } from './waitingDrafts.js';

/** The tasks of a skill, each on its side. */
export interface SkillTasks {
  /** Its problems include those that only the disk and the split can tell: missing fixtures, tasks set aside, too few. */
  readonly read: ReadTasks;
  readonly result: SplitResult;
  readonly evalsPath: string;
  /** Drafts, disabled or set-aside tasks that the person wants to try all the same; they count for nothing. */
  readonly tried?: readonly Task[] | undefined;
  /** What environments brought of them; missing where none was asked. */
  readonly brought?: readonly BroughtItems[] | undefined;
  /** The ids of the tasks that stand in the files, where environments brought others. */
  readonly filed?: ReadonlySet<string> | undefined;
  /** Only where a night may learn from drafts out of sessions; those that it takes are among its training tasks. */
  readonly unconfirmed?: UnconfirmedDrafts | undefined;
}

/** Gives what environments bring as tasks; undefined where nothing of it is known and nobody may be asked. */
export type BringItems = (declared: ReadTasks['environments']) => Promise<readonly BroughtItems[] | undefined>;

const askNobody: BringItems = () => Promise.resolve(undefined);

/**
 * Reads the tasks beside a skill and splits them, with those that environments bring where `bring` gives them; undefined
 * where there is no evals file and nobody brings any. Writes nothing.
 */
export async function readSkillTasks(skill: OpenSkill, bring = askNobody): Promise<SkillTasks | undefined> {
  const texts = await readTaskTexts(skill);
  if (texts === undefined) return undefined;
  const own = await readOnce(texts);
  const brought = bringersOf(own.environments, 'items').length === 0 ? undefined : await bring(own.environments);
  const placeOf = placeOfDeclaration(texts);
  const stated =
    brought === undefined ? own : await paced(joiningBrought(own, brought, { catalog: checkCatalog, placeOf }));
  const all = [...stated.tasks, ...stated.broken.map(({ task }) => task)];
  const read = withFixtureProblems(stated, texts, await fixtureFaults(skill.folder, all));
  const result = await splitBesideLearned(skill, read.tasks, await remembered(skill));
  const isWhole = brought !== undefined || bringersOf(own.environments, 'items').length === 0;
  const ofSplit = splitProblems(result, read, topOf(texts.evalsPath));
  // How many there are in all is not known before they are brought.
  const problems = [...read.problems, ...ofSplit.filter(({ code }) => isWhole || code !== 'too-few-tasks')];
  const filed = brought === undefined ? undefined : new Set(own.tasks.map(({ id }) => id));
  return { read: { ...read, problems }, result, evalsPath: texts.evalsPath, brought, filed };
}

/**
 * What the files say, which one command asks for several times, and a window with every look. The last are kept: tasks
 * never change once they are read, unless checks of somebody's own give their words a meaning.
 */
async function readOnce(texts: TaskFiles): Promise<ReadTasks> {
  if (knowsOwnChecks()) return paced(readingTasks(texts, checkCatalog));
  const known = lastRead.find((each) => isDeepStrictEqual(each.texts, texts));
  if (known !== undefined) return known.read;
  const read = await paced(readingTasks(texts, checkCatalog));
  if (texts.evalsText.length + (texts.heldOutText ?? '').length > longestKept) return read;
  lastRead.unshift({ texts, read });
  lastRead.length = Math.min(lastRead.length, mostKept);
  return read;
}

const lastRead: { readonly texts: TaskFiles; readonly read: ReadTasks }[] = [];
const mostKept = 4;
const longestKept = 1_000_000; // characters

/** The tasks for a run that learns, of which there must be enough; it is written down, so that nobody changes sides later. */
export async function tasksForRun(skill: OpenSkill, bring: BringItems): Promise<SkillTasks> {
  const tasks = await refuseTooFew(skill, await readSkillTasks(skill, bring));
  await rememberSplit(skill, () => tasks.result.assignment);
  return tasks;
}

/** The same for what compares two texts on held-out tasks, and learns nothing. */
export async function tasksForMeasuring(skill: OpenSkill, bring: BringItems): Promise<SkillTasks> {
  const tasks = await refuseTooFew(skill, await readSkillTasks(skill, bring));
  await rememberSplit(skill, (before) => rememberUse(tasks.result, before, useInMeasuring));
  return tasks;
}

function useInMeasuring(_: Task, side: Side): TaskUse {
  return side === 'heldOut' ? 'uses' : 'none';
}

/** The same for what only says beforehand what a run would do. Writes nothing. */
export async function tasksForPlanning(skill: OpenSkill, bring: BringItems): Promise<SkillTasks> {
  return refuseTooFew(skill, await readSkillTasks(skill, bring));
}

/** The tasks to score a skill on: a single one will do. Without `only` each is attempted. */
export async function tasksForEvaluation(
  skill: OpenSkill,
  bring: BringItems,
  only?: readonly string[],
): Promise<SkillTasks> {
  const tasks = await refuseNone(skill, await readSkillTasks(skill, bring));
  const isMeant = ({ id }: Task): boolean => only === undefined || only.includes(id);
  const unplaced = tasks.read.tasks.filter((task) => only?.includes(task.id) === true && !isPlaced(task, tasks));
  await rememberSplit(skill, (before) =>
    rememberUse(tasks.result, before, (task) => (isMeant(task) ? 'uses' : 'none'), unplaced),
  );
  return tasks;
}

/** The tasks to look at what would be said of them: a single one will do. Writes nothing. */
export async function tasksForPreview(skill: OpenSkill, bring: BringItems): Promise<SkillTasks> {
  return refuseNone(skill, await readSkillTasks(skill, bring));
}

function isPlaced(task: Task, { result }: SkillTasks): boolean {
  const { training, heldOut, sealed } = result.split;
  return [...training, ...heldOut, ...sealed].some(({ id }) => id === task.id);
}

/** Drafts and disabled tasks keep no run from starting, unless the person wants to try one of them. */
export function attemptedTasks({ result: { split }, tried = [] }: SkillTasks): readonly Task[] {
  return [...split.training, ...split.heldOut, ...split.sealed, ...tried];
}

/** As errors name it. */
type NamedSkill = Pick<OpenSkill, 'name' | 'places'>;

/** Throws where there is nothing to learn from or nothing to prove it on. */
export async function refuseTooFew(skill: OpenSkill, found: SkillTasks | undefined): Promise<SkillTasks> {
  const tasks = await refuseNone(skill, found);
  const { training, heldOut, sealed } = tasks.result.split;
  const drafts = async (): Promise<number> => (await draftsToConfirm(skill, tasks.read)).all;
  if (training.length + heldOut.length + sealed.length === 0) throw nothingToAttempt(skill, tasks, await drafts());
  if (training.length === 0 || heldOut.length + training.length < 2) throw tooFew(skill, tasks, await drafts());
  return tasks;
}

/** Drafts that wait are the nearest way to more tasks. */
function tooFew(skill: NamedSkill, tasks: SkillTasks, drafts: number): UserError {
  const { name } = skill;
  const { training, heldOut } = tasks.result.split;
  const what = `${name} has too few tasks to learn from: ${training.length} for training, ${heldOut.length} held out.`;
  if (drafts > 0)
    return new UserError('tasks-unconfirmed', `${what} Drafts that wait for you: ${drafts}.`, lookAtDrafts(skill));
  const wrong = firstError(tasks);
  const said = wrong === undefined ? what : `${what} ${wrong}`;
  return new UserError('tasks-too-few', said, 'Seven are needed at least: two to learn from and five to prove it on.');
}

function draftsIn({ tasks }: ReadTasks): number {
  return tasks.filter((task) => task.draft).length;
}

function lookAtDrafts({ places }: NamedSkill): string {
  const skill = typedWord(places.skillPath);
  return `Look at the drafts and confirm those that are good (in a terminal “whetstone tasks list ${skill}”, then “whetstone tasks confirm ${skill} <id>...”).`;
}

async function refuseNone(skill: OpenSkill, tasks: SkillTasks | undefined): Promise<SkillTasks> {
  if (tasks !== undefined) return tasks;
  const { all } = await draftsToConfirm(skill, undefined);
  if (all > 0) throw unconfirmed(skill, all);
  throw new UserError('tasks-missing', `${skill.name} has no tasks yet.`, makeTasks(skill));
}

function unconfirmed(skill: NamedSkill, drafts: number): UserError {
  const what = `${skill.name} has no confirmed task yet. Drafts that wait for you: ${drafts}.`;
  return new UserError('tasks-unconfirmed', what, lookAtDrafts(skill));
}

/** What keeps a task out, with the number of others: what environments bring is listed nowhere else. */
function firstError({ read, brought }: SkillTasks): string | undefined {
  const [first, ...more] = read.problems.filter(({ severity }) => severity === 'error');
  if (first === undefined) return undefined;
  const { path: file, start } = first.place;
  const said = brought === undefined ? `${file}, line ${start.line}: ${first.message}` : first.message;
  const others = `More such problems: ${more.length}.`;
  return more.length === 0 ? said : `${said} ${others}`;
}

/** Said where no task counts: because each is broken, or because none was confirmed. */
export function nothingToAttempt(skill: NamedSkill, tasks: SkillTasks, drafts = draftsIn(tasks.read)): UserError {
  const { read, brought } = tasks;
  const [broken] = read.broken;
  if (broken !== undefined)
    return new UserError('tasks-missing', `The task “${broken.task.id}” cannot be used: ${broken.reason}`, mendFiles);
  const wrong = firstError(tasks);
  if (wrong !== undefined) {
    const cure = brought === undefined ? mendFiles : 'Correct what the environment gives, then run again.';
    return new UserError('tasks-malformed', wrong, cure);
  }
  if (drafts > 0) return unconfirmed(skill, drafts);
  return new UserError('tasks-missing', `${skill.name} has no task that can be attempted.`, makeTasks(skill));
}

const mendFiles = 'Correct the files in evals, then run again. “whetstone tasks list” shows every problem.';

/** True for what is thrown where a skill has no task, none that is confirmed, or too few. */
export function lacksTasks(error: unknown): error is UserError {
  const codes: readonly string[] = ['tasks-missing', 'tasks-unconfirmed', 'tasks-too-few'];
  return error instanceof UserError && codes.includes(error.code);
}

function makeTasks({ places }: NamedSkill): string {
  const skill = typedWord(places.skillPath);
  return `Draft some (“Draft Tasks”, in a terminal “whetstone tasks draft ${skill}”), or write evals/evals.json by hand.`;
}

function topOf(file: string): TaskPlace {
  return { path: file, start: { offset: 0, line: 1, column: 1 }, end: { offset: 1, line: 1, column: 2 } };
}

/** Writes down what `next` makes of what is remembered of this skill; that of the others stays. */
export async function rememberSplit(
  { places }: OpenSkill,
  next: (before: SplitAssignment) => SplitAssignment,
): Promise<void> {
  const assignments = new Map(readSplitFile(await readSplit(places), 'split.json'));
  assignments.set(places.documentPath, next(assignments.get(places.documentPath) ?? emptyAssignment));
  await writeSplit(places, printSplitFile(assignments));
}

async function remembered({ places }: OpenSkill): Promise<SplitAssignment> {
  const assignments = readSplitFile(await readSplit(places), 'split.json');
  return assignments.get(places.documentPath) ?? emptyAssignment;
}
