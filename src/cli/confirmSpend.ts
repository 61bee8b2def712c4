import { UserError } from '../errors.js';
import type { SpendCap, SpendCaps } from '../ports/spend.js';
import { holdingLine, isAtStake, isHeld, repeatsLines, sizeLine } from '../wording/preflightLines.js';
import type { roundsLines } from '../wording/amounts.js';
import { timeLines } from '../wording/preflight/paidInTime.js';
import { withOwnWay } from '../wording/preflight/strongerModel.js';
import { t } from '../wording/translate.js';
import type { CliContext } from './commandLine.js';
import { oneLine } from './terminal.js';

/** What is about to be spent, and what holds it. */
type SizeToConfirm = Parameters<typeof sizeLine>[0] & {
  readonly models: { readonly simulated: boolean };
  readonly holds: SpendCaps;
  readonly ownHolds: SpendCaps;
  readonly callCap?: number | undefined;
  /** That a model is small for what it is to do. */
  readonly weakRoles?: readonly string[] | undefined;
} & Parameters<typeof repeatsLines>[0] &
  Parameters<typeof roundsLines>[0];

/** What caps can hold, and whether a price is known. */
type HeldSize = Pick<SizeToConfirm, 'holds' | 'ownHolds' | 'usd' | 'paidInTime'>;

/**
 * Says what a run usually takes and takes at most before money, or more than two minutes, are at stake. On a terminal the
 * person is asked; where nobody is there, `--yes` or a cap of their own that can hold is the answer, and without either nothing is
 * begun. The simulated model is never asked about.
 */
export async function confirmSpend(
  { terminal, signal }: CliContext,
  size: SizeToConfirm,
  { yes = false }: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (!isAtStake(size)) return;
  tellSize({ terminal }, size);
  if (!yes) await askToGoOn({ terminal, signal }, size);
}

/** The same where a sentence of its own has told what it takes already. */
export async function confirmToldSpend(
  { terminal, signal }: CliContext,
  size: SizeToConfirm,
  { yes = false }: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (!isAtStake(size)) return;
  terminal.err(`${heldText(size)}\n`);
  if (!yes) await askToGoOn({ terminal, signal }, size);
}

/** The answer to what was told: of the person, or of a cap that can hold where nobody is there. */
async function askToGoOn({ terminal, signal }: Pick<CliContext, 'terminal' | 'signal'>, size: HeldSize): Promise<void> {
  if (terminal.ask === undefined) return refuseUncapped(size);
  const answer = await terminal.ask('Go on? (y/N) ', signal);
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
  const cure = `Set a cap, such as ${capThatHolds(size)}, or take a smaller preset.`;
  throw new UserError('usage', 'Nothing was begun.', cure);
}

function refuseUncapped(size: HeldSize): void {
  if (isHeld(size)) return;
  const why = [
    'Nothing was begun: nobody is at the terminal to agree to what this may take',
    ...(Object.values(size.ownHolds).some(({ usd }: SpendCap) => usd !== undefined)
      ? ['a cap in dollars cannot hold, for the price is not known']
      : []),
    ...(Object.values(size.ownHolds).some(({ minutes }: SpendCap) => minutes !== undefined)
      ? ['a cap in minutes is not enough, for the price is not known']
      : []),
    ...(isHeld({ ...size, ownHolds: size.holds }) ? ['caps in files of the workspace are no yes'] : []),
  ];
  const free =
    size.usd === undefined && size.paidInTime !== undefined
      ? ' If it costs nothing, “whetstone price <model> free” says so, and a cap in minutes is enough.'
      : '';
  throw new UserError('usage', `${why.join(', and ')}.`, `Add --yes, or a cap such as ${capThatHolds(size)}.${free}`);
}

/** The bound, for those who are not asked: `check` prints it and goes on, and so does a run that costs nothing. */
export function tellSize({ terminal }: Pick<CliContext, 'terminal'>, size: SizeToConfirm): void {
  terminal.err(
    `${[
      sizeLine(size),
      ...timeLines(size, { face: 'terminal', lined: true }),
      ...(size.weakRoles ?? []).map((note) => oneLine(withOwnWay(note, 'terminal'))),
      heldText(size),
    ].join('\n')}\n`,
  );
}

function heldText(size: SizeToConfirm): string {
  return [...repeatsLines(size), holdingLine(size.holds, t, size.callCap)].join(' ');
}

/** Of what nobody knows the price of, minutes hold nothing that counts. */
function capThatHolds({ usd, paidInTime }: HeldSize): string {
  if (usd === undefined) return '--cap run.calls=200';
  return paidInTime === undefined ? '--cap run.usd=1' : '--cap run.minutes=60';
}
