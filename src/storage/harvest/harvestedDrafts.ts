import * as z from 'zod';
import { makeTask } from '../../tasks/makeTask.js';
import { sameTextKey } from '../../tasks/split/nearDuplicates.js';
import { agentNames } from '../../tasks/task.js';
import { skillState, type SkillState } from '../state/skillState.js';
import type { SkillStore } from '../state/store.js';

const words = z.array(z.string()).readonly();

/** How much of a task a draft may say: the rest is for a person to add once it is one. */
const DraftedTask = z.object({
  id: z.string(),
  prompt: z.string(),
  expectations: words,
  checks: z
    .array(
      z.object({
        check: z.string(),
        hidden: z.boolean(),
        arguments: z.record(z.string(), z.unknown()).readonly(),
      }),
    )
    .readonly(),
  tags: words,
  origin: z.string(),
  environment: z.string(),
  agent: z
    .object({
      fixture: z.object({ repository: z.string(), commit: z.string() }).readonly(),
      mode: z.enum(['offered', 'forced']),
      program: z.enum(agentNames).optional(),
    })
    .readonly()
    .optional(),
});

const Draft = z.object({
  task: DraftedTask.readonly(),
  /** The program that the session was with, and when the request was made. */
  source: z.string(),
  /** All programs that the same was asked in, where they are several. */
  sources: words.optional(),
  askedAt: z.number().optional(),
  /** In how many sessions the same was asked. */
  sessions: z.number(),
  /** Whether the person was not content with an answer to it. */
  corrected: z.boolean(),
  by: z.enum(['rules', 'model']),
  /** Of a model's: every word of its criteria is the person's. Not told of drafts that were taken by a laxer rule. */
  ground: z.literal('every-word').optional(),
  /** What in it speaks to those who work on it. */
  marks: words,
  /** Whether the skill was loaded for it, or is the nearest by its words. */
  skillBy: z.enum(['fired', 'near']),
  minedAt: z.number(),
});

/** A task out of a session that waits for the person's word. Nothing of it is in the workspace. */
export type HarvestedDraft = Readonly<z.infer<typeof Draft>>;

/** The drafts of a skill that came out of sessions. */
export interface HarvestedDrafts {
  all(): Promise<readonly HarvestedDraft[]>;
  /** The words of those that were confirmed or turned down, as keys. */
  settled(): Promise<ReadonlySet<string>>;
  /** Marks of the sessions, and of single requests in them, that were mined for the skill, whatever came of them. */
  mined(): Promise<ReadonlySet<string>>;
  addMined(marks: readonly string[], signal: AbortSignal): Promise<void>;
  /** Adds those that neither wait already nor were turned down. Where too many wait then, the oldest give way. */
  add(drafts: readonly HarvestedDraft[], signal: AbortSignal): Promise<AddedDrafts>;
  /** Takes one out: it is a task from now on, or it was turned down and does not come again. */
  settle(id: string, signal: AbortSignal): Promise<void>;
  /** Brings one back that was turned down. */
  restore(draft: HarvestedDraft, signal: AbortSignal): Promise<void>;
}

export interface AddedDrafts {
  readonly added: readonly HarvestedDraft[];
  /** How many drafts gave way: they are gone. */
  readonly pushedOut: number;
}

interface KeptDrafts {
  readonly drafts: readonly HarvestedDraft[];
  /** Of those that were settled, by their words. */
  readonly settled: readonly string[];
  /** Missing where an earlier version wrote it. */
  readonly mined?: readonly string[] | undefined;
}

const mostDrafts = 500; // the newest: nobody reviews more
const mostSettled = 5_000;
const mostMined = 5_000;

/** Opens the drafts; nothing is read or written before they are asked for. */
export function harvestedDraftsOf(store: SkillStore): HarvestedDrafts {
  const state: SkillState<KeptDrafts> = skillState(
    store,
    'harvested-drafts',
    z.object({ drafts: z.array(Draft).readonly(), settled: words, mined: words.optional() }),
    { version: 3, versionOf },
  );
  const kept = async (): Promise<KeptDrafts> => {
    const reading = await state.read();
    return reading.kind === 'verified' ? reading.body : { drafts: [], settled: [] };
  };
  return {
    all: async () => (await kept()).drafts,
    settled: async () => new Set((await kept()).settled),
    mined: async () => new Set((await kept()).mined),
    async addMined(marks, signal) {
      await state.update((before) => withMined(before, marks), signal);
    },
    async add(drafts, signal) {
      let result: AddedDrafts = { added: [], pushedOut: 0 };
      if (drafts.length === 0) return result;
      await state.update((before = { drafts: [], settled: [] }) => {
        result = addedTo(before, drafts);
        return result.added.length === 0 ? before : withAdded(before, result);
      }, signal);
      return result;
    },
    async settle(id, signal) {
      await state.update((before = { drafts: [], settled: [] }) => {
        const gone = before.drafts.filter(({ task }) => task.id === id);
        if (gone.length === 0) return before;
        return {
          ...before,
          drafts: before.drafts.filter(({ task }) => task.id !== id),
          settled: [...before.settled, ...gone.map(keyOf)].slice(-mostSettled),
        };
      }, signal);
    },
    async restore(draft, signal) {
      await state.update((before = { drafts: [], settled: [] }) => {
        const key = keyOf(draft);
        return {
          ...before,
          drafts: [...before.drafts.filter(({ task }) => task.id !== draft.task.id), draft],
          settled: before.settled.filter((each) => each !== key),
        };
      }, signal);
    },
  };
}

/**
 * An earlier version would drop these, and name one program of several, ask about the same sessions again, or take a draft
 * for one of the laxer rule.
 */
function versionOf({ drafts, mined }: KeptDrafts): number {
  if (drafts.some(({ sources }) => sources !== undefined)) return 3;
  return mined !== undefined || drafts.some(({ ground }) => ground !== undefined) ? 2 : 1;
}

function withMined(before: KeptDrafts = { drafts: [], settled: [] }, marks: readonly string[]): KeptDrafts {
  const known = before.mined ?? [];
  const added = marks.filter((mark) => !known.includes(mark));
  return added.length === 0 ? before : { ...before, mined: [...known, ...added].slice(-mostMined) };
}

function withAdded(before: KeptDrafts, { added }: AddedDrafts): KeptDrafts {
  return { ...before, drafts: [...before.drafts, ...added].slice(-mostDrafts) };
}

function addedTo(before: KeptDrafts, drafts: readonly HarvestedDraft[]): AddedDrafts {
  const added = fresh(before, drafts);
  const all = before.drafts.length + added.length;
  return { added: added.slice(-mostDrafts), pushedOut: Math.max(0, all - mostDrafts) };
}

/** Of equal words only the first, under a name that is not taken. */
function fresh({ drafts, settled }: KeptDrafts, given: readonly HarvestedDraft[]): readonly HarvestedDraft[] {
  const known = new Set([...settled, ...drafts.map(keyOf)]);
  const taken = new Set(drafts.map(({ task }) => task.id));
  return given.filter((draft) => {
    const key = keyOf(draft);
    if (known.has(key) || taken.has(draft.task.id)) return false;
    known.add(key);
    taken.add(draft.task.id);
    return true;
  });
}

function keyOf({ task }: HarvestedDraft): string {
  return sameTextKey(makeTask(task));
}
