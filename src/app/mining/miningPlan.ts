import path from 'node:path';
import type { HarvestedSession } from '../../harvest/harvested.js';
import { marksOf } from '../../harvest/mine/instructions.js';
import { intentsOf, type CountedRequest, type Intent } from '../../harvest/mine/intents.js';
import { isEmptied, requestsIn } from '../../harvest/mine/requests.js';
import { skillFinder, type OfferedSkill, type SkillChoice } from '../../harvest/mine/skillFor.js';
import { liesIn } from '../../harvest/scope.js';
import { isInside } from '../../isInside.js';
import type { SpendCap } from '../../ports/spend.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { nameOf } from '../../skill/skillName.js';
import { readSkillFile, type SkillFile } from '../../storage/harvest/homeSkills.js';
import { knownCommit } from '../../storage/programs/workplace/exportCommit.js';
import type { TaskSource } from '../../tasks/makeTask.js';
import type { AgentTask } from '../../tasks/task.js';
import { realFolders } from '../harvest/visitSessions.js';
import { openSkill, type OpenSkill, type SkillRequest } from '../openSkill.js';
import { minedBefore, type MinedBefore } from './minedBefore.js';
import type { World } from '../world.js';

/** A skill that tasks may be found for, and whose sessions they may come from. */
export interface MineTarget extends SkillRequest {
  /** Sessions of these folders and of those beneath them. */
  readonly folders: readonly string[];
}

/** What is to be mined, and how. */
export interface MineWish {
  readonly sessions: readonly HarvestedSession[];
  readonly targets: readonly MineTarget[];
  /** Skills that may be the right ones for a request, by the paths of their SKILL.md; no tasks are found for them. */
  readonly beside?: readonly string[] | undefined;
  readonly by: 'model' | 'rules';
  /** How many sessions a model is shown at most. */
  readonly mostSessions: number;
  readonly trusted: boolean;
  /** What it may take at most, beside the caps of the day and the month. */
  readonly caps?: SpendCap | undefined;
  /** Told once nothing is asked of the person any more, and a model is asked about so many sessions. */
  readonly asking?: ((sessions: number) => void) | undefined;
  /** What its calls are booked under; a name of its own where none is said. */
  readonly runId?: string | undefined;
}

/** A request with the skill that it belongs to, and what it is attempted in. */
export interface AssignedRequest {
  readonly request: CountedRequest;
  readonly skill: OpenSkill;
  readonly how: SkillChoice['how'];
  /** In how many sessions this very request was made. */
  readonly sessions: number;
  /** The repository of the session as it was, where the request needs files. */
  readonly fixture: Exclude<AgentTask['fixture'], string> | undefined;
}

/** A request about files that are not known, or gone. */
export interface NotReplayable {
  readonly asked: string;
  readonly source: string;
  readonly why: 'no-commit' | 'gone' | 'elsewhere';
}

/** Work that came up more than once, and that no skill is for. */
export interface SkillSuggestion {
  readonly asked: string;
  readonly sessions: number;
  readonly corrected: number;
}

export interface MiningPlan {
  /** What came up most often first. */
  readonly assigned: readonly AssignedRequest[];
  readonly suggestions: readonly SkillSuggestion[];
  readonly notReplayable: readonly NotReplayable[];
  /** How many messages were little more than a secret, which was taken out. */
  readonly emptied: number;
  /** How many sessions with work for a skill were mined for it before, and how many drafts of these wait. */
  readonly minedBefore: number;
  readonly waiting: number;
  /** Marks of the sessions that hold nothing for a skill, or nothing but what it has already or nobody can attempt again. */
  readonly empty: ReadonlyMap<OpenSkill, readonly string[]>;
}

const mostOfIntent = 60; // tasks: nobody reviews more of one kind
const mostSuggestions = 10;
const longestExample = 160; // characters
const oftenEnough = 2; // sessions

/** Finds what the sessions ask for, whose skill's work it is, and what could be attempted again. Asks no model. */
export async function miningPlan(
  world: World,
  { sessions, targets, beside = [] }: Pick<MineWish, 'sessions' | 'targets' | 'beside'>,
  purpose: 'look' | 'work',
  signal: AbortSignal,
): Promise<MiningPlan> {
  const skills = await Promise.all(
    targets.map(async (target) => {
      const skill = await openSkill(world, target, purpose);
      return { skill, folders: await realFolders(target.folders), before: await minedBefore(skill) };
    }),
  );
  const intents = intentsOf(sessions.flatMap(requestsIn));
  const others = (await Promise.all(beside.map(readSkillFile))).filter((each) => each !== undefined);
  const own = skills.map(({ skill: { places, text } }) => ({ skillPath: places.skillPath, text }));
  const find = skillFinder(offeredSkills(own, others));
  const chosen = intents.map((intent) => ({ intent, choice: find(intent) }));
  const all = chosen.flatMap(({ intent, choice }) => {
    const found = choice && skills.find(({ skill }) => skill.name === choice.name);
    if (choice === undefined || found === undefined) return [];
    return intent.requests
      .filter(({ session }) => found.folders.some((folder) => liesIn(folder, session.realFolder)))
      .slice(0, mostOfIntent)
      .map((request) => ({
        request,
        skill: found.skill,
        how: choice.how,
        sessions: request.times,
        before: found.before,
      }));
  });
  const fresh = all.filter(({ request, before }) => !before.isMined(request.session));
  const { assigned, notReplayable } = await withFixtures(fresh, world, signal);
  const kept = assigned.filter((each) => !each.before.isKnown(taskOf(each)));
  return {
    assigned: kept,
    notReplayable,
    minedBefore: countSessions(all) - countSessions(kept),
    waiting: skills.reduce((sum, { before }) => sum + before.waiting, 0),
    suggestions: chosen
      .flatMap(({ intent, choice }) => (choice === undefined ? suggestionOf(intent) : []))
      .slice(0, mostSuggestions),
    emptied: sessions.flatMap(({ exchanges }) => exchanges).filter(isEmptied).length,
    empty: emptyOf(sessions, skills, chosen),
  };
}

