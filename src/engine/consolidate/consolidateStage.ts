import { memoryFilePrompt } from '../../prompts/memoryFile.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import { attribute, attributeAfterAll, type AttributionResult } from '../certify/attribute.js';
import { asMemory, asSkill } from '../candidate.js';
import { claimFor } from '../certify/claim.js';
import type { ConsolidateSubject, ConsolidationRun } from './consolidate.js';
import type { RunContext } from '../runContext.js';
import { train, type TrainingResult, type Training } from '../train.js';

/** The workspace's memory file: `CLAUDE.md`, `AGENTS.md` or `.github/copilot-instructions.md`. */
export interface MemoryFile {
  /** As the proposal names it: relative to the root. */
  readonly path: string;
  readonly text: string;
  /** False: it is read beside the skill and never changed, because several skills share the night. */
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
  { context, tasks }: ConsolidationRun,
  { skill, memoryFile, tasks: own }: ConsolidateSubject,
  signal: AbortSignal,
): Promise<DocumentResult> {
  const training = { text: skill, slot: asSkill(memoryFile?.text), tasks };
  return evolved(context, training, own.training, signal);
}

/**
 * Trains the memory file under the skill that the first stage left, inside its learned block alone. Undefined where
 * there is no such file, or where it is only read.
 */
export async function evolveMemory(
  { context, tasks }: ConsolidationRun,
  { skill, memoryFile, tasks: own }: ConsolidateSubject,
  before: DocumentResult | undefined,
  signal: AbortSignal,
): Promise<DocumentResult | undefined> {
  if (memoryFile === undefined || !memoryFile.evolve) return undefined;
  const newSkill = before?.attributed.kept.text ?? skill;
  const about = renderPrompt(
    memoryFilePrompt,
    { name: { words: `\`${memoryFile.path}\`` }, companion: newSkill },
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
  return evolved(insideLearnedBlock(context), training, own.training, signal);
}

async function evolved(
  context: RunContext,
  training: Training,
  tasks: ConsolidateSubject['tasks']['training'],
  signal: AbortSignal,
): Promise<DocumentResult> {
  const trained = await train(context, training, signal);
  const { original, best } = trained;
  const unchanged: AttributionResult = { kept: best, worths: new Map(), dropped: [] };
  if (best.hash === original.hash) return { trained, attributed: unchanged, search: () => Promise.resolve(unchanged) };
  const alone = { before: undefined, after: undefined };
  const claim = claimFor({ original, candidate: best, memory: alone, scores: trained.heldOut });
  const attributing = { original, best, slot: training.slot, tasks, claim };
  const attributed = await attribute(context, attributing, signal);
  const measured = attributed.worths.size > 0;
  return {
    trained,
    attributed,
    search: (abort) => (measured ? Promise.resolve(attributed) : attributeAfterAll(context, attributing, abort)),
  };
}

function insideLearnedBlock(context: RunContext): RunContext {
  const { options } = context;
  return { ...context, options: { ...options, edits: { ...options.edits, scope: 'learned' } } };
}
