import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { jsonFile } from '../../jsonFile.js';
import { UserError } from '../../errors.js';
import type { Proposal } from '../../ports/proposal.js';
import { unlessMissing } from '../../storage/files/fileErrors.js';
import { writeInside } from '../../storage/files/writeInside.js';
import { parseJson } from '../../parseJson.js';
import type { OpenSkill } from '../openSkill.js';

/**
 * What a team shares of a skill's results, in `evals/record.json`: scores and verdicts, never an answer or a prompt. A
 * newer version of the format is refused.
 */
export const SkillRecord = z.object({
  format: z.literal('whetstone-record'),
  version: z.literal(1),
  skill: z.string(),
  /** Hash of the text that the scores belong to. */
  skillHash: z.string(),
  recordedAt: z.string(),
  model: z.string(),
  simulated: z.boolean(),
  /** Mean of the tasks below. */
  score: z.number(),
  /** Hard score of each task by id; sealed tasks are not in it. */
  tasks: z.record(z.string(), z.number()),
  /** Proposals that were adopted, oldest first. */
  adopted: z.array(
    z.object({
      at: z.string(),
      proposal: z.string(),
      verdict: z.string(),
      before: z.number().optional(),
      after: z.number().optional(),
      heldOut: z.number().optional(),
    }),
  ),
});
export type SkillRecord = z.infer<typeof SkillRecord>;

/** Where the record of a skill lies. */
export function recordFile({ folder }: Pick<OpenSkill, 'folder'>): string {
  return path.join(folder, 'evals', 'record.json');
}

/** The record beside the skill; undefined where there is none. Throws where it is not one. */
export async function readRecord(skill: Pick<OpenSkill, 'folder'>): Promise<SkillRecord | undefined> {
  const file = recordFile(skill);
  const text = await unlessMissing(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  const parsed = SkillRecord.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new UserError(
    'record-malformed',
    `${file} is not a record that this version of Whetstone reads.`,
    'Run “whetstone check --update”, or restore the file.',
  );
}

/** Writes the record so that a diff of it reads well: sorted tasks, one line each. */
export async function writeRecord(skill: Pick<OpenSkill, 'folder'>, record: SkillRecord): Promise<void> {
  const tasks = Object.fromEntries(Object.entries(record.tasks).sort(([a], [b]) => (a < b ? -1 : 1)));
  const text = `${jsonFile({ ...record, tasks }, 2)}\n`;
  await writeInside(skill.folder, recordFile(skill), text);
}

/** The mean of the scores of a record, rounded as it is written. */
export function meanScore(tasks: SkillRecord['tasks']): number {
  const scores = Object.values(tasks);
  return rounded(scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length));
}

/**
 * Writes down that a measured proposal was adopted whole: its verdict, and what each held-out task scored with it;
 * what another text of the skill scored goes. What was adopted in part, or was never measured, leaves the record as it is;
 * a skill without a record gets none.
 */
export async function recordAdoption(
  skill: Pick<OpenSkill, 'folder' | 'hash'>,
  proposal: Proposal,
  at: number,
): Promise<void> {
  const { verdict, comparisons } = proposal;
  if (verdict.kind !== 'accepted') return;
  const [first] = proposal.documents;
  const document = first?.kind === 'file' ? undefined : first;
  const before = await readRecord(skill);
  // A file in the person's repository is begun by the person, with “whetstone check --update”.
  if (before === undefined) return;
  const scored = comparisons.flatMap(({ id, after }) =>
    after.score === undefined ? [] : [[id, rounded(after.score)]],
  );
  const tasks: SkillRecord['tasks'] = Object.fromEntries(scored);
  const { figures } = verdict;
  const time = new Date(at).toISOString();
  await writeRecord(skill, {
    format: 'whetstone-record',
    version: 1,
    skill: proposal.skillName,
    skillHash: document?.candidateHash ?? skill.hash,
    recordedAt: time,
    model: proposal.models.target,
    simulated: proposal.models.simulated,
    score: meanScore(tasks),
    tasks,
    adopted: [
      ...before.adopted.filter((each) => each.proposal !== proposal.id),
      {
        at: time,
        proposal: proposal.id,
        verdict: verdict.kind,
        before: rounded(figures.before),
        after: rounded(figures.after),
        heldOut: figures.n - (figures.notNeeded ?? 0),
      },
    ],
  });
}

export function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
