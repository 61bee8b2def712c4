import { UserError } from '../../errors.js';
import type { PassFail } from '../../gate/statistics/judgeAgreement.js';
import type { TextStore } from '../../ports/stores.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { keptAttempt, type KeptAttempt } from '../results/keptAttempts.js';
import { overviewOf } from '../results/overview.js';
import { refuseLinkedTasks } from '../tasks/taskFiles.js';
import { userStore, type World } from '../world.js';
import { answersToOffer, gradedAnswers, type GradedAnswer } from './gradedAnswers.js';
import { readLabels, writeLabels, type JudgeLabel, type JudgeLabels } from './judgeLabels.js';
import { countOthers, labelsThatCount, rememberOwn } from './ownLabels.js';
import {
  countedLabels,
  judgedTasks,
  promptsToday,
  standingOf,
  type CountedLabel,
  type JudgedTask,
  type JudgeStanding,
} from './judgeStanding.js';

/** An answer that a person is asked about, as the judge saw it; what the judge said of it is not in here. */
export interface AnswerToLabel extends Pick<KeptAttempt, 'answer' | 'work'> {
  readonly id: string;
  readonly task: string;
  readonly prompt: string;
  readonly context: string | undefined;
  /** What a good answer is, where the task says so. */
  readonly expected: readonly string[];
  readonly criterion: string;
}

/** An answer that a person and the judge disagree on. Answers and reasons are kept for 30 days, on this machine. */
export interface Disagreement {
  readonly id: string;
  readonly task: string;
  readonly criterion: string;
  readonly label: PassFail;
  readonly grade: PassFail;
  readonly answer: string | undefined;
  /** What the judge said. */
  readonly reason: string | undefined;
}

/** How far the judge of the newest run agrees with the labels, and where it does not. */
export interface JudgeReport extends Omit<JudgeStanding, 'judge' | 'now'> {
  /** The model that graded in the newest run; the one that was labelled last where nothing of a run is left. */
  readonly judge: string | undefined;
  readonly disagreements: readonly Disagreement[];
  /** How many tasks of today a judge is asked about. */
  readonly judgedTasks: number;
  /** How many of the labels that count are of answers which are not kept here: nobody can look at them again. */
  readonly notKept: number;
  /** Answers that can be labelled now, in the order in which a person is asked about them. */
  readonly toLabel: readonly AnswerToLabel[];
}

/** How a person finds out whether the judge model says what they would say. */
export interface JudgeUseCases {
  /** What the labels say of the judge, and what could be labelled. Asks no model and writes nothing. */
  judgeReport(request: SkillRequest, signal: AbortSignal): Promise<JudgeReport>;
  /** Writes labels into `evals/judge.json`, by the ids of answers; one that was there is replaced. */
  labelAnswers(
    request: SkillRequest & { readonly labels: Readonly<Record<string, PassFail>> },
    signal: AbortSignal,
  ): Promise<void>;
  /** The person's yes to the labels that lie there now and are not theirs, or its end. */
  countOthersLabels(request: SkillRequest, may: boolean, signal: AbortSignal): Promise<void>;
}

/** Wired to the files beside a skill, and to the runs and answers that are kept on this machine. */
export function createJudgeUseCases(world: World): JudgeUseCases {
  return {
    async judgeReport(request) {
      const skill = await openSkill(world, request, 'look');
      return reportOf(await sightOf(skill), openTexts(await userStore(world, 'look')));
    },
    async labelAnswers({ labels, ...request }, signal) {
      const skill = await openSkill(world, request, 'work');
      await refuseLinkedTasks(skill);
      const sight = await sightOf(skill);
      const next = labelled(sight, (await readLabels(skill))?.labels ?? [], labels);
      const told = { rows: next.labels, given: new Set(Object.keys(labels)) };
      await rememberOwn(skill, told, sight.graded, signal);
      await writeLabels(skill, next);
    },
    async countOthersLabels(request, may, signal) {
      await countOthers(await openSkill(world, request, 'work'), may, signal);
    },
  };
}

/** What is known: labels that count, the tasks of today, and what judges graded. */
interface Sight {
  readonly labels: JudgeLabels | undefined;
  readonly notYours: number;
  readonly letIn: number;
  readonly tasks: readonly JudgedTask[];
  readonly graded: readonly GradedAnswer[];
  readonly judge: string | undefined;
}

async function sightOf(skill: OpenSkill): Promise<Sight> {
  const { labels, notYours = 0, letIn = 0 } = (await labelsThatCount(skill)) ?? {};
  const { tasks, runs } = await overviewOf(skill);
  const judged = tasks === undefined ? [] : judgedTasks(tasks, await promptsToday(skill));
  const graded = await gradedAnswers(skill, runs, judged);
  return { labels, notYours, letIn, tasks: judged, graded, judge: graded[0]?.judge ?? labels?.judge };
}

