import type { ApplyReportRow } from '../../skill/edits/edit.js';
import { hardOf } from './attemptRow.js';
import { originFields, updateFields, upstreamHash } from './upstreamWords.js';
import { mean } from './taskFigures.js';
import { upstreamAction } from './foldEvent.js';
import { rowOf, type Patch, type PatchEdit, type PatchItem } from '../patch.js';
import type { RunEvent } from './runEvents.js';
import type { StepLog } from './stepLog.js';

type Json = Readonly<Record<string, unknown>>;
type AttemptEvent = Extract<RunEvent, { kind: 'attempt' }>;

/** A step in the words and units of the paper's trainer, for tools that read its runs. */
export function upstreamStep(log: StepLog, skillLength: number | undefined): Json {
  return {
    ...outcomeOf(log),
    ...timing(log),
    ...editCounts(log),
    ...applyCounts(log),
    ...scoresOf(log),
    skill_len: skillLength ?? null,
    skill_hash: log.ended === undefined ? null : upstreamHash(log.ended.currentHash),
  };
}

function outcomeOf({ step, ended }: StepLog): Json {
  if (ended === undefined)
    return { step, epoch: null, action: null, decision: null, reason: 'the run ended in this step' };
  const { epoch, action, reason } = ended;
  return { step, epoch, action: upstreamAction(action), decision: action, reason };
}

function editCounts({ patches: events, merged, budget, selected }: StepLog): Json {
  const patches = events.flatMap((event) => event.patches);
  return {
    n_patches: patches.length,
    n_failure_patches: patches.filter(({ source }) => source !== 'success' && source !== 'environment').length,
    n_success_patches: patches.filter(({ source }) => source === 'success').length,
    ...environmentPatches(patches),
    ...accumulated(patches),
    n_edits_merged: merged?.edits ?? 0,
    n_edits_ranked: selected?.edits ?? 0,
    edit_budget: selected?.budget ?? null,
    ...(budget === undefined ? {} : { lr_control_mode: 'autonomous' }),
    lost: events.flatMap((event) => event.lost),
  };
}

function environmentPatches(patches: StepLog['patches'][number]['patches']): Json {
  const own = patches.filter(({ source }) => source === 'environment').length;
  return own === 0 ? {} : { n_environment_patches: own };
}

/** The batches that a step accumulated, with what each gave; nothing where there was one. */
function accumulated(patches: StepLog['patches'][number]['patches']): Json {
  const batches = [...new Set(patches.flatMap(({ batch }) => batch ?? []))].sort((a, b) => a - b);
  if (batches.length === 0) return {};
  const rows = batches.map((batch) => ({ batch, n_patches: patches.filter((each) => each.batch === batch).length }));
  return { accumulation_batches: rows };
}

function applyCounts({ applied: event }: StepLog): Json {
  const { applied, unmatched, refused } = event ?? { applied: 0, unmatched: 0, refused: 0 };
  const skipped = unmatched + refused;
  return {
    edit_apply_summary: { total: applied + skipped, applied, skipped, errors: 0 },
    candidate_hash: event?.candidateHash ?? null,
    candidate_skill_hash: event === undefined ? null : upstreamHash(event.candidateHash),
  };
}

function scoresOf({ rollouts, evaluations, ended, origins }: StepLog): Json {
  return {
    rollout_hard: meanOf(rollouts, 'hard'),
    rollout_soft: meanOf(rollouts, 'soft'),
    rollout_n: rollouts.length,
    rollout_pass_rate: passRate(rollouts),
    selection_hard: meanOf(evaluations, 'hard'),
    selection_soft: meanOf(evaluations, 'soft'),
    selection_n: evaluations.length,
    ...gateScores(ended),
    ...originFields(origins),
  };
}

/** Beside each score of the gate the number of held-out tasks that it is over. */
function gateScores(ended: StepLog['ended']): Json {
  const { metric = null, candidateScore = null, currentScore = null, bestScore = null, scoredOn } = ended ?? {};
  const { candidate, current, best, heldOutTasks } = scoredOn ?? unknownTasks;
  return {
    gate_metric: metric,
    candidate_gate_score: candidateScore,
    current_score: currentScore,
    best_score: bestScore,
    candidate_gate_n: candidate,
    current_n: current,
    best_n: best,
    heldout_n: heldOutTasks,
  };
}

