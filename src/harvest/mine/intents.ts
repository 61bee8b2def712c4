import { featuresOf, overlap } from '../../tasks/split/similarity.js';
import type { MinedRequest } from './requests.js';

/** Something that was asked more than once, or could be: requests that want the same kind of work. */
export interface Intent {
  /** In how many sessions it came up. */
  readonly sessions: number;
  /** How many of its requests were not answered well at first, by what the person said. */
  readonly corrected: number;
  /** Each different from the others; newest first. */
  readonly requests: readonly CountedRequest[];
}

export interface CountedRequest extends MinedRequest {
  /** How many sessions hold the same words, near enough. */
  readonly times: number;
  /** The programs that these sessions were with; the one of this request first. */
  readonly sources: readonly string[];
}

/**
 * Puts together what asks for the same kind of work, wherever it was asked, and ranks it: what came up in more sessions
 * first, then what was corrected more often, then what is newer. What different skills were loaded for is not the same
 * work, however alike it sounds. In time that grows with the number of requests.
 */
export function intentsOf(
  requests: readonly MinedRequest[],
  /** The skill that was loaded for a request, if there is one. */
  loadedFor: (request: MinedRequest) => string | undefined = () => undefined,
): readonly Intent[] {
  const newest = requests.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, mostRequests);
  return grouped(newest, (request) => wantedIn(request.asked), isSameIntent)
    .flatMap((alike) => bySkill(alike, loadedFor))
    .map(intentOf)
    .toSorted((a, b) => b.sessions - a.sessions || b.corrected - a.corrected);
}

/** Those for which no skill was loaded stay with the skill that was loaded for most. */
function bySkill(
  alike: readonly MinedRequest[],
  loadedFor: (request: MinedRequest) => string | undefined,
): readonly (readonly MinedRequest[])[] {
  const parts = new Map<string | undefined, MinedRequest[]>();
  for (const request of alike) {
    const name = loadedFor(request);
    const part = parts.get(name);
    if (part === undefined) parts.set(name, [request]);
    else part.push(request);
  }
  const unled = parts.get(undefined) ?? [];
  const [first, ...others] = [...parts].flatMap(([name, part]) => (name === undefined ? [] : [part]));
  if (first === undefined) return [alike];
  const most = others.reduce((a, b) => (b.length > a.length ? b : a), first);
  const withUnled = new Set([...most, ...unled]);
  return [first, ...others].map((part) => (part === most ? alike.filter((each) => withUnled.has(each)) : part));
}

const mostRequests = 5_000;
const mostLeaders = 200; // groups that one word leads to: a word in more of them tells nothing
const openingLength = 240; // characters: what is wanted stands at the beginning, what it is made of behind it

/** The words of what is wanted: where a colon ends it, what it is to be done with stands behind (“translate …: the shop is closed”). */
function wantedIn(asked: string): ReadonlySet<string> {
  const opening = asked.slice(0, openingLength);
  const lead = contentOf(/^[^:：\n]+(?=[:：])/u.exec(opening)?.[0] ?? '');
  return lead.size >= fewestShared ? lead : contentOf(opening);
}

function intentOf(requests: readonly MinedRequest[]): Intent {
  const distinct = grouped(requests, ({ asked }) => featuresOf(asked), isSameTask);
  return {
    sessions: sessionsOf(requests),
    corrected: requests.filter(({ isCorrected }) => isCorrected).length,
    requests: distinct.flatMap((same) => {
      // Of the same words those that were corrected tell more.
      const best = same.find(({ corrections }) => corrections.length > 0) ?? same[0];
      return best === undefined ? [] : [{ ...best, times: sessionsOf(same), sources: sourcesOf([best, ...same]) }];
    }),
  };
}

function sessionsOf(requests: readonly MinedRequest[]): number {
  return new Set(requests.map(({ session: { source, id } }) => `${source} ${id}`)).size;
}

function sourcesOf(requests: readonly MinedRequest[]): readonly string[] {
  return [...new Set(requests.map(({ session: { source } }) => source))];
}

type Features = ReadonlySet<string>;

/** Each goes to the first group whose first member it is like; only groups that share a word with it are looked at. */
function grouped<Item>(
  items: readonly Item[],
  featuresFor: (item: Item) => Features,
  isSame: (first: Features, second: Features) => boolean,
): readonly (readonly Item[])[] {
  const groups: { readonly features: Features; readonly members: Item[] }[] = [];
  const leaders = new Map<string, number[]>();
  for (const item of items) {
    const features = featuresFor(item);
    const near = new Set([...features].flatMap((feature) => leaders.get(feature) ?? []));
    const found = [...near].sort((a, b) => a - b).find((at) => isSame(groups[at]?.features ?? features, features));
    if (found !== undefined) {
      groups[found]?.members.push(item);
      continue;
    }
    for (const feature of features) {
      const known = leaders.get(feature) ?? [];
      if (known.length < mostLeaders) leaders.set(feature, [...known, groups.length]);
    }
    groups.push({ features, members: [item] });
  }
  return groups.map(({ members }) => members);
}

const sameIntent = 0.5;
const withinIntent = 0.6;
const fewestShared = 3;
const sameTask = 0.85;

function isSameIntent(first: Features, second: Features): boolean {
  const like = overlap(first, second);
  if (like >= sameIntent) return true;
  const smaller = Math.min(first.size, second.size);
  const shared = (like * (first.size + second.size)) / (1 + like);
  return shared >= fewestShared && shared >= smaller * withinIntent;
}

function isSameTask(first: Features, second: Features): boolean {
  return overlap(first, second) >= sameTask;
}

/** What a text is about: its words without those that every text has, without figures, and in one form. */
export function contentOf(text: string): ReadonlySet<string> {
  const words = [...featuresOf(text)].filter((word) => !common.has(word) && !/^\p{N}+$/u.test(word));
  return new Set(words.map(plainForm));
}

/** Of English, and near enough for others: one form for one and many. */
function plainForm(word: string): string {
  return /^[a-z]{4,}$/u.test(word) ? word.replace(/(?:ies)$/u, 'y').replace(/(?<![su])s$/u, '') : word;
}

const common = new Set(
  (
    'a an and any are as at be but by can could do does for from get give had has have he her his how i if in into is it its just let like make me more my need new no not of on one or our out please she should so some than that the their them then there these they this to too up us use used using want was we were what when which who will with would you your ' +
    'der die das den dem des ein eine einen einem einer und oder mit von zu im in für auf ist sind bitte mir mich ich du wir es nicht auch als wie ' +
    'le la les un une des du de et ou avec pour dans sur est sont je tu nous vous il elle ce cette moi mon ma mes ' +
    'el los las una unos unas y o con para por en es son yo tú mi me lo se que del al'
  ).split(' '),
);
