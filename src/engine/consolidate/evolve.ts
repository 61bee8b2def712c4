import { memoryFilePrompt } from '../../prompts/reflection/reflection.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import { attribute, attributeAfterAll, wholeBundle, type AttributionResult } from '../certify/attribute.js';
import type { AttributionBudget } from '../certify/attributionBudget.js';
import { asMemory, asSkill, textsOf, type TextPair } from '../candidate.js';
import { claimFor } from '../certify/certify.js';
import type { SplitLeak } from '../../tasks/split/splitTasks.js';
import type { SplitTasks, TrainingTask } from '../../tasks/task.js';
import type { RunSubject } from '../optimizeSkill.js';
import type { RunContext } from '../runContext.js';
import { train, type TrainingResult, type Training } from '../train.js';
import { judgePair, type VerdictEvidence } from '../certify/verdictOf.js';

/** The skill and the memory file that a consolidation is about. */
export interface ConsolidateSubject extends Omit<RunSubject, 'memory'> {
  /** Read by the target beside the skill; undefined where memory takes no part. */
  readonly memoryFile: MemoryFile | undefined;
  /** What the split knows of tasks that training has seen. */
  readonly leaks: readonly SplitLeak[];
  /** The text that the last night began with, where it is no longer the skill's. */
  readonly earlier?: string | undefined;
  /** Past tasks that are trained on once more. */
  readonly recalled: readonly TrainingTask[];
}

/** What both documents are trained with. */
export interface ConsolidationRun {
  readonly context: RunContext;
  readonly tasks: SplitTasks;
  /** Both documents together. */
  readonly budget: AttributionBudget;
  /** Ids of variants, and the task that each was made from. */
  readonly synthetic: ReadonlyMap<string, string>;
}

/** The workspace's memory file: `CLAUDE.md`, `AGENTS.md` or `.github/copilot-instructions.md`. */
interface MemoryFile {
  /** As the proposal names it: relative to the root. */
  readonly path: string;
  readonly text: string;
  /** False: it is read beside the skill and never changed, because several skills of a night share it. */
  readonly evolve: boolean;
}

/** What one stage came to: the text that selection found, and the edits of it that help. */
export interface DocumentResult {
  readonly trained: TrainingResult;
  readonly attributed: AttributionResult;
  /** Looks after a rejection which edits help, where that had not been measured before. */
  readonly search: (signal: AbortSignal) => Promise<AttributionResult>;
}

/** Trains the skill beside the memory file as it is. */
export async function evolveSkill(
  { context, tasks, budget }: ConsolidationRun,
  { skill, files, memoryFile, tasks: own, earlier: before }: ConsolidateSubject,
  signal: AbortSignal,
): Promise<DocumentResult> {
  const earlier = before === undefined ? undefined : { text: before, tasks: own.training };
  const training = { text: skill, files, slot: asSkill(memoryFile?.text), tasks, earlier };
  return evolved(context, training, { tasks: own.training, budget }, signal);
}

/**
 * Trains the memory file under the skill that the first stage left, inside its learned block alone. Undefined where
 * there is no such file, or where it is only read.
 */
export async function evolveMemory(
  { context, tasks, budget }: ConsolidationRun,
  { skill, memoryFile, tasks: own }: ConsolidateSubject,
  before: DocumentResult | undefined,
  signal: AbortSignal,
): Promise<DocumentResult | undefined> {
  if (memoryFile === undefined || !memoryFile.evolve) return undefined;
  const newSkill = before === undefined ? { skill } : textsOf(before.attributed.kept);
  const about = renderPrompt(
    memoryFilePrompt,
    { name: { words: `\`${memoryFile.path}\`` }, companion: newSkill.skill },
    context.prompts,
  );
  const training: Training = {
    text: memoryFile.text,
    slot: asMemory(newSkill),
    tasks,
    about,
    stepsBefore: before?.trained.steps.length ?? 0,
    scores: before?.trained.heldOut,
  };
  return evolved(insideLearnedBlock(context), training, { tasks: own.training, budget }, signal);
}

