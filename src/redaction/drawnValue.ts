/**
 * True where a value mixes letters with digits or signs, and hardly any of it can be read aloud: nobody writes such a thing
 * for its meaning.
 */
export function isDrawn(value: string): boolean {
  return value.length >= 5 && !/\s/.test(value) && isMixed(value) && wordShare(value) < 0.5;
}

function isMixed(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d|[^\w\s.:/-]/.test(value);
}

/** The share of a value's letters and digits that lie in segments a person could read aloud. */
export function wordShare(value: string): number {
  const segments = segmentsOf(value);
  const length = segments.reduce((sum, segment) => sum + segment.length, 0);
  const spoken = segments.filter(isSpoken).reduce((sum, segment) => sum + segment.length, 0);
  return length === 0 ? 0 : spoken / length;
}

/** Words between separators and at humps; a word riddled with digits is one piece, however its letters lie. */
export function segmentsOf(value: string): readonly string[] {
  return value
    .split(/[^A-Za-z0-9]+/)
    .flatMap((word) => (isRiddled(word) ? [word] : (word.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [])));
}

function isRiddled(word: string): boolean {
  const inside = word.match(/(?<=[A-Za-z])\d+(?=[A-Za-z])/g)?.length ?? 0;
  const groups = word.match(/\d+/g)?.length ?? 0;
  return inside >= 1 && (groups >= 2 || word.length >= 13);
}

function isSpoken(segment: string): boolean {
  return /^[A-Za-z]{3,}$/.test(segment) && /[aeiouy]/i.test(segment) && !/[^aeiouy]{5}/i.test(segment);
}

/**
 * True of a row of letters that nobody would say: every fifth letter or more follows one that it does not follow in words.
 * With vowels in it such a row may pass for a word that can be read aloud.
 */
export function isRowOfLetters(value: string): boolean {
  const letters = /^(?:[a-z]{10,}|[A-Z]{10,})(?=\d{0,2}$)/.exec(value)?.[0].toLowerCase() ?? '';
  const pairs = Math.max(1, letters.length - 1);
  const odd = letters.split('').filter((letter, at) => {
    return at > 0 && following.get(letters.charAt(at - 1))?.has(letter) === false;
  });
  return odd.length >= 3 && odd.length / pairs >= 0.2;
}

/** Each letter with those that follow it in the words of some languages. */
const following: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  'abcdefgiklmnoprstuvwxyz babceijloprstuy cacehiklorstuy dabcdegilmnoprstuvy eabcdefghijklmnopqrstuvwxy faefilorstuy gaeghilmnorstuy haeilmnorstuy iabcdefgjklmnoprstuvxz jaeiosu kacdeilnoprstuy labcdefghiklmnoprstuvyz mabdefiklmnopstuy nabcdefghijklmnoprstuvwyz oabcdefgiklmnoprstuvwxy padefghiklmoprstu qu rabcdefghiklmnoprstuvwyz sabcdefghiklmnoprstuvwyz tabcdefghiklmnoprstuwyz uabcdefghiklmnoprstz vaeioru waehiklnorsu xaceiopty yabcefilmnoprstw zaeiotuwyz'
    .split(' ')
    .map((row) => [row.slice(0, 1), new Set(row.slice(1))]),
);
