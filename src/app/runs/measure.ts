import { asSkill, originalCandidate } from '../../engine/candidate.js';
import { HeldOutScores } from '../../engine/stages/heldOutScores.js';
import { judgeCandidate, type VerdictEvidence } from '../../engine/certify/verdictOf.js';
import { messageOf } from '../../errors.js';
import { openErrorBudget, refillByPerson, type ErrorBudget } from '../../gate/statistics/errorBudget.js';
import { sha256 } from '../../hash.js';
import { certificationRecord } from './certificationStore.js';
import { rememberMeasured } from '../proposals/measuredTexts.js';
import type { OpenSkill } from '../openSkill.js';
import { withSkillRun, type RunStart, type SkillRun } from './skillRun.js';

/**
 * Certifies one text of a skill against another on held-out tasks. It counts as a certification like any other, and what
 * it says is remembered for that very text: the history shows it from then on.
 */
export function measureTexts(
  start: RunStart,
  texts: { readonly before: string; readonly after: string },
  signal: AbortSignal,
): Promise<VerdictEvidence> {
  return withSkillRun({ ...start, purpose: 'measure' }, signal, async (run) => {
    try {
      const judged = await judge(start, run, texts);
      run.journal.record({ kind: 'verdict', verdict: judged.verdict, proposalId: undefined });
      await run.journal.end({ kind: 'run-ended', outcome: 'proposed', reason: judged.verdict.reason });
      const hash = measuredHash(start.skill.text, texts.after);
      await rememberMeasured(start.skill.store, { hash, verdict: judged.verdict }, signal);
      return judged;
    } catch (error) {
      const outcome = run.signal.aborted ? 'cancelled' : 'failed';
      await run.journal.end({ kind: 'run-ended', outcome, reason: messageOf(error) });
      throw error;
    }
  });
}

/** An editor does not show a byte order mark: the file as it is on disk is meant where only that is different. */
function measuredHash(onDisk: string, text: string): string {
  return sha256(onDisk === `\uFEFF${text}` ? onDisk : text);
}

/** The person takes the risk that luck adds up upon themselves: a full error budget again, with the reason on record. */
export async function refillErrorBudget(skill: OpenSkill, reason: string, signal: AbortSignal): Promise<ErrorBudget> {
  const at = new Date(skill.store.clock.now()).toISOString();
  const record = await certificationRecord(skill.store).update((before) => {
    const current = before ?? { budget: openErrorBudget([]), begun: [] };
    return { ...current, budget: refillByPerson(current.budget, { at, reason }) };
  }, signal);
  return record.budget;
}

function judge(
  start: RunStart,
  { context, signal }: SkillRun,
  texts: { readonly before: string; readonly after: string },
): Promise<VerdictEvidence> {
  const { heldOut } = start.tasks.result.split;
  const original = originalCandidate(texts.before);
  const candidate = originalCandidate(texts.after);
  const scores = new HeldOutScores(context, heldOut, asSkill(undefined));
  const memory = { before: undefined, after: undefined };
  return judgeCandidate(context, { original, candidate, heldOut, scores, memory }, signal);
}
