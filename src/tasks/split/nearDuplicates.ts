import { canonicalHash } from '../canonicalHash.js';
import { overlap, spelledTokensOf, tokensOf } from './similarity.js';
import { visibleText } from './visibleText.js';
import { mapInSteps, type Steps } from '../steps.js';
import type { Task } from '../task.js';

/** Indices of tasks that must lie on one side. A task may be in several. */
export type Bond = readonly number[];

type TaskText = Pick<Task, 'prompt' | 'context' | 'files' | 'agent'>;

/**
 * Finds tasks with almost the same text, in time linear in their number: the same words; the same words but for a few
 * at the ends (a greeting, a wrapper); the same telling words in nearly the same order; or almost all rare words and
 * pairs of words in common, fewer where one text only adds words to the other. What many tasks share is their template
 * and says nothing, so that fifteen tasks "Advise on X" are fifteen tasks. Tasks with different fixtures are different.
 */
export function* nearDuplicates(tasks: readonly TaskText[]): Steps<readonly Bond[]> {
  const tokenIds = new Map<string, number>();
  const documents = yield* mapInSteps(tasks, (task) => documentOf(task, tokenIds));
  const identical = groupedBy(documents.map(({ key }) => key));
  const representatives = identical.map((group) => group[0]).filter((index) => index !== undefined);
  const groupOf = new Map(representatives.map((index, at) => [index, identical[at] ?? []]));

  const distinct = representatives.map((index) => documents[index]).filter((document) => document !== undefined);
  const pairs = [
    ...(yield* trimmedPairs(distinct)),
    ...(yield* tellingPairs(distinct)),
    ...(yield* rarePairs(distinct)),
  ];
  const indexOf = (at: number): Bond => (groupOf.get(representatives[at] ?? -1) ?? []).slice(0, mostOfAGroup);
  return [
    ...identical.filter((group) => group.length > 1),
    ...pairs.map(([first, second]) => [...indexOf(first), ...indexOf(second)]),
  ];
}

/** Equal for tasks with the same words and the same fixtures, whatever their marks, checks and names. */
export function sameTextKey(task: TaskText): string {
  return textKey(task, { seen: visibleText, tokens: tokensOf });
}

/**
 * Every key under which a task's words and fixtures may be stored: earlier versions counted invisible characters too, and
 * did not look at what an agent starts from. One key for a text without either.
 */
export function storedTextKeys(task: TaskText): readonly string[] {
  const forms = task.agent === undefined ? [task] : [task, { ...task, agent: undefined }];
  return [
    ...new Set(
      forms.flatMap((form) => [sameTextKey(form), textKey(form, { seen: (text) => text, tokens: spelledTokensOf })]),
    ),
  ];
}

/** The files that a task gives, and the folder or the commit that an agent starts from. */
function startOf({ files, agent }: Pick<Task, 'files' | 'agent'>): string {
  const given = [...files].sort().join('\n');
  return agent?.fixture === undefined ? given : `${given}\n${JSON.stringify(agent.fixture)}`;
}

function textKey(
  task: TaskText,
  { seen, tokens }: { readonly seen: (text: string) => string; readonly tokens: typeof tokensOf },
): string {
  const { prompt, context = '' } = task;
  const words = [prompt, context].map((text) => tokens(text).join(' '));
  const text = words.join('') === '' ? [seen(prompt), seen(context)] : words;
  return canonicalHash([...text, startOf(task)]);
}

interface Document {
  readonly tokens: readonly number[];
  readonly features: ReadonlySet<number>;
  readonly prompt: ReadonlySet<number>;
  /** Same words and same fixtures. */
  readonly key: string;
  readonly files: string;
}

type Pair = readonly [number, number];

const mostTokens = 2000; // What is the same for 2,000 words is the same; a longer context would only cost memory.
const templateFrom = 4; // A word in four or more tasks belongs to a template or to the language.
const commonShare = 0.1; // Words in more than a tenth of the tasks do not tell them apart.
const almostAll = 0.8;
const mostlySame = 0.6;
const mostlySameWithin = 0.65; // One word added to five.
const samePrompt = 0.5;
const mostTrimmed = 8; // Words left out at either end.
const mostOfAGroup = 64; // Of tasks with the same words, which are bound to each other, so many are bound to what is like them.
const longestToken = 64; // Characters; a text of gigantic words is cut before it is taken apart.
const mostCompared = 8; // Tasks with the same telling words that one is compared with.