async function evolved(
  context: RunContext,
  training: Training,
  measured: Pick<Parameters<typeof attribute>[1], 'tasks' | 'budget'>,
  signal: AbortSignal,
): Promise<DocumentResult> {
  const trained = await train(context, training, signal);
  const { original, best } = trained;
  const unchanged = wholeBundle(best);
  if (best.hash === original.hash) return { trained, attributed: unchanged, search: () => Promise.resolve(unchanged) };
  const alone = { before: undefined, after: undefined };
  const onTraining = trained.front?.outcome(best);
  const claim = claimFor({ original, candidate: best, memory: alone, scores: trained.heldOut, onTraining });
  const attributing = { original, best, slot: training.slot, claim, ...measured };
  const attributed = await attribute(context, attributing, signal);
  const isMeasured = attributed.worths.size > 0;
  return {
    trained,
    attributed,
    search: (abort) => (isMeasured ? Promise.resolve(attributed) : attributeAfterAll(context, attributing, abort)),
  };
}

function insideLearnedBlock(context: RunContext): RunContext {
  const { options } = context;
  return { ...context, options: { ...options, edits: { ...options.edits, scope: 'learned' } } };
}

/** What became of the skill and of the memory file; undefined where one took no part. */
export interface DocumentResults {
  readonly skill: DocumentResult | undefined;
  readonly memory: DocumentResult | undefined;
}

/** What a consolidation comes to: the two documents as they stay, and the verdict on both together. */
export type ConsolidationResult = DocumentResults & { readonly judged: VerdictEvidence };

/**
 * The pair against the original. Where it is rejected and the worth of its edits was not measured before, the part that
 * helps is looked for and checked in its turn: twice at most.
 */
export async function lastCheck(
  run: ConsolidationRun,
  subject: ConsolidateSubject,
  stages: DocumentResults,
  signal: AbortSignal,
): Promise<ConsolidationResult> {
  const { heldOut } = run.tasks;
  const { rule } = run.context.options.choice;
  const beside = { filesBefore: subject.files };
  const check = async (each: DocumentResults): Promise<ConsolidationResult> => {
    const scores = lastScores([each.skill, each.memory].filter((stage) => stage !== undefined));
    return {
      ...each,
      judged: await judgePair(run.context, { pair: pairOf(subject, each), ...beside, heldOut, scores, rule }, signal),
    };
  };
  const first = await check(stages);
  if (first.judged.verdict.kind !== 'rejected') return first;
  const searched = { skill: await partOf(stages.skill, signal), memory: await partOf(stages.memory, signal) };
  const isSmaller = searched.skill !== stages.skill || searched.memory !== stages.memory;
  return isSmaller ? check(searched) : first;
}

/** The stage with only the edits that help; the same one where none is dropped. */
async function partOf(stage: DocumentResult | undefined, signal: AbortSignal): Promise<DocumentResult | undefined> {
  if (stage === undefined) return undefined;
  const attributed = await stage.search(signal);
  return attributed.dropped.length > stage.attributed.dropped.length ? { ...stage, attributed } : stage;
}

/** The texts before the consolidation, and after it. */
export function pairOf({ skill, memoryFile }: ConsolidateSubject, stages: DocumentResults): TextPair {
  return {
    before: { skill, memory: memoryFile?.text },
    after: {
      ...(stages.skill === undefined ? { skill } : textsOf(stages.skill.attributed.kept)),
      memory: stages.memory?.attributed.kept.text ?? memoryFile?.text,
    },
  };
}

function lastScores(stages: readonly DocumentResult[]): DocumentResult['trained']['heldOut'] {
  return stages.findLast(({ trained }) => trained.heldOut !== undefined)?.trained.heldOut;
}
