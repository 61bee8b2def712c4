import type { Fence } from '../document/markdownStructure.js';
import { parseSkill, type SkillDocument } from '../document/skillDocument.js';
import { contains, textOf } from '../document/span.js';
import type { Splice } from './splice.js';

/** What the code fences of a document come to by one splice. `broken`: one was opened, closed or cut; `new`: whole ones came in. */
export type FenceChange = 'none' | 'new' | 'code' | 'broken';

/**
 * Whether a splice leaves every fence that was there as it was, whole and word for word, and whether more came in. A fence
 * that it takes out and brings back as it was has not changed.
 */
export function fenceChange(before: SkillDocument, splice: Splice, after: SkillDocument): FenceChange {
  const places = before.fences.map((fence) => ({ fence, place: placeOf(fence, splice) }));
  const brought = fencesBrought(places, splice, after.fences);
  if (brought === undefined) return 'broken';
  if (places.some(({ place }) => place === 'around')) return 'code';
  const replaced = places.filter(({ place }) => place === 'replaced').map(({ fence }) => fence);
  if (!isInOrder(codeOf(before, replaced), codeOf(after, brought))) return 'code';
  return brought.length === replaced.length ? 'none' : 'new';
}

interface PlacedFence {
  readonly fence: Fence;
  readonly place: ReturnType<typeof placeOf>;
}

/** The fences that came in with the splice; undefined where one of the others is not where and what it was. */
function fencesBrought(
  places: readonly PlacedFence[],
  splice: Splice,
  after: readonly Fence[],
): readonly Fence[] | undefined {
  const open = new Map(after.map((fence) => [fence.span.start, fence]));
  const longer = splice.text.length - (splice.end - splice.start);
  for (const { fence, place } of places) {
    if (place === 'cut') return undefined;
    if (place === 'replaced') continue;
    const start = fence.span.start + (place === 'after' ? longer : 0);
    const end = fence.span.end + (place === 'before' ? 0 : longer);
    const now = open.get(start);
    if (now?.span.end !== end || now.closed !== fence.closed) return undefined;
    open.delete(start);
  }
  const inserted = { start: splice.start, end: splice.start + splice.text.length };
  const brought = [...open.values()];
  return brought.every(({ span, closed }) => closed && contains(inserted, span)) ? brought : undefined;
}

/** Whether every code fence of one text stands in the other, word for word and in the same order. */
export function keepsCode(before: string, after: string): boolean {
  if (before === after) return true;
  const [old, current] = [parseSkill(before), parseSkill(after)];
  return isInOrder(codeOf(old, old.fences), codeOf(current, current.fences));
}

/** Line breaks aside: a file that is saved with other ones runs the same. */
function codeOf({ text }: SkillDocument, fences: readonly Fence[]): readonly string[] {
  return fences.map(({ span }) => textOf(text, span).replaceAll(/\r\n?/g, '\n'));
}

function isInOrder(wanted: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const text of all) if (text === wanted[found]) found += 1;
  return found === wanted.length;
}

/** Where a fence lies, seen from the splice. */
function placeOf(fence: Fence, splice: Splice): 'before' | 'after' | 'around' | 'replaced' | 'cut' {
  if (fence.span.end <= splice.start) return 'before';
  if (splice.end <= fence.span.start) return 'after';
  if (contains(fence.body, splice)) return 'around';
  return contains(splice, fence.span) ? 'replaced' : 'cut';
}
