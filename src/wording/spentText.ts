import { usdFigure } from '../usdFigure.js';
import type { Say } from './translate.js';

/**
 * `0.08 USD`, under a cap `0.08 of 0.50 USD`. What nobody was told the exact figure of is booked at its worst, and is said
 * to be that: `up to 1.44 USD`.
 */
export function spentText(
  { usd, exact, capUsd }: { readonly usd: number; readonly exact: boolean; readonly capUsd?: number | undefined },
  say: Say,
): string {
  const [spent, isMost] = [usdFigure(usd), !exact && usd > 0];
  if (capUsd === undefined) return isMost ? say('up to {0} USD', spent) : say('{0} USD', spent);
  const cap = usdFigure(capUsd);
  return isMost ? say('up to {0} of {1} USD', spent, cap) : say('{0} of {1} USD', spent, cap);
}
