import { readFile } from 'node:fs/promises';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { readVersion } from '../../storage/adoption/history.js';
import { openTexts } from '../../storage/files/contentStore.js';
import { cleanSkill } from '../../storage/state/retention.js';
import { openPlace, openSkill, type OpenSkill, type SkillPlace, type SkillRequest } from '../openSkill.js';
import { statusOnDisk, unmeasuredSince } from '../../review/measurementStatus.js';
import { pendingOf, textOnDisk } from '../proposals/pending.js';
import { versionsOf, type AdoptedVersion } from '../proposals/versions.js';
import type { RunObserver } from '../runs/runJournal.js';
import type { RunUseCases } from '../runs/runs.js';
import type { RunRequest } from '../runs/runStart.js';
import { refuseLinkedTasks } from '../tasks/taskFiles.js';
import { judgedBy } from '../tasks/taskView.js';
import { userStore, type World } from '../world.js';
import { answerChecksOf, checksInJournals, type AnswerChecks } from './answerChecks.js';
import { checkSkill, refuseWithoutRecord, type RecordCheck } from './checkRecord.js';
import { gateAttempts, type GateAttempt } from './keptAttempts.js';
import { lastReport, overviewOf, type SkillOverview, type ListedRuns } from './overview.js';
import { reportDataOf, type ReportData } from './reportData.js';
import { RunSummarySchema } from '../../engine/journal/runSummary.js';
import { listRuns } from '../../storage/runs/summaries.js';
import { readKnownOnce } from '../../storage/state/knownSkills.js';
import { skillStamp, stateStamp } from '../../storage/state/stateStamp.js';
import { userStateFolder } from '../../storage/state/userState.js';

