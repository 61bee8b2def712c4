import { UserError } from '../errors.js';
import type { SpendCaps } from '../ports/spend.js';
import { holdingLine, isAtStake, repeatsLine, sizeLine } from '../wording/preflightLines.js';
import { t } from '../wording/translate.js';
import type { CliContext } from './commandLine.js';

/** What is about to be spent, and what holds it. */
type SizeToConfirm = Parameters<typeof sizeLine>[0] & {
  readonly models: { readonly simulated: boolean };
  readonly holds: SpendCaps;
};

/**
 * Says what a run usually takes and takes at most before money, or more than two minutes, are at stake. On a terminal the
 * person is asked; where nobody is there, `--yes` or a cap is the answer, and without either nothing is begun. The
 * simulated model is never asked about.
 */
export async function confirmSpend(
  { terminal, signal }: CliContext,
  size: SizeToConfirm,
  { yes = false }: { readonly yes?: boolean | undefined },
): Promise<void> {
  if (!isAtStake(size)) return;
  tellSize({ terminal }, size);
  if (yes) return;
  if (terminal.ask === undefined) return refuseUncapped(size.holds);
  const answer = await terminal.ask('Go on? (y/N) ', signal);
  if (/^\s*y(?:es)?\s*$/i.test(answer)) return;
  throw new UserError('usage', 'Nothing was begun.', 'Set a cap, such as --cap run.usd=1, or take a smaller preset.');
}

function refuseUncapped(holds: SpendCaps): void {
  if (isCapped(holds)) return;
  throw new UserError(
    'usage',
    'Nothing was begun: nobody is at the terminal to agree to what this may take.',
    'Add --yes, or a cap such as --cap run.usd=1.',
  );
}

/** The bound, for those who are not asked: `check` prints it and goes on. */
export function tellSize({ terminal }: Pick<CliContext, 'terminal'>, size: SizeToConfirm): void {
  terminal.err(`${sizeLine(size)}\n${repeatsLine()} ${holdingLine(size.holds, t)}\n`);
}

function isCapped({ run, day, month }: SpendCaps): boolean {
  return [run, day, month].some((cap) => Object.values(cap).some((limit) => limit !== undefined));
}
