import { editableFiles } from '../environments/editableFiles.js';
import { neededTasks, unplayedBeyond } from '../environments/unplayedTasks.js';
import { grouped } from '../../wording/amounts.js';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { messageOf } from '../../errors.js';
import { type SkillFacts, type Blocker, fingerprintNight } from '../../schedule/preconditions.js';
import { holderAtWork, holderText } from '../../storage/files/lock.js';
import { runLock } from '../../storage/state/skillLocks.js';
import { findMemoryFile } from '../runs/memoryFile.js';
import { openSkill, type OpenSkill } from '../openSkill.js';
import { type RoleModels, modelNames, shownName } from '../models/runModels.js';
import { agentTasksBeyond, targetOf } from '../models/agentTasks.js';
import { toolTasksBeyond } from '../models/toolTasks.js';
import type { Unfit } from '../models/unfitTarget.js';
import { leftOutNotes } from '../preferences.js';
import { runOptionsFor, type OptionRequest, type ResolvedOptions } from '../runs/runOptionsFor.js';
import type { Layer } from '../runs/workspaceConfig.js';
import { isRaised, nightBoundOf, type NightBound } from './nightBound.js';
import type { RunOptions } from '../../engine/runOptions.js';
import { wishesIn, type RunSetup, type RunRequest } from '../runs/runStart.js';
import { bringItems, refuseUnasked } from '../tasks/bringItems.js';
import { lacksTasks, readSkillTasks, type SkillTasks } from '../tasks/skillTasks.js';
import type { World } from '../world.js';
import type { SpendCap } from '../../ports/spend.js';
import type { ScheduleSettings } from '../../schedule/scheduleSettings.js';
import type { AutoAdoption, AutoAdoptRequest } from './autoAdopt.js';
import type { NightStarter } from './nightResult.js';
import { canonicalJson, sha256 } from '../../hash.js';
import { leavesFolder, listFixtures } from '../../tasks/task.js';
import { ownPrompts } from '../promptOverrides.js';
import { lastNight } from './lastNight.js';
import { pendingOf } from '../proposals/pending.js';
import { rememberedOptions } from './rememberedOptions.js';
import { withUnconfirmed } from '../tasks/withUnconfirmed.js';
import { unconfirmedNotes } from './unconfirmedTasks.js';
import type { KnownList } from '../../storage/state/knownSkills.js';
import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';

/** What a night is to do. */
export interface NightRequest extends Omit<RunRequest, 'skillPath' | 'purpose'>, AutoAdoptRequest {
  /** Train also where nothing changed since the last night. */
  readonly force: boolean;
  /** Skills that are left alone, by name or by path. */
  readonly excluded?: readonly string[];
  readonly onBattery?: ScheduleSettings['onBattery'];
  /** Files with unsaved changes in an editor. */
  readonly unsaved?: readonly string[];
  /** What the night as a whole may use, beside the caps of each run. */
  readonly cap?: SpendCap;
  /** `given`: a person started it with the model in plain sight. `stored`: only with the consent that is stored. */
  readonly consent?: 'given' | 'stored';
  readonly startedBy?: NightStarter;
}

/** A skill as a night finds it: ready to be weighed, left out for its tasks, or not to be read at all. */
export type NightSkill =
  | ({
      readonly kind: 'found';
      readonly skillPath: string;
      readonly facts: SkillFacts;
      /** What the night says about this skill beside its outcome, as sentences. */
      readonly notes: readonly string[];
      /** Where the workspace's options would raise what was agreed to; the night keeps to that. */
      readonly raised: RaisedBound | undefined;
    } & Required<Omit<RunSetup, 'world'>>)
  | { readonly kind: 'left-out'; readonly skillPath: string; readonly name: string; readonly stop: Blocker }
  | { readonly kind: 'broken'; readonly skillPath: string; readonly name: string; readonly reason: string };

/** What a night may take for a skill, as it was agreed to and as the workspace would have it. */
export interface RaisedBound {
  readonly former: NightBound;
  readonly now: NightBound;
}

/** What a night goes by, beside its request. */
interface NightTerms {
  readonly models: RoleModels | undefined;
  readonly adoption?: AutoAdoption;
  /** The options of workspaces that the person agreed to, by the folder of their file; absent where all count. */
  readonly agreed?: Readonly<Record<string, Layer>> | undefined;
  /** Only where it learns from drafts out of sessions too; with those that are expected, beside those that wait. */
  readonly unconfirmed?: ExpectedDrafts | undefined;
  /** The skills that are remembered, read once for all of the night. */
  readonly known?: KnownList;
}