/** What is shown of results, and what a team shares of them. */
export interface ResultUseCases {
  overview(request: SkillRequest, signal: AbortSignal): Promise<SkillOverview>;
  /** Every version that was adopted, newest first; also of a skill whose file cannot be read, or is gone. */
  history(request: SkillRequest): Promise<readonly AdoptedVersion[]>;
  /** The report of a run (of the last that left one, where none is named) as Markdown; undefined where there is none. */
  report(
    request: SkillRequest & { readonly run?: string | undefined },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  /** A stored answer or text, by hash. */
  text(hash: string): Promise<string | undefined>;
  /**
   * Looks at many skills together: what they share, such as the list of runs, is read once. Ask for a new one whenever
   * something may have changed.
   */
  readMany(): (request: SkillRequest) => Promise<SkillOverview>;
  /**
   * What changed on disk of the skills that were looked at, since this was last asked or since they were looked at: by
   * another window, by the command line, or here.
   */
  pollChanges(): Promise<Changes>;
  /**
   * The text of a file before or after one of our changes: of one of those that it changed, or else of the skill, or of what
   * alone it changed. Undefined where it is no longer stored.
   */
  versionText(request: SkillRequest & VersionFile & { readonly side: 'before' | 'after' }): Promise<string | undefined>;
  /** The same file as it is on disk. */
  textNow(request: SkillRequest & VersionFile): Promise<string>;
  /** The text before the adoption that left the skill as it is on disk, unmeasured; undefined where none did. */
  unmeasuredBase(request: SkillRequest): Promise<string | undefined>;
  /** What the rules among a task's checks say of a stored answer. Asks no model and runs no program. */
  answerChecks(
    request: SkillRequest & { readonly taskId: string; readonly answerHash: string },
    signal: AbortSignal,
  ): Promise<AnswerChecks | undefined>;
  /**
   * The attempts at a held-out task that stand behind the verdict on the waiting proposal, as far as they are kept: those
   * under the skill as it was, and those with the edits.
   */
  gateAttempts(request: SkillRequest & { readonly taskId: string }): Promise<readonly GateAttempt[]>;
  /** Everything that the training report draws, without answers and prompts; undefined where nothing was run yet. */
  reportData(request: SkillRequest & { readonly run?: string | undefined }): Promise<ReportData | undefined>;
  /** Scores the skill and compares with `evals/record.json`; with `update` it writes the record instead. */
  checkRecord(
    request: RunRequest & {
      /** Asks the models anew, for a record is what was measured. */
      readonly update: boolean;
      /** Asks the models anew, whatever answers are stored. */
      readonly fresh?: boolean;
      /** By how much (0..1) the score may lie below the record. */
      readonly allow: number;
    },
    observe: RunObserver,
    signal: AbortSignal,
  ): Promise<RecordCheck>;
  /** Deletes all that is kept about a skill; the skill and its tasks stay. */
  cleanData(request: SkillRequest, signal: AbortSignal): Promise<{ readonly runs: number }>;
}

/** A file that one of our changes was made in. */
interface VersionFile {
  readonly version: string;
  /** Where it lies; see {@link AdoptedVersion.files}. */
  readonly file?: string | undefined;
}

/** Wired to files; scoring is asked of the runs. */
export function createResultUseCases(world: World, { evaluate }: Pick<RunUseCases, 'evaluate'>): ResultUseCases {
  const stamps: Stamps = { places: new Map(), skills: new Map() };
  const look = (request: SkillRequest): Promise<OpenSkill> => openSkill(world, request, 'look');
  return {
    overview: async (request) => overviewOf(await look(request)),
    history: async (request) => versionsOf(await openPlace(world, request, 'look')),
    report: async (request) => lastReport(await look(request), request.run),
    text: async (hash) => openTexts(await userStore(world, 'look')).get(hash),
    readMany: () => readMany(world, stamps),
    pollChanges: () => changedSince(stamps),
    async versionText({ version, file, side, ...request }) {
      return versionText(await openPlace(world, request, 'look'), { version, file }, side);
    },
    textNow: async (request) => textNow(await look(request), request),
    async unmeasuredBase(request) {
      const skill = await look(request);
      const [pending, history] = await Promise.all([pendingOf(skill), versionsOf(skill)]);
      const onDisk = await textOnDisk(skill, pending, history);
      const version = unmeasuredSince(onDisk);
      if (version !== undefined) return versionText(skill, { version }, 'before');
      // Edits of files alone: the skill's own text is the same on both sides.
      const isOfFiles = onDisk.beside !== undefined && statusOnDisk(onDisk).kind === 'unmeasured';
      return isOfFiles ? skill.text : undefined;
    },
    async answerChecks({ taskId, answerHash, ...request }, signal) {
      const skill = await look(request);
      const { tasks, runs } = await overviewOf(skill);
      const texts = openTexts(await userStore(world, 'look'));
      const answer = await texts.get(answerHash);
      if (tasks === undefined || answer === undefined) return undefined;
      const journaled = await checksInJournals(skill, runs, { taskId, answerHash, texts });
      return answerChecksOf(tasks, { taskId, answer, journaled }, signal);
    },
    gateAttempts: async (request) => attemptsBehind(await look(request), request.taskId, world),
    async reportData(request) {
      const skill = await look(request);
      return reportDataOf(skill, await overviewOf(skill), request.run);
    },
    async checkRecord(request, observe, signal) {
      const skill = await openSkill(world, request, 'work');
      const { update, allow, fresh = false } = request;
      await (update ? refuseLinkedTasks(skill) : refuseWithoutRecord(skill));
      const { tasks } = await overviewOf(skill);
      const only = [...(tasks?.training ?? []), ...(tasks?.heldOut ?? [])].map(({ id }) => id);
      const result = await evaluate({ ...request, withoutSkill: false, only, fresh: update || fresh }, observe, signal);
      return checkSkill(skill, result, { update, allow, at: world.clock.now() });
    },
    cleanData: async (request, signal) => cleanSkill((await openSkill(world, request, 'work')).store, signal),
  };
}

/** Of the proposal that waits, at one of its tasks. */
async function attemptsBehind(skill: OpenSkill, taskId: string, world: World): Promise<readonly GateAttempt[]> {
  const { tasks, runs, pending } = await overviewOf(skill);
  const task = [...(tasks?.heldOut ?? []), ...(tasks?.training ?? [])].find(({ id }) => id === taskId);
  if (task === undefined || pending === undefined) return [];
  const texts = openTexts(await userStore(world, 'look'));
  const { proposal } = pending;
  return gateAttempts(skill, { proposal, runs }, { id: taskId, criteria: judgedBy(task), texts });
}

async function textNow(skill: OpenSkill, { version, file: wanted }: VersionFile): Promise<string> {
  const versions = await versionsOf(skill);
  const own = versions.find(({ id }) => id === version)?.files ?? [];
  // What a version left alone may have changed since.
  const file = wanted === undefined ? own[0] : versions.flatMap(({ files }) => files).find((each) => each === wanted);
  if (file === undefined || file === skill.places.skillPath) return skill.text;
  return decodeSkill(await readFile(file), file);
}

async function versionText(
  { store, places }: SkillPlace,
  { version, file }: VersionFile,
  side: 'before' | 'after',
): Promise<string | undefined> {
  const bytes = await readVersion(store, { seq: Number(version), side }, file);
  return bytes === undefined ? undefined : decodeSkill(Buffer.from(bytes), places.documentPath);
}

/** What changed on disk. */
interface Changes {
  /** Proposals, decisions or runs: of whichever skill. */
  readonly anySkill: boolean;
  /** The paths of those whose own files changed: the skill or its tasks. */
  readonly skills: readonly string[];
}

/** When what was looked at last changed, as far as is known. */
interface Stamps {
  readonly places: Map<string, Promise<string>>;
  /** By the path that was asked about. */
  readonly skills: Map<string, Promise<string>>;
}

/** One list of runs for each place that holds them, whichever skill asks first. */
function readMany(world: World, stamps: Stamps): (request: SkillRequest) => Promise<SkillOverview> {
  const listed = new Map<string, Promise<ListedRuns>>();
  const known = readKnownOnce(userStateFolder(world));
  return async (request) => {
    // Before anything is read: what changes during the look counts as changed since.
    const own = skillStamp(request.skillPath);
    stamps.skills.set(request.skillPath, own);
    await own;
    const skill = await openSkill(world, request, 'look', known);
    const place = skill.places.workspaceState;
    if (!stamps.places.has(place)) stamps.places.set(place, stateStamp(place));
    await stamps.places.get(place);
    const runs = listed.get(place) ?? listRuns(skill.store, RunSummarySchema);
    listed.set(place, runs);
    return overviewOf(skill, runs);
  };
}

/** What changed of them since this was last asked, or since they were looked at. */
async function changedSince({ places, skills }: Stamps): Promise<Changes> {
  const [changed, touched] = await Promise.all([changedOf(places, stateStamp), changedOf(skills, skillStamp)]);
  return { anySkill: changed.length > 0, skills: touched };
}

async function changedOf(
  stamps: Map<string, Promise<string>>,
  stampOf: (path: string) => Promise<string>,
): Promise<readonly string[]> {
  const looks = [...stamps].map(async ([path, before]) => {
    const now = await stampOf(path);
    // Whoever looked meanwhile knows better.
    if (stamps.get(path) === before) stamps.set(path, Promise.resolve(now));
    return now === (await before) ? [] : [path];
  });
  return (await Promise.all(looks)).flat();
}
