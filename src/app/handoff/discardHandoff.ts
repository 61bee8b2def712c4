import { UserError } from '../../errors.js';
import { withLock } from '../../storage/files/lock.js';
import { refuseLinkedPrompts, removePrompts } from '../../storage/handoff/waitingPrompts.js';
import { runLock } from '../../storage/state/skillLocks.js';
import { openSkill, type SkillRequest } from '../openSkill.js';
import { overviewOf } from '../results/overview.js';
import { resumeRunJournal } from '../runs/runJournal.js';
import type { World } from '../world.js';
import { promptFoldersOf, type HandedPrompts } from './waitingPrompts.js';

/** `name`: which of the runs that wait; needed where there are several. */
type DiscardRequest = SkillRequest & { readonly name?: string | undefined };

/** What is done about prompts that wait for answers by hand. */
export interface HandoffUseCases {
  /** Gives one run up that waits: its prompts go, with answers that were not taken yet, and it ends as given up. */
  discardHandoff(request: DiscardRequest, signal: AbortSignal): Promise<HandedPrompts>;
  /** Throws where a link stands in the place of prompts of the skill: none is followed, so they cannot be given up. */
  refuseLinkedPrompts(request: SkillRequest): Promise<void>;
  /** Which one a person means by that name, or by none: of one skill, or of several. */
  readonly theOneMeant: typeof theOneMeant;
}

/** Wired to files. */
export function createHandoffUseCases(world: World): HandoffUseCases {
  return {
    discardHandoff: (request, signal) => discardHandoff(world, request, signal),
    async refuseLinkedPrompts(request) {
      const skill = await openSkill(world, request, 'look');
      const { runs } = await overviewOf(skill);
      const names = promptFoldersOf(skill, runs).map(({ name }) => name);
      await refuseLinkedPrompts(skill.store, names);
    },
    theOneMeant,
  };
}

async function discardHandoff(world: World, request: DiscardRequest, signal: AbortSignal): Promise<HandedPrompts> {
  const skill = await openSkill(world, request, 'work');
  const { store } = skill;
  const { handed = [] } = await overviewOf(skill);
  const chosen = theOneMeant(handed, request.name);
  await withLock(runLock(store, 'taking its prompts away'), 0, signal, async (lock) => {
    // Its prompts last: a kill in between leaves them listed, to be given up once more.
    if (chosen.run !== undefined) {
      const journal = await resumeRunJournal(store, lock, { runId: chosen.run, observe: () => undefined });
      await journal.end({ kind: 'run-ended', outcome: 'given-up', reason: 'Given up: its prompts were deleted.' });
    }
    await removePrompts(store, chosen.name);
  });
  return chosen;
}

/**
 * The one that is named, or the only one. Answers are somebody's work: of several none is taken for meant. `skillOf` where
 * they are of several skills.
 */
function theOneMeant<Handed extends HandedPrompts>(
  handed: readonly Handed[],
  name: string | undefined,
  skillOf?: (each: Handed) => string,
): Handed {
  const [found, ...others] = handed.filter((each) => name === undefined || each.name === name);
  if (found !== undefined && others.length === 0) return found;
  if (handed.length === 0) throw new UserError('usage', 'Nothing waits for answers by hand.', '');
  const list = handed.map((each) => {
    const whose = skillOf === undefined ? '' : ` of ${skillOf(each)}`;
    return `${each.name}${whose} (${each.waiting} without an answer, ${each.answered} with one)`;
  });
  throw new UserError(
    'usage',
    found === undefined
      ? `Nothing named ${name ?? ''} waits for answers by hand. What does: ${list.join(', ')}.`
      : `${list.length} wait for answers by hand, and one at a time is given up: ${list.join(', ')}.`,
    'Say which one you mean by --run and its name.',
  );
}
