import { longestMetaSkill } from '../engine/epochs/epochOptions.js';
import { UserError } from '../errors.js';
import { metaSkillOf } from '../storage/proposals/metaSkills.js';
import { openSkill, type SkillRequest } from './openSkill.js';
import { refuseUntrustedWrite, type World } from './world.js';

/** What a person does with the notes that the optimizer keeps on a skill. They lie in the person's own state. */
export interface MetaSkillUseCases {
  /** Empty where there are none. */
  metaSkill(request: SkillRequest, signal: AbortSignal): Promise<string>;
  /** Writes them anew; empty ones are none. Every later run of the skill begins with them. */
  writeMetaSkill(request: SkillRequest & { readonly text: string }, signal: AbortSignal): Promise<void>;
}

/** Wired to the state of the person. */
export function createMetaSkillUseCases(world: World): MetaSkillUseCases {
  return {
    metaSkill: async (request) => metaSkillOf((await openSkill(world, request, 'look')).store).read(),
    async writeMetaSkill(request, signal) {
      refuseUntrustedWrite(world);
      const text = request.text.trim();
      if (text.length > longestMetaSkill) throw tooLong(text.length);
      const { store } = await openSkill(world, request, 'work');
      await metaSkillOf(store).write(text, signal);
    },
  };
}

function tooLong(length: number): UserError {
  return new UserError(
    'usage',
    `The notes have ${length} characters, and the most is ${longestMetaSkill}.`,
    'Shorten them: every question to the optimizer carries them.',
  );
}
