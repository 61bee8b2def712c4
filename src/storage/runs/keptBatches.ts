import * as z from 'zod';
import type { BatchStore } from '../../ports/batches.js';
import { skillState } from '../state/skillState.js';
import type { SkillStore } from '../state/store.js';

const tokens = z.number().nonnegative();

const Batch = z.object({
  name: z.string(),
  endpoint: z.string(),
  model: z.string(),
  runId: z.string(),
  begunAt: z.number(),
  until: z.number(),
  file: z.string().optional(),
  batch: z.string().optional(),
  readFiles: z.array(z.string()).optional(),
  calls: z.array(
    z.object({
      key: z.string(),
      role: z.enum(['target', 'optimizer', 'judge']),
      ticket: z.string(),
      worst: z.object({ inputTokens: tokens, outputTokens: tokens }),
      least: tokens,
      guess: tokens,
    }),
  ),
});

/** The batches of the store's skill in user state. A list that this user did not write here names none. */
export function keptBatches(store: SkillStore): BatchStore {
  const state = skillState(store, 'batches', z.object({ batches: z.array(Batch) }));
  const neverAborted = new AbortController().signal; // what the server was asked for must be known here
  const without = (name: string, all: readonly z.infer<typeof Batch>[] = []) =>
    all.filter((each) => each.name !== name);
  return {
    async all() {
      const reading = await state.read();
      return reading.kind === 'verified' ? reading.body.batches : [];
    },
    async put(batch) {
      const stored = Batch.parse(batch);
      await state.update((before) => ({ batches: [...without(batch.name, before?.batches), stored] }), neverAborted);
    },
    async remove(name) {
      await state.update((before) => ({ batches: without(name, before?.batches) }), neverAborted);
    },
  };
}
