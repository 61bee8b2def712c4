/** Whether `after` is `before` with words taken out and nothing put in; white space does not count. */
export function onlyShortens(before: string, after: string): boolean {
  const all = wordsOf(before);
  const left = wordsOf(after);
  let found = 0;
  for (const word of all) if (word === left[found]) found += 1;
  return found === left.length && left.length < all.length;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/u).filter((word) => word !== '');
}