function documentOf(task: TaskText, tokenIds: Map<string, number>): Document {
  const identify = (text: string): readonly number[] =>
    tokensOf(text.slice(0, mostTokens * longestToken))
      .slice(0, mostTokens)
      .map((token) => {
        const id = tokenIds.get(token) ?? tokenIds.size;
        tokenIds.set(token, id);
        return id;
      });
  const prompt = identify(task.prompt);
  const tokens = task.context === undefined ? prompt : [...prompt, ...identify(task.context)].slice(0, mostTokens);
  const features = featuresIn(tokens);
  const files = startOf(task);
  return {
    tokens,
    features,
    prompt: tokens === prompt ? features : featuresIn(prompt),
    // Texts without a single word are told apart by their characters.
    key: tokens.length === 0 ? wordlessKey(task, files) : `${tokens.join(' ')}|${files}`,
    files,
  };
}

function wordlessKey({ prompt, context = '' }: TaskText, files: string): string {
  return canonicalHash([visibleText(prompt), visibleText(context), files]);
}

// Words and pairs of neighbours, in one number space: pairs begin where no word can be.
const pairBase = 2 ** 24;

function featuresIn(tokens: readonly number[]): ReadonlySet<number> {
  const features = new Set<number>(tokens);
  for (let at = 1; at < tokens.length; at += 1) {
    features.add(((tokens[at - 1] ?? 0) + 1) * pairBase + (tokens[at] ?? 0));
  }
  return features;
}

function groupedBy(keys: readonly string[]): readonly number[][] {
  const groups = new Map<string, number[]>();
  keys.forEach((key, index) => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [index]);
    else group.push(index);
  });
  return [...groups.values()];
}

/** Each text, without up to a few words at either end, looked up among the whole ones. */
function* trimmedPairs(documents: readonly Document[]): Steps<readonly Pair[]> {
  const hashes = yield* mapInSteps(documents, ({ tokens }) => prefixHashes(tokens));
  const whole = new Map<number, number[]>();
  hashes.forEach((prefixes, index) => {
    const hash = prefixes.at(-1) ?? 0;
    whole.set(hash, [...(whole.get(hash)?.slice(0, mostCompared) ?? []), index]);
  });
  const pairs: Pair[] = [];
  yield* mapInSteps(documents, (document, index) => {
    for (const [start, end] of trimmings(document.tokens.length)) {
      for (const other of whole.get(windowHash(hashes[index] ?? [], start, end)) ?? []) {
        if (isWindow(document, documents[other], [start, end])) pairs.push([other, index]);
      }
    }
  });
  return pairs;
}

function trimmings(length: number): readonly Pair[] {
  const most = Math.floor(length * (1 - almostAll));
  const windows: Pair[] = [];
  for (let head = 0; head <= Math.min(most, mostTrimmed); head += 1) {
    for (let tail = 0; tail <= Math.min(most - head, mostTrimmed); tail += 1) {
      if (head + tail > 0) windows.push([head, length - tail]);
    }
  }
  return windows;
}

function isWindow(long: Document, short: Document | undefined, [start, end]: Pair): boolean {
  if (short === undefined || short.files !== long.files || short.tokens.length !== end - start) return false;
  return short.tokens.every((token, at) => token === long.tokens[start + at]);
}

// Polynomial hashes modulo 2^32: any stretch of a text is looked up without being cut out. Equality is still checked.
const base = 16_777_619;

function prefixHashes(tokens: readonly number[]): readonly number[] {
  const hashes = [0];
  for (const token of tokens) hashes.push((Math.imul(hashes.at(-1) ?? 0, base) + token + 1) | 0);
  return hashes;
}

function windowHash(prefixes: readonly number[], start: number, end: number): number {
  let power = 1;
  for (let square = base, count = end - start; count > 0; count >>= 1, square = Math.imul(square, square)) {
    if (count % 2 === 1) power = Math.imul(power, square);
  }
  return ((prefixes[end] ?? 0) - Math.imul(prefixes[start] ?? 0, power)) | 0;
}