const unknownTasks = { candidate: null, current: null, best: null, heldOutTasks: null }; // a run of an earlier version

/** One analyst's patch in the form of the paper's trainer. */
export function rawPatch({ size, edits, failures, reminders, ...patch }: Patch): Json {
  return {
    ...sourceType(patch),
    batch_size: size,
    failure_summary: failures.map(({ type, ...failure }) => ({ failure_type: type, ...failure })),
    patch: { reasoning: '', ...proposedAs(edits) },
    ...(reminders === undefined ? {} : { appendix_notes: reminders }),
  };
}

/** What was proposed, under the name that the paper's trainer has for its kind. */
export function proposedAs(items: readonly PatchItem[]): Json {
  const edits = items.filter((item) => 'edit' in item);
  if (edits.length === items.length) return { edits: edits.map(patchEdit) };
  const rows = items.map((item) => ({
    ...rowOf(item),
    ...sourceType(item),
    support_count: item.support,
    ...levelOf(item.mergeLevel),
  }));
  return { [items.some((item) => 'rewrite' in item) ? 'skill_candidates' : 'revise_suggestions']: rows };
}

export function patchEdit({ edit, support, tasks, mergeLevel, ...item }: PatchEdit): Json {
  return {
    op: edit.op,
    target: 'anchor' in edit ? edit.anchor : '',
    content: 'content' in edit ? edit.content : '',
    rationale: edit.rationale,
    ...sourceType(item),
    support_count: support,
    tasks,
    ...levelOf(mergeLevel),
    ...updateFields(edit),
  };
}

/** Who proposed it; an environment by its name, and under a key of its own, for it may be called anything. */
function sourceType({ source, environment }: Pick<Patch, 'source' | 'environment'>): Json {
  return environment === undefined ? { source_type: source } : { source_type: environment, environment };
}

function levelOf(mergeLevel: number | undefined): Json {
  return mergeLevel === undefined ? {} : { merge_level: mergeLevel };
}

const mostShown = 200;

/** What became of each edit, with the status words of the paper's trainer where it has one. */
export function applyReport(rows: readonly ApplyReportRow[]): readonly Json[] {
  return rows.map(({ index, edit, outcome }) => ({
    index,
    op: edit.op,
    target: ('anchor' in edit ? edit.anchor : '').slice(0, mostShown),
    content_preview: ('content' in edit ? edit.content : '').slice(0, mostShown),
    status: statusOf(edit.op, outcome),
    detail: outcome.kind === 'applied' ? (outcome.matched ?? '') : outcome.detail,
    ...updateFields(edit),
  }));
}

function statusOf(op: string, outcome: ApplyReportRow['outcome']): string {
  switch (outcome.kind) {
    case 'applied':
      return `applied_${op}`;
    case 'unmatched':
      return `skipped_${op}_target_${outcome.reason === 'anchor-missing' ? 'not_found' : 'ambiguous'}`;
    case 'refused':
      return `skipped_${outcome.reason.replaceAll('-', '_')}`;
  }
}

function timing({ stages }: StepLog): Json {
  const all = Object.entries(stages);
  const wall = all.reduce((sum, [, { ms }]) => sum + ms, 0);
  return {
    timing: Object.fromEntries(all.map(([stage, { ms }]) => [`${stage}_s`, ms / 1000])),
    tokens: Object.fromEntries(all.map(([stage, { calls, tokens }]) => [stage, { calls, tokens }])),
    wall_time_s: wall / 1000,
  };
}

function meanOf(attempts: readonly AttemptEvent[], part: 'hard' | 'soft'): number | null {
  return mean(
    attempts.flatMap(({ outcome }) =>
      outcome.kind === 'scored' ? [part === 'hard' ? hardOf(outcome) : outcome.soft] : [],
    ),
  );
}

/** The share of the attempts that passed. */
function passRate(attempts: readonly AttemptEvent[]): number | null {
  return mean(attempts.flatMap(({ outcome }) => (outcome.kind === 'scored' ? [outcome.hard === 1 ? 1 : 0] : [])));
}
