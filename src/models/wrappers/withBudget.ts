import type { LanguageModel, ModelRequest, ModelUsage } from '../../ports/languageModel.js';
import type { Reservation, SpendCaps, SpendLedger } from '../../ports/spend.js';
import { remembered } from '../../redaction/remembered.js';
import { moneyFor, type Price } from '../prices.js';
import { nameOfAgent } from '../agents/agentKinds.js';
import { inSomeForm, usageOfFailure } from './failedCall.js';
import { mostTokens, worstUsage } from '../tokens.js';

export interface BudgetOptions {
  readonly ledger: SpendLedger;
  readonly runId: string;
  readonly caps: SpendCaps;
  /** Undefined where nobody knows the price: tokens and calls are counted, money is not. */
  readonly price: Price | undefined;
}

/**
 * Reserves the worst case of each physical attempt before it is made, and settles on what it used. An attempt that could
 * pass a cap is never started; one that never left this machine is none; one that the server refused is a call that
 * cost nothing; one that broke off costs its worst case.
 */
export function withBudget(model: LanguageModel, { ledger, runId, caps, price }: BudgetOptions): LanguageModel {
  const count = remembered(mostTokens, textsRemembered);
  const ask = model.once ?? ((request, signal) => model.complete(request, signal));
  const attempt: LanguageModel['complete'] = async (request, signal) => {
    signal.throwIfAborted();
    const worst = worstUsage(request, model, count);
    const untold = request.work === undefined && (model.takesMore?.(request).outputTokens ?? 0) > 0;
    const about = { model: model.identity.model, name: nameOfAgent(model.identity), untold };
    const claim = { runId, role: request.role, ...about, worst: spendOf(worst, price), caps };
    const reservation = await ledger.reserve(claim, signal);
    if (signal.aborted) await reservation.release();
    signal.throwIfAborted();
    try {
      const reply = await ask(request, signal);
      await settle(reservation, possible(reply.usage, { request, worst, price }), price);
      return reply;
    } catch (error) {
      const usage = usageOfFailure(error, worst);
      await settle(reservation, usage && possible(usage, { request, worst, price }), price);
      throw error;
    }
  };
  return {
    identity: model.identity,
    complete: (request, signal) => inSomeForm(() => attempt(request, signal)),
  };
}

interface ClaimedCall {
  readonly request: Pick<ModelRequest, 'work'>;
  readonly worst: ModelUsage;
  readonly price: Price | undefined;
}

/**
 * A figure that cannot be would stand in the ledger for a month: instead of a count that is none the worst case is
 * booked, and money that is out of all proportion counts as not told. What an agent took may pass what was set aside, but
 * not its price many times over.
 */
function possible(usage: ModelUsage, { request, worst, price }: ClaimedCall): ModelUsage {
  const { usd, ...counted } = usage;
  const isCount = [usage.inputTokens, usage.outputTokens].every((tokens) => tokens >= 0 && tokens <= mostCounted);
  const booked = isCount ? counted : worst;
  const priced = Math.max(moneyFor(booked, price) ?? 0, moneyFor(worst, price) ?? 0);
  const most = request.work !== undefined && priced > 0 ? priced * 4 : mostUsd;
  return usd !== undefined && usd >= 0 && usd <= most ? { ...booked, usd } : booked;
}

const mostCounted = 1e10; // tokens of one call or attempt: the largest that options allow, a hundred times
const mostUsd = 1e6; // as the cap of a run

async function settle(
  reservation: Reservation,
  usage: ModelUsage | undefined,
  price: Price | undefined,
): Promise<void> {
  if (usage === undefined) await reservation.release();
  else await reservation.settle({ ...spendOf(usage, price), exact: usage.exact });
}

/** In tokens, and in money where a price is known. */
export function spendOf(
  usage: ModelUsage,
  price: Price | undefined,
): { readonly tokens: number; readonly usd: number | undefined } {
  return { tokens: usage.inputTokens + usage.outputTokens, usd: moneyFor(usage, price) };
}

const textsRemembered = 64;
