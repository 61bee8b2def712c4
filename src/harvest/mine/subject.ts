import type { StatedWord, Statement } from './statements.js';

/** What a request is about, by the forms of its words: “release notes” of “the wiki”. No answer can fail to be about it. */
export interface Subject {
  /** The kind of work, with how it is to be. */
  readonly kind: ReadonlySet<string>;
  readonly about: ReadonlySet<string>;
}

/** Read in the first sentence of a request, up to where it says what the work is made of or how it is to be. */
export function subjectOf(topic: Statement | undefined): Subject {
  const { text = '', words = [] } = topic ?? {};
  const end = indexOf(text, ends, 0);
  const from = Math.min(indexOf(text, prepositions, 0), end);
  const formsIn = (least: number, most: number): ReadonlySet<string> =>
    new Set(words.filter(({ at }) => at >= least && at < most).map(({ form }) => form));
  const [, before, behind] = eastern.exec(text) ?? [];
  const eastward = [before, behind].filter((each) => each !== undefined);
  return { kind: formsIn(0, from), about: new Set([...formsIn(from, end), ...eastward]) };
}

function indexOf(text: string, pattern: RegExp, from: number): number {
  const at = text.slice(from).search(pattern);
  return at < 0 ? text.length : from + at;
}

const prepositions =
  /(?<![\p{L}])(?:of|for|about|on|regarding|concerning|für|über|von|vom|zu|zum|zur|de|du|des|pour|sur|del|para|sobre)(?![\p{L}])|(?<![\p{L}])d'/u;
const ends =
  /[:,;()–—≤≥，、：；]|(?<![\p{L}])(?:that|which|who|with|without|in|as|using|and|or|so|mit|ohne|als|und|oder|im|qui|avec|sans|en|dans|et|ou|que|con|sin|y|o)(?![\p{L}])/u;
const eastern = /(?:关于|有关|针对)([\p{Script=Han}]{1,12}?)(?:的|写|，|：|$)|([\p{L}ー]{1,12}?)(?:について|に関する)/u;

/**
 * Whether a sentence demands no more than that an answer names what the request is about: its words are the subject of the
 * request, beside those of its kind where it says that they are to be named.
 */
export function isOnSubjectAlone(
  { text, words }: Pick<Statement, 'text' | 'words'>,
  { kind, about }: Subject,
): boolean {
  if (about.size === 0 || words.some(({ sense }) => sense !== 'wanted')) return false;
  const isAbout = words.filter(({ form }) => [...about].some((each) => isForm(form, each)));
  if (isAbout.length === words.length) return true;
  const others = words.filter((word) => !isAbout.includes(word));
  const isDemand = naming.test(text) || heading.test(text);
  return isAbout.length > 0 && isDemand && others.every(({ form }) => [...kind].some((each) => isForm(form, each)));
}

function isForm(word: string, other: string): boolean {
  const eastward = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word);
  return word === other || (eastward ? other.includes(word) : `${word}s` === other || `${other}s` === word);
}

/** Whether a sentence of the person demands that itself, by a word for it before what is to be named. */
export function demandsToo(sentence: Statement, said: Statement): boolean {
  const kinds = [naming, heading].filter((kind) => kind.test(sentence.text));
  const places = sentence.words.map((word) => placeOf(word, said));
  return kinds.length > 0 && kinds.every((kind) => places.every((at) => kind.test(said.text.slice(0, at))));
}

/** Whether the person demands that these words stand in an answer, by a word for it before each. */
export function demandsWords(words: readonly StatedWord[], said: Statement): boolean {
  return words.every((word) => {
    const before = said.text.slice(0, placeOf(word, said));
    return naming.test(before) || heading.test(before);
  });
}

function placeOf({ form }: StatedWord, { words, text }: Statement): number {
  return words.find((word) => isForm(word.form, form))?.at ?? text.length;
}

/** Whether the person wanted a heading of these words, and the sentence only that they stand somewhere. */
export function isHeadingAlone(sentence: Statement, said: Statement): boolean {
  if (!naming.test(sentence.text) || heading.test(sentence.text) || naming.test(said.text)) return false;
  return sentence.words.every((word) => behindHeading.test(said.text.slice(0, placeOf(word, said))));
}

const naming =
  /(?<![\p{L}])(?:nam(?:e|es|ed|ing)|mention\p{L}*|contain\p{L}*|includ\p{L}*|says?|saying|stat(?:e|es|ing)|nenn\p{L}*|erwähn\p{L}*|enth[aä]lt\p{L}*|cite[rsz]?|nomme\p{L}*|contien\p{L}*|inclu\p{L}*|mencion\p{L}*|nombr\p{L}*|incluy\p{L}*)(?![\p{L}])|提到|提及|包含|包括|含有|写明|言及|触れ|含め|含む|記載/u;
const headings =
  '(?:headings?|headed|sections?|titles?|titled|überschrift|abschnitt|titre|título|sección)(?![\\p{L}])|标题|章节|小节|部分|見出し|節';
const heading = new RegExp(`(?<![\\p{L}])(?:${headings})`, 'u');
const behindHeading = new RegExp(`(?<![\\p{L}])(?:${headings})\\s?(?:called |named |for |:\\s?)?["“«„「]?$`, 'u');
