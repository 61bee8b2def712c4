const joinedScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const spacelessScript = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const separate =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*)/u;

/** One word, or one character of a script that puts no spaces between words; `weight` is its share of a word. */
interface Word {
  readonly text: string;
  readonly weight: number;
}

/**
 * The words of a text, for comparing texts: lower case, without punctuation around them. A path, a number or a hyphenated
 * name is one word.
 */
function wordsOf(text: string): readonly Word[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}_\-./@#'’]+/u)
    .flatMap((chunk) => chunk.split(separate))
    .map((chunk) => chunk.replace(/^[_\-./@#'’]+/, '').replace(/[_\-./@#'’]{1,20}$/, ''))
    .filter((chunk) => chunk !== '')
    .map((chunk) => ({ text: chunk, weight: weightOf(chunk) }));
}

/** Two characters of Chinese or Japanese are about a word, four of Thai and its neighbours. */
function weightOf(word: string): number {
  if (joinedScript.test(word)) return 0.5;
  return spacelessScript.test(word) ? 0.25 : 1;
}

/**
 * The first run of at least `count` consecutive words that both texts have, or undefined. Time grows with the sum of the
 * lengths. Runs that `known` has too do not count: what stood there before was not taken from the other text.
 */
export function findSharedRun(
  text: string,
  other: string,
  { count, known }: { readonly count: number; readonly known: string },
): string | undefined {
  const theirs = new Set(runsOf(other, count));
  if (theirs.size === 0) return undefined;
  const before = new Set(runsOf(known, count));
  for (const run of runsOf(text, count)) {
    if (theirs.has(run) && !before.has(run)) return run;
  }
  return undefined;
}

/** Every shortest run of words that together weigh `count`. */
function* runsOf(text: string, count: number): Generator<string> {
  const words = wordsOf(text);
  let end = 0;
  let weight = 0;
  for (const [start, word] of words.entries()) {
    while (weight < count && end < words.length) {
      weight += words[end]?.weight ?? 0;
      end += 1;
    }
    if (weight < count) return;
    yield words
      .slice(start, end)
      .map((each) => each.text)
      .join(' ');
    weight -= word.weight;
  }
}
