import path from 'node:path';
import * as z from 'zod';
import { jsonFile } from '../../jsonFile.js';
import { UserError } from '../../errors.js';
import { parseJson } from '../../parseJson.js';
import { writeInside } from '../../storage/files/writeInside.js';
import type { OpenSkill } from '../openSkill.js';
import { readTextInside } from '../readText.js';

const PassFail = z.enum(['pass', 'fail']);

/**
 * What people said of answers that a judge model graded, in `evals/judge.json`, and what judges said of the same. Answers
 * are named by hashes and never quoted: the file is committed with the tasks. A newer version of the format is refused.
 */
export const JudgeLabels = z.object({
  format: z.literal('whetstone-judge'),
  version: z.literal(1),
  /** The model whose grades were labelled last. */
  judge: z.string(),
  labels: z.array(
    z.object({
      /** Hash of the task, the criterion and the answer. */
      id: z.string(),
      task: z.string(),
      /** Hash of the task as the judge reads it, with the criterion: where either changes, the label no longer counts. */
      criterion: z.string(),
      /** Hash of the answer. */
      answer: z.string(),
      label: PassFail,
      /** One for each judge, which is a model with a prompt. */
      grades: z.array(z.object({ judge: z.string(), prompt: z.string(), grade: PassFail })),
    }),
  ),
});
export type JudgeLabels = z.infer<typeof JudgeLabels>;
export type JudgeLabel = JudgeLabels['labels'][number];

function labelsFile({ folder }: Pick<OpenSkill, 'folder'>): string {
  return path.join(folder, 'evals', 'judge.json');
}

/** The labels beside the tasks; undefined where there are none. Throws where the file is not one of them. */
export async function readLabels(skill: Pick<OpenSkill, 'folder' | 'places'>): Promise<JudgeLabels | undefined> {
  const file = labelsFile(skill);
  const text = await readTextInside(skill.places.root ?? skill.folder, file, 'tasks-malformed');
  if (text === undefined) return undefined;
  const parsed = JudgeLabels.safeParse(parseJson(text));
  if (parsed.success) return { ...parsed.data, labels: each(parsed.data.labels) };
  throw new UserError(
    'tasks-malformed',
    `${file} holds no labels that this version of Whetstone reads.`,
    'Restore the file, or delete it and label answers anew.',
  );
}

/** One label an answer, however often a file says it. */
function each(labels: readonly JudgeLabel[]): JudgeLabel[] {
  return [...new Map(labels.map((label) => [label.id, label])).values()];
}

/** Writes the labels so that a diff of them reads well: by task, in an order that no label changes. */
export async function writeLabels(skill: Pick<OpenSkill, 'folder'>, labels: JudgeLabels): Promise<void> {
  const sorted = labels.labels.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const text = `${jsonFile({ ...labels, labels: sorted }, 2)}\n`;
  await writeInside(skill.folder, labelsFile(skill), text);
}

function orderOf({ task, id }: JudgeLabel): string {
  return `${task} ${id}`;
}