/** Drafts that are not there yet, by the path of their skill. */
export type ExpectedDrafts = ReadonlyMap<string, readonly HarvestedDraft[]>;

/** Looks at one skill: its tasks, its options, who works on it, and whether anything changed. Writes nothing. */
export async function findSkill(
  world: World,
  request: NightRequest & { readonly skillPath: string },
  { models, adoption, agreed, unconfirmed, known }: NightTerms,
): Promise<NightSkill> {
  const { skillPath } = request;
  let name = path.basename(path.dirname(skillPath));
  try {
    const skill = await openSkill(world, request, 'look', known);
    name = skill.name;
    const bring = bringItems(world, skill, { from: 'look', seed: 0 }, new AbortController().signal);
    const confirmed = await refuseUnasked(skill, await readSkillTasks(skill, bring));
    const stop = models === undefined ? undefined : toolStop(skill, confirmed, models);
    if (stop !== undefined) return { kind: 'left-out', skillPath, name, stop };
    const tasks =
      unconfirmed === undefined
        ? confirmed
        : await withUnconfirmed(skill, confirmed, unconfirmed.get(skill.places.skillPath));
    const wish = wishesIn<OptionRequest>(world, { ...withAutoAdopt(request, skill, adoption), purpose: 'night' });
    const { raised, ...resolved } = await optionsWithinAgreed({ world, skill, tasks }, wish, { models, agreed });
    const { options, ownCaps, unallowed } = resolved;
    const unplayed = models && unplayedBeyond(neededTasks({ tasks, options }), models.target);
    if (unplayed !== undefined) return { kind: 'left-out', skillPath, name, stop: unfitStop(name, unplayed) };
    const facts = await factsOf({ skill, tasks, options, resolved }, request, models);
    const notes = [
      ...resolved.notes,
      ...leftOutNotes(unallowed),
      ...unconfirmedNotes(tasks),
      ...(raised === undefined ? [] : [raisedNote(raised)]),
    ];
    return { kind: 'found', skillPath, skill, tasks, options, ownCaps, facts, notes, raised };
  } catch (error) {
    if (lacksTasks(error)) {
      const stop: Blocker = { name: 'no-tasks', sentence: error.message, cure: error.cure };
      return { kind: 'left-out', skillPath, name, stop };
    }
    return { kind: 'broken', skillPath, name, reason: messageOf(error) };
  }
}

/** A skill that the target cannot be asked about does not keep the others from their night. */
function toolStop(
  { name, places }: OpenSkill,
  { result: { split } }: SkillTasks,
  models: RoleModels,
): Blocker | undefined {
  const tasks = [...split.training, ...split.heldOut, ...split.sealed];
  const beyond = agentTasksBeyond(tasks, targetOf(models.target), places.skillPath);
  if (beyond !== undefined) return unfitStop(name, beyond);
  const needing = toolTasksBeyond(tasks, models).length;
  if (needing === 0) return undefined;
  const target = shownName(models.target);
  return {
    name: 'tool-tasks',
    sentence:
      needing === 1
        ? `${name}: 1 of its tasks needs a model that calls tools, and ${target} calls none.`
        : `${name}: ${needing} of its tasks need a model that calls tools, and ${target} calls none.`,
    cure: 'Choose another target for this skill, or leave these tasks out (“enabled”: false in evals/whetstone.json).',
  };
}

function unfitStop(name: string, { message, cure }: Unfit): Blocker {
  return { name: 'tool-tasks', sentence: `${name}: ${message}`, cure };
}

/** Options of the workspace that would raise the bound of a night are as they were agreed to, until they are asked about. */
async function optionsWithinAgreed(
  { world, skill, tasks }: Omit<RunSetup, 'options'>,
  wish: OptionRequest,
  { models, agreed }: NightTerms,
): Promise<ResolvedOptions & { readonly raised: RaisedBound | undefined }> {
  const now = await runOptionsFor(skill, wish);
  if (agreed === undefined || models === undefined) return { ...now, raised: undefined };
  const former = await runOptionsFor(skill, wish, agreed[skill.places.sharedState] ?? {});
  const bound = (options: RunOptions): Promise<NightBound> => nightBoundOf({ world, skill, tasks, options }, models);
  const bounds = { former: await bound(former.options), now: await bound(now.options) };
  const raised = isRaised(
    { bound: bounds.former, options: former.options },
    { bound: bounds.now, options: now.options },
  );
  return raised ? { ...former, raised: bounds } : { ...now, raised: undefined };
}

function raisedNote({ former, now }: RaisedBound): string {
  return `The options of the workspace would raise what a night may take from ${grouped(former.calls)} to ${grouped(now.calls)} calls; until you agree, those from before count.`;
}

