import type { ProtectedRegion } from './protectedRegions.js';
import { parseSkill, type SkillDocument } from './skillDocument.js';
import { contains, textOf, type Span } from './span.js';

/** One rule of the learned block: a list item with all its lines. */
export interface LearnedRule {
  readonly span: Span;
  readonly text: string;
}

export interface LearnedBlock {
  readonly region: ProtectedRegion;
  readonly rules: readonly LearnedRule[];
}

/** The first learned block with both its markers, in a skill or a memory file; undefined where there is none. */
export function readLearned(document: SkillDocument): LearnedBlock | undefined {
  const region = document.regions.find(({ kind, state }) => kind === 'learned' && state === 'closed');
  if (region === undefined) return undefined;
  const rules: LearnedRule[] = [];
  for (const { span } of document.items) {
    const isNested = span.start < (rules.at(-1)?.span.end ?? 0);
    if (contains(region.inner, span) && !isNested) rules.push({ span, text: textOf(document.text, span) });
  }
  return { region, rules };
}

/** True where one text leads to the other by changing its learned block alone, or by bringing or taking the block at its end. */
export function differInLearnedAlone(before: string, after: string): boolean {
  const [left, right] = [besideLearned(before), besideLearned(after)];
  return left.above === right.above && left.below === right.below;
}

function besideLearned(text: string): { readonly above: string; readonly below: string } {
  const outer = readLearned(parseSkill(text))?.region.span;
  if (outer === undefined) return { above: text.trimEnd(), below: '' };
  return { above: text.slice(0, outer.start).trimEnd(), below: text.slice(outer.end).trim() };
}
