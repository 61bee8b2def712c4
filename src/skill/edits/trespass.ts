import type { CodeEdits } from './edit.js';
import { fenceChange } from './codeFences.js';
import type { ProtectedRegion } from '../document/protectedRegions.js';
import type { SkillDocument } from '../document/skillDocument.js';
import { overlaps, textOf, type Span } from '../document/span.js';
import type { NotAppliedReason, Splice } from './splice.js';

type Refusal = NotAppliedReason & { readonly kind: 'refused' };

/** Whose region may be written: the learned block by edits of that scope, the other blocks by their own stages, none by edits of the body. */
export type Writes = 'body' | 'learned' | 'slow-update' | 'appendix';

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
 * was; code is left alone unless that is allowed, and comes new into the body alone. Compares the documents before and after, so that text which only together with its surroundings makes a marker or
 * half a fence is found too.
 */
export function findDamage(
  before: SkillDocument,
  splice: Splice,
  after: SkillDocument,
  { scope: writes, code = 'refused' }: DamageLimits,
): Refusal | undefined {
  if (frontMatterText(before) !== frontMatterText(after)) {
    return refused('front-matter', 'The edit would change where the front matter ends.');
  }
  if (regionTexts(before, writes) !== regionTexts(after, writes)) {
    return refused('marker', 'The edit would make, move or break the marker of a protected region.');
  }
  switch (fenceChange(before, splice, after)) {
    case 'broken':
      return refused('code-fence', 'The edit would open, close or cut a code fence.');
    case 'code':
      if (code === 'allowed') return undefined;
      return refused('code-fence', 'The edit would change code that agents run. The option edits.code allows that.');
    case 'new':
      if (code === 'allowed' || writes === 'body' || writes === 'learned') return undefined;
      // Its stage writes the block anew each time, and code that is there stays: the first fence would be the last word.
      return refused('code-fence', `The ${writes} block takes no new code. The option edits.code allows that.`);
    case 'none':
      return undefined;
  }
}

interface DamageLimits {
  readonly scope: Writes;
  readonly code?: CodeEdits;
}

function guarded(document: SkillDocument, writes: Writes): readonly ProtectedRegion[] {
  return document.regions.filter((region) => region.kind !== writes);
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

function refused(reason: Refusal['reason'], detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
