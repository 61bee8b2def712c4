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

/** Every run of `count` words of a text that another one has not: what stood there before was not taken from a third. */
export function newRuns(text: string, known: string, count: number): ReadonlySet<string> {
  const runs = new Set(runsOf(text, count));
  if (runs.size > 0) for (const run of runsOf(known, count)) runs.delete(run);
  return runs;
}

/** Every shortest run of words that together weigh `count`. */
export function* runsOf(text: string, count: number): Generator<string> {
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
