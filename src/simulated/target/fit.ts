import { tightest, type Size } from './layout.js';
import { isWithin, reaches } from './measure.js';
import type { LengthBounds } from './plan.js';

/** Enough for every rambling sentence, and then some. */
const usualFillers = 15;
const endlessFillers = 4000;

/** Writes as much as the bounds allow: the usual ramble, more where a floor asks for it, less where a ceiling does. */
export function fit(write: (size: Size) => string, most: LengthBounds, least: LengthBounds): string {
  const usual = write({ fillers: usualFillers, tightness: 0 });
  if (!reaches(usual, least)) return grow(write, least);
  if (isWithin(usual, most)) return usual;
  for (let tightness = 0; tightness <= tightest; tightness += 1) {
    const bare = write({ fillers: 0, tightness });
    if (!isWithin(bare, most)) continue;
    return fullest((fillers) => write({ fillers, tightness }), most);
  }
  return clip(write({ fillers: 0, tightness: tightest }), most);
}

function grow(write: (size: Size) => string, least: LengthBounds): string {
  let fillers = usualFillers;
  let text = '';
  do {
    fillers = Math.ceil(fillers * 1.5);
    text = write({ fillers, tightness: 0 });
  } while (!reaches(text, least) && fillers < endlessFillers);
  return text;
}

/** The longest text within the bounds, by halving: more fillers never make a text shorter. */
function fullest(write: (fillers: number) => string, most: LengthBounds): string {
  let low = 0;
  let high = usualFillers;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isWithin(write(middle), most)) low = middle;
    else high = middle - 1;
  }
  return write(low);
}

/** The last resort for bounds of a few words: what is left of running text is cut; lines that were asked for stay. */
function clip(text: string, most: LengthBounds): string {
  if (/[\n:<{]/.test(text)) return text;
  const words = text.split(' ');
  for (let count = words.length; count > 1; count -= 1) {
    const cut = words.slice(0, count).join(' ');
    if (isWithin(cut, most)) return cut;
  }
  return words[0] ?? text;
}
