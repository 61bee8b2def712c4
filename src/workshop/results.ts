import { RunSummarySchema } from '../engine/runSummary.js';
import { decodeSkill } from '../skill/decodeSkill.js';
import { cleanSkill } from '../storage/clean.js';
import { readVersion } from '../storage/history.js';
import { readKnownOnce } from '../storage/knownSkills.js';
import { stateStamp } from '../storage/stateStamp.js';
import { openUserStore } from '../storage/store.js';
import { listRuns } from '../storage/summaries.js';
import { openTexts } from '../storage/texts.js';
import { makeUserState, userStateFolder } from '../storage/userState.js';
import { answerChecksOf } from './answerChecks.js';
import { checkSkill, refuseWithoutRecord } from './checkRecord.js';
import { openSkill, type OpenSkill } from './openSkill.js';
import { overviewOf, versionsOf, type ListedRuns } from './overview.js';
import { recordedChecks } from './recordedChecks.js';
import { reportDataOf } from './reportData.js';
import type { ResultMethods } from './resultMethods.js';
import { unmeasuredSince } from './takenPart.js';
import type { SkillRequest, Workshop } from './workshop.js';
import type { World } from './world.js';

/** What is shown and shared of results; scoring is asked of the runs. */
export function resultsOf(world: World, evaluate: Workshop['evaluate']): ResultMethods {
  const stamps: Stamps = new Map();
  return {
    lookTogether: () => lookingTogether(world, stamps),
    lookForChanges: () => changedSince(stamps),
    async versionText({ version, side, ...request }) {
      return versionText(await openSkill(world, request, 'look'), version, side);
    },
    async skillText(request) {
      return (await openSkill(world, request, 'look')).text;
    },
    async unmeasuredBase(request) {
      const skill = await openSkill(world, request, 'look');
      const version = unmeasuredSince(await versionsOf(skill), skill.hash);
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
  const bytes = await readVersion(store, { seq: Number(version), side }, places.documentPath);
  return bytes === undefined ? undefined : decodeSkill(Buffer.from(bytes), places.documentPath);
}

/** When each place that was looked at last changed, as far as is known. */
type Stamps = Map<string, Promise<string>>;

/** One list of runs for each place that holds them, whichever skill asks first. */
function lookingTogether(world: World, stamps: Stamps): ReturnType<ResultMethods['lookTogether']> {
  const listed = new Map<string, Promise<ListedRuns>>();
  const known = readKnownOnce(userStateFolder(world));
  return async (request: SkillRequest) => {
    const skill = await openSkill(world, request, 'look', known);
    const place = skill.places.workspaceState;
    // Before anything is read: what changes during the look counts as changed since.
    if (!stamps.has(place)) stamps.set(place, stateStamp(place));
    await stamps.get(place);
    const runs = listed.get(place) ?? listRuns(skill.store, RunSummarySchema);
    listed.set(place, runs);
    return overviewOf(skill, runs);
  };
}

async function changedSince(stamps: Stamps): Promise<boolean> {
  const looks = [...stamps].map(async ([place, before]) => {
    const now = await stateStamp(place);
    stamps.set(place, Promise.resolve(now));
    return now !== (await before);
  });
  return (await Promise.all(looks)).includes(true);
}
