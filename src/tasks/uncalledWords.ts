import type { Task } from './task.js';

/** The tag of a draft that a small model wrote and that asks for what nothing calls for: a person looks at it first. */
export const lookTwice = 'look-twice';

/**
 * The texts that an answer must have although neither the request nor the skill says a word of them: what small models
 * write into checks (“operate”), and no answer would have but by chance. Numbers may well be what is to be found out.
 */
export function uncalledWords(
  { prompt, context = '', checks, expectations }: Pick<Task, 'prompt' | 'checks' | 'expectations'> & Partial<Task>,
  skill: string,
): readonly string[] {
  const said = [prompt, context, skill].join('\n').toLowerCase();
  const words = new Set(wordsIn(said).flatMap((word) => [word, ...stemOf(word)]));
  const isSaid = (word: string): boolean =>
    /^\d+$/.test(word) || formsOf(word).some((form) => words.has(form)) || (!isSpaced(word) && said.includes(word));
  const required = [...checks.flatMap(requiredBy), ...expectations.flatMap(quotedIn)];
  return [...new Set(required)].filter((text) => !wordsIn(text.toLowerCase()).every(isSaid));
}

function requiredBy({ check, hidden, arguments: given }: Task['checks'][number]): readonly string[] {
  const name = { contains: 'text', section_present: 'heading' }[check];
  const text = name === undefined || hidden ? undefined : given[name];
  return typeof text === 'string' ? [text] : [];
}

const demands = /\b(?:contains?|includes?|mentions?|uses?|has|have|says?)\b/i;

/** Words in quotes that an expectation asks for. */
function quotedIn(expectation: string): readonly string[] {
  if (!demands.test(expectation) || /\b(?:not|never|no|without|avoids?)\b/i.test(expectation)) return [];
  return Array.from(expectation.matchAll(/["“'‘]([^"“”'‘’]{2,60})["”'’]/g), ([, quoted]) => quoted ?? '');
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}

/** So much of a long word is the same in most of its forms; of “operate” and “operations” it is not. */
function stemOf(word: string): readonly string[] {
  return word.length < stemLength ? [] : [word.slice(0, stemLength)];
}

const stemLength = 7;

/** A word with and without the usual endings of English, and its stem. */
function formsOf(word: string): readonly string[] {
  const bare = endings.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length));
  const isPlural = word.endsWith('ies');
  return [
    word,
    ...stemOf(word),
    ...endings.map((ending) => word + ending),
    ...bare,
    ...(isPlural ? [`${word.slice(0, -3)}y`] : [`${word.replace(/y$/, '')}ies`]),
  ];
}

const endings: readonly string[] = ['s', 'es', 'd', 'ed', 'ing'];

/** Elsewhere words stand in one another, or have others joined to them. */
function isSpaced(word: string): boolean {
  return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]+$/u.test(word);
}
