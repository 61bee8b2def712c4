import type { LanguageModel } from '../../ports/languageModel.js';
import type { SpendCaps, SpendLedger } from '../../ports/spend.js';
import { remembered } from '../../redaction/remembered.js';
import { moneyFor, type Price } from '../prices.js';
import { mayHaveBeenCharged } from './failedCall.js';
import { mostInputTokens, mostTokens } from '../tokens.js';

export interface BudgetOptions {
  readonly ledger: SpendLedger;
  readonly runId: string;
  readonly caps: SpendCaps;
  /** Undefined where nobody knows the price: tokens and calls are counted, money is not. */
  readonly price: Price | undefined;
}

/**
 * Reserves the worst case of each physical attempt before it is made, and settles on what it used. An attempt that could
 * pass a cap is never started; one that the server never took up costs nothing; one that broke off costs its worst case.
 */
export function withBudget(model: LanguageModel, { ledger, runId, caps, price }: BudgetOptions): LanguageModel {
  const count = remembered(mostTokens, textsRemembered);
  return {
    identity: model.identity,
    async complete(request, signal) {
      signal.throwIfAborted();
      const usage = { inputTokens: mostInputTokens(request, count), outputTokens: request.maxOutputTokens };
      const worst = { tokens: usage.inputTokens + usage.outputTokens, usd: moneyFor(usage, price) };
      const claim = { runId, role: request.role, model: model.identity.model, worst, caps };
      const reservation = await ledger.reserve(claim, signal);
      if (signal.aborted) await reservation.release();
      signal.throwIfAborted();
      try {
        const reply = await model.complete(request, signal);
        const { inputTokens, outputTokens, exact } = reply.usage;
        await reservation.settle({ tokens: inputTokens + outputTokens, usd: moneyFor(reply.usage, price), exact });
        return reply;
      } catch (error) {
        await (mayHaveBeenCharged(error) ? reservation.settle({ ...worst, exact: false }) : reservation.release());
        throw error;
      }
    },
  };
}

const textsRemembered = 64;
