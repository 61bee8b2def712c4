import * as z from 'zod';
import { sha256 } from '../../hash.js';
import { readState, updateState, type SealedState } from '../../storage/files/sealedState.js';
import { usageFolder } from '../../storage/state/retention.js';
import type { UserStore } from '../../storage/state/store.js';
import type { UsageMap } from './usageMap.js';

const uses = { fired: z.number(), sessions: z.number(), corrected: z.number() };

const schema: z.ZodType<Pick<UsageMap, 'skills' | 'others' | 'sessions' | 'messages'>> = z.object({
  skills: z.array(
    z
      .object({
        name: z.string(),
        skillPath: z.string(),
        place: z.enum(['workspace', 'home']),
        ...uses,
        messages: z.number(),
        lastFired: z.number().optional(),
        tokens: z.object({ listed: z.number(), body: z.number(), aMessage: z.number() }),
        sharesName: z.boolean(),
      })
      .transform((skill) => ({ ...skill, lastFired: skill.lastFired })),
  ),
  others: z.array(z.object({ name: z.string(), ...uses })),
  sessions: z.number(),
  messages: z.number(),
});

/** Keeps what was counted for some folders, so that the next window can show it: counts and names, nothing that was said. */
export async function keepUsage(
  store: UserStore,
  folders: readonly string[],
  { skills, others, sessions, messages }: UsageMap,
  signal: AbortSignal,
): Promise<void> {
  await updateState(store, stateOf(folders), () => ({ skills, others, sessions, messages }), signal);
}

/** What was counted last for these folders. */
export async function keptUsage(store: UserStore, folders: readonly string[]): Promise<UsageMap | undefined> {
  const reading = await readState(store, stateOf(folders));
  return reading.kind === 'verified' ? { ...reading.body, elsewhere: 0, counts: {}, unread: [] } : undefined;
}

function stateOf(folders: readonly string[]): SealedState<z.infer<typeof schema>> {
  return {
    format: { format: 'whetstone-usage', version: 1, schema },
    file: `${usageFolder}/${sha256(JSON.stringify([...folders].sort())).slice(0, 32)}.json`,
    derived: true,
  };
}
