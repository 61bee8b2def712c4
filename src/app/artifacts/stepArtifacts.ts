import { skillIn } from '../../engine/candidate.js';
import * as z from 'zod';
import type { Patch, PatchItem } from '../../engine/patch.js';
import type { StepLog } from '../../engine/journal/stepLog.js';
import { passRates, typeBuckets } from '../../engine/journal/taskFigures.js';
import { applyReport, proposedAs, rawPatch, upstreamStep } from '../../engine/journal/upstreamStep.js';
import { meansOf } from '../../engine/journal/upstreamSummary.js';
import type { Rewrite } from '../../prompts/rewrite/rewrites.js';
import type { ApplyReportRow } from '../../skill/edits/edit.js';
import { parseJson } from '../../parseJson.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { OpenSkill } from '../openSkill.js';
import { attemptRows, typeById, type RowSources } from './attemptRows.js';
import { conversationFiles, fileNames } from './conversationFiles.js';

type Texts = ArtifactSources['texts'];

/** What a step gave, stage by stage, under the names of the paper's trainer, and the skill after it. */
export async function stepArtifacts(
  sources: RowSources & Pick<ArtifactSources, 'skill'>,
  step: StepLog,
  version: number,
): Promise<readonly Artifact[]> {
  const folder = `steps/step_${String(step.step).padStart(4, '0')}`;
  const files = [
    ...(await stageFiles(step, sources)),
    ...(await conversationFiles(sources, step.rollouts)),
    ...(await candidateFiles(step, sources)),
  ];
  const skill = await textAt(sources, step.ended?.currentHash);
  return [
    ...(skill === undefined ? [] : [{ file: skillName(version), content: skill }]),
    ...files.map(({ file, content }) => ({ file: `${folder}/${file}`, content })),
  ];
}

async function stageFiles(step: StepLog, sources: RowSources): Promise<readonly Artifact[]> {
  const { texts } = sources;
  return [
    { file: 'rollout/results.json', content: await attemptRows(sources, step.rollouts) },
    { file: 'rollout/summary.json', content: passSummary(step, sources) },
    ...(await patchFiles(step, texts)),
    ...(await mergedFiles(step, texts)),
    ...(await rankedFiles(step, texts)),
    ...(await budgetFiles(step, texts)),
    ...(await reminderFiles(step, texts)),
    ...(await rewriteFiles(step, texts)),
  ];
}

/** The one patch, with what the optimizer said of the last merge, and of each where there were several. */
async function mergedFiles({ merged: event }: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  const merged = await storedAs(Items, texts, event?.textHash);
  if (event === undefined || merged === undefined) return [];
  const reasons = (await storedAs(Reasons, texts, event.reasoningHash)) ?? [];
  const reasoning = reasons.at(-1)?.reasoning ?? event.fallback ?? '';
  const all = reasons.length < 2 ? {} : { merges: reasons };
  return [
    {
      file: 'merged_patch.json',
      content: { reasoning, ...all, fallback: event.fallback ?? '', ...proposedAs(merged) },
    },
  ];
}

/** What was taken of it, and how it was ranked where there was more than the budget. */
async function rankedFiles({ selected: event }: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  const ranked = await storedAs(Items, texts, event?.textHash);
  if (event === undefined || ranked === undefined) return [];
  const ranking = await storedAs(Ranking, texts, event.rankingHash);
  const told = ranking === undefined ? {} : { reasoning: ranking.reasoning, ranking_details: ranking };
  return [
    {
      file: 'ranked_edits.json',
      content: { budget: event.budget, fallback: event.fallback ?? '', ...told, ...proposedAs(ranked) },
    },
  ];
}

const Reasons = z.array(z.object({ part: z.string(), level: z.number(), reasoning: z.string() }));
const Ranking = z.object({ reasoning: z.string(), selected_indices: z.array(z.number()) });

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

/** The means of the attempts that a step learned from, how often each task passed, and the sums by type. */
function passSummary({ rollouts }: StepLog, sources: RowSources): unknown {
  const typeOf = typeById(sources);
  const tasks = passRates(rollouts, typeOf).map(({ id, type, attempts, passed, rate }) => ({
    id,
    task_type: type,
    attempts,
    passed,
    pass_rate: rate,
  }));
  return { ...meansOf(rollouts), tasks, buckets: typeBuckets(rollouts, typeOf) };
}

async function candidateFiles(step: StepLog, sources: RowSources): Promise<readonly Artifact[]> {
  const { texts } = sources;
  const stored = step.applied === undefined ? undefined : await texts.get(step.applied.candidateHash);
  const candidate = stored === undefined ? undefined : skillIn(stored);
  const report = await storedAs(Rows, texts, step.applied?.reportHash);
  return [
    ...(candidate === undefined ? [] : [{ file: 'candidate_skill.md', content: candidate }]),
    ...(report === undefined ? [] : [{ file: 'edit_apply_report.json', content: applyReport(report) }]),
    { file: 'selection_eval/results.json', content: await attemptRows(sources, step.evaluations) },
    { file: 'step_record.json', content: upstreamStep(step, candidate?.length) },
  ];
}

const patchNames: Readonly<Record<Exclude<Patch['source'], 'environment'>, string>> = {
  failure: 'minibatch_fail',
  success: 'minibatch_succ',
  contrast: 'contrast',
  merged: 'merged',
};

async function patchFiles(step: StepLog, texts: Texts): Promise<readonly Artifact[]> {
  const hashes = step.patches.flatMap((event) => event.patches.map((patch) => patch.textHash));
  const patches = await Promise.all(hashes.map((hash) => storedAs(StoredPatch, texts, hash)));
  const counts = new Map<string, number>();
  const names = fileNames(patches.flatMap((patch) => patch?.environment ?? []));
  return patches.flatMap((patch) => {
    if (patch === undefined) return [];
    const own = names.get(patch.environment ?? '');
    if (own !== undefined) return [{ file: `patches/environment_${own}.json`, content: rawPatch(patch) }];
    const name = patch.source === 'environment' ? 'environment' : patchNames[patch.source];
    const number = counts.get(name) ?? 0;
    counts.set(name, number + 1);
    return [{ file: `patches/${name}_${String(number).padStart(3, '0')}.json`, content: rawPatch(patch) }];
  });
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
export interface ArtifactSources extends RowSources {
  readonly skill: OpenSkill;
  readonly options: RunOptions;
}

/** A text that the run names by hash. The original is never stored as one: it is the skill itself. */
export async function textAt(
  { skill, texts }: Pick<ArtifactSources, 'skill' | 'texts'>,
  hash: string | undefined,
): Promise<string | undefined> {
  if (hash === undefined) return undefined;
  if (hash === skill.hash) return skill.text;
  const stored = await texts.get(hash);
  return stored === undefined ? undefined : skillIn(stored);
}

/** Where the skill after a step lies among the files of the run. */
export function skillName(version: number): string {
  return `skills/skill_v${String(version).padStart(4, '0')}.md`;
}
