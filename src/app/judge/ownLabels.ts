import * as z from 'zod';
import type { GradedAnswer } from './gradedAnswers.js';
import { skillState, type SkillState } from '../../storage/state/skillState.js';
import { canonicalHash } from '../../tasks/canonicalHash.js';
import type { OpenSkill } from '../openSkill.js';
import { readLabels, type JudgeLabel, type JudgeLabels } from './judgeLabels.js';

/**
 * Labels lie beside the tasks, where a clone brings anybody's. Which of them this person made is in their own state, as
 * hashes of what each says; so is which grades their own runs saw. The rest counts once they say so, as it stands then.
 */
interface LabelHashes {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

const words = z.array(z.string()).readonly();
const mostKnown = 20_000;

function known({ store }: Pick<OpenSkill, 'store'>): SkillState<LabelHashes> {
  return skillState(store, 'judge-labels', z.object({ own: words, others: words }));
}

/** Labels that count, with the grades that do. */
export interface CountingLabels {
  readonly labels: JudgeLabels;
  /** How many others there are. */
  readonly notYours: number;
  /** How many of those that count are not the person's: they said yes to them. */
  readonly letIn: number;
}

/** Undefined where there is no file. */
export async function labelsThatCount(
  skill: Pick<OpenSkill, 'store' | 'folder' | 'places'>,
): Promise<CountingLabels | undefined> {
  const all = await readLabels(skill);
  if (all === undefined) return undefined;
  const reading = await known(skill).read();
  const { own, others } = reading.kind === 'verified' ? reading.body : { own: [], others: [] };
  const counts = new Set([...own, ...others]);
  const rows = all.labels.filter((row) => counts.has(labelKey(row)));
  const labels = rows.map((row) => ({
    ...row,
    grades: row.grades.filter((grade) => counts.has(gradeKey(row, grade))),
  }));
  const mine = new Set(own);
  const letIn = rows.filter((row) => !mine.has(labelKey(row))).length;
  return { labels: { ...all, labels }, notYours: all.labels.length - rows.length, letIn };
}

/** Writes down that the person gave these labels, by the ids of `rows`, and what their own runs know of the grades. */
export async function rememberOwn(
  skill: Pick<OpenSkill, 'store'>,
  { rows, given }: { readonly rows: readonly JudgeLabel[]; readonly given: ReadonlySet<string> },
  graded: readonly GradedAnswer[],
  signal: AbortSignal,
): Promise<void> {
  await known(skill).update((before = { own: [], others: [] }) => {
    const own = new Set(before.own);
    const theirs = rows.filter((row) => given.has(row.id) || own.has(labelKey(row)));
    const grades = theirs.flatMap((row) =>
      graded
        .filter(({ id }) => id === row.id)
        .map(({ judge, prompt, grade }) => gradeKey(row, { judge, prompt, grade })),
    );
    const next = new Set([...before.own, ...theirs.map(labelKey), ...grades]);
    return next.size === own.size ? before : { ...before, own: [...next].slice(-mostKnown) };
  }, signal);
}

/** The person's yes to all labels that lie there now, whoever made them; or its end for all that are not theirs. */
export async function countOthers(
  skill: Pick<OpenSkill, 'store' | 'folder' | 'places'>,
  may: boolean,
  signal: AbortSignal,
): Promise<void> {
  const rows = may ? ((await readLabels(skill))?.labels ?? []) : [];
  const others = rows.flatMap((row) => [labelKey(row), ...row.grades.map((grade) => gradeKey(row, grade))]);
  await known(skill).update(({ own } = { own: [], others: [] }) => {
    const mine = new Set(own);
    return { own, others: others.filter((key) => !mine.has(key)).slice(-mostKnown) };
  }, signal);
}

function labelKey({ id, task, criterion, answer, label }: JudgeLabel): string {
  return canonicalHash({ kind: 'label', id, task, criterion, answer, label });
}

function gradeKey({ id }: JudgeLabel, { judge, prompt, grade }: JudgeLabel['grades'][number]): string {
  return canonicalHash({ kind: 'grade', id, judge, prompt, grade });
}
