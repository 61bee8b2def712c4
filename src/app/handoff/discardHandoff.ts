import { withLock } from '../../storage/files/lock.js';
import { removePrompts } from '../../storage/handoff/waitingPrompts.js';
import { runLock } from '../../storage/state/skillLocks.js';
import { openSkill, type SkillRequest } from '../openSkill.js';
import { overviewOf } from '../results/overview.js';
import { resumeRunJournal } from '../runs/runJournal.js';
import type { World } from '../world.js';
import { folderNameOf } from './runHandoff.js';

/** What is done about prompts that wait for answers by hand. */
export interface HandoffUseCases {
  /** Gives up what waits: prompts go, with answers that no run has taken, and a run that waited is cancelled. Gives how many waited. */
  discardHandoff(request: SkillRequest, signal: AbortSignal): Promise<{ readonly waiting: number }>;
}

/** Wired to files. */
export function createHandoffUseCases(world: World): HandoffUseCases {
  return { discardHandoff: (request, signal) => discardHandoff(world, request, signal) };
}

async function discardHandoff(
  world: World,
  request: SkillRequest,
  signal: AbortSignal,
): ReturnType<HandoffUseCases['discardHandoff']> {
  const skill = await openSkill(world, request, 'work');
  const { store, places } = skill;
  const { handed = [], runs } = await overviewOf(skill);
  await withLock(runLock(store, 'taking its prompts away'), 0, signal, async (lock) => {
    for (const { run: runId = '', purpose } of handed) {
      await removePrompts(places, folderNameOf({ purpose, skill }, runId));
      if (!runs.some((run) => run.runId === runId && run.outcome === 'waiting')) continue;
      const journal = await resumeRunJournal(store, lock, { runId, observe: () => undefined });
      await journal.end({ kind: 'run-ended', outcome: 'cancelled', reason: 'Given up: its prompts were taken away.' });
    }
  });
  return { waiting: handed.reduce((sum, { waiting }) => sum + waiting, 0) };
}
