import path from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import type { RunPurpose } from '../../engine/journal/runEvents.js';
import { consolidateDefaults, resolveOptions, type PresetName, type RunOptions } from '../../engine/runOptions.js';
import { messageOf, UserError } from '../../errors.js';
import { isSafeYaml } from '../../skill/document/safeYaml.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { showNewPrompts } from '../promptOverrides.js';
import { readText } from '../readText.js';
import type { BegunRun, RunObserver } from './runJournal.js';
import { tasksForRun, type SkillTasks } from '../tasks/skillTasks.js';
import type { World } from '../world.js';

/** How a run is to be made. */
export interface RunRequest extends SkillRequest {
  readonly preset: PresetName;
  /** Layers over the preset, weakest first, as nested objects; the workspace's own file is read by the use cases. */
  readonly settings: readonly Readonly<Record<string, unknown>>[];
  readonly purpose: 'optimize' | 'consolidate' | 'night';
  /** In an untrusted workspace nothing runs. */
  readonly trusted: boolean;
}

/** What every part of a run is about. */
export interface RunSetup {
  readonly world: World;
  readonly skill: OpenSkill;
  readonly tasks: SkillTasks;
  readonly options: RunOptions;
}

/** What a run starts from. */
export interface RunStart extends RunSetup {
  readonly purpose: RunPurpose;
  readonly observe: RunObserver;
  /** The memory file is read beside the skill and not evolved: several skills share the night. */
  readonly memoryReadOnly?: boolean;
  /** The run that goes on; a new one begins without it. */
  readonly resume?: BegunRun | undefined;
}

/** Opens what a request names, as a run starts from it. Refuses what is not trusted, and prompts that were not allowed. */
export async function startRun(
  world: World,
  request: RunRequest,
  {
    observe = () => undefined,
    tasks = tasksForRun,
  }: { readonly observe?: RunObserver; readonly tasks?: typeof tasksForRun },
  signal: AbortSignal,
): Promise<RunStart> {
  refuseUntrusted(request);
  const skill = await openSkill(world, request, 'work');
  const options = await runOptionsFor(skill, request);
  await showNewPrompts(world, skill, signal);
  return { world, skill, options, tasks: await tasks(skill), purpose: request.purpose, observe };
}

/** Nothing runs in a workspace that the person does not trust. */
export function refuseUntrusted({ trusted }: Pick<RunRequest, 'trusted'>): void {
  if (trusted) return;
  throw new UserError(
    'workspace-untrusted',
    'This workspace is not trusted, so nothing runs here.',
    'Trust the workspace, then run again.',
  );
}

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

/** Whether a run is one gated epoch that may evolve the memory file, rather than epochs on the skill alone. */
export function isConsolidation(purpose: RunPurpose): boolean {
  return purpose === 'night' || purpose === 'consolidate';
}

const Layer = z.record(z.string(), z.unknown());
/** A workspace file sets options for all skills, and under `skills` for single ones by their path. */
const ConfigFile = z.object({ skills: z.record(z.string(), Layer).default({}) }).catchall(z.unknown());

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