/** A skill that tasks are found for. */
interface SoughtFor {
  readonly skill: OpenSkill;
  readonly folders: readonly string[];
  readonly before: MinedBefore;
}

function emptyOf(
  sessions: readonly HarvestedSession[],
  skills: readonly SoughtFor[],
  chosen: readonly { readonly intent: Intent; readonly choice: SkillChoice | undefined }[],
): MiningPlan['empty'] {
  return new Map(
    skills.map(({ skill, folders, before }) => {
      const own = chosen.filter(({ choice }) => choice?.name === skill.name);
      const work = own.flatMap(({ intent }) => intent.requests).filter((request) => isWork(request, before));
      const withWork = new Set(work.map(({ session }) => session));
      const here = sessions.filter(({ realFolder }) => folders.some((folder) => liesIn(folder, realFolder)));
      return [skill, here.filter((session) => !withWork.has(session)).map(({ mark }) => mark)];
    }),
  );
}

/** A repository that is gone may be back tomorrow; what names no commit can never be attempted again. */
function isWork(request: CountedRequest, before: MinedBefore): boolean {
  if (request.needsFiles) return request.session.git.commit !== undefined;
  return !before.isKnown(taskOf({ request, fixture: undefined }));
}

/** The words of a request, and what it is attempted in. */
function taskOf({ request, fixture }: Pick<AssignedRequest, 'request' | 'fixture'>): TaskSource {
  const { asked: prompt } = request;
  return { id: 'asked', prompt, ...(fixture === undefined ? {} : { agent: { fixture, mode: 'offered' } }) };
}

function countSessions(requests: readonly Pick<AssignedRequest, 'request'>[]): number {
  return new Set(requests.map(({ request }) => request.session)).size;
}

/** One of the same name cannot be told from a skill that tasks are wanted for. */
function offeredSkills(own: readonly SkillFile[], others: readonly SkillFile[]): readonly OfferedSkill[] {
  const wanted = own.map(offeredSkill);
  const names = new Set(wanted.map(({ name }) => name));
  return [...wanted, ...others.map(offeredSkill).filter(({ name }) => !names.has(name))];
}

/** A skill as agents are told of it. */
function offeredSkill({ skillPath, text }: SkillFile): OfferedSkill {
  const { frontMatter } = parseSkill(text);
  return { name: frontMatter?.name ?? nameOf(skillPath), description: frontMatter?.description ?? '' };
}

/** Where one was loaded, there is a skill for it, wherever it lies. */
function suggestionOf({ sessions, corrected, requests }: Intent): readonly SkillSuggestion[] {
  const example = requests.find(({ asked }) => marksOf(asked).length === 0);
  const hasSkill = requests.some(({ fired }) => fired.length > 0);
  if (sessions < oftenEnough || hasSkill || example === undefined) return [];
  return [{ asked: shortened(example.asked), sessions, corrected }];
}

function shortened(asked: string): string {
  const line = asked.replaceAll(/\s+/gu, ' ').trim();
  return line.length > longestExample ? `${line.slice(0, longestExample)}…` : line;
}

/** What needs no files is attempted as it is; what does, in its repository as it was; nothing else is attempted at all. */
async function withFixtures<Found extends Omit<AssignedRequest, 'fixture'>>(
  assigned: readonly Found[],
  world: World,
  signal: AbortSignal,
): Promise<
  Pick<MiningPlan, 'notReplayable'> & { readonly assigned: readonly (Found & Pick<AssignedRequest, 'fixture'>)[] }
> {
  const found = await Promise.all(assigned.map(async (each) => ({ each, place: await placeOf(each, world, signal) })));
  return {
    assigned: found.flatMap(({ each, place }) => (typeof place === 'string' ? [] : [{ ...each, fixture: place }])),
    notReplayable: found.flatMap(({ each: { request }, place }) =>
      typeof place === 'string'
        ? [{ asked: shortened(request.asked), source: request.session.source, why: place }]
        : [],
    ),
  };
}

/** Undefined where the request needs no files. */
async function placeOf(
  { request, skill }: Pick<AssignedRequest, 'request' | 'skill'>,
  { environment }: Pick<World, 'environment'>,
  signal: AbortSignal,
): Promise<AssignedRequest['fixture'] | NotReplayable['why']> {
  if (!request.needsFiles) return undefined;
  const { git, realFolder } = request.session;
  if (git.commit === undefined) return 'no-commit';
  const root = skill.places.root ?? skill.folder;
  const asked = { repository: realFolder, commit: git.commit, environment, workspace: [root] };
  const known = await knownCommit(asked, signal);
  if (known === undefined) return 'gone';
  // What a run hands to an agent: a repository of the workspace, or the one that the skill lies in.
  if (!isInside(root, known.repository) && !isInside(known.repository, skill.folder)) return 'elsewhere';
  const repository = path.relative(skill.folder, known.repository).split(path.sep).join('/');
  return { repository: repository === '' ? '.' : repository, commit: known.commit };
}