/** What is adopted without asking is certified with no task getting worse, whatever else is set. */
function withAutoAdopt(request: NightRequest, skill: OpenSkill, adoption: AutoAdoption | undefined): NightRequest {
  if (adoption?.adopts(skill.places.skillPath) !== true) return request;
  return { ...request, settings: [...request.settings, { gate: { noRegression: true } }] };
}

async function factsOf(
  found: SkillSetup & { readonly resolved: ResolvedOptions },
  request: NightRequest,
  models: RoleModels | undefined,
): Promise<SkillFacts> {
  const { skill, tasks, options } = found;
  const { unsaved = [], force } = request;
  const memory = options.consolidate.memory ? await findMemoryFile(skill.places) : undefined;
  const read = [skill.places.skillPath, path.join(skill.places.root ?? '', memory?.path ?? '')];
  const fingerprint = models === undefined ? '' : await nightFingerprint(found, models);
  return {
    name: skill.name,
    path: skill.places.documentPath,
    confirmedTasks: tasks.read.tasks.filter((task) => task.enabled && !task.draft).length,
    unsaved: unsaved.some((file) => read.includes(file) || file.startsWith(`${skill.folder}${path.sep}`)),
    heldBy: await holderOf(skill),
    fingerprint,
    lastFingerprint: force || models === undefined ? undefined : await lastFingerprint(found, models, fingerprint),
    unadopted: await isLeftToAdopt(skill, request),
  };
}

/**
 * What the last night started from. A version that asked nobody about preferences trained on them: where that is all that
 * differs, nothing has changed since.
 */
async function lastFingerprint(
  { resolved: { unallowed, asWritten }, ...found }: SkillSetup & { readonly resolved: ResolvedOptions },
  models: RoleModels,
  now: string,
): Promise<string | undefined> {
  const last = await lastNight(found.skill).last();
  if (last === undefined || unallowed.length === 0) return last;
  return last === (await nightFingerprint({ ...found, options: asWritten }, models)) ? now : last;
}

/** Killed after it was staged, or refused at the time: what was to be adopted unasked waits for the person. */
async function isLeftToAdopt(skill: OpenSkill, { autoAdopt = [] }: NightRequest): Promise<boolean> {
  if (!autoAdopt.includes(skill.name)) return false;
  const pending = await pendingOf(skill);
  return pending !== undefined && pending.own && pending.proposal.verdict.kind === 'accepted';
}

/** Who works on the skill now; one that has died does not count, for its lock runs out. */
async function holderOf({ store }: OpenSkill): Promise<string | undefined> {
  const holder = await holderAtWork(runLock(store, ''));
  return holder === undefined ? undefined : holderText(holder);
}

type SkillSetup = Omit<RunSetup, 'world'>;

/** All that a night of this skill starts from. The same again would cost the same and find the same. */
export async function nightFingerprint(found: SkillSetup, models: RoleModels): Promise<string> {
  const { skill, tasks, options } = found;
  const taken = (tasks.unconfirmed?.taken ?? []).map(({ contentHash }) => `${contentHash}:unconfirmed`);
  const stated = tasks.read.tasks.map((task) => `${task.contentHash}:${task.draft}:${task.enabled}`);
  const hashes = [...stated, ...taken];
  return fingerprintNight({
    skillHash: skill.hash,
    tasksHash: sha256(canonicalJson(hashes)),
    modelId: canonicalJson(modelNames(models)),
    // What a night may spend decides how far it gets, not what it is about.
    optionsHash: sha256(canonicalJson({ ...rememberedOptions(options), caps: {} })),
    besideHash: sha256(canonicalJson(await besideOf(found))),
  });
}

/** What is read beside the skill and its task files: the memory file, the person's prompts, the fixtures, its other files. */
async function besideOf(found: SkillSetup): Promise<readonly unknown[]> {
  const { skill, tasks, options } = found;
  const files = await editableFiles(found);
  const memory = options.consolidate.memory ? await findMemoryFile(skill.places) : undefined;
  const prompts = (await ownPrompts(skill)).map(({ name, text }) => [name, text]);
  const named = tasks.read.tasks.flatMap((task) => listFixtures(task)).filter((file) => !leavesFolder(file));
  const fixtures: string[] = [];
  for (const file of new Set(named)) fixtures.push(`${file} ${await hashAt(path.join(skill.folder, file))}`);
  return [memory?.path ?? '', memory?.text ?? '', prompts, fixtures, ...(files === undefined ? [] : [files])];
}

async function hashAt(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => undefined); // missing, or a folder: the run will say so
  return bytes === undefined ? '-' : sha256(bytes);
}