async function reportOf(sight: Sight, texts: TextStore): Promise<JudgeReport> {
  const { judge, tasks, graded, notYours, letIn } = sight;
  const judged = tasks.length;
  const none = {
    judge,
    agreement: undefined,
    changed: 0,
    ofOthers: 0,
    notYours,
    letIn,
    disagreements: [],
    judgedTasks: judged,
    notKept: 0,
  };
  if (judge === undefined) return { ...none, toLabel: [] };
  const labels = withGrades(sight);
  const labelledIds = new Set(labels?.labels.map(({ id }) => id));
  const ofJudge = graded.filter((each) => each.judge === judge);
  const toLabel = await shownAnswers(answersToOffer(ofJudge, labelledIds), texts);
  if (labels === undefined) return { ...none, toLabel };
  const { counted } = countedLabels(labels, judge, tasks);
  const known = new Set(graded.map(({ id }) => id));
  const notKept = counted.filter(({ row }) => !known.has(row.id)).length;
  const apart = counted.filter(({ label, grade }) => label !== grade);
  const disagreements = await Promise.all(apart.map((each) => disagreementOf(each, ofJudge, texts)));
  return {
    ...standingOf({ labels, notYours, letIn }, judge, tasks),
    disagreements,
    judgedTasks: judged,
    notKept,
    toLabel,
  };
}

/** The labels with every grade that is known of their answers: of another judge too, that graded the same since. */
function withGrades({ labels, graded }: Pick<Sight, 'labels' | 'graded'>): JudgeLabels | undefined {
  return labels === undefined ? undefined : { ...labels, labels: labels.labels.map((row) => gradedRow(row, graded)) };
}

function gradedRow(row: JudgeLabel, graded: readonly GradedAnswer[]): JudgeLabel {
  const now = graded.filter(({ id }) => id === row.id).map(({ judge, prompt, grade }) => ({ judge, prompt, grade }));
  const isNow = (each: JudgeLabel['grades'][number]): boolean =>
    now.some(({ judge, prompt }) => judge === each.judge && prompt === each.prompt);
  return { ...row, grades: [...row.grades.filter((each) => !isNow(each)), ...now] };
}

/** What stands in the file afterwards: the rows of others stay in it. */
function labelled(
  { graded, judge }: Sight,
  there: readonly JudgeLabel[],
  given: Readonly<Record<string, PassFail>>,
): JudgeLabels {
  const rows = new Map(there.map((row) => [row.id, row]));
  for (const [id, label] of Object.entries(given)) {
    const answer = graded.find((each) => each.id === id);
    const before = rows.get(id);
    if (before !== undefined) rows.set(id, { ...before, label });
    else if (answer === undefined) throw noSuchAnswer(id);
    else rows.set(id, rowOf(answer, label));
  }
  const all = [...rows.values()].map((row) => gradedRow(row, graded));
  return { format: 'whetstone-judge', version: 1, judge: judge ?? '', labels: all };
}

function rowOf({ id, task, criterion, answer }: GradedAnswer, label: PassFail): JudgeLabel {
  return { id, task: task.id, criterion, answer, label, grades: [] };
}

/** Those whose answers are still kept. */
async function shownAnswers(graded: readonly GradedAnswer[], texts: TextStore): Promise<readonly AnswerToLabel[]> {
  const shown = graded.map(async ({ id, task, words, event }) => {
    const kept = await keptAttempt(event, [], texts);
    if (kept === undefined) return [];
    const { answer, work } = kept;
    const expected = [task.expectedOutput ?? '', ...task.references].filter((text) => text !== '');
    const about = { id, task: task.id, prompt: task.prompt, context: task.context, expected, criterion: words };
    return [{ ...about, answer, ...(work === undefined ? {} : { work }) }];
  });
  return (await Promise.all(shown)).flat();
}

async function disagreementOf(
  { row, task, words, label, grade }: CountedLabel,
  graded: readonly GradedAnswer[],
  texts: TextStore,
): Promise<Disagreement> {
  const found = graded.find(({ id }) => id === row.id);
  const kept = found === undefined ? undefined : await keptAttempt(found.event, [], texts);
  const reason = found === undefined ? undefined : kept?.checks[found.at]?.reason;
  return { id: row.id, task: task.id, criterion: words, label, grade, answer: kept?.answer, reason };
}

function noSuchAnswer(id: string): UserError {
  return new UserError(
    'usage',
    `No answer “${id}” that a judge graded is kept here.`,
    'Take an id of the answers that are listed as to be labelled.',
  );
}
