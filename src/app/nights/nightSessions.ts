import { realpath } from 'node:fs/promises';
import { messageOf, UserError } from '../../errors.js';
import type { Harvest, HarvestedSession, UnreadFile } from '../../harvest/harvested.js';
import { isWithin } from '../../harvest/scope.js';
import { isInside } from '../../isInside.js';
import type { SpendCap } from '../../ports/spend.js';
import type { Blocker, StopName } from '../../schedule/preconditions.js';
import { allowedFolders, allowedSources } from '../../storage/harvest/allowedSessions.js';
import type { HarvestedDraft } from '../../storage/harvest/harvestedDrafts.js';
import { newRunId } from '../../storage/runs/runFolder.js';
import { createHarvestUseCases } from '../harvest/harvest.js';
import { realFolders } from '../harvest/visitSessions.js';
import { isNamed } from '../mining/copies.js';
import { maySend } from '../mining/allowsSending.js';
import { doneFor } from '../mining/minedBefore.js';
import { mineSessions, previewMining, type MiningResult } from '../mining/mineSessions.js';
import type { MineTarget, MineWish } from '../mining/miningPlan.js';
import { openSkill } from '../openSkill.js';
import type { ToldSize } from '../runs/bound/toldSize.js';
import { runOptionsFor } from '../runs/runOptionsFor.js';
import { draftsToConfirm } from '../tasks/waitingDrafts.js';
import { readSkillTasks } from '../tasks/skillTasks.js';
import { userStore, type World } from '../world.js';
import { capForSessions, spentInRuns } from './nightLimits.js';
import { soundSkills, type NightAssessment } from './nightReadiness.js';
import type { NightResult, NightSessions } from './nightResult.js';
import type { NightRequest } from './nightSkills.js';
import { foldersOf } from './unconfirmedTasks.js';

const lookedBackMs = 30 * 24 * 3_600_000; // what was used is not looked through again
const mostUnread = 100; // files that are written down
const mostAsked = 20; // sessions that a model is asked about in one night

/** What keeps a night from the sessions too. A skill that is unchanged or lacks tasks may get some out of them. */
const keepsOut: readonly StopName[] = ['untrusted', 'no-consent', 'no-key', 'cap-reached', 'on-battery'];

/** Whether a night that is stopped like this would still look through sessions, which may end the reason. */
export async function looksThroughSessions(
  world: World,
  request: Pick<NightRequest, 'trusted'>,
  stops: readonly Blocker[],
): Promise<boolean> {
  if (!request.trusted || !world.trusted() || stops.some(({ name }) => keepsOut.includes(name))) return false;
  return (await allowedSources(await userStore(world, 'look'))).size > 0;
}

/**
 * Looks through the sessions since the last time and makes drafts of what was asked in them: with the optimizer where the
 * person said that it may be sent them, else by rules. Whatever goes wrong here costs no skill its training.
 */
export async function sessionsOfNight(
  given: World,
  request: NightRequest,
  weighed: NightAssessment,
  signal: AbortSignal,
): Promise<NightSessions> {
  const world = askingNobody(given);
  const runId = newRunId(world.clock.now());
  const found = await lookedThrough(world, { request, weighed, runId }, signal);
  const { calls, tokens, usd } = await spentInRuns(await userStore(world), [runId]);
  return { ...found, spend: { calls, tokens, usd }, runId };
}

async function lookedThrough(
  world: World,
  {
    request,
    weighed,
    runId,
  }: { readonly request: NightRequest; readonly weighed: NightAssessment; readonly runId: string },
  signal: AbortSignal,
): Promise<Omit<NightSessions, 'spend' | 'runId'>> {
  let found: Pick<NightSessions, 'read' | 'unread'> = { read: 0 };
  try {
    const { wish, unread } = await wishOf(world, request, weighed, signal);
    found = { read: wish.sessions.length, ...(unread.length === 0 ? {} : { unread: notRead(unread) }) };
    if (found.read === 0) return { ...found, asked: 0, drafts: 0 };
    return { ...found, ...cameOf(await mineSessions(world, { ...wish, runId }, signal)) };
  } catch (error) {
    if (signal.aborted) throw error;
    const cure = error instanceof UserError ? error.cure : '';
    const left = found.read === 0 ? {} : { left: found.read };
    return { ...found, ...left, asked: 0, drafts: 0, reason: `${messageOf(error)} ${cure}`.trim() };
  }
}

function notRead(files: readonly UnreadFile[]): NonNullable<NightSessions['unread']> {
  return { files: files.slice(0, mostUnread), node: process.versions.node };
}

function cameOf(mined: MiningResult): Pick<NightSessions, 'asked' | 'drafts' | 'left' | 'pushedOut' | 'reason'> {
  const { asked, failed, notAsked, partlyShown, pushedOut, skills } = mined;
  const [first] = failed;
  const left = failed.length + notAsked + partlyShown;
  return {
    asked,
    drafts: skills.reduce((sum, { drafts }) => sum + drafts.length, 0),
    ...(left === 0 ? {} : { left }),
    ...(pushedOut === 0 ? {} : { pushedOut }),
    ...(first === undefined ? {} : { reason: first.reason }),
  };
}

/** What a night would look through, and what asking a model about it would take. Keeps nothing and asks no model. */
export interface ExpectedSessions {
  readonly read: number;
  /** Undefined where no model would be asked. */
  readonly size: ToldSize | undefined;
  /** Found by rules; a model finds its own. By the path of the skill. */
  readonly drafts: ReadonlyMap<string, readonly HarvestedDraft[]>;
}

