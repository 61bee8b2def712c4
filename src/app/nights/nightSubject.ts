import type { ConsolidateSubject } from '../../engine/consolidate/evolve.js';
import { recallSimilar } from '../../engine/consolidate/trainingTasks.js';
import type { RunPurpose } from '../../engine/journal/runEvents.js';
import type { Proposal } from '../../ports/proposal.js';
import { nightArchive } from './nightArchive.js';
import { findMemoryFile } from './nightMemoryFile.js';
import type { RunStart } from '../runs/skillRun.js';

/** Whether a run is one gated epoch that may evolve the memory file, rather than epochs on the skill alone. */
export function isConsolidation(purpose: RunPurpose): boolean {
  return purpose === 'night' || purpose === 'consolidate';
}

/** What a consolidation is about: the skill, the memory file where it takes part, and what is recalled of the past. */
export async function consolidateSubjectOf(
  { world, skill, tasks, options, memoryReadOnly = false }: RunStart,
  models: Proposal['models'],
): Promise<ConsolidateSubject> {
  const { memory, recall } = options.consolidate;
  const found = memory ? await findMemoryFile(skill.places) : undefined;
  if (memory && found === undefined) world.tell(`${skill.name}: there is no memory file to evolve. ${expected}`);
  const { split, leaks } = tasks.result;
  const archive = recall === 0 ? [] : await nightArchive(skill.store).all();
  return {
    skillKey: skill.places.skillKey,
    skillName: skill.name,
    skillPath: skill.places.documentPath,
    skill: skill.text,
    memoryFile: found === undefined ? undefined : { ...found, evolve: !memoryReadOnly },
    tasks: split,
    models,
    leaks,
    recalled: recallSimilar({ archive, split, present: tasks.read.tasks }, recall),
  };
}

const expected = 'It would be CLAUDE.md, AGENTS.md or .github/copilot-instructions.md in the root of the workspace.';
