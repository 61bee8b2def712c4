import type { Statement } from './statements.js';

const toTwelve = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const tens = { fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, eighty: 80 };
const small: Readonly<Record<string, number>> = {
  ...Object.fromEntries(toTwelve.map((word, index) => [word, index + 1])),
  ...tens,
};
const numberWords = Object.keys(small).join('|');

/** A number in figures or in words, as a piece of a regular expression without groups. */
export const numberPattern = String.raw`(?:\d[\d,.]*\d|\d|half a dozen|a dozen|a hundred|(?:${numberWords})(?: hundred)?|a single|single|a couple of)`;

/** The value of what {@link numberPattern} matched. */
export function numberIn(text: string): number {
  const word = text.trim().toLowerCase();
  if (/^\d/.test(word)) return Number(word.replaceAll(/[,.](?=\d{3}\b)/g, ''));
  if (word === 'half a dozen') return 6;
  if (word === 'a dozen') return 12;
  if (word === 'a hundred') return 100;
  if (word === 'a couple of') return 2;
  const [first = '', hundred] = word.split(' ');
  return (small[first] ?? 1) * (hundred === 'hundred' ? 100 : 1);
}

const denial =
  /\b(?:do(?:es)? not|did not|must not|should not|shall not|may not|will not|never|avoid|no|not|without|omit|skip|leave out|refrain|cannot|free of|instead of|rather than|forbidden|banned|prohibited|off limits|ban|forbid|exclude)\b/;

/** Whether a clause forbids rather than asks. */
export function denies(plain: string): boolean {
  return denial.test(plain);
}

/** The quoted spans that a clause itself holds, in order. */
export function quotesIn(statement: Statement): readonly string[] {
  return [...statement.plain.matchAll(/⟦(\d+)⟧/g)].flatMap((match) => {
    const quote = statement.quotes[Number(match[1])];
    return quote === undefined ? [] : [quote];
  });
}

/** The names in “A, B and C”: quoted spans where there are any, else the parts between commas and “and”. */
export function namesIn(list: string, quotes: readonly string[]): readonly string[] {
  const marks = [...list.matchAll(/⟦(\d+)⟧/g)];
  if (marks.length > 0) return marks.flatMap((match) => quotes[Number(match[1])] ?? []);
  return list
    .replace(/[.;:!?].*$/s, '')
    .split(/,\s*(?:and |or |then )?|\s+(?:and|or|then|&)\s+|\s*(?:->|→|\/)\s*/i)
    .map((name) => name.replace(/^(?:the|an?)\s+/i, '').trim())
    .filter((name) => name !== '' && name.split(' ').length <= 5);
}

/** The name that a list item begins with: what stands in quotation marks, or before a colon, a dash or a bracket. */
export function itemName(item: string): string {
  const quoted = /^(?:“([^”]+)”|"([^"]+)"|`([^`]+)`)/.exec(item);
  const name = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3] ?? item.split(/\s[–—-]\s|:\s|\s\(|[,;]/)[0] ?? item;
  return name.replace(/[.:]$/, '').trim();
}

/** Names that begin a list beneath a lead-in; none where the items are whole sentences. */
export function itemNames(items: readonly string[]): readonly string[] {
  const names = items.map(itemName);
  return names.every((name) => name !== '' && name.split(' ').length <= 6) ? names : [];
}

/** The choices in `high | medium | low`, `<high, medium or low>`, `(one of high, medium, low)`. */
export function optionsIn(text: string): readonly string[] {
  const inside = /[<[({]([^<>[\](){}]+)[>\])}]/.exec(text)?.[1] ?? /\bone of:?\s+(.+)$/i.exec(text)?.[1] ?? text;
  const parts = inside
    .replace(/^\s*(?:one of|either)\s+/i, '')
    .replace(/[.;:]\s*$/, '')
    .split(/\s*\|\s*|\s*\/\s*|,\s*(?:or |and )?|\s+or\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.includes('⟦'));
  return parts.length >= 2 && parts.every((part) => part.split(' ').length <= 4) ? parts : [];
}

const stopWords = new Set(
  (
    'a about above after again all also always an and any are as at be because been before being below between both but by can ' +
    'could did do does doing down during each few for from further give given had has have having he her here hers him his how i ' +
    'if in into is it its itself just me more most must my no nor not of off on once only or other our out over own please same ' +
    'she should since so some such than that the their them then there these they this those through to too under until up us very was ' +
    'we were what when where which while who whom why will with would you your make sure need needs like using used use one two ' +
    'answer reply response question task write tell explain describe want wants get got let'
  ).split(' '),
);

/** The words that carry a text's meaning, in lower case, each once, in order. Characters of CJK scripts go in pairs. */
export function contentWords(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .match(
        /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}][\p{L}\p{N}'’_-]*|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,4}/gu,
      ) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 && !stopWords.has(word)))];
}

/** The share of the first text's content words that occur in the second, endings aside. */
export function overlap(wanted: string, text: string): number {
  const words = contentWords(wanted);
  if (words.length === 0) return 0;
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(stem(word))).length / words.length;
}

function stem(word: string): string {
  return word.length > 5 ? word.replace(/(?:ings?|ed|es|s|ly)$/, '') : word;
}
