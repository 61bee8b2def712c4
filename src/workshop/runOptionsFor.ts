import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { consolidateDefaults } from '../engine/consolidateOptions.js';
import type { RunPurpose } from '../engine/runEvents.js';
import { resolveOptions, type RunOptions } from '../engine/runOptions.js';
import { messageOf, UserError } from '../errors.js';
import { hasCode } from '../storage/fileErrors.js';
import { isConsolidation } from './nightSubject.js';
import type { OpenSkill } from './openSkill.js';
import type { RunRequest } from './workshop.js';

const Layer = z.record(z.string(), z.unknown());
/** A workspace file sets options for all skills, and under `skills` for single ones by their path. */
const ConfigFile = z.object({ skills: z.record(z.string(), Layer).default({}) }).catchall(z.unknown());

/**
 * The options of a run: default, preset, the workspace's file, the skill's part of it, and what the face says. The
 * person's preferences are what the options say and what `.whetstone/preferences.md` says.
 */
export async function runOptionsFor(
  skill: OpenSkill,
  request: Pick<RunRequest, 'preset' | 'settings'> & { readonly purpose?: RunPurpose },
): Promise<RunOptions> {
  const { everywhere, here } = await workspaceLayers(skill);
  const own = request.purpose !== undefined && isConsolidation(request.purpose) ? [consolidateDefaults] : [];
  const options = resolveOptions(request.preset, [...own, everywhere, here, ...request.settings]);
  const written = await readOptional(path.join(skill.places.sharedState, 'preferences.md'));
  const preferences = [options.preferences, written ?? ''].map((text) => text.trim()).filter((text) => text !== '');
  return { ...options, preferences: preferences.join('\n\n') };
}

async function workspaceLayers(
  skill: OpenSkill,
): Promise<{ readonly everywhere: z.infer<typeof Layer>; readonly here: z.infer<typeof Layer> }> {
  const file = path.join(skill.places.sharedState, 'config.yaml');
  const text = await readOptional(file);
  if (text === undefined || text.trim() === '') return { everywhere: {}, here: {} };
  const { skills, ...everywhere } = readConfig(text, file);
  const here = skills[skill.places.documentPath] ?? skills[path.posix.dirname(skill.places.documentPath)] ?? {};
  return { everywhere, here };
}

function readConfig(text: string, file: string): z.infer<typeof ConfigFile> {
  try {
    return ConfigFile.parse(parse(text));
  } catch (error) {
    const what = error instanceof z.ZodError ? 'it is not a list of options' : messageOf(error);
    throw new UserError(
      'options-malformed',
      `${file} cannot be read: ${what}.`,
      'Correct the file, or delete it to use the defaults.',
      { cause: error },
    );
  }
}

async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
