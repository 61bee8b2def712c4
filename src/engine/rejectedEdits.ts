import type { Verdict } from '../gate/verdict/verdict.js';
import { fileOf, type ApplyReportRow, type Edit } from '../skill/edits/edit.js';
import { sameTextKey } from '../tasks/split/nearDuplicates.js';
import type { Task } from '../tasks/task.js';
import { refusalIn } from '../wording/verdictSentences.js';
import { keyOf, type PatchEdit } from './patch.js';
import type { RejectedEdit } from './stages/history.js';
import type { StepEnd } from './step.js';
import type { TrainingResult } from './train.js';

/** What a run does not keep, beside what its steps did not take. */
interface NotKept {
  /** What did not help singly. */
  readonly dropped: readonly PatchEdit[];
  /** What was not certified, and how that ended. */
  readonly failed: readonly PatchEdit[];
  readonly verdict?: Verdict | undefined;
  /** The tasks that all of it was held against. */
  readonly heldOut: readonly Task[];
}

/**
 * What a run tried and did not keep, with the reason: later runs are shown it. An edit that found no place is not among
 * them, for what it says was never tried. One that harmed nothing, and was only not shown to help, says on which tasks.
 */
export function rejectedEdits(
  trained: TrainingResult,
  { dropped, failed, verdict, heldOut }: NotKept,
): readonly RejectedEdit[] {
  const onFront = trained.front?.others().flatMap(({ candidate }) => candidate.edits) ?? [];
  const kept = new Set([...trained.best.edits, ...onFront].map((each) => keyOf(each.edit)));
  const side = trained.front === undefined ? 'held-out' : 'training';
  return [
    ...triedIn(trained).flatMap((end) =>
      rejectedIn(end, side)
        .filter(({ edit }) => !kept.has(keyOf(edit)))
        .map(({ edit, reason, tried }) => {
          const row = rejectedRow(edit, reason);
          return tried && harmedNothing(end.selection) ? { ...row, notShownOn: keysOf(heldOut) } : row;
        }),
    ),
    ...dropped.map(({ edit }) => rejectedRow(edit, 'training tasks did not score higher with it')),
    ...failed.map(({ edit }) => notCertifiedRow(edit, verdict, heldOut)),
  ];
}

/** An edit whose certification ended without showing what it claims. */
export function notCertifiedRow(edit: Edit, verdict: Verdict | undefined, heldOut: readonly Task[]): RejectedEdit {
  const row = rejectedRow(edit, 'fresh attempts at held-out tasks did not show a gain');
  const isOpen =
    verdict?.kind === 'rejected' && verdict.figures.difference >= 0 && refusalIn(verdict.reason) !== 'regression';
  return isOpen ? { ...row, notShownOn: keysOf(heldOut) } : row;
}

function harmedNothing(selection: StepEnd['selection']): boolean {
  return selection !== undefined && selection.outcome !== 'lower' && selection.worse === undefined;
}

/**
 * Those that still count. What was only not shown to help may be tried again once a task is held out that it was not
 * held against. New is what the error budget calls new: other words or files, and not `moved` here from another side.
 */
export function stillRejected(
  rejected: readonly RejectedEdit[],
  heldOut: readonly Task[],
  moved: ReadonlySet<string>,
): readonly RejectedEdit[] {
  const keys = keysOf(heldOut.filter(({ contentHash }) => !moved.has(contentHash)));
  return rejected.filter(({ notShownOn }) => notShownOn === undefined || keys.every((key) => notShownOn.includes(key)));
}

const keyLength = 16; // 64 bits: no two tasks of one skill meet, and two hundred edits stay a small file

function keysOf(tasks: readonly Task[]): readonly string[] {
  return tasks.map((task) => sameTextKey(task).slice(0, keyLength));
}

/** The edits that found no place or were refused, over all steps and slow updates. */
export function leftOutOf(trained: TrainingResult): readonly ApplyReportRow[] {
  return triedIn(trained)
    .flatMap((end) => end.report)
    .filter((row) => row.outcome.kind !== 'applied');
}

/** All that was tried: the steps, and guidance that was not taken. What a later epoch wrote over was taken once. */
function triedIn({ steps, slowUpdates = [] }: TrainingResult): readonly StepTrial[] {
  const untaken = slowUpdates.filter(({ action }) => action === 'reject' || action === 'skip_no_change');
  return [...steps, ...untaken.map(({ report }) => ({ report, selection: undefined }))];
}

type StepTrial = Pick<StepEnd, 'report' | 'selection'>;

function rejectedIn(
  { report }: StepTrial,
  side: 'held-out' | 'training',
): readonly { readonly edit: Edit; readonly reason: string; readonly tried: boolean }[] {
  const others = report.filter((row) => row.outcome.kind === 'applied').length - 1;
  const together = others === 0 ? 'it' : `it and ${others} ${others === 1 ? 'other edit' : 'other edits'}`;
  const why =
    side === 'training'
      ? `training tasks did not score higher with ${together}`
      : `held-out tasks did not score higher with ${together}`;
  return report.flatMap(({ edit, outcome }) => {
    if (outcome.kind === 'unmatched') return [];
    const tried = outcome.kind === 'applied';
    return [{ edit, reason: tried ? why : outcome.detail, tried }];
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
