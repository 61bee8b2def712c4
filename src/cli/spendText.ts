import type { EvaluationResult } from '../app/runs/evaluate.js';
import type { RoleSpend } from '../engine/journal/runSummary.js';
import { grouped, spentText } from '../wording/amounts.js';
import { t } from '../wording/translate.js';

/** What something took: calls, tokens and money. */
export function costText(spend: Omit<RoleSpend, 'usd'> & { readonly usd: number | null | undefined }): string {
  const { calls, cachedCalls, failedCalls, tokens, usd, exact } = spend;
  const money = usd === undefined || usd === null ? 'price unknown' : spentText({ usd, exact }, t);
  const cached = cachedCalls === 0 ? '' : `, ${grouped(cachedCalls)} more from stored replies at no cost`;
  const failed = failedCalls === 0 ? '' : ` ${failedText(failedCalls)}`;
  return `${modelCalls(calls)}, ${grouped(tokens)} tokens${exact ? '' : ' (estimated)'}, ${money}${cached}.${failed}`;
}

/** `1 model call`, `12 model calls`. */
export function modelCalls(calls: number): string {
  return `${grouped(calls)} model ${calls === 1 ? 'call' : 'calls'}`;
}

function failedText(failed: number): string {
  const what =
    failed === 1 ? 'One of them failed and was made again' : `${grouped(failed)} of them failed and were made again`;
  return `${what} as far as that can help; none was taken for a score.`;
}

/** That a score rests on answers of before, where it does: the model may have changed since. */
export function storedText({ all, stored }: EvaluationResult['answers']): readonly string[] {
  if (stored === 0) return [];
  return [`${stored} of ${all} answers were stored before, on this machine; --fresh asks anew.`];
}
