import { fileOf, type ApplyReportRow, type Edit } from '../skill/edits/edit.js';
import { keyOf, type PatchEdit } from './patch.js';
import type { RejectedEdit } from './runContext.js';
import type { StepEnd } from './step.js';
import type { TrainingResult } from './train.js';

/**
 * What a run tried and did not keep, with the reason: later runs are shown it. An edit that found no place is not among
 * them, for what it says was never tried. `dropped`: what did not help singly; `failed`: what was not certified.
 */
export function rejectedEdits(
  trained: TrainingResult,
  { dropped, failed }: { readonly dropped: readonly PatchEdit[]; readonly failed: readonly PatchEdit[] },
): readonly RejectedEdit[] {
  const onFront = trained.front?.others().flatMap(({ candidate }) => candidate.edits) ?? [];
  const kept = new Set([...trained.best.edits, ...onFront].map((each) => keyOf(each.edit)));
  const side = trained.front === undefined ? 'held-out' : 'training';
  return [
    ...triedIn(trained).flatMap((end) => rejectedIn(end, side).filter(({ edit }) => !kept.has(keyOf(edit)))),
    ...dropped.map(({ edit }) => ({ edit, reason: 'training tasks did not score higher with it' })),
    ...failed.map(({ edit }) => ({ edit, reason: notCertified })),
  ].map(({ edit, reason }) => rejectedRow(edit, reason));
}

/** What is said of an edit whose certification ended without showing what it claims. */
export const notCertified = 'fresh attempts at held-out tasks did not show a gain';

/** The edits that found no place or were refused, over all steps and slow updates. */
export function leftOutOf(trained: TrainingResult): readonly ApplyReportRow[] {
  return triedIn(trained)
    .flatMap((end) => end.report)
    .filter((row) => row.outcome.kind !== 'applied');
}

/** All that was tried: the steps, and guidance that was not taken. What a later epoch wrote over was taken once. */
function triedIn({ steps, slowUpdates = [] }: TrainingResult): readonly Pick<StepEnd, 'report'>[] {
  return [...steps, ...slowUpdates.filter(({ action }) => action === 'reject' || action === 'skip_no_change')];
}

function rejectedIn(
  { report }: Pick<StepEnd, 'report'>,
  side: 'held-out' | 'training',
): readonly { readonly edit: Edit; readonly reason: string }[] {
  const others = report.filter((row) => row.outcome.kind === 'applied').length - 1;
  const together = others === 0 ? 'it' : `it and ${others} ${others === 1 ? 'other edit' : 'other edits'}`;
  const why =
    side === 'training'
      ? `training tasks did not score higher with ${together}`
      : `held-out tasks did not score higher with ${together}`;
  return report.flatMap(({ edit, outcome }) => {
    if (outcome.kind === 'unmatched') return [];
    return [
      {
        edit,
        reason: outcome.kind === 'refused' ? outcome.detail : why,
      },
    ];
  });
}

/** An edit that was not taken, as later runs are shown it. */
export function rejectedRow(edit: Edit, reason: string): RejectedEdit {
  return {
    op: edit.op,
    ...(fileOf(edit) === undefined ? {} : { file: fileOf(edit) }),
    anchor: 'anchor' in edit ? edit.anchor : undefined,
    content: 'content' in edit ? edit.content : undefined,
    reason,
  };
}
