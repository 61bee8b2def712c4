import { asSkill, originalCandidate } from '../../engine/candidate.js';
import { mostPasses } from '../../engine/certify/certify.js';
import { claimFor } from '../../engine/certify/certify.js';
import { HeldOutScores } from '../../engine/stages/heldOutScores.js';
import { judgeCandidate, type VerdictEvidence } from '../../engine/certify/verdictOf.js';
import { messageOf } from '../../errors.js';
import { openErrorBudget, refillByPerson, type ErrorBudget } from '../../gate/statistics/errorBudget.js';
import { sha256 } from '../../hash.js';
import { minimumHeldOutTasks } from '../../gate/statistics/certification.js';
import { estimate } from '../../models/estimate.js';
import type { PriceOverrides } from '../../models/prices.js';
import { certificationRecord } from './certificationStore.js';
import { rememberMeasured } from '../proposals/measuredTexts.js';
import type { RoleModels } from '../models/runModels.js';
import type { MeasurePrice } from '../useCases.js';
import { attemptPlans } from './callPlans.js';
import type { OpenSkill } from '../openSkill.js';
import type { RunOptions } from '../../engine/runOptions.js';
import type { HeldOutTask } from '../../tasks/task.js';
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

interface MeasureInput {
  readonly heldOut: readonly HeldOutTask[];
  readonly options: Pick<RunOptions, 'gate' | 'judge'>;
  readonly prices: PriceOverrides | undefined;
}

/**
 * What measuring two texts may take: one pass that decides, or as many as the claim allows, with the judge's calls. The
 * strict rule takes one pass and stops where the answer is known. Undefined where nothing would be asked.
 */
export function measurePriceOf(
  { heldOut, options, prices }: MeasureInput,
  { before, after }: { readonly before: string; readonly after: string },
  models: Pick<RoleModels, 'target' | 'judge'>,
): MeasurePrice | undefined {
  const { rule } = options.gate;
  if (rule === 'off' || heldOut.length < minimumHeldOutTasks) return undefined;
  const [original, candidate] = [originalCandidate(before), originalCandidate(after)];
  const memory = { before: undefined, after: undefined };
  const most = rule === 'strict' ? 1 : mostPasses[claimFor({ original, candidate, memory, scores: undefined })];
  const attempted = { tasks: heldOut, judgeRepeats: options.judge.repeats, models, prices };
  const high = most * heldOut.length;
  const { calls, usd } = estimate([
    ...attemptPlans({ low: heldOut.length, high }, { ...attempted, text: before }),
    ...attemptPlans({ low: rule === 'strict' ? 1 : heldOut.length, high }, { ...attempted, text: after }),
  ]);
  return { calls, usd };
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
