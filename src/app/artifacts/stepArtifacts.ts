import * as z from 'zod';
import type { Patch, PatchItem } from '../../engine/patch.js';
import type { RunEvent } from '../../engine/journal/runEvents.js';
import type { StepLog } from '../../engine/journal/stepLog.js';
import { applyReport, attemptRow, proposedAs, rawPatch, upstreamStep } from '../../engine/journal/upstreamStep.js';
import type { Rewrite } from '../../prompts/rewrite/rewrites.js';
import type { ApplyReportRow } from '../../skill/edits/edit.js';
import { parseJson } from '../../parseJson.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { SplitTasks } from '../../tasks/task.js';
import type { TextStore } from '../../ports/stores.js';
import type { OpenSkill } from '../openSkill.js';
import { keptReasons } from '../results/keptReasons.js';
import { conversationFiles } from './conversationFiles.js';

type Texts = ArtifactSources['texts'];

/** What a step gave, stage by stage, under the names of the paper's trainer, and the skill after it. */
export async function stepArtifacts(
  sources: Pick<ArtifactSources, 'skill' | 'tasks' | 'texts'>,
  step: StepLog,
  version: number,
): Promise<readonly Artifact[]> {
  const { texts } = sources;
  const folder = `steps/step_${String(step.step).padStart(4, '0')}`;
  const files = [
    ...(await stageFiles(step, texts)),
    ...(await conversationFiles(sources, step.rollouts)),
    ...(await candidateFiles(step, texts)),
  ];
  const skill = await textAt(sources, step.ended?.currentHash);
  return [
    ...(skill === undefined ? [] : [{ file: skillName(version), content: skill }]),
    ...files.map(({ file, content }) => ({ file: `${folder}/${file}`, content })),
  ];
}

async function stageFiles(step: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  const merged = await storedAs(Items, texts, step.merged?.textHash);
  const ranked = await storedAs(Items, texts, step.selected?.textHash);
  return [
    { file: 'rollout/results.json', content: await attemptRows(step.rollouts, texts) },
    ...(await patchFiles(step, texts)),
    ...(merged === undefined
      ? []
      : [
          {
            file: 'merged_patch.json',
            content: { reasoning: step.merged?.fallback ?? '', ...proposedAs(merged) },
          },
        ]),
    ...(ranked === undefined
      ? []
      : [
          {
            file: 'ranked_edits.json',
            content: {
              budget: step.selected?.budget,
              fallback: step.selected?.fallback ?? '',
              ...proposedAs(ranked),
            },
          },
        ]),
    ...(await budgetFiles(step, texts)),
    ...(await reminderFiles(step, texts)),
    ...(await rewriteFiles(step, texts)),
  ];
}

/** How many edits the optimizer wanted, in the words of the paper's trainer. */
async function budgetFiles({ budget: event }: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  if (event === undefined) return [];
  const { budget, scheduled, edits, reasonHash, lost = '' } = event;
  const reasoning = reasonHash === undefined ? '' : ((await texts.get(reasonHash)) ?? '');
  return [{ file: 'lr_decision.json', content: { learning_rate: budget, reasoning, n_items: edits, scheduled, lost } }];
}

/** What was put down to lapses, and what became of it. */
async function reminderFiles({ reminders: event }: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  if (event === undefined) return [];
  const { held, consolidated, lost, textHash } = event;
  const notes = (await storedAs(z.array(z.looseObject({ note: z.string() })), texts, textHash)) ?? [];
  return [{ file: 'appendix_notes.json', content: { appendix_notes: notes, n_held: held, consolidated, lost } }];
}

/** Ranked suggestions were worked in by one call; without a ranking the text is an analyst's own. */
async function rewriteFiles({ rewritten, selected }: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  if (rewritten === undefined) return [];
  const { title = '', text = '', changes = [] } = (await storedAs(StoredRewrite, texts, rewritten.textHash)) ?? {};
  const file = selected === undefined ? 'full_rewrite_result.json' : 'rewrite_result.json';
  const said = { title, change_summary: changes, new_skill: text };
  return [{ file, content: { ...said, n_edits: rewritten.edits, skipped: rewritten.reason ?? '' } }];
}

