import * as z from 'zod';
import { readState, updateState, type SealedState } from '../files/sealedState.js';
import type { UserStore } from './store.js';

const cost = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('free') }),
  /** US dollars a million tokens. */
  z.object({ kind: z.literal('price'), input: z.number().min(0), output: z.number().min(0) }),
  z.object({ kind: z.literal('unknown') }),
]);

/** What the person says that a model of a server on their machine costs; they may not know. */
export type ServerCost = Readonly<z.infer<typeof cost>>;

/** A model by the address that it is asked at. */
export interface ServerModel {
  readonly endpoint: string;
  readonly model: string;
}

interface CostFile {
  readonly answers: Readonly<Record<string, ServerCost>>;
}

const costs: SealedState<CostFile> = {
  format: { format: 'whetstone-server-costs', version: 1, schema: z.object({ answers: z.record(z.string(), cost) }) },
  file: 'server-costs.json',
};

/** How an answer is found again: the address, a `#` and the model, as the command line names them too. */
export function serverModelKey({ endpoint, model }: ServerModel): string {
  return `${endpoint}#${model}`;
}

/** All answers, by address and model. A file that this user did not write here answers nothing. */
export async function readServerCosts(store: UserStore): Promise<Readonly<Record<string, ServerCost>>> {
  const reading = await readState(store, costs);
  return reading.kind === 'verified' ? reading.body.answers : {};
}

/** Remembers an answer until another is given. */
export async function keepServerCost(
  store: UserStore,
  about: ServerModel,
  answer: ServerCost,
  signal: AbortSignal,
): Promise<void> {
  const key = serverModelKey(about);
  await updateState(store, costs, (before) => ({ answers: { ...before?.answers, [key]: answer } }), signal);
}
