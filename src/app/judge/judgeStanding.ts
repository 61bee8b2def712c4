import { askedToday } from '../../checks/askedCriterion.js';
import type { AskedCriterion } from '../../checks/judgement.js';
import { judgeAgreement, type JudgeAgreement, type LabelledGrade } from '../../gate/statistics/judgeAgreement.js';
import type { PromptOverrides } from '../../prompts/renderPrompt.js';
import type { Task } from '../../tasks/task.js';
import { lowJudgeNote, otherJudgeAside } from '../../wording/judge/judgeWords.js';
import { english } from '../../wording/translate.js';
import type { OpenSkill } from '../openSkill.js';
import { promptOverridesOf } from '../promptOverrides.js';
import type { JudgeLabel, JudgeLabels } from './judgeLabels.js';
import { labelsThatCount, type CountingLabels } from './ownLabels.js';

/** What the labels beside the tasks say of one judge. */
export interface JudgeStanding {
  /** The model that graded. */
  readonly judge: string;
  /** Undefined where no label counts. */
  readonly agreement: JudgeAgreement | undefined;
  /** Labels that count for nothing: the task or the criterion is another one by now. */
  readonly changed: number;
  /** Labels that say nothing of this judge: another graded the answer, or the same with another prompt. */
  readonly ofOthers: number;
  /** Labels beside the tasks that this person neither made nor lets count. */
  readonly notYours: number;
  /** Labels of others that they let count. */
  readonly letIn: number;
  /** The model that graded in the newest run, where it is another. */
  readonly now?: string | undefined;
}

/** What a judge is asked today about answers to one task. */
export interface JudgedTask {
  readonly task: Task;
  readonly asked: readonly (AskedCriterion & { readonly words: string })[];
}

/** The tasks whose answers a judge grades, without sealed ones: nobody looks at their answers. */
export function judgedTasks(
  { training, heldOut }: { readonly training: readonly Task[]; readonly heldOut: readonly Task[] },
  prompts: PromptOverrides,
): readonly JudgedTask[] {
  return [...training, ...heldOut]
    .map((task) => ({ task, asked: askedToday(task, prompts) }))
    .filter(({ asked }) => asked.length > 0);
}

/** The workspace's own prompts; none where they are not allowed or cannot be read, for then no run says them either. */
export async function promptsToday(skill: OpenSkill): Promise<PromptOverrides> {
  return promptOverridesOf(skill).catch(() => new Map());
}

/** A label that counts for a judge: its criterion is asked today, and that judge graded the answer as it would today. */
export interface CountedLabel extends LabelledGrade {
  readonly row: JudgeLabel;
  readonly task: Task;
  readonly words: string;
}

export function countedLabels(
  { labels }: JudgeLabels,
  judge: string,
  tasks: readonly JudgedTask[],
): { readonly counted: readonly CountedLabel[] } & Pick<JudgeStanding, 'changed' | 'ofOthers'> {
  const today = new Map(
    tasks.flatMap(({ task, asked }) => asked.map((each) => [each.criterion, { ...each, task, of: asked.length }])),
  );
  const known = labels.flatMap((row) => {
    const now = today.get(row.criterion);
    return now === undefined ? [] : [{ row, now }];
  });
  const counted = known.flatMap(({ row, now: { task, words, of, prompt } }) => {
    const given = row.grades.find((each) => each.judge === judge && each.prompt === prompt);
    if (given === undefined) return [];
    return [{ row, task, words, of, answer: `${task.id} ${row.answer}`, label: row.label, grade: given.grade }];
  });
  return { counted, changed: labels.length - known.length, ofOthers: known.length - counted.length };
}

type Sides = Parameters<typeof judgedTasks>[0];

/** What views tell of the judge that was labelled last; undefined where nothing was labelled, or cannot be read. */
export async function judgeStanding(
  skill: OpenSkill,
  sides: Sides | undefined,
  now: string | undefined,
): Promise<JudgeStanding | undefined> {
  const found = await labelsThatCount(skill).catch(() => undefined);
  if (found === undefined || sides === undefined) return undefined;
  const { judge } = found.labels;
  const standing = standingOf(found, judge, judgedTasks(sides, await promptsToday(skill)));
  return now === undefined || now === judge ? standing : { ...standing, now };
}

export function standingOf(
  { labels, notYours, letIn }: CountingLabels,
  judge: string,
  tasks: readonly JudgedTask[],
): JudgeStanding {
  const { counted, ...rest } = countedLabels(labels, judge, tasks);
  return { judge, agreement: judgeAgreement(counted), ...rest, notYours, letIn };
}

/** What whoever starts a run with this judge, or reads its report, should know: that it is known to agree too seldom. */
export async function judgeNotes(skill: OpenSkill, sides: Sides, judge: string): Promise<readonly string[]> {
  const found = await labelsThatCount(skill).catch(() => undefined);
  if (found === undefined) return [];
  const note = lowJudgeNote(standingOf(found, judge, judgedTasks(sides, await promptsToday(skill))), english);
  return note === undefined ? [] : [note];
}

/** What is told beside: that the labels are of another judge than the one that would grade now. */
export async function judgeAsides(skill: OpenSkill, judge: string): Promise<readonly string[]> {
  const { labels } = (await labelsThatCount(skill).catch(() => undefined)) ?? {};
  const isKnown = labels?.labels.some(({ grades }) => grades.some((each) => each.judge === judge));
  return labels === undefined || labels.labels.length === 0 || isKnown === true
    ? []
    : [otherJudgeAside(labels.judge, judge, english)];
}
