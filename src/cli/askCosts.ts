import { UserError } from '../errors.js';
import type { UseCases } from '../app/useCases.js';
import type { LocalModel } from '../app/models/serverCosts.js';
import type { CliContext, ModelOptions } from './commandLine.js';
import { oneLine, type Terminal } from './terminal.js';

type Cost = NonNullable<LocalModel['cost']>;

/**
 * Opens the use cases for a command that asks models. On a terminal the person is asked once about each model that answers
 * on this machine; where nobody is there, nothing is asked and the price stays unknown. A target that cannot attempt the
 * tasks that it is `about` is refused before that.
 */
export async function openToSpend(
  face: CliContext,
  options: ModelOptions & { readonly json?: boolean },
  about?: Parameters<UseCases['refuseUnfitTarget']>[0],
): Promise<UseCases> {
  const useCases = face.open(options);
  if (about !== undefined) await useCases.refuseUnfitTarget(about);
  await askCosts(useCases, face, options);
  return useCases;
}

/** Asks at a terminal about each model on this machine of which nobody said what it costs. */
export async function askCosts(
  useCases: UseCases,
  face: CliContext,
  options: { readonly json?: boolean },
): Promise<void> {
  const { ask } = face.terminal;
  if (ask === undefined || options.json === true) return;
  const open = await modelsToAskAbout(useCases, face.signal);
  if (open.length > 0) await useCases.reachModels(face.signal); // nobody is asked about a server that is not there
  for (const local of open) {
    const cost = await askCost(ask, local, face.signal);
    if (cost !== undefined) await useCases.stateCost(local, cost, face.signal);
  }
}

/** What is wrong with the choice of models is told by the command itself. */
async function modelsToAskAbout(useCases: UseCases, signal: AbortSignal): Promise<readonly LocalModel[]> {
  try {
    return (await useCases.localModels(signal)).filter(({ cost }) => cost === undefined);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

/** Undefined where the person writes nothing, or has ended the input: it is asked again the next time. */
async function askCost(
  ask: NonNullable<Terminal['ask']>,
  local: LocalModel,
  signal: AbortSignal,
): Promise<Cost | undefined> {
  const server = oneLine(`${local.model} at ${local.endpoint}`);
  const question = `Does this server cost money? (${server}; asked once, “whetstone price” changes it)
  n  no, it is free
  y  yes: write its price instead, US dollars a million tokens in and out, such as 0.15/0.60
  ?  I don’t know: the price stays unknown, and the run is capped in calls
n, a price or ? (nothing: as unknown for now): `;
  for (;;) {
    const text = await ask(question, signal);
    const cost = readCost(text);
    if (cost !== undefined || text.trim() === '') return cost;
  }
}

/** `free` and `no`, `unknown` and `?`, or `0.15/0.60`; undefined for anything else. */
export function readCost(text: string): Cost | undefined {
  const word = text.trim().toLowerCase();
  if (['n', 'no', 'free'].includes(word)) return { kind: 'free' };
  if (['?', 'unknown'].includes(word)) return { kind: 'unknown' };
  const [, input, output] = /^(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/.exec(word) ?? [];
  return input === undefined || output === undefined
    ? undefined
    : { kind: 'price', input: Number(input), output: Number(output) };
}

/** An answer in a few words. */
export function costText(cost: LocalModel['cost']): string {
  if (cost === undefined) return 'not asked yet: its price is not known';
  if (cost.kind === 'unknown') return 'its price is not known';
  if (cost.kind === 'free' || (cost.input === 0 && cost.output === 0)) return 'free';
  return `${cost.input} USD in, ${cost.output} USD out a million tokens`;
}
