import { AnswersAwaited } from '../../errors.js';
import { inRun, isHandoff } from '../../models/handoff/handoffModel.js';
import type { ReplyStore } from '../../ports/stores.js';
import type { SpendLedger } from '../../ports/spend.js';
import { openHandoff, type HandoffRound, type OpenHandoff } from '../../storage/handoff/handoffFolder.js';
import { measuredName } from '../../storage/handoff/waitingPrompts.js';
import { lessened } from '../../storage/spend/spendTotals.js';
import type { OpenSkill } from '../openSkill.js';
import type { RoleModels } from '../models/runModels.js';
import { isConsolidation } from '../runs/runOptionsFor.js';
import type { RunStart } from '../runs/runStart.js';

/** The prompts of a run that somebody answers by hand. */
export interface RunHandoff {
  /** The models as they were, with those that are answered by hand bound to this run. */
  readonly models: RoleModels;
  /** Whose answers they are: no other run takes them. Undefined for a measurement, which is made again to take its own. */
  readonly answeredFor: string | undefined;
  /** A ledger in which prompts that wait have their room already: nobody is asked for more answers than a cap lets through. */
  readonly over: (ledger: SpendLedger) => SpendLedger;
  /** The run has asked all that it can: writes down what waits, and says so. */
  endRound(): Promise<AnswersAwaited>;
  /** The run is over: what waited for it goes. */
  remove(): Promise<void>;
}

/** Whether somebody answers by hand for one of these. */
export function asksByHand(models: RoleModels): boolean {
  return Object.values(models).some(({ identity }) => isHandoff(identity));
}

/** Undefined where nobody answers by hand. Answers that were taken are kept in `taken`. */
export function runHandoff(
  start: RunStart,
  runId: string,
  bare: RoleModels,
  taken: ReplyStore,
): RunHandoff | undefined {
  if (!asksByHand(bare)) return undefined;
  const { skill } = start;
  const subject = {
    name: folderNameOf(start, runId),
    skill: skill.name,
    run: runId,
    skillPath: skill.places.skillPath,
    goesOn: goesOnAsItself(start.purpose) ? 'resume' : 'again',
  } as const;
  const prompts = openHandoff(skill.store, subject, taken);
  return {
    models: {
      target: inRun(bare.target, prompts),
      optimizer: inRun(bare.optimizer, prompts),
      judge: inRun(bare.judge, prompts),
    },
    answeredFor: goesOnAsItself(start.purpose) ? runId : undefined,
    over: (ledger) => besidePromised(ledger, prompts),
    endRound: async () => awaited(await prompts.endRound(), start, runId),
    remove: () => prompts.remove(),
  };
}

/** What trains goes on as the same run. A measurement is made again, and finds the answers that were given to the last one. */
export function folderNameOf(
  { purpose, skill }: Pick<RunStart, 'purpose'> & { readonly skill: Pick<OpenSkill, 'places'> },
  runId: string,
): string {
  return goesOnAsItself(purpose) ? runId : measuredName(purpose, skill.places.skillKey);
}

function goesOnAsItself(purpose: RunStart['purpose']): boolean {
  return purpose === 'optimize' || isConsolidation(purpose);
}

function awaited(
  { folder, waiting, refused, unnamed, formless }: HandoffRound,
  start: RunStart,
  runId: string,
): AnswersAwaited {
  const what = promptsWait(start.skill.name, waiting, folder);
  const cure = goesOnAsItself(start.purpose)
    ? 'Answer as INDEX.md there says, then resume the run.'
    : 'Answer as INDEX.md there says, then give the same command once more.';
  return new AnswersAwaited(
    [what, ...notOfForm(formless), ...notTaken(refused), ...notNamed(unnamed)].join(' '),
    cure,
    {
      waiting,
      formless,
      folder,
      runId,
    },
  );
}

/** How many wait, of which skill, and where. */
export function promptsWait(skill: string, waiting: number, folder: string): string {
  return waiting === 1
    ? `${skill}: 1 prompt waits for its answer in ${folder}.`
    : `${skill}: ${waiting} prompts wait for answers in ${folder}.`;
}

function notOfForm(formless: number): readonly string[] {
  return formless === 0 ? [] : ['The last reply was not of the form that was asked for.'];
}

function notNamed(unnamed: number): readonly string[] {
  return unnamed === 0 ? [] : [`Left as well, with names of another kind: ${unnamed}.`];
}

/** Names the first of the answers that lie there and cannot be taken; nothing where there are none. */
export function notTaken([first, ...more]: HandoffRound['refused']): readonly string[] {
  if (first === undefined) return [];
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return [`An answer was not taken: ${first.name}.answer.md, because ${first.why}${others}.`];
}

function besidePromised(ledger: SpendLedger, prompts: OpenHandoff): SpendLedger {
  return {
    reopen: (ticket) => ledger.reopen(ticket),
    spentInRun: (runId) => ledger.spentInRun(runId),
    spentToday: () => ledger.spentToday(),
    spentThisMonth: () => ledger.spentThisMonth(),
    reserve({ caps, ...claim }, signal) {
      const ahead = { ...prompts.promised(), usd: 0, exact: false };
      const { run, day, month } = caps;
      const left = { run: lessened(run, ahead), day: lessened(day, ahead), month: lessened(month, ahead) };
      return ledger.reserve({ ...claim, caps: left }, signal);
    },
  };
}
