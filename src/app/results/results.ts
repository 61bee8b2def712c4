import { readFile } from 'node:fs/promises';
import { RunSummarySchema } from '../../engine/journal/runSummary.js';
import { decodeSkill } from '../../skill/document/decodeSkill.js';
import { cleanSkill } from '../../storage/state/clean.js';
import { readVersion } from '../../storage/adoption/history.js';
import { readKnownOnce } from '../../storage/state/knownSkills.js';
import { skillStamp, stateStamp } from '../../storage/state/stateStamp.js';
import { openUserStore } from '../../storage/state/store.js';
import { listRuns } from '../../storage/runs/summaries.js';
import { openTexts } from '../../storage/runs/texts.js';
import { makeUserState, userStateFolder } from '../../storage/state/userState.js';
import { answerChecksOf } from './answerChecks.js';
import { checkSkill, refuseWithoutRecord } from './checkRecord.js';
import { openSkill, type OpenSkill } from '../openSkill.js';
import { overviewOf, pendingOf, textOnDisk, versionsOf, type ListedRuns } from './overview.js';
import { recordedChecks } from './recordedChecks.js';
import { reportDataOf } from './reportData.js';
import type { Changes, ResultMethods } from './resultMethods.js';
import { unmeasuredSince } from '../../review/measurementStatus.js';
import type { SkillRequest, UseCases } from '../useCases.js';
import type { World } from '../world.js';

/** What is shown and shared of results; scoring is asked of the runs. */
export function resultsOf(world: World, evaluate: UseCases['evaluate']): ResultMethods {
  const stamps: Stamps = { places: new Map(), skills: new Map() };
  return {
    readMany: () => lookingTogether(world, stamps),
    pollChanges: () => changedSince(stamps),
    async versionText({ version, side, ...request }) {
      return versionText(await openSkill(world, request, 'look'), version, side);
    },
    async textNow({ version, ...request }) {
      const skill = await openSkill(world, request, 'look');
      const [file] = (await versionsOf(skill)).find(({ id }) => id === version)?.files ?? [];
      if (file === undefined || file === skill.places.skillPath) return skill.text;
      return decodeSkill(await readFile(file), file);
    },
    async unmeasuredBase(request) {
      const skill = await openSkill(world, request, 'look');
      const [pending, history] = await Promise.all([pendingOf(skill), versionsOf(skill)]);
      const version = unmeasuredSince(await textOnDisk(skill, pending, history));
      return version === undefined ? undefined : versionText(skill, version, 'before');
    },
    async answerChecks({ taskId, answerHash, ...request }, signal) {
      const skill = await openSkill(world, request, 'look');
      const { tasks, runs } = await overviewOf(skill);
      const texts = openTexts(await openUserStore(await makeUserState(world), world.clock));
      const answer = await texts.get(answerHash);
      if (tasks === undefined || answer === undefined) return undefined;
      const recorded = await recordedChecks(skill, runs, { taskId, answerHash, texts });
      return answerChecksOf(tasks, { taskId, answer, recorded }, signal);
    },
    async reportData(request) {
      const skill = await openSkill(world, request, 'look');
      return reportDataOf(skill, await overviewOf(skill), request.run);
    },
    async checkRecord(request, observe, signal) {
      const skill = await openSkill(world, request, 'work');
      const { update, allow } = request;
      if (!update) await refuseWithoutRecord(skill);
      const { tasks } = await overviewOf(skill);
      const only = [...(tasks?.training ?? []), ...(tasks?.heldOut ?? [])].map(({ id }) => id);
      const result = await evaluate({ ...request, withoutSkill: false, only }, observe, signal);
      return checkSkill(skill, result, { update, allow, at: world.clock.now() });
    },
    async cleanData(request, signal) {
      return cleanSkill((await openSkill(world, request, 'work')).store, signal);
    },
  };
}

async function versionText(
  { store, places }: OpenSkill,
  version: string,
  side: 'before' | 'after',
): Promise<string | undefined> {
  const bytes = await readVersion(store, { seq: Number(version), side });
  return bytes === undefined ? undefined : decodeSkill(Buffer.from(bytes), places.documentPath);
}

/** When what was looked at last changed, as far as is known. */
interface Stamps {
  readonly places: Map<string, Promise<string>>;
  /** By the path that was asked about. */
  readonly skills: Map<string, Promise<string>>;
}

/** One list of runs for each place that holds them, whichever skill asks first. */
function lookingTogether(world: World, stamps: Stamps): ReturnType<ResultMethods['readMany']> {
  const listed = new Map<string, Promise<ListedRuns>>();
  const known = readKnownOnce(userStateFolder(world));
  return async (request: SkillRequest) => {
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
