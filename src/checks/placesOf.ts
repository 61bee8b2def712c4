/**
 * Every place at which `part` stands in `text`, in time that grows with their lengths alone (Knuth, Morris and Pratt):
 * `indexOf` takes their product where a long text is much like itself, and strangers write both.
 */
export function* placesOf(text: string, part: string): Generator<number, void> {
  if (part.length <= shortPart) return yield* placesOfShort(text, part);
  if (part.length > text.length) return;
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length; at += 1) {
    matched = extended(part, borders, matched, text.charCodeAt(at));
    if (matched < part.length) continue;
    yield at + 1 - matched;
    matched = borders[matched - 1] ?? 0;
  }
}

export function standsAnywhere(text: string, part: string): boolean {
  return part.length <= shortPart ? text.includes(part) : placesOf(text, part).next().done !== true;
}

const shortPart = 64; // the product is small, and the built-in search much faster

function* placesOfShort(text: string, part: string): Generator<number, void> {
  for (let at = text.indexOf(part); at >= 0 && at < text.length; at = text.indexOf(part, at + 1)) yield at;
}

/** For each beginning of a text how much of it is its end too. */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  for (let at = 1; at < part.length; at += 1) {
    borders[at] = extended(part, borders, borders[at - 1] ?? 0, part.charCodeAt(at));
  }
  return borders;
}

/** How much of `part` has been read after one more character. */
function extended(part: string, borders: Uint32Array, before: number, character: number): number {
  let matched = before;
  while (matched > 0 && part.charCodeAt(matched) !== character) matched = borders[matched - 1] ?? 0;
  return part.charCodeAt(matched) === character ? matched + 1 : matched;
}
