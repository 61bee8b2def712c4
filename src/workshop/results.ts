import { RunSummarySchema } from '../engine/runSummary.js';
import { decodeSkill } from '../skill/decodeSkill.js';
import { cleanSkill } from '../storage/clean.js';
import { readVersion } from '../storage/history.js';
import { openUserStore } from '../storage/store.js';
import { listRuns } from '../storage/summaries.js';
import { openTexts } from '../storage/texts.js';
import { makeUserState } from '../storage/userState.js';
import { answerChecksOf } from './answerChecks.js';
import { checkSkill, refuseWithoutRecord } from './checkRecord.js';
import { openSkill, type OpenSkill } from './openSkill.js';
import { overviewOf, versionsOf, type ListedRuns } from './overview.js';
import { reportDataOf } from './reportData.js';
import type { ResultMethods } from './resultMethods.js';
import { unmeasuredSince } from './takenPart.js';
import type { SkillRequest, Workshop } from './workshop.js';
import type { World } from './world.js';

/** What is shown and shared of results; scoring is asked of the runs. */
export function resultsOf(world: World, evaluate: Workshop['evaluate']): ResultMethods {
  return {
    lookTogether: () => lookingTogether(world),
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
      const { tasks } = await overviewOf(await openSkill(world, request, 'look'));
      const texts = openTexts(await openUserStore(await makeUserState(world), world.clock));
      const answer = await texts.get(answerHash);
      return tasks === undefined || answer === undefined
        ? undefined
        : answerChecksOf(tasks, { taskId, answer }, signal);
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

/** One list of runs for each place that holds them, whichever skill asks first. */
function lookingTogether(world: World): ReturnType<ResultMethods['lookTogether']> {
  const listed = new Map<string, Promise<ListedRuns>>();
  return async (request: SkillRequest) => {
    const skill = await openSkill(world, request, 'look');
    const place = skill.places.workspaceState;
    const runs = listed.get(place) ?? listRuns(skill.store, RunSummarySchema);
    listed.set(place, runs);
    return overviewOf(skill, runs);
  };
}
