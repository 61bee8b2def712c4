import { RunSummarySchema, type RunSummary } from '../../../engine/journal/runSummary.js';
import type { KnownSkill, PastNight } from '../../../schedule/fleet/nightWorth.js';
import { visitRuns } from '../../../storage/runs/summaries.js';
import type { OpenSkill } from '../../openSkill.js';
import { isWorthNoRepeat } from '../lastNight.js';

/** What the runs of a skill say for the plan of a night. */
export interface RunHistory extends Pick<KnownSkill, 'room' | 'past'> {
  /** When the newest of them began. */
  readonly triedAt: number | undefined;
}

const mostPast = 10; // runs of a skill that count: what it was like long ago says little

const unknown: RunHistory = { room: undefined, past: [], triedAt: undefined };

/**
 * The history of every one of these skills. The summaries of a workspace are gone through once for all of its skills, and
 * no journal is opened.
 */
export async function runHistories(skills: readonly OpenSkill[]): Promise<(skill: OpenSkill) => RunHistory> {
  const stores = new Map(skills.map(({ store }) => [store.places.workspaceState, store]));
  const histories = new Map<string, RunHistory>();
  for (const [place, store] of stores) {
    const wanted = new Set(skills.filter((each) => each.places.workspaceState === place).map(keyOf));
    await visitRuns(store, RunSummarySchema, (run) => {
      if (run.kind !== 'verified' || !isTraining(run.summary)) return;
      const key = keyOf({ places: { workspaceState: place, skillKey: run.summary.skillKey } });
      if (wanted.has(key)) histories.set(key, withEarlier(histories.get(key) ?? unknown, run.summary));
    });
  }
  return (skill) => histories.get(keyOf(skill)) ?? unknown;
}

function keyOf({ places }: { readonly places: Pick<OpenSkill['places'], 'workspaceState' | 'skillKey'> }): string {
  return `${places.workspaceState}\n${places.skillKey}`;
}

function isTraining({ purpose }: RunSummary): boolean {
  return purpose === 'night' || purpose === 'optimize' || purpose === 'consolidate';
}

/** Runs come newest first: what a newer one said of the score counts. */
function withEarlier(later: RunHistory, run: RunSummary): RunHistory {
  const past = pastOf(run);
  return {
    room: later.room ?? roomAfter(run),
    past: past === undefined || later.past.length >= mostPast ? later.past : [...later.past, past],
    triedAt: Math.max(later.triedAt ?? 0, run.startedAt),
  };
}

/** What a run that came to its end proved; one that was cut off says nothing of what there is to gain. */
function pastOf(run: RunSummary): PastNight | undefined {
  const { outcome, verdict } = run;
  if ((outcome !== 'proposed' && outcome !== 'nothing') || !isWorthNoRepeat(verdict)) return undefined;
  const before = scoreBefore(run);
  const gain = verdict?.kind === 'accepted' ? Math.max(0, verdict.figures.difference) : 0;
  return { room: before === undefined ? undefined : 1 - before, gain };
}

/** What was proved counts as reached: it waits for the person, and a night can only add to it. */
function roomAfter(run: RunSummary): number | undefined {
  const { verdict } = run;
  const score = verdict?.kind === 'accepted' ? verdict.figures.after : scoreBefore(run);
  return score === undefined ? undefined : Math.max(0, 1 - score);
}

function scoreBefore({ verdict, steps }: RunSummary): number | undefined {
  const figures = verdict !== undefined && 'figures' in verdict ? verdict.figures : undefined;
  return figures?.before ?? steps[0]?.originalScore;
}
