import type { TargetInput } from '../candidate.js';
import type { ConsolidateSubject, ConsolidationRun } from './consolidate.js';
import type { DocumentResult } from './consolidateStage.js';
import { judgePair } from '../certify/judgePair.js';
import type { VerdictEvidence } from '../certify/verdictOf.js';

/** What became of the skill and of the memory file; undefined where one took no part. */
export interface DocumentResults {
  readonly skill: DocumentResult | undefined;
  readonly memory: DocumentResult | undefined;
}

/** What the night comes to: the two stages as they stay, and what is told about them together. */
export type ConsolidationResult = DocumentResults & { readonly judged: VerdictEvidence };

/**
 * The pair against the original. Where it is rejected and the worth of its edits was not measured before, the part that
 * helps is looked for and checked in its turn: twice at most.
 */
export async function lastCheck(
  night: ConsolidationRun,
  subject: ConsolidateSubject,
  stages: DocumentResults,
  signal: AbortSignal,
): Promise<ConsolidationResult> {
  const { heldOut } = night.tasks;
  const check = async (each: DocumentResults): Promise<ConsolidationResult> => {
    const scores = lastScores([each.skill, each.memory].filter((stage) => stage !== undefined));
    return {
      ...each,
      judged: await judgePair(night.context, { pair: pairOf(subject, each), heldOut, scores }, signal),
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

/** The texts that the night began with, and those that it ends with. */
export function pairOf(
  { skill, memoryFile }: ConsolidateSubject,
  stages: DocumentResults,
): { readonly before: TargetInput; readonly after: TargetInput } {
  return {
    before: { skill, memory: memoryFile?.text },
    after: {
      skill: stages.skill?.attributed.kept.text ?? skill,
      memory: stages.memory?.attributed.kept.text ?? memoryFile?.text,
    },
  };
}

function lastScores(stages: readonly DocumentResult[]): DocumentResult['trained']['heldOut'] {
  return stages.findLast(({ trained }) => trained.heldOut !== undefined)?.trained.heldOut;
}
