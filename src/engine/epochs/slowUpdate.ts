import { epochPrompts, slowUpdateReply, slowUpdateReplySchema } from '../../prompts/epochs/epochPrompts.js';
import { renderPrompt } from '../../prompts/renderPrompt.js';
import { ownBlockText } from '../../skill/edits/planOwnBlock.js';
import type { ApplyReportRow } from '../../skill/edits/edit.js';
import type { TrainingTask } from '../../tasks/task.js';
import { storedText, textsOf, type Candidate } from '../candidate.js';
import type { SlowUpdateAction } from '../journal/epochEvents.js';
import type { TrainingFront } from '../front/trainingFront.js';
import type { PatchEdit } from '../patch.js';
import type { RunContext } from '../runContext.js';
import { askOptimizer } from '../stages/askOptimizer.js';
import { editLimitsText } from '../stages/editLimits.js';
import { outputContract } from '../stages/evidence.js';
import { gate, reasonOf } from '../stages/gate.js';
import type { HeldOutScores } from '../stages/heldOutScores.js';
import { preferencesText } from '../stages/history.js';
import { documentOf, withEdits, withoutOverwritten } from '../stages/update.js';
import { lessonsIn, pairsText, type EpochPair } from './compareEpoch.js';

/** Where the run stands when an epoch is over. */
export interface SlowUpdateStart {
  readonly epoch: number;
  readonly step: number;
  readonly original: Candidate;
  readonly current: Candidate;
  readonly best: Candidate;
  readonly pairs: readonly EpochPair[];
  readonly heldOut: HeldOutScores | undefined;
  /** Takes the place of held-out tasks where the run chooses by more than the score. */
  readonly front?: TrainingFront | undefined;
  readonly tasks: readonly TrainingTask[];
}

/** What it came to; `report` holds its one edit, if there was one. */
export interface SlowUpdateEnd {
  readonly action: SlowUpdateAction;
  readonly current: Candidate;
  readonly report: readonly ApplyReportRow[];
}

/**
 * Guidance drawn from what an epoch changed, written into the slow-update block as one edit. The candidate is measured
 * like any other: nothing comes into the skill without the gate.
 */
export async function slowUpdate(
  context: RunContext,
  start: SlowUpdateStart,
  signal: AbortSignal,
): Promise<SlowUpdateEnd> {
  const { step, current } = start;
  const guidance = await askForGuidance(context, start, signal);
  if (typeof guidance === 'string') return ended(context, start, { action: 'no_content', current, reason: guidance });
  const written = await withEdits(context, current, [guidance], signal);
  const overwritten = { original: start.original, op: 'slow_update' } as const;
  const updated = await withoutOverwritten(context, overwritten, written, signal);
  const heldOut = start.heldOut?.inStage('slow-update');
  const made = { step, parent: current, batch: start.tasks };
  const decided = await (start.front?.admit(made, updated, signal) ??
    gate({ step, current, best: start.best, heldOut }, updated, signal));
  const [row] = updated.report;
  const refused = row !== undefined && row.outcome.kind !== 'applied' ? row.outcome.detail : undefined;
  const candidateHash = await context.texts.put(storedText(textsOf(updated.candidate)));
  const scored = decided.selection;
  return ended(context, start, {
    action: decided.action,
    current: decided.current,
    reason: refused ?? reasonOf(decided),
    report: updated.report,
    candidateHash,
    scores: { before: scored?.before, after: scored?.after },
  });
}

interface SlowUpdateDecision {
  readonly action: SlowUpdateAction;
  readonly current: Candidate;
  readonly reason: string;
  readonly report?: readonly ApplyReportRow[];
  readonly candidateHash?: string;
  readonly scores?: { readonly before: number | undefined; readonly after: number | undefined };
}

async function ended(
  { record, texts }: RunContext,
  { epoch, step, best }: SlowUpdateStart,
  decided: SlowUpdateDecision,
): Promise<SlowUpdateEnd> {
  const { action, current, reason, report = [], candidateHash, scores } = decided;
  const bestHash = action === 'accept_new_best' || action === 'force_accept' ? current.hash : best.hash;
  const [said] = report.flatMap(({ edit }) => ('content' in edit ? [edit.content] : []));
  record({
    kind: 'slow-update',
    epoch,
    step,
    action,
    reason,
    guidanceHash: said === undefined ? undefined : await texts.put(said),
    candidateHash,
    currentHash: current.hash,
    bestHash,
    before: scores?.before,
    after: scores?.after,
  });
  return { action, current, report };
}

/** The edit that the optimizer wants, or why there is none. */
async function askForGuidance(
  context: RunContext,
  { epoch, step, current, pairs }: SlowUpdateStart,
  signal: AbortSignal,
): Promise<PatchEdit | string> {
  const { options, prompts } = context;
  if (pairs.length === 0) return 'no task could be compared';
  const guardrail = [editLimitsText(context, current, ''), outputContract(pairs.map(({ after }) => after))];
  const values = {
    skill: current.text,
    guidance: heldIn(current),
    pairs: { words: pairsText(pairs, context) },
    guardrail: { words: guardrail.filter((part) => part !== '').join('\n\n') },
    preferences: { words: preferencesText(options.preferences, options.edits) },
  };
  context.record({ kind: 'stage', stage: 'slow-update', step, planned: 1 });
  const answer = await askOptimizer(
    context,
    {
      prompt: renderPrompt(epochPrompts.slowUpdate, values, prompts),
      reply: slowUpdateReply,
      replySchema: slowUpdateReplySchema,
      about: 'slow_update',
      step,
      part: String(epoch),
    },
    signal,
  );
  if (answer.kind === 'lost') return answer.reason;
  const content = answer.value.slow_update_content.trim();
  if (content === '') return 'the optimizer had no guidance to give';
  const { redact = (text: string) => text } = context;
  const rationale = redact(answer.value.reasoning.trim());
  const tasks = lessonsIn(pairs);
  return {
    edit: { op: 'slow_update', content, rationale: rationale === '' ? usualRationale(pairs) : rationale },
    source: 'contrast',
    tasks,
    support: Math.max(1, tasks.length),
  };
}

function heldIn(current: Candidate): string | { readonly words: string } {
  const guidance = ownBlockText(documentOf(current), 'slow-update');
  return guidance === '' ? { words: 'It is empty.' } : guidance;
}

function usualRationale(pairs: readonly EpochPair[]): string {
  const counted = (kind: EpochPair['kind']): number => pairs.filter((pair) => pair.kind === kind).length;
  return `Of ${pairs.length} training tasks ${counted('regressed')} got worse over the epoch and ${counted('persistent_fail')} failed all along.`;
}