/** Texts whose words are the same once the common ones are left out, if their order is mostly the same too. */
function* tellingPairs(documents: readonly Document[]): Steps<readonly Pair[]> {
  const frequency = yield* countIn(documents, ({ tokens }) => new Set(tokens));
  const most = Math.max(templateFrom - 1, documents.length * commonShare);
  const keyOf = ({ tokens, files }: Document): string => {
    const telling = new Set(tokens.filter((token) => (frequency.get(token) ?? 0) <= most));
    return `${[...telling].sort((a, b) => a - b).join(' ')}|${files}`;
  };
  const pairs: Pair[] = [];
  const keys = yield* mapInSteps(documents, keyOf);
  yield* mapInSteps(groupedBy(keys), (group) => {
    const first = documents[group[0] ?? -1];
    if (group.length < 2 || first === undefined || keyOf(first).startsWith('|')) return;
    const compared: number[] = [];
    for (const index of group) {
      for (const other of compared) if (areAlike(documents[index], documents[other])) pairs.push([other, index]);
      if (compared.length < mostCompared) compared.push(index);
    }
  });
  return pairs;
}

/** Texts that share almost everything that few texts have. Every list is short, so that the work is linear. */
function* rarePairs(documents: readonly Document[]): Steps<readonly Pair[]> {
  const frequency = yield* countIn(documents, ({ features }) => features);
  const isRare = (feature: number): boolean => (frequency.get(feature) ?? 0) < templateFrom;
  const holders = new Map<number, number[]>();
  const rare = yield* mapInSteps(documents, ({ features }, index) => {
    let count = 0;
    for (const feature of features) {
      if (!isRare(feature)) continue;
      count += 1;
      if (frequency.get(feature) === 1) continue;
      const list = holders.get(feature);
      if (list === undefined) holders.set(feature, [index]);
      else list.push(index);
    }
    return count;
  });
  const shared = yield* sharedCounts([...holders.values()], documents.length);
  const pairs: Pair[] = [];
  yield* mapInSteps([...shared], ([key, count]) => {
    const pair: Pair = [Math.floor(key / documents.length), key % documents.length];
    const all = (rare[pair[0]] ?? 0) + (rare[pair[1]] ?? 0) - count;
    if (shareEnough(documents[pair[0]], documents[pair[1]], count / all)) pairs.push(pair);
  });
  return pairs;
}

/** Where one text only adds words to the other, less has to be in common than where each has words of its own. */
function shareEnough(first: Document | undefined, second: Document | undefined, rareShare: number): boolean {
  if (first === undefined || second === undefined || rareShare < mostlySame || !areAlike(first, second)) return false;
  if (rareShare >= almostAll) return true;
  const [short, long] = first.tokens.length <= second.tokens.length ? [first, second] : [second, first];
  return (
    short.tokens.length > long.tokens.length * almostAll &&
    short.tokens.every((token) => long.features.has(token)) &&
    overlap(first.features, second.features) >= mostlySameWithin
  );
}

function* sharedCounts(lists: readonly (readonly number[])[], count: number): Steps<ReadonlyMap<number, number>> {
  const shared = new Map<number, number>();
  yield* mapInSteps(lists, (list) => {
    list.forEach((first, at) => {
      for (const second of list.slice(at + 1)) {
        shared.set(first * count + second, (shared.get(first * count + second) ?? 0) + 1);
      }
    });
  });
  return shared;
}

function areAlike(first: Document | undefined, second: Document | undefined): boolean {
  if (first === undefined || second === undefined || first.files !== second.files) return false;
  return overlap(first.features, second.features) >= mostlySame && overlap(first.prompt, second.prompt) >= samePrompt;
}

function* countIn(
  documents: readonly Document[],
  itemsOf: (document: Document) => ReadonlySet<number>,
): Steps<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  yield* mapInSteps(documents, (document) => {
    for (const item of itemsOf(document)) counts.set(item, (counts.get(item) ?? 0) + 1);
  });
  return counts;
}
