import * as z from 'zod';
import { skillState } from '../state/skillState.js';
import type { SkillStore } from '../state/store.js';

const MetaSkill = z.object({ text: z.string() });

/** The optimizer's notes on one skill, over all its epochs and runs. They are this person's, and no part of the skill. */
export interface MetaSkillStore {
  /** Empty where there are none, or where the file was not written here: they only ever help. */
  read(): Promise<string>;
  /** Without their secrets. */
  write(text: string, signal: AbortSignal): Promise<void>;
  /** Writes them only where they still are what they were; false where somebody changed them in between. */
  replace(before: string, text: string, signal: AbortSignal): Promise<boolean>;
}

/** Opens the notes; nothing is read or written before it is asked for. */
export function metaSkillOf(store: SkillStore): MetaSkillStore {
  const state = skillState(store, 'meta-skills', MetaSkill);
  const clean = (text: string): string => store.hide?.({ text }).value.text ?? text;
  return {
    async read() {
      const reading = await state.read();
      return reading.kind === 'verified' ? reading.body.text : '';
    },
    write: async (text, signal) => void (await state.update(() => ({ text: clean(text) }), signal)),
    async replace(before, text, signal) {
      const next = { text: clean(text) };
      const kept = await state.update((now) => ((now?.text ?? '') === before ? next : (now ?? next)), signal);
      return kept.text === next.text;
    },
  };
}
