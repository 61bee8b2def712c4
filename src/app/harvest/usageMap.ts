import path from 'node:path';
import type { Harvest } from '../../harvest/harvested.js';
import { skillFoldersOf } from '../../harvest/places.js';
import { liesIn } from '../../harvest/scope.js';
import type { HarvestSource, Session } from '../../harvest/session.js';
import { type CountedExchange, type SkillUses, UsageCount } from '../../harvest/usage.js';
import { isInside } from '../../isInside.js';
import { countTokens } from '../../skill/document/countTokens.js';
import { parseSkill } from '../../skill/document/skillDocument.js';
import { allowedFolders } from '../../storage/harvest/allowedSessions.js';
import { readSkillFile, type SkillFile, skillsIn } from '../../storage/harvest/homeSkills.js';
import type { UserStore } from '../../storage/state/store.js';
import { NewestSessions } from './newestSessions.js';
import { type HomeWorld, type RealPlace, realFolders, visitSessions } from './visitSessions.js';

export interface UsageRequest {
  /** Sessions of these folders and of those beneath them. */
  readonly folders: readonly string[];
  /** The skills of these folders, by the paths of their SKILL.md; those of the person's home are looked for. */
  readonly skills: readonly string[];
  readonly sources?: readonly string[] | undefined;
  readonly since?: number | undefined;
  /** Of these sessions the newest, so many. */
  readonly mostSessions?: number | undefined;
  /** False: the counts are not kept for the next window either. */
  readonly keeps?: boolean | undefined;
}

/** What is known of the use of one skill. */
export interface SkillUsage extends SkillUses {
  readonly name: string;
  readonly skillPath: string;
  readonly place: 'workspace' | 'home';
  readonly tokens: SkillTokens;
  /** Another skill has that name too: which of them was used nobody can tell, so it counts for both. */
  readonly sharesName: boolean;
}

/** About how many tokens a skill takes. */
export interface SkillTokens {
  /** Its name and description, which agents are told with every message. */
  readonly listed: number;
  /** Its body, each time that it is loaded. */
  readonly body: number;
  /** Both together, on average a message. */
  readonly aMessage: number;
}

/** Which skills were used how often. */
export interface UsageMap {
  /** Those that were corrected come first, then those that were used most. */
  readonly skills: readonly SkillUsage[];
  /** Used, and none of the skills that were found: of plugins, or gone. */
  readonly others: readonly (Pick<SkillUses, 'fired' | 'sessions' | 'corrected'> & { readonly name: string })[];
  readonly sessions: number;
  readonly messages: number;
  /** How many sessions of other folders count too, for skills of the person's home that may take these. */
  readonly elsewhere: number;
  readonly counts: Harvest['counts'];
  readonly unread: Harvest['unread'];
}

interface UsageParts {
  readonly world: HomeWorld;
  readonly store: UserStore;
  /** The name of a skill without secrets: a model may have said anything in its place. */
  readonly clean: (name: string) => string;
  readonly sources: readonly HarvestSource[];
}

/** A skill, where it is counted, and what it takes. */
interface MeasuredSkill extends Pick<SkillUsage, 'name' | 'skillPath' | 'place'> {
  readonly names: readonly string[];
  readonly folders: readonly string[];
  readonly listed: number;
  readonly body: number;
}

/** Of a session what is counted. */
interface CountedSession extends Pick<Session, 'source' | 'ended'> {
  readonly exchanges: readonly CountedExchange[];
  readonly folders: readonly string[];
}

/** Counts the use of skills; of the sessions nothing is kept. */
export async function countUsage(
  { world, store, clean, sources }: UsageParts,
  { folders, skills: paths, since, mostSessions }: UsageRequest,
  signal: AbortSignal,
): Promise<UsageMap> {
  const open = await realFolders(folders);
  const skills = await measuredSkills({ world, store }, open, paths);
  const usage = new UsageCount(skills);
  const totals = { sessions: 0, messages: 0, elsewhere: 0 };
  const count = ({ exchanges, folders: inFolders }: CountedSession): void => {
    const isElsewhere = !inFolders.some((folder) => open.some((each) => liesIn(each, folder)));
    usage.add(exchanges, inFolders, isElsewhere);
    if (isElsewhere) {
      totals.elsewhere += 1;
      return;
    }
    totals.sessions += 1;
    totals.messages += exchanges.length;
  };
  const newest = new NewestSessions<CountedSession>({ sessions: mostSessions ?? 0, characters: 1 }, () => 0);
  const take = (session: Session, place: RealPlace): 'over-cap' | undefined => {
    const counted = countedOf(session, place, clean);
    if (mostSessions === undefined) count(counted);
    else if (newest.takes(session.ended)) newest.add(counted);
    else return 'over-cap';
    return undefined;
  };
  const isFull = (modified: number): boolean => mostSessions !== undefined && !newest.takes(modified);
  const wanted = [...new Set([...open, ...skills.flatMap((skill) => skill.folders)])];
  const visited = await visitSessions(world, { sources, folders: wanted, since }, { take, isFull }, signal);
  for (const session of newest.all) count(session);
  const others = [...usage.others].map(([name, { fired, sessions, corrected }]) => ({
    name,
    fired,
    sessions,
    corrected,
  }));
  return {
    skills: skills.map((skill) => usageOf(skill, usage.usesOf(skill.skillPath), skills)).toSorted(byNeed),
    others: others.toSorted(byNeed),
    ...totals,
    counts: newest.corrected(visited.counts),
    unread: visited.unread,
  };
}

