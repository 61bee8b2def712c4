import * as z from 'zod';
import { skillState } from '../state/skillState.js';
import type { SkillStore } from '../state/store.js';

const schema = z.object({
  /** Stands for what agents were told of the skill then: told otherwise, other sessions may be its work. */
  asTold: z.string(),
  /** Newest last. */
  marks: z.array(z.string()).readonly(),
});

const most = 5_000; // the last ones: more than years of work

/** The sessions that were looked through for a skill and gave nothing for it, by their marks. Nothing that was said is kept. */
export interface EmptySessions {
  all(): Promise<ReadonlySet<string>>;
  add(marks: readonly string[], signal: AbortSignal): Promise<void>;
}

/** Of the skill as agents are told of it now; what was noted of it as it was before counts for nothing. */
export function emptySessionsOf(store: SkillStore, asTold: string): EmptySessions {
  const state = skillState<z.infer<typeof schema>>(store, 'empty-sessions', schema);
  return {
    async all() {
      const reading = await state.read();
      return new Set(reading.kind === 'verified' && reading.body.asTold === asTold ? reading.body.marks : []);
    },
    async add(marks, signal) {
      if (marks.length === 0) return;
      await state.update((before) => {
        const known = before?.asTold === asTold ? before.marks : [];
        const added = marks.filter((mark) => !known.includes(mark));
        if (before !== undefined && before.asTold === asTold && added.length === 0) return before;
        return { asTold, marks: [...known, ...added].slice(-most) };
      }, signal);
    },
  };
}
