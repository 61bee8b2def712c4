import type { HarvestedSession } from '../../harvest/harvested.js';
import { marksOf } from '../../harvest/mine/instructions.js';
import { oneLine } from '../../harvest/mine/minedTask.js';
import { intentsOf, type Intent } from '../../harvest/mine/intents.js';
import { followsSkill, isEmptied, requestsIn } from '../../harvest/mine/requests.js';
import { loadedSkill, skillFinder, type OfferedSkill, type SkillChoice } from '../../harvest/mine/skillFor.js';
import { isWithin } from '../../harvest/scope.js';
import type { SpendCap } from '../../ports/spend.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { nameOf } from '../../skill/skillName.js';
import { readSkillFile, type SkillFile } from '../../storage/harvest/homeSkills.js';
import type { TaskSource } from '../../tasks/makeTask.js';
import type { OpenSkill, SkillRequest } from '../openSkill.js';
import type { AssignedRequest, NotReplayable } from './assignedRequest.js';
import { copiesAmong, isNamed, offeredOnce, takerOf, type SkillCopies } from './copies.js';
import { withPlaces, type PlacedRequest } from './requestPlaces.js';
import { soughtSkills, type SoughtFor, type UnreadableSkill } from './soughtSkills.js';
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

/** Work that came up more than once, and that no skill is for. */
export interface SkillSuggestion {
  /** Its beginning. */
  readonly asked: string;
  /** All of it in one line: the first example of a skill that is made for it. */
  readonly whole: string;
  readonly sessions: number;
  readonly corrected: number;
}

export interface MiningPlan {
  /** What came up most often first. */
  readonly assigned: readonly AssignedRequest[];
  readonly suggestions: readonly SkillSuggestion[];
  readonly notReplayable: readonly NotReplayable[];
  /** How many requests no skill was loaded for, nor is near by its words, and that are no suggestion either. */
  readonly unplaced: number;
  /** How many messages were little more than a secret, which was taken out. */
  readonly emptied: number;
  /** Those that are mined another time: they were too many of one kind, or nobody could say what became of their files. */
  readonly later: readonly Pick<AssignedRequest, 'request' | 'skill'>[];
  /** How many sessions were mined before for all the work that they hold. */
  readonly minedBefore: number;
  /** How many drafts out of sessions wait already. */
  readonly waiting: number;
  /** The skills that these wait for, by their paths. */
  readonly waitingFor: readonly string[];
  /** Marks of the sessions that hold nothing for a skill, or nothing but what it has already or nobody can attempt again now. */
  readonly empty: ReadonlyMap<OpenSkill, readonly string[]>;
  /** Names that several skills have, and which of these took the work. */
  readonly copies: readonly SkillCopies[];
  /** Skills that nothing was looked for, as their tasks cannot be read. */
  readonly unreadable: readonly UnreadableSkill[];
}

const mostOfIntent = 60; // tasks at once: nobody reviews more of one kind
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
  const { skills, unreadable } = await soughtSkills(world, targets, purpose);
  const notOwn = [...beside, ...unreadable.map(({ skillPath }) => skillPath)]; // what is theirs is no work of another
  const others = (await Promise.all(notOwn.map(readSkillFile))).filter((each) => each !== undefined);
  const own = skills.map(({ skill: { places, text } }) => ({ skillPath: places.skillPath, text }));
  const offered = offeredSkills(own, others);
  const intents = intentsOf(sessions.flatMap(requestsIn), loadedSkill(offered));
  const find = skillFinder(offered);
  const chosen = intents.map((intent) => ({ intent, choice: find(intent) }));
  const kinds = chosen.map((each) => foundIn(each, skills));
  const fresh = kinds.map((kind) => kind.filter(isFresh));
  const placed = await withPlaces(
    fresh.flatMap((kind) => kind.slice(0, mostOfIntent)),
    world,
    signal,
  );
  const assigned = placed.flatMap(attemptable).filter((each) => !each.before.isKnown(taskOf(each)));
  const later = [
    ...fresh.flatMap((kind) => kind.slice(mostOfIntent)),
    ...placed.flatMap(({ each, place }) => (place === 'not-asked' ? [each] : [])),
  ];
  const open = [...assigned, ...later];
  const taken = [...open, ...kinds.flat().filter(({ request, before }) => before.isMined(request))];
  const homeless = chosen.filter(({ choice }) => choice === undefined).map(({ intent }) => intent);
  const suggested = homeless.filter(isSuggested).slice(0, mostSuggestions);
  return {
    assigned,
    later,
    notReplayable: placed.flatMap(notReplayableOf),
    minedBefore: sessionsMined(kinds.flat(), open),
    waiting: skills.reduce((sum, { before }) => sum + before.waiting, 0),
    waitingFor: skills.filter(({ before }) => before.waiting > 0).map(({ skill }) => skill.places.skillPath),
    suggestions: suggested.flatMap(suggestionOf),
    unplaced: homeless.filter((intent) => !suggested.includes(intent)).reduce((sum, intent) => sum + asksOf(intent), 0),
    emptied: sessions.flatMap(({ exchanges }) => exchanges).filter(isEmptied).length,
    empty: emptyOf(sessions, skills, { open, taken }),
    copies: copiesAmong(skills, kinds.flat()),
    unreadable,
  };
}

