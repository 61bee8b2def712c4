import type { SpendCap } from '../ports/spend.js';
import { readSettings } from './settings.js';

/** What the person allows to be spent, by period. */
export interface SetCaps {
  readonly run: SpendCap;
  readonly day: SpendCap;
  readonly month: SpendCap;
}

/** The caps as they are set; they are the machine's, whatever a workspace says. */
export function readCaps(): SetCaps {
  const settings = readSettings();
  const more = settings['whetstone.caps.more'];
  const limit = (name: string): number | undefined => {
    const value = more[name];
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  return {
    run: {
      tokens: settings['whetstone.caps.runTokens'] ?? undefined,
      usd: settings['whetstone.caps.runUsd'] ?? undefined,
      minutes: limit('run.minutes'),
    },
    day: {
      tokens: limit('day.tokens'),
      usd: settings['whetstone.caps.dayUsd'] ?? undefined,
      minutes: limit('day.minutes'),
    },
    month: {
      tokens: settings['whetstone.caps.monthTokens'] ?? undefined,
      usd: settings['whetstone.caps.monthUsd'] ?? undefined,
      minutes: limit('month.minutes'),
    },
  };
}

/** What the person says that models cost, by name; what is no price does not count. */
export function readPrices(): Readonly<Record<string, { readonly input: number; readonly output: number }>> {
  const stated = Object.entries(readSettings()['whetstone.model.prices']).flatMap(([model, price]) => {
    const [input, output] = price instanceof Object ? [field(price, 'input'), field(price, 'output')] : [];
    return input === undefined || output === undefined ? [] : [[model, { input, output }] as const];
  });
  return Object.fromEntries(stated);
}

function field(price: object, name: string): number | undefined {
  const value: unknown = Reflect.get(price, name);
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