async function candidateFiles(step: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  const candidate = step.applied === undefined ? undefined : await texts.get(step.applied.candidateHash);
  const report = await storedAs(Rows, texts, step.applied?.reportHash);
  return [
    ...(candidate === undefined ? [] : [{ file: 'candidate_skill.md', content: candidate }]),
    ...(report === undefined ? [] : [{ file: 'edit_apply_report.json', content: applyReport(report) }]),
    { file: 'selection_eval/results.json', content: await attemptRows(step.evaluations, texts) },
    { file: 'step_record.json', content: upstreamStep(step, candidate?.length) },
  ];
}

const patchNames: Readonly<Record<Patch['source'], string>> = {
  failure: 'minibatch_fail',
  success: 'minibatch_succ',
  contrast: 'contrast',
  merged: 'merged',
};

async function patchFiles(step: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  const hashes = step.patches.flatMap((event) => event.patches.map((patch) => patch.textHash));
  const patches = await Promise.all(hashes.map((hash) => storedAs(StoredPatch, texts, hash)));
  const counts = new Map<string, number>();
  return patches.flatMap((patch) => {
    if (patch === undefined) return [];
    const name = patchNames[patch.source];
    const number = counts.get(name) ?? 0;
    counts.set(name, number + 1);
    return [{ file: `patches/${name}_${String(number).padStart(3, '0')}.json`, content: rawPatch(patch) }];
  });
}

/** Attempts as the paper's trainer lists them, each with its answer. */
export function attemptRows(
  attempts: readonly Extract<RunEvent, { kind: 'attempt' }>[],
  texts: Texts,
): Promise<readonly unknown[]> {
  return Promise.all(
    attempts.map(async (event) =>
      attemptRow(
        event,
        event.answerHash === undefined ? undefined : await texts.get(event.answerHash),
        await keptReasons(texts, event.reasonsHash),
      ),
    ),
  );
}

/** The texts are found by the hash of what we wrote; reading one back checks only that it is of that form. */
const listOf = <Item>(field: string): z.ZodType<readonly Item[]> =>
  z.custom<readonly Item[]>((value) => z.array(z.object({ [field]: z.object({}) })).safeParse(value).success);
const Items = z.custom<readonly PatchItem[]>(
  (value) => z.array(z.object({ source: z.string() })).safeParse(value).success,
);
const Rows = listOf<ApplyReportRow>('edit');
const StoredRewrite = z.custom<Rewrite>((value) => z.object({ text: z.string() }).safeParse(value).success);
const StoredPatch = z.custom<Patch>(
  (value) => z.object({ source: z.string(), edits: z.array(z.unknown()) }).safeParse(value).success,
);

async function storedAs<Stored>(
  schema: z.ZodType<Stored>,
  texts: Texts,
  hash: string | undefined,
): Promise<Stored | undefined> {
  const text = hash === undefined ? undefined : await texts.get(hash);
  return text === undefined ? undefined : schema.safeParse(parseJson(text)).data;
}

/** One file that a run leaves: text as it stands, anything else as JSON. */
export interface Artifact {
  /** Relative to the folder of the run. */
  readonly file: string;
  readonly content: unknown;
}

/** What artifacts are made from, beside what the run wrote down. */
export interface ArtifactSources {
  readonly skill: OpenSkill;
  readonly tasks: SplitTasks;
  readonly texts: Pick<TextStore, 'get'>;
  readonly options: RunOptions;
}

/** A text that the run names by hash. The original is never stored as one: it is the skill itself. */
export async function textAt(
  { skill, texts }: Pick<ArtifactSources, 'skill' | 'texts'>,
  hash: string | undefined,
): Promise<string | undefined> {
  if (hash === undefined) return undefined;
  return hash === skill.hash ? skill.text : texts.get(hash);
}

/** Where the skill after a step lies among the files of the run. */
export function skillName(version: number): string {
  return `skills/skill_v${String(version).padStart(4, '0')}.md`;
}
