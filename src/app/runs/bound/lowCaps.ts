import { grouped } from '../../../wording/amounts.js';
import type { SpendCap, SpendCaps } from '../../../ports/spend.js';
import { usdFigure } from '../../../usdFigure.js';
import { shownName, type RoleModels } from '../../models/runModels.js';
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

/**
 * The caps in tokens under which no call of a model is started: one that cannot be told how long an answer may be has as
 * much set aside for each call as its models ever answer.
 */
export function startlessLines(models: RoleModels, caps: SpendCaps): readonly string[] {
  const lowest = Math.min(...Object.values(caps).map(({ tokens = Infinity }: SpendCap) => tokens));
  const aside = new Map(
    Object.values(models).map((model) => [
      shownName(model),
      model.takesMore?.({ maxOutputTokens: 0 }).outputTokens ?? 0,
    ]),
  );
  return [...aside]
    .filter(([, tokens]) => tokens >= lowest)
    .map(
      ([name, tokens]) =>
        `The cap of ${grouped(lowest)} tokens starts no call to ${name}: it cannot be told how long an answer may be, so ${grouped(tokens)} tokens and the prompt are set aside for each call. Raise the cap above that, or cap calls or minutes instead.`,
    );
}

function isLow(limit: number | undefined, least: number | undefined): limit is number {
  return limit !== undefined && least !== undefined && limit < least;
}

function tooLow(cap: string, least: string): string {
  return `The cap of ${cap} a run is below the least that ends in a proposal, ${least}: the run may end without one.`;
}
