import { sha256 } from '../../hash.js';
import type { HeldOutTask } from '../../tasks/task.js';
import type { Candidate, DocumentSlot, TargetInput } from '../candidate.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';
import type { RunContext } from '../runContext.js';
import { judgeCandidate, type VerdictEvidence } from './verdictOf.js';

interface Pair {
  readonly pair: { readonly before: TargetInput; readonly after: TargetInput };
  readonly heldOut: readonly HeldOutTask[];
  readonly scores: HeldOutScores | undefined;
}

/** Skill and memory together against both as they were: certified on fresh attempts, or by the strict rule. */
export async function judgePair(
  context: RunContext,
  { pair, heldOut, scores }: Pair,
  signal: AbortSignal,
): Promise<VerdictEvidence> {
  const original = pairCandidate(pair.before);
  const candidate = pairCandidate(pair.after);
  const slot: DocumentSlot = ({ hash }) => (hash === original.hash ? pair.before : pair.after);
  return judgeCandidate(
    context,
    {
      original,
      candidate,
      heldOut,
      scores: scores?.forSlot(slot),
      memory: { before: pair.before.memory, after: pair.after.memory },
    },
    signal,
  );
}

/** Two readings are the same only where both texts are: a certification of one is none of the other. */
export function pairCandidate({ skill, memory }: TargetInput): Candidate {
  const hash = memory === undefined ? sha256(skill) : sha256(JSON.stringify([skill, memory]));
  return { text: skill, hash, edits: [] };
}
