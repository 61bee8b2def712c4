import type { RunPurpose } from '../../engine/journal/runEvents.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { UserError } from '../../errors.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { showNewPreferences } from '../preferences.js';
import { showNewPrompts } from '../promptOverrides.js';
import { runOptionsFor, type OptionRequest } from './runOptionsFor.js';
import { withWorkers } from '../options/workers.js';
import type { BegunRun, RunObserver } from './runJournal.js';
import { bringItems, type ItemsFrom } from '../tasks/bringItems.js';
import { refuseNamedTarget } from '../models/agentTasks.js';
import { tasksForRun, type BringItems, type SkillTasks } from '../tasks/skillTasks.js';
import type { Task } from '../../tasks/task.js';
import type { World } from '../world.js';

/** How a run is to be made. */
export interface RunRequest extends SkillRequest, Omit<OptionRequest, 'purpose'> {
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
  /** The caps among them that the person set; none where nobody knows. */
  readonly ownCaps?: RunOptions['caps'];
}

/** What a run starts from. */
export interface RunStart extends RunSetup {
  readonly purpose: RunPurpose;
  readonly observe: RunObserver;
  /** What of the workspace's word the options leave out, as sentences. */
  readonly notes?: readonly string[];
  /** The memory file is read beside the skill and not evolved: several skills share the night. */
  readonly memoryReadOnly?: boolean;
  /** The text that the last night began with, where it is no longer the skill's and both are to be compared. */
  readonly earlier?: string | undefined;
  /** True where nobody waits for it: a night at its time. */
  readonly unattended?: boolean;
  /** The most calls of a run whose price nobody knows; undefined where money can be counted. */
  readonly callCap?: number | undefined;
  /** Answers that are stored are not taken: the models are asked anew. */
  readonly fresh?: boolean;
  /** A folder of the person's, as a real path, for what the run leaves beside its own. */
  readonly out?: string | undefined;
  /** The tasks that it attempts, where they are not all of its split: programs that only others need are not asked about. */
  readonly attempted?: readonly Task[] | undefined;
  /** The run that goes on; a new one begins without it. */
  readonly resume?: BegunRun | undefined;
}

/** What a run does beyond the usual. */
export interface StartParts {
  readonly observe?: RunObserver;
  readonly tasks?: (skill: OpenSkill, bring: BringItems) => Promise<SkillTasks>;
  /** Where the tasks come from that environments bring; see there. */
  readonly items?: ItemsFrom | ((skill: OpenSkill) => Promise<ItemsFrom>);
  /** The tasks that are attempted, by id, where they are not all. */
  readonly only?: readonly string[] | undefined;
  /** False where no optimizer is asked, who alone hears of preferences. */
  readonly saysPreferences?: boolean;
}

/**
 * Opens what a request names, as a run starts from it. Refuses what is not trusted, and prompts and preferences of the
 * workspace that were not allowed.
 */
export async function startRun(
  world: World,
  request: RunRequest,
  { observe = () => undefined, tasks: read = tasksForRun, saysPreferences = true, items = 'run', only }: StartParts,
  signal: AbortSignal,
): Promise<RunStart> {
  refuseUntrusted(request);
  const skill = await openSkill(world, request, 'work');
  const { notes, unallowed, ...found } = await runOptionsFor(skill, wishesIn(world, request));
  await showNewPrompts(world, skill, signal);
  if (saysPreferences) await showNewPreferences(world, skill, unallowed, signal);
  const options = saysPreferences ? found.asWritten : found.options;
  const { ownCaps } = found;
  const from = typeof items === 'function' ? await items(skill) : items;
  const bring = bringItems(world, skill, { from, seed: options.train.seed }, signal);
  const tasks = await read(skill, bring);
  refuseNamedTarget(world, tasks, { ...skill.places, only });
  return { world, skill, options, ownCaps, tasks, purpose: request.purpose, observe, notes };
}

/** The same for what only tells what measuring would take. Asks the person nothing, and writes nothing. */
export async function lookAtRun(
  world: World,
  request: RunRequest,
  tasks: (skill: OpenSkill, bring: BringItems) => Promise<SkillTasks>,
): Promise<RunSetup> {
  refuseUntrusted(request);
  const skill = await openSkill(world, request, 'look');
  const { options, ownCaps } = await runOptionsFor(skill, wishesIn(world, request));
  const bring = bringItems(world, skill, { from: 'look', seed: options.train.seed }, new AbortController().signal);
  return { world, skill, options, ownCaps, tasks: await tasks(skill, bring) };
}

/** What the machine and the chosen models add to what is asked for. */
export function wishesIn<R extends OptionRequest>(world: World, request: R): R {
  return withWorkers(world, { ...request, byHand: world.byHand?.() === true });
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
