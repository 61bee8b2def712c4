import { contentOf, type Intent } from './intents.js';

/** A skill as it is offered to agents: what it may be told by. */
export interface OfferedSkill {
  readonly name: string;
  readonly description: string;
}

/** Which skill an intent belongs to, and how that is known; undefined where none is near. */
export interface SkillChoice {
  readonly name: string;
  readonly how: 'fired' | 'near';
}

/**
 * Finds the skill of each intent: the one that was loaded for its requests, most often where several were; else the one
 * whose name and description say what the request says. Skills that are loaded and not offered here count for nothing.
 */
export function skillFinder(skills: readonly OfferedSkill[]): (intent: Intent) => SkillChoice | undefined {
  const offered = namesOf(skills);
  const described = describe(skills);
  return (intent) => {
    const fired = mostFired(intent, offered);
    if (fired !== undefined) return { name: fired, how: 'fired' };
    const near = nearest(intent, described);
    return near === undefined ? undefined : { name: near, how: 'near' };
  };
}

/** Gives the skill that was loaded for a request: of several the one that came first. */
export function loadedSkill(
  skills: readonly OfferedSkill[],
): (request: { readonly fired: readonly string[] }) => string | undefined {
  const offered = namesOf(skills);
  return ({ fired }) => fired.map((told) => offeredName(told, offered)).find((name) => name !== undefined);
}

function namesOf(skills: readonly OfferedSkill[]): ReadonlyMap<string, string> {
  return new Map(skills.map(({ name }) => [name.toLowerCase(), name]));
}

/** A plugin's skill fires under the names of both. */
function offeredName(told: string, offered: ReadonlyMap<string, string>): string | undefined {
  const plain = told.slice(told.lastIndexOf(':') + 1).toLowerCase();
  return offered.get(told.toLowerCase()) ?? offered.get(plain);
}

function mostFired({ requests }: Intent, offered: ReadonlyMap<string, string>): string | undefined {
  const counts = new Map<string, number>();
  for (const told of requests.flatMap(({ fired }) => fired)) {
    const name = offeredName(told, offered);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

interface DescribedSkill {
  readonly name: string;
  readonly nameWords: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

const fewestSkills = 3; // below this no word can be told to be one of all descriptions

/** Words that most descriptions have (“use when the user asks”) tell no skill apart. */
function describe(skills: readonly OfferedSkill[]): readonly DescribedSkill[] {
  const all = skills.map(({ name, description }) => {
    const nameWords = contentOf(name.replaceAll(/[-_]/gu, ' '));
    return { name, nameWords, words: new Set([...nameWords, ...contentOf(description)]) };
  });
  const counts = new Map<string, number>();
  for (const { words } of all) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isTelling = (word: string): boolean =>
    !ofAllSkills.has(word) && (all.length < fewestSkills || (counts.get(word) ?? 0) <= all.length / 2);
  return all.map(({ name, nameWords, words }) => ({
    name,
    nameWords,
    words: new Set([...words].filter((word) => nameWords.has(word) || isTelling(word))),
  }));
}

const ofAllSkills = new Set('skill agent user ask asked asking write help task request when answer'.split(' '));

const fewestShared = 2;
const nearEnough = 0.2; // of what both say

function nearest({ requests }: Intent, skills: readonly DescribedSkill[]): string | undefined {
  const said = new Set(requests.slice(0, mostRead).flatMap(({ asked }) => [...contentOf(asked.slice(0, mostOfEach))]));
  const ranked = skills
    .map(({ name, nameWords, words }) => ({ name, score: scoreOf(said, nameWords, words) }))
    .filter(({ score }) => score >= nearEnough)
    .toSorted((a, b) => b.score - a.score);
  const [first, second] = ranked;
  // Two that are as near tell nothing.
  return first === undefined || first.score === second?.score ? undefined : first.name;
}

const mostRead = 8; // requests of an intent
const mostOfEach = 400; // characters

/** The share of both that both say; a name that is said in full is enough. */
function scoreOf(said: ReadonlySet<string>, nameWords: ReadonlySet<string>, words: ReadonlySet<string>): number {
  const shared = [...words].filter((word) => said.has(word)).length;
  const isNamed = nameWords.size >= 2 && [...nameWords].every((word) => said.has(word));
  if (isNamed) return 1 + shared;
  if (shared < fewestShared || said.size === 0) return 0;
  return shared / Math.sqrt(said.size * words.size);
}
