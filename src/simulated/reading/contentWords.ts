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
