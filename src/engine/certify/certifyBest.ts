import type { HeldOutTask, TrainingTask } from '../../tasks/task.js';
import { attribute, attributeAfterAll, type AttributionResult } from './attribute.js';
import type { Candidate, DocumentSlot } from '../candidate.js';
import { claimFor } from './claim.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';
import type { RunContext } from '../runContext.js';
import { judgeCandidate, type VerdictEvidence } from './verdictOf.js';

interface RunsBest {
  readonly original: Candidate;
  readonly best: Candidate;
  readonly slot: DocumentSlot;
  readonly memory: string | undefined;
  readonly scores: HeldOutScores | undefined;
  readonly training: readonly TrainingTask[];
  readonly heldOut: readonly HeldOutTask[];
}

/** The edits of a run's best that stay, what each is worth as far as it was measured, and what is told about them. */
export interface CertifiedBest {
  readonly attributed: AttributionResult;
  readonly judged: VerdictEvidence;
}

/**
 * Drops the edits that do not help and certifies the rest. Where their worth had not been measured (switched off, or a
 * cap), a bundle that was rejected is searched afterwards, and the part worth keeping is certified in its turn: two
 * certifications at most, each paid for.
 */
export async function certifyBest(context: RunContext, run: RunsBest, signal: AbortSignal): Promise<CertifiedBest> {
  const first = await attribute(context, attributing(run), signal);
  const judged = await judge(context, run, first.kept, signal);
  if (judged.verdict.kind !== 'rejected' || first.worths.size > 0) return { attributed: first, judged };
  const searched = await attributeAfterAll(context, attributing(run), signal);
  if (searched.dropped.length === 0) return { attributed: searched, judged };
  context.record({
    kind: 'note',
    text: `All ${run.best.edits.length} edits together: ${judged.verdict.reason} The ${searched.kept.edits.length} that help were certified by themselves.`,
  });
  return { attributed: searched, judged: await judge(context, run, searched.kept, signal) };
}

function attributing(run: RunsBest): Parameters<typeof attribute>[1] {
  const { original, best, slot, training } = run;
  return { original, best, slot, tasks: training, claim: claimFor(compared(run, best)) };
}

function judge(
  context: RunContext,
  run: RunsBest,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<VerdictEvidence> {
  return judgeCandidate(context, compared(run, candidate), signal);
}

function compared({ original, best, memory, scores, heldOut }: RunsBest, candidate: Candidate) {
  return { original, candidate, heldOut, scores, selected: best, memory: { before: memory, after: memory } };
}