interface ChosenIntent {
  readonly intent: Intent;
  readonly choice: SkillChoice | undefined;
}

/** What of an intent is work of a skill that tasks are wanted for, in sessions that it may take. */
function foundIn({ intent, choice }: ChosenIntent, skills: readonly SoughtFor[]): readonly SoughtRequest[] {
  if (choice === undefined) return [];
  const isIt = isNamed(choice.name);
  const same = skills.filter(({ skill }) => isIt(skill));
  return intent.requests.flatMap((request) => {
    const taker = takerOf(same, request);
    if (taker === undefined) return [];
    const { skill, before } = taker;
    return [{ request, skill, how: choice.how, sessions: request.times, before }];
  });
}

type SoughtRequest = Omit<AssignedRequest, 'fixture'> & Pick<SoughtFor, 'before'>;

/** Whether it was not mined yet. What needs files is known as a task only together with its repository. */
function isFresh({ request, before }: SoughtRequest): boolean {
  if (before.isMined(request)) return false;
  return request.files !== undefined || !before.isKnown(taskOf({ request, fixture: undefined }));
}

function attemptable({
  each,
  place,
}: PlacedRequest<SoughtRequest>): readonly (SoughtRequest & Pick<AssignedRequest, 'fixture'>)[] {
  return typeof place === 'string' ? [] : [{ ...each, fixture: place }];
}

function notReplayableOf({ each: { request }, place }: PlacedRequest<SoughtRequest>): readonly NotReplayable[] {
  const { asked, files, session } = request;
  if (typeof place !== 'string' || files === undefined) return [];
  return [{ asked: shortened(asked), source: session.source, why: place, files }];
}

/** How many sessions hold work that was mined before, and none that is open. */
function sessionsMined(all: readonly SoughtRequest[], open: readonly SoughtRequest[]): number {
  const withOpen = new Set(open.map(({ request }) => request.session));
  const mined = all.filter(({ request, before }) => before.isMined(request) && !withOpen.has(request.session));
  return new Set(mined.map(({ request }) => request.session)).size;
}

type Work = readonly Pick<SoughtRequest, 'request' | 'skill'>[];

/**
 * What is gone or lies elsewhere is no work for a night either: it may be there again when a person asks for it. A session
 * whose work another skill of the same name took is not empty.
 */
function emptyOf(
  sessions: readonly HarvestedSession[],
  skills: readonly SoughtFor[],
  { open, taken }: { readonly open: Work; readonly taken: Work },
): MiningPlan['empty'] {
  return new Map(
    skills.map(({ skill, folders }) => {
      const isSame = isNamed(skill.name);
      const own = open.filter((each) => each.skill === skill);
      const ofOthers = taken.filter((each) => each.skill !== skill && isSame(each.skill));
      const withWork = new Set([...own, ...ofOthers].map(({ request }) => request.session));
      const here = sessions.filter((session) => isWithin(folders, session));
      return [skill, here.filter((session) => !withWork.has(session)).map(({ mark }) => mark)];
    }),
  );
}

/** The words of a request, and what it is attempted in. */
function taskOf({ request, fixture }: Pick<AssignedRequest, 'request' | 'fixture'>): TaskSource {
  const { asked: prompt } = request;
  return { id: 'asked', prompt, ...(fixture === undefined ? {} : { agent: { fixture, mode: 'offered' } }) };
}

/** One of the same name cannot be told from a skill that tasks are wanted for. */
function offeredSkills(own: readonly SkillFile[], others: readonly SkillFile[]): readonly OfferedSkill[] {
  const wanted = own.map(offeredSkill);
  const isWanted = (name: string): boolean => wanted.some(isNamed(name));
  return offeredOnce([...wanted, ...others.map(offeredSkill).filter(({ name }) => !isWanted(name))]);
}

/** A skill as agents are told of it. */
function offeredSkill({ skillPath, text }: SkillFile): OfferedSkill {
  const { frontMatter } = parseSkill(text);
  return { name: frontMatter?.name ?? nameOf(skillPath), description: frontMatter?.description ?? '' };
}

function isSuggested(intent: Intent): boolean {
  return suggestionOf(intent).length > 0;
}

/** How often it was asked, apart from what may be a remark on the answer of a skill; never where one was loaded for it. */
function asksOf({ requests }: Intent): number {
  if (requests.some(({ fired }) => fired.length > 0)) return 0;
  return requests.filter((request) => !followsSkill(request)).reduce((sum, { times }) => sum + times, 0);
}

/** Where one was loaded, there is a skill for it, wherever it lies; what followed such an answer may be a remark on it. */
function suggestionOf({ sessions: all, corrected, requests }: Intent): readonly SkillSuggestion[] {
  const own = requests.filter((request) => !followsSkill(request));
  const sessions = Math.min(
    all,
    own.reduce((sum, { times }) => sum + times, 0),
  );
  const example = own.find(({ asked }) => marksOf(asked).length === 0);
  const hasSkill = requests.some(({ fired }) => fired.length > 0);
  if (sessions < oftenEnough || hasSkill || example === undefined) return [];
  return [{ asked: shortened(example.asked), whole: oneLine(example.asked), sessions, corrected }];
}

function shortened(asked: string): string {
  const line = oneLine(asked);
  return line.length > longestExample ? `${line.slice(0, longestExample)}…` : line;
}
