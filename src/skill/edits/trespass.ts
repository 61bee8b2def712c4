import type { Fence } from '../document/markdownStructure.js';
import type { ProtectedRegion } from '../document/protectedRegions.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { contains, overlaps, textOf, type Span } from '../document/span.js';
import type { NotApplied, Splice } from './splice.js';

type Refusal = NotApplied & { readonly kind: 'refused' };

/** Whose region may be written: the learned block by edits of that scope, none by edits of the body. */
export type Writes = 'body' | 'learned';

/** Why this span must not be touched: it reaches into the front matter or into a region that is not the writer's. */
export function findTrespass(document: SkillDocument, span: Span, writes: Writes): Refusal | undefined {
  if (span.start < document.body.start) {
    return refused('front-matter', 'The front matter is not changed by edits.');
  }
  const region = guarded(document, writes).find((each) => reachesInto(each, span));
  if (region === undefined) return undefined;
  if (region.kind === 'keep') return refused('kept-region', 'The place lies in a part that is marked to be kept.');
  return refused('protected-region', `The place lies in the ${region.kind} block, which only its own stage writes.`);
}

/**
 * What the splice broke although its span was free: the front matter, a protected region or a code fence that is not as it
 * was. Compares the documents before and after, so that text which only together with its surroundings makes a marker or
 * half a fence is found too.
 */
export function findDamage(
  before: SkillDocument,
  splice: Splice,
  after: SkillDocument,
  writes: Writes,
): Refusal | undefined {
  if (frontMatterText(before) !== frontMatterText(after)) {
    return refused('front-matter', 'The edit would change where the front matter ends.');
  }
  if (regionTexts(before, writes) !== regionTexts(after, writes)) {
    return refused('marker', 'The edit would make, move or break the marker of a protected region.');
  }
  if (!keepsFences(before.fences, splice, after.fences)) {
    return refused('code-fence', 'The edit would open, close or cut a code fence.');
  }
  return undefined;
}

function guarded(document: SkillDocument, writes: Writes): readonly ProtectedRegion[] {
  return document.regions.filter((region) => writes === 'body' || region.kind !== 'learned');
}

/** Also true for an insertion in the middle of the region, or at the end of one that has no end. */
function reachesInto({ span: region, state }: ProtectedRegion, span: Span): boolean {
  if (overlaps(region, span)) return true;
  return region.start < span.start && (span.start < region.end || (state === 'unclosed' && span.start === region.end));
}

function frontMatterText(document: SkillDocument): string | undefined {
  return document.frontMatter && textOf(document.text, document.frontMatter.span);
}

function regionTexts(document: SkillDocument, writes: Writes): string {
  const texts = guarded(document, writes).map(({ kind, state, span }) => [kind, state, textOf(document.text, span)]);
  return JSON.stringify(texts);
}

function keepsFences(before: readonly Fence[], splice: Splice, after: readonly Fence[]): boolean {
  const open = new Map(after.map((fence) => [fence.span.start, fence]));
  const longer = splice.text.length - (splice.end - splice.start);
  for (const fence of before) {
    const place = placeOf(fence, splice);
    if (place === 'cut') return false;
    if (place === 'replaced') continue;
    const start = fence.span.start + (place === 'after' ? longer : 0);
    const end = fence.span.end + (place === 'before' ? 0 : longer);
    const now = open.get(start);
    if (now?.span.end !== end || now.closed !== fence.closed) return false;
    open.delete(start);
  }
  const inserted = { start: splice.start, end: splice.start + splice.text.length };
  return [...open.values()].every(({ span, closed }) => closed && contains(inserted, span));
}

/** Where a fence lies, seen from the splice. */
function placeOf(fence: Fence, splice: Splice): 'before' | 'after' | 'around' | 'replaced' | 'cut' {
  if (fence.span.end <= splice.start) return 'before';
  if (splice.end <= fence.span.start) return 'after';
  if (contains(fence.body, splice)) return 'around';
  return contains(splice, fence.span) ? 'replaced' : 'cut';
}

function refused(reason: Refusal['reason'], detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
