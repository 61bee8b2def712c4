import { grouped } from '../../../wording/amounts.js';
import type { SpendCap } from '../../../ports/spend.js';
import { usdFigure } from '../../../usdFigure.js';
import type { RunSize } from './runSize.js';

/** The caps of a run, in money and tokens, that are below the least that ends in a proposal. */
export function lowCapLines({ usd, tokens }: Pick<RunSize, 'usd' | 'tokens'>, cap: SpendCap): readonly string[] {
  return [
    ...(isLow(cap.usd, usd?.low) ? [tooLow(`${usdFigure(cap.usd)} USD`, `${usdFigure(usd?.low ?? 0)} USD`)] : []),
    ...(isLow(cap.tokens, tokens.low)
      ? [tooLow(`${grouped(cap.tokens)} tokens`, `${grouped(tokens.low)} tokens`)]
      : []),
  ];
}

function isLow(limit: number | undefined, least: number | undefined): limit is number {
  return limit !== undefined && least !== undefined && limit < least;
}

function tooLow(cap: string, least: string): string {
  return `The cap of ${cap} a run is below the least that ends in a proposal, ${least}: the run may end without one.`;
}
