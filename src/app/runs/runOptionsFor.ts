import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { consolidateDefaults, resolveOptions, type RunOptions } from '../../engine/runOptions.js';
import type { RunPurpose } from '../../engine/journal/runEvents.js';
import { messageOf, UserError } from '../../errors.js';
import { isSafeYaml } from '../../skill/document/safeYaml.js';
import { isConsolidation } from '../nights/nightSubject.js';
import type { OpenSkill } from '../openSkill.js';
import { readText } from '../readText.js';
import type { RunRequest } from '../useCases.js';

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
  const written = await readText(path.join(skill.places.sharedState, 'preferences.md'), 'options-malformed');
  const preferences = [options.preferences, written ?? ''].map((text) => text.trim()).filter((text) => text !== '');
  return { ...options, preferences: preferences.join('\n\n') };
}

async function workspaceLayers(
  skill: OpenSkill,
): Promise<{ readonly everywhere: z.infer<typeof Layer>; readonly here: z.infer<typeof Layer> }> {
  const file = path.join(skill.places.sharedState, 'config.yaml');
  const { skills, ...everywhere } = readConfig((await readText(file, 'options-malformed')) ?? '', file);
  const here = skills[skill.places.documentPath] ?? skills[path.posix.dirname(skill.places.documentPath)] ?? {};
  return { everywhere, here };
}

const longestConfig = 256 * 1024; // room for thousands of skills with options of their own

function readConfig(text: string, file: string): z.infer<typeof ConfigFile> {
  if (!isSafeYaml(text, longestConfig)) throw unreadable(file, 'it is too long, or nested too deeply');
  try {
    // A file of remarks alone says nothing.
    return ConfigFile.parse(parse(text) ?? {});
  } catch (error) {
    // The parser quotes the line below its sentence.
    const [sentence = ''] = messageOf(error).split(/:?\n/);
    throw unreadable(file, error instanceof z.ZodError ? 'it is not a list of options' : sentence, error);
  }
}

function unreadable(file: string, what: string, cause?: unknown): UserError {
  return new UserError(
    'options-malformed',
    `${file} cannot be read: ${what}.`,
    'Correct the file, or delete it to use the defaults.',
    { cause },
  );
}
