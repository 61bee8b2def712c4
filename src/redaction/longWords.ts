/**
 * Where the words of at least so many characters lie, in order: white space, quotes and angle brackets part words. It looks
 * at one place in so many, and from there back to where the word begins: most words are too short to be read at all.
 */
export function longWordsIn(text: string, shortest: number): readonly Place[] {
  const places: Place[] = [];
  let start = 0;
  while (start + shortest <= text.length) {
    const parted = lastParting(text, start, start + shortest);
    if (parted >= 0) {
      start = parted + 1;
      continue;
    }
    let end = start + shortest;
    while (end < text.length && !parts(text.charCodeAt(end))) end += 1;
    places.push({ start, end });
    start = end + 1;
  }
  return places;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The last place within the two that belongs to no word; -1 where all do. */
function lastParting(text: string, start: number, end: number): number {
  for (let at = end - 1; at >= start; at -= 1) if (parts(text.charCodeAt(at))) return at;
  return -1;
}

function parts(code: number): boolean {
  return code < parting.length ? parting[code] === true : code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}

const parting = Array.from({ length: 128 }, (_, code) => /[\s"'`<>]/.test(String.fromCharCode(code)));