export async function expectedSessions(
  given: World,
  request: NightRequest,
  weighed: NightAssessment,
  signal: AbortSignal,
): Promise<ExpectedSessions> {
  const world = askingNobody(given);
  const { wish } = await wishOf(world, request, weighed, signal);
  const preview = await previewMining(world, wish, signal);
  const { size } = preview;
  return {
    read: wish.sessions.length,
    size: size && { ...size, ownHolds: { ...size.ownHolds, run: await capsOf(world, request, weighed, 'own') } },
    drafts: new Map(preview.skills.map(({ skillPath, drafts }) => [skillPath, drafts])),
  };
}

/** How many drafts out of sessions wait for the person in all of these skills, and in which of them any drafts do. */
export async function draftsWaiting(
  world: World,
  request: NightRequest,
  skills: readonly string[],
): Promise<Pick<NonNullable<NightResult['sessions']>, 'waiting' | 'waitingFor'>> {
  const counts = await Promise.all(
    skills.map(async (skillPath) => {
      const skill = await openSkill(world, { ...request, skillPath }, 'look');
      const { all, harvested } = await draftsToConfirm(skill, (await readSkillTasks(skill))?.read);
      return { harvested, told: { skillPath: skill.places.skillPath, name: skill.name, drafts: all } };
    }),
  );
  return {
    waiting: counts.reduce((sum, { harvested }) => sum + harvested, 0),
    waitingFor: counts.map(({ told }) => told).filter(({ drafts }) => drafts > 0),
  };
}

/** At night nobody is there: what was not allowed by day is not done. What holds the night was told before it. */
function askingNobody(world: World): World {
  return { ...world, interactive: false, allowsSending: undefined, allowsPrompt: undefined, tell: () => undefined };
}

async function wishOf(
  world: World,
  request: NightRequest,
  weighed: NightAssessment,
  signal: AbortSignal,
): Promise<{ readonly wish: MineWish; readonly unread: readonly UnreadFile[] }> {
  const skills = soundSkills(weighed);
  const targets = await targetsOf(world, request, skills);
  const { sessions, unread } = await newSessions(world, targets, signal);
  const { optimizer } = await world.models(signal);
  const isAsked = world.byHand?.() !== true && (await maySend(world, optimizer));
  const wish: MineWish = {
    sessions,
    targets,
    by: isAsked ? 'model' : 'rules',
    mostSessions: mostAsked,
    trusted: request.trusted,
    caps: await capsOf(world, request, weighed, 'options'),
  };
  return { wish, unread };
}

/** Those that some skill did not have yet: what was used for one is new to another. */
async function newSessions(
  world: World,
  targets: readonly MineTarget[],
  signal: AbortSignal,
): Promise<Pick<Harvest, 'sessions' | 'unread'>> {
  const folders = [...new Set(targets.flatMap((target) => target.folders))];
  const since = world.clock.now() - lookedBackMs;
  const request = { folders, since, isDone: await doneForAll(world, targets) };
  return createHarvestUseCases(world).harvestSessions(request, signal);
}

/** One that was mined for a skill, or gave nothing for it, is looked at again only for another one, of another name where it was mined. */
async function doneForAll(
  world: World,
  targets: readonly MineTarget[],
): Promise<(session: Pick<HarvestedSession, 'mark' | 'realFolder' | 'alsoIn'>) => boolean> {
  const each = await Promise.all(
    targets.map(async (target) => {
      const skill = await openSkill(world, target, 'look');
      return { name: skill.name, folders: await realFolders(target.folders), done: await doneFor(skill) };
    }),
  );
  return (session) => {
    const wanting = each.filter(({ folders }) => isWithin(folders, session));
    const mined = wanting.filter(({ done }) => done(session) === 'mined');
    const isDone = ({ name, done }: (typeof each)[number]): boolean =>
      done(session) !== undefined || mined.some(isNamed(name));
    return wanting.length > 0 && wanting.every(isDone);
  };
}

/** A skill of the workspace takes its sessions; one that lies elsewhere those of folders that the person said yes to. */
async function targetsOf(
  world: World,
  request: NightRequest,
  skills: readonly string[],
): Promise<readonly MineTarget[]> {
  const store = await userStore(world, 'look');
  const open = await realFolders(foldersOf(request));
  const { workspaceFolders, explicitRoot, cwd } = request;
  return Promise.all(
    skills.map(async (skillPath) => {
      const real = await realpath(skillPath).catch(() => skillPath);
      const isHere = open.some((folder) => isInside(folder, real));
      const folders = isHere ? open : await allowedFolders(store, real);
      return { skillPath, workspaceFolders, explicitRoot, cwd, folders };
    }),
  );
}

/** Of all skills that it may be done for, as nobody knows before whose sessions are found; within the cap of the night. */
async function capsOf(
  world: World,
  request: NightRequest,
  weighed: NightAssessment,
  whose: 'options' | 'own',
): Promise<SpendCap> {
  const all = await Promise.all(
    soundSkills(weighed).map(async (skillPath) => {
      const skill = await openSkill(world, { ...request, skillPath }, 'look');
      const { options, ownCaps } = await runOptionsFor(skill, { ...request, purpose: 'night' });
      return whose === 'own' ? ownCaps : options.caps;
    }),
  );
  const trained = weighed.train.map(({ options, ownCaps }) => (whose === 'own' ? ownCaps : options.caps));
  return capForSessions([...all, ...trained], request.cap, weighed.stops.length === 0 && trained.length > 0);
}
