import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { messageOf, UserError } from '../../errors.js';
import { isSafeYaml } from '../../skill/document/safeYaml.js';
import type { OpenSkill } from '../openSkill.js';
import { readText, readTextInside } from '../readText.js';
import { baseKey, nested, withBases } from '../options/configBases.js';

const Layer = z.record(z.string(), z.unknown());
export type Layer = Readonly<z.infer<typeof Layer>>;

/** A workspace file sets options for all skills, and under `skills` for single ones by their path. */
const ConfigFile = z.object({ skills: z.record(z.string(), Layer).default({}) }).catchall(z.unknown());

/** What `.whetstone/config.yaml` says, in two layers: for all skills, and for this one. */
export interface ConfigLayers {
  readonly everywhere: Layer;
  readonly here: Layer;
}

/** Reads the options that the workspace of a skill brings along; throws with what is wrong in the file, or in one below it. */
export async function workspaceConfigOf({ places }: OpenSkill): Promise<Layer> {
  const file = path.join(places.sharedState, 'config.yaml');
  const text = (await readText(file, 'options-malformed')) ?? '';
  return configWithBases(file, text, places.root ?? places.sharedState);
}

/** What the text of such a file says together with the files below it. */
export function configWithBases(file: string, text: string, root: string): Promise<Layer> {
  return withBases({ file, config: readConfig(text, file) }, { root, read: readFile });
}

async function readFile(root: string, file: string): Promise<Layer | undefined> {
  const text = await readTextInside(root, file, 'options-malformed');
  return text === undefined ? undefined : readConfig(text, file);
}

/** What of it counts for a skill. One that was read before, and does not fit any more, says nothing. */
export function configLayersOf(config: Layer, { places }: OpenSkill): ConfigLayers {
  const nothing: z.infer<typeof ConfigFile> = { skills: {} };
  const { skills, [baseKey]: _read, ...everywhere } = ConfigFile.safeParse(config).data ?? nothing;
  const here = skills[places.documentPath] ?? skills[path.posix.dirname(places.documentPath)] ?? {};
  return { everywhere: nested(everywhere), here: nested(here) };
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
