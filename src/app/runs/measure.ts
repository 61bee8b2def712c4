import { asSkill, originalCandidate } from '../../engine/candidate.js';
import { claimFor, mostPasses, type ClaimInput } from '../../engine/certify/certify.js';
import { HeldOutScores } from '../../engine/stages/heldOutScores.js';
import { judgeCandidate, type VerdictEvidence } from '../../engine/certify/verdictOf.js';
import { learnedLeaks, withoutLeaks } from '../../engine/leakedTasks.js';
import { lookAtProposal } from '../../storage/proposals/proposals.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { minimumHeldOutTasks } from '../../gate/statistics/certification.js';
import { minimumStrictTasks } from '../../gate/statistics/strictRule.js';
import { sha256 } from '../../hash.js';
import { estimate, type Range } from '../../models/estimate.js';
import type { PriceOverrides } from '../../models/prices.js';
import type { HeldOutTask } from '../../tasks/task.js';
import type { RoleModels } from '../models/runModels.js';
import { attemptPlans } from './estimates.js';
import { rememberMeasured } from '../proposals/versions.js';
import { failRun, withSkillRun, type SkillRun } from './skillRun.js';
import type { RunStart } from './runStart.js';

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
      return failRun(run, error);
    }
  });
}

/** What a measurement may take; `usd` is undefined where a model has no known price. */
export interface MeasurePrice {
  readonly calls: Range;
  readonly usd: Range | undefined;
}

interface MeasureInput {
  readonly heldOut: readonly HeldOutTask[];
  readonly options: Pick<RunOptions, 'gate' | 'judge'>;
  readonly prices: PriceOverrides | undefined;
}

interface TextsToPrice {
  readonly before: string;
  readonly after: string;
  /** How the second did on training tasks, where that is known. */
  readonly onTraining?: ClaimInput['onTraining'];
  readonly rule?: ClaimInput['rule'];
}

/**
 * What measuring two texts may take: one pass that decides, or as many as the claim allows, with the judge's calls. The
 * strict rule takes one pass and stops where the answer is known. Undefined where nothing would be asked.
 */
export function measurePriceOf(
  { heldOut, options, prices }: MeasureInput,
  { before, after, onTraining, rule: chosenBy }: TextsToPrice,
  models: Pick<RoleModels, 'target' | 'judge'>,
): MeasurePrice | undefined {
  const { rule } = options.gate;
  const least = rule === 'strict' ? minimumStrictTasks : minimumHeldOutTasks;
  if (rule === 'off' || heldOut.length < least) return undefined;
  const [original, candidate] = [originalCandidate(before), originalCandidate(after)];
  const memory = { before: undefined, after: undefined };
  const claimed = { original, candidate, memory, scores: undefined, onTraining, rule: chosenBy };
  const most = rule === 'strict' ? 1 : mostPasses[claimFor(claimed)];
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

async function judge(
  start: RunStart,
  { context, signal }: SkillRun,
  texts: { readonly before: string; readonly after: string },
): Promise<VerdictEvidence> {
  const { split, leaks } = start.tasks.result;
  // The text to measure is most likely a part of what waits.
  const waiting = await lookAtProposal(start.skill.store);
  const learned = waiting.kind === 'verified' ? learnedLeaks(split.heldOut, waiting.proposal) : [];
  const { tasks, allLeaked } = withoutLeaks(context, split, [...leaks, ...learned]);
  const { heldOut } = tasks;
  const original = originalCandidate(texts.before);
  const candidate = originalCandidate(texts.after);
  const scores = new HeldOutScores(context, heldOut, asSkill(undefined));
  const memory = { before: undefined, after: undefined };
  return judgeCandidate(context, { original, candidate, heldOut, allLeaked, scores, memory }, signal);
}
