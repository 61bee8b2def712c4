import type { ForeignLanguage } from '../../skill/package/packageFile.js';
import { scriptsChoice } from '../../storage/programs/machineChoices.js';
import { openSkill, type SkillRequest } from '../openSkill.js';
import { userStore, type World } from '../world.js';
import { skillScripts, type SkillScripts } from './editableFiles.js';
import { scriptParserFor } from './scriptParsers.js';

/** Whether edits may change scripts of skills, and which of them. */
export interface ScriptUseCases {
  /** Whether edits may change scripts of skills that agents use. */
  mayEditScripts(): Promise<boolean>;
  /** The person's own word for this machine; no file of a workspace can say it. */
  allowScriptEdits(on: boolean, signal: AbortSignal): Promise<void>;
  /** Languages whose scripts no edit changes on this machine, by the reason, which is a sentence. */
  unparsedLanguages(signal: AbortSignal): Promise<ReadonlyMap<string, readonly ForeignLanguage[]>>;
  /** Which scripts of a skill edits could change here, and why not the others. */
  scriptsOfSkill(request: SkillRequest, signal: AbortSignal): Promise<SkillScripts>;
}

/** Wired to the machine and the state of the person. */
export function createScriptUseCases(world: World): ScriptUseCases {
  return {
    mayEditScripts: async () => scriptsChoice.isOn(await userStore(world, 'look')),
    allowScriptEdits: async (on, signal) => scriptsChoice.turn(await userStore(world), on, signal),
    async unparsedLanguages(signal) {
      const parser = scriptParserFor(world, []);
      const found = new Map<string, readonly ForeignLanguage[]>();
      for (const language of ['python', 'sh', 'bash', 'module'] as const) {
        const reason = await parser.lacks(language, signal);
        if (reason !== undefined) found.set(reason, [...(found.get(reason) ?? []), language]);
      }
      return found;
    },
    scriptsOfSkill: async (request, signal) => skillScripts(await openSkill(world, request, 'look'), signal),
  };
}
