import type { RunSummary } from '../../engine/journal/runSummary.js';
import { lookAtPrompts, type WaitingPrompts } from '../../storage/handoff/waitingPrompts.js';
import type { OpenSkill } from '../openSkill.js';
import { canGoOnIfNamed } from '../runs/unfinishedRuns.js';
import { folderNameOf } from './runHandoff.js';

/** The prompts of one run that wait for answers by hand, or have them. */
export interface HandedPrompts extends WaitingPrompts {
  /** What a person names them by: the id of the run, or the folder of a measurement. */
  readonly name: string;
  /** The run that goes on with them; undefined for a measurement, which is made again. */
  readonly run: string | undefined;
  readonly purpose: RunSummary['purpose'];
  /** When that run was begun; undefined for a measurement. */
  readonly startedAt: number | undefined;
}

/** What of a skill waits for answers by hand, newest first. */
export async function handedPromptsOf(
  skill: OpenSkill,
  runs: readonly RunSummary[],
): Promise<readonly HandedPrompts[]> {
  const found = await Promise.all(
    promptFoldersOf(skill, runs).map(async ({ name, ...about }) => {
      const prompts = await lookAtPrompts(skill.store, name);
      return prompts === undefined ? [] : [{ ...prompts, name, ...about }];
    }),
  );
  return found.flat();
}

/** The folders that prompts of a skill can lie in. */
export function promptFoldersOf(
  skill: OpenSkill,
  runs: readonly RunSummary[],
): readonly Pick<HandedPrompts, 'name' | 'run' | 'purpose' | 'startedAt'>[] {
  // A kill while one was given up may have left its prompts.
  const trained = runs
    .filter(canGoOnIfNamed)
    .map(({ runId, purpose, startedAt }) => ({ run: runId, purpose, startedAt }));
  const measured = (['evaluate', 'measure'] as const).map((purpose) => ({
    run: undefined,
    purpose,
    startedAt: undefined,
  }));
  return [...trained, ...measured].map((each) => ({
    ...each,
    name: folderNameOf({ purpose: each.purpose, skill }, each.run ?? ''),
  }));
}