function countedOf(
  { source, ended, exchanges }: Session,
  { realFolder, alsoIn = [] }: RealPlace,
  clean: UsageParts['clean'],
): CountedSession {
  const said = exchanges.map(({ skills, feedback, askedAt }) => ({ skills: skills.map(clean), feedback, askedAt }));
  return { source, ended, exchanges: said, folders: [realFolder, ...alsoIn] };
}

async function measuredSkills(
  { world, store }: Pick<UsageParts, 'world' | 'store'>,
  open: readonly string[],
  paths: readonly string[],
): Promise<readonly MeasuredSkill[]> {
  const read = await Promise.all(paths.map(readSkillFile));
  const here = read.filter((skill) => skill !== undefined);
  const known = new Set(here.map(({ skillPath }) => skillPath));
  const home = (await skillsIn(skillFoldersOf(world))).filter(({ skillPath }) => !known.has(skillPath));
  return [
    ...here.map((skill) => measured(skill, 'workspace', foldersAround(open, skill.skillPath))),
    ...(await Promise.all(
      home.map(async (skill) =>
        measured(skill, 'home', [...new Set([...open, ...(await allowedFolders(store, skill.skillPath))])]),
      ),
    )),
  ];
}

/** A skill is offered in the folder that it lies in. */
function foldersAround(open: readonly string[], skillPath: string): readonly string[] {
  return open.filter((folder) => isInside(folder, skillPath));
}

function measured(
  { skillPath, text }: SkillFile,
  place: SkillUsage['place'],
  folders: readonly string[],
): MeasuredSkill {
  const { frontMatter, size } = parseSkill(text);
  const folderName = path.basename(path.dirname(skillPath));
  const name = frontMatter?.name ?? folderName;
  const listed = countTokens(`- ${name}: ${frontMatter?.description ?? ''}`);
  return { name, names: [...new Set([name, folderName])], skillPath, place, folders, listed, body: size.tokens };
}

function usageOf(skill: MeasuredSkill, uses: SkillUses, all: readonly MeasuredSkill[]): SkillUsage {
  const { name, names, skillPath, place, listed, body } = skill;
  const share = uses.messages === 0 ? 0 : uses.fired / uses.messages;
  return {
    name,
    skillPath,
    place,
    ...uses,
    tokens: { listed, body, aMessage: Math.round(listed + body * share) },
    sharesName: all.some((other) => other !== skill && other.names.some((each) => names.includes(each))),
  };
}

/** A skill as it is offered for training, with its use where that was counted. */
export interface OfferedSkill {
  readonly skillPath: string;
  readonly usage: SkillUsage | undefined;
}

/** Skills in the order in which training them is likely to pay: those that were used and corrected afterwards first, the rest as given. */
export function offeredForTraining(
  skillPaths: readonly string[],
  usage: Pick<UsageMap, 'skills'> | undefined,
): readonly OfferedSkill[] {
  const known = new Map(usage?.skills.map((skill) => [skill.skillPath, skill]));
  const offered = skillPaths.map((skillPath) => ({ skillPath, usage: known.get(skillPath) }));
  const isCorrected = (each: OfferedSkill): boolean => (each.usage?.corrected ?? 0) > 0;
  const first = offered.flatMap((each) => (each.usage !== undefined && isCorrected(each) ? [each.usage] : []));
  return [
    ...first.toSorted(byNeed).map((each) => ({ skillPath: each.skillPath, usage: each })),
    ...offered.filter((each) => !isCorrected(each)),
  ];
}

type NamedUses = Pick<SkillUses, 'fired' | 'corrected'> & { readonly name: string };

function byNeed(a: NamedUses, b: NamedUses): number {
  return b.corrected - a.corrected || b.fired - a.fired || (a.name < b.name ? -1 : 1);
}
