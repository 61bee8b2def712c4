import * as z from 'zod';
import { RunSummarySchema, type RunSummary } from '../../engine/journal/runSummary.js';
import type { Verdict } from '../../gate/verdict/verdict.js';
import { listRuns } from '../../storage/runs/summaries.js';
import { skillState } from '../../storage/state/skillState.js';
import type { OpenSkill } from '../openSkill.js';
import { runsWithoutSummary } from '../runs/unfinishedRuns.js';

const LastNight = z.object({
  fingerprint: z.string(),
  at: z.number(),
  /** What a night set out from; it stays only where the night was cut off before it could say how it ended. */
  begun: z.object({ fingerprint: z.string(), at: z.number() }).optional(),
  /** The skill, without its secrets, as the last night that spent anything began with it. */
  spentOn: z.string().optional(),
});

/** Where no night was remembered yet. */
const none: z.infer<typeof LastNight> = { fingerprint: '', at: 0 };

/** What the last night of a skill started from: the same again would cost the same and find the same. */
export function lastNight(skill: OpenSkill): {
  readonly last: () => Promise<string | undefined>;
  /** When a night last began for it, also where the night was cut off. */
  readonly triedAt: () => Promise<number | undefined>;
  /** Noted before the first call: a night that is killed after its run has ended is known by it. */
  readonly begin: (fingerprint: string, signal: AbortSignal) => Promise<void>;
  readonly remember: (fingerprint: string, signal: AbortSignal) => Promise<void>;
  /** Noted once a night has spent something on the skill as it is. */
  readonly spend: (signal: AbortSignal) => Promise<void>;
  /** What that night began with, where the person changed or adopted something since; undefined where nothing changed. */
  readonly earlierText: () => Promise<string | undefined>;
} {
  const { store } = skill;
  const state = skillState(store, 'last-nights', LastNight);
  const clean = (): string => store.hide?.({ text: skill.text }).value.text ?? skill.text;
  return {
    async last() {
      const reading = await state.read();
      if (reading.kind !== 'verified') return undefined;
      const { fingerprint, begun } = reading.body;
      return begun !== undefined && (await hasEnded(skill, begun.at)) ? begun.fingerprint : fingerprint;
    },
    async triedAt() {
      const reading = await state.read();
      if (reading.kind !== 'verified') return undefined;
      return Math.max(reading.body.at, reading.body.begun?.at ?? 0);
    },
    async begin(fingerprint, signal) {
      const begun = { fingerprint, at: store.clock.now() };
      await state.update((before = none) => ({ ...before, begun }), signal);
    },
    async remember(fingerprint, signal) {
      await state.update(({ spentOn } = none) => ({ fingerprint, at: store.clock.now(), spentOn }), signal);
    },
    async spend(signal) {
      const spentOn = clean();
      await state.update((before = none) => ({ ...before, spentOn }), signal);
    },
    async earlierText() {
      const reading = await state.read();
      const spentOn = reading.kind === 'verified' ? reading.body.spentOn : undefined;
      return spentOn === clean() ? undefined : spentOn;
    },
  };
}

/** Whether a run of a night that began then came to its end, though nobody noted it. */
async function hasEnded(skill: OpenSkill, begunAt: number): Promise<boolean> {
  const listed = await listRuns(skill.store, RunSummarySchema);
  const stored = listed.flatMap((run) => (run.kind === 'verified' ? [run.summary] : []));
  const { ended } = await runsWithoutSummary(skill, listed);
  return [...stored, ...ended]
    .filter(({ purpose, skillKey }) => purpose === 'night' && skillKey === skill.places.skillKey)
    .some((run) => run.startedAt >= begunAt && cameToItsEnd(run));
}

function cameToItsEnd({ outcome, verdict }: RunSummary): boolean {
  return outcome === 'nothing' || (outcome === 'proposed' && isWorthNoRepeat(verdict));
}

/** What a dead backend or a cap cut short is worth trying again as it is. */
export function isWorthNoRepeat(verdict: Verdict | undefined): boolean {
  if (verdict?.kind !== 'inconclusive') return true;
  return verdict.cause !== 'cap' && verdict.cause !== 'too-many-invalid';
}
