import { findPrice, type Price, type PriceOverrides } from '../../models/prices.js';
import type { LanguageModel } from '../../ports/languageModel.js';
import { billionsOf, isSmallModel } from '../../prompts/smallModels.js';
import { usdFigure } from '../../usdFigure.js';
import { grouped } from '../../wording/amounts.js';
import type { RoleCalls, AskedOfRoles } from '../runs/bound/callBound.js';
import { shownName, type RoleModels } from './runModels.js';

/** What a small model is weak at: it can run a skill all the same. */
export type WeakRole = 'optimizer' | 'judge';

/** The roles that a model plays which is too small to play them well. */
export function smallRoles(models: RoleModels): readonly WeakRole[] {
  return (['optimizer', 'judge'] as const).filter((role) => isSmallModel(models[role]));
}

/**
 * That the optimizer or the judge is small, and what it would take to let a stronger model do that while the target stays;
 * a line for each model. Nothing of a role that is not asked.
 */
export function smallRoleNotes(
  models: RoleModels,
  usually: AskedOfRoles,
  prices: PriceOverrides | undefined,
): readonly string[] {
  const roles = smallRoles(models).filter((role) => usually[role].calls > 0);
  const names = [...new Set(roles.map((role) => shownName(models[role])))];
  return names.flatMap((name) => {
    const played = roles.filter((role) => shownName(models[role]) === name);
    const [first] = played;
    return first === undefined ? [] : [weakLine(models[first], played), splitLine(models, played, { usually, prices })];
  });
}

function weakLine(model: LanguageModel, roles: readonly WeakRole[]): string {
  const name = shownName(model);
  const billions = billionsOf(model) ?? 0;
  if (roles.length > 1)
    return `${name} is small (about ${billions} billion parameters): it can run a skill, and is weak at proposing edits and at grading.`;
  return roles[0] === 'judge'
    ? `${name} is small (about ${billions} billion parameters): it can run a skill, and is weak at grading.`
    : `${name} is small (about ${billions} billion parameters): it can run a skill, and is weak at proposing edits.`;
}

interface Spending {
  readonly usually: AskedOfRoles;
  readonly prices: PriceOverrides | undefined;
}

/** At the price of a model that is chosen already and is not small; where there is none, of a well-known one. */
function splitLine(models: RoleModels, roles: readonly WeakRole[], { usually, prices }: Spending): string {
  const asked = roles.map((role) => usually[role]).reduce(sumOf);
  const { name, price } = strongerThan(models, prices);
  const usd = (asked.inputTokens * price.input + asked.outputTokens * price.output) / 1_000_000;
  const [calls, tokens] = [grouped(Math.ceil(asked.calls)), grouped(Math.ceil(asked.inputTokens + asked.outputTokens))];
  return `A stronger model for that (“Choose Model”, or --optimizer and --judge) and this one as the target: usually about ${calls} calls and ${tokens} tokens a run, with ${name} about ${usdFigure(usd)} USD.`;
}

function sumOf(a: RoleCalls, b: RoleCalls): RoleCalls {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

const example = { provider: 'openai', endpoint: 'https://api.openai.com/v1', model: 'gpt-5.4', simulated: false };

function strongerThan(
  models: RoleModels,
  prices: PriceOverrides | undefined,
): { readonly name: string; readonly price: Pick<Price, 'input' | 'output'> } {
  for (const model of Object.values(models)) {
    const price = isSmallModel(model) ? undefined : findPrice(model.identity, prices);
    if (price !== undefined && price.output > 0) return { name: shownName(model), price };
  }
  return { name: `${example.provider}/${example.model}`, price: findPrice(example) ?? { input: 2.5, output: 15 } };
}
