import { RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import { editorProvider } from '../../models/editor/editorModel.js';
import { isAgent } from '../../models/agents/agentKinds.js';
import { findPrice, isOnThisMachine, type PriceOverrides } from '../../models/prices.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import type { Proposal } from '../../ports/proposal.js';
import type { SpendCap } from '../../ports/spend.js';
import { grouped } from '../../wording/amounts.js';
import { listRuns } from '../../storage/runs/summaries.js';
import type { OpenSkill } from '../openSkill.js';
import { shownName, type RoleModels } from './runModels.js';
import { shownModel } from '../../wording/programs/shownModel.js';

/** The runs that trained or measured this skill here, newest first; a mere evaluation may well be on another model. */
export async function earlierRuns(skill: OpenSkill): Promise<readonly RunSummary[]> {
  return withoutEvaluations(await allRuns(skill));
}

export function withoutEvaluations(runs: readonly RunSummary[]): readonly RunSummary[] {
  return runs.filter(({ purpose }) => purpose !== 'evaluate');
}

/** The same with evaluations, for what is told of one target alone. */
export async function allRuns({ store, places }: OpenSkill): Promise<readonly RunSummary[]> {
  const runs = await listRuns(store, RunSummarySchema);
  return runs.flatMap((run) =>
    run.kind === 'verified' && run.summary.skillKey === places.skillKey ? [run.summary] : [],
  );
}

/** Another target than last time: what was learnt on one model may be no help to another. */
export function modelChangeNotes(runs: readonly RunSummary[], now: Proposal['models']): readonly string[] {
  const last = runs.find((run) => run.models !== undefined && run.outcome !== 'failed'); // one that failed learnt nothing
  const before = last?.models?.target;
  if (last === undefined || before === undefined || before === now.target) return [];
  const day = new Date(last.startedAt).toISOString().slice(0, 10);
  return [
    `The last run (${day}) had the target ${shownModel(before)}, this one has ${shownModel(now.target)}: learnt text may not carry over.`,
  ];
}

/** What each model costs and who says so, a line each; where nobody does, that tokens alone are counted. */
export function priceLines(models: RoleModels, prices: PriceOverrides | undefined): readonly string[] {
  const distinct = new Map(Object.values(models).map((model) => [shownName(model), model]));
  return [...distinct].flatMap(([name, model]) => {
    const price = findPrice(model.identity, prices);
    if (price === undefined) return unknownPrice(name, model);
    if (price.input === 0 && price.output === 0) return [];
    const said = price.asOf === 'setting' ? price.source : `${price.asOf}, ${price.source}`;
    return [`${name}: ${price.input} USD in, ${price.output} USD out a million tokens (${said}).`];
  });
}

function unknownPrice(name: string, { identity }: LanguageModel): readonly string[] {
  if (identity.provider === editorProvider)
    return [
      `${name} is billed by whoever brings it to VS Code, which tells no usage: calls and tokens are counted here and capped, money is not.`,
    ];
  if (isOnThisMachine(identity.endpoint) || isAgent(identity)) return []; // said with what holds the run instead
  return [`The price of ${name} is not known: tokens are counted, money is not. State it to have money counted.`];
}

/** Caps in dollars that cannot hold, a line each: what has no price is not counted. */
export function capLines(
  models: RoleModels,
  prices: PriceOverrides | undefined,
  caps: readonly SpendCap[],
): readonly string[] {
  if (caps.every(({ usd }) => usd === undefined)) return [];
  const distinct = new Map(Object.values(models).map((model) => [shownName(model), model]));
  return [...distinct].flatMap(([name, { identity, subscription }]) => {
    const price = findPrice(identity, prices);
    if (price === undefined && subscription !== undefined)
      return [
        `The cap in USD says nothing of ${name}: a plan is not billed by the call. Cap calls, tokens or minutes.`,
      ];
    if (price === undefined)
      return [
        `The cap in USD cannot hold for ${name}, whose price is not known. State its price (whetstone.model.prices, or --price), or cap tokens.`,
      ];
    return [];
  });
}

/**
 * What is said of models on this machine whose price nobody stated, a line each: the run is held to its calls instead.
 * Where a cap in calls of the person's own holds (`own`), that is told elsewhere, and no other number beside it.
 */
export function unpricedLines(models: readonly LanguageModel[], callCap: number, own?: number): readonly string[] {
  const most = own === undefined || own > callCap ? grouped(callCap) : undefined;
  return models.map((model) => unpricedLine(model, most));
}

function unpricedLine(model: LanguageModel, most: string | undefined): string {
  const name = shownName(model);
  if (model.subscription !== undefined)
    return most === undefined
      ? `${name} takes its calls and tokens from your plan with ${model.subscription}: they are counted here, money is not.`
      : `${name} takes its calls and tokens from your plan with ${model.subscription}: they are counted here, money is not. The run is capped at ${most} calls.`;
  if (most === undefined) return `The price of ${name} is not known.`;
  return isAgent(model.identity)
    ? `The price of ${name} is not known before it is asked: the run is capped at ${most} calls.`
    : `The price of ${name}, which answers on this machine, is not known: the run is capped at ${most} calls.`;
}
