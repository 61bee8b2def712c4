import { sha256 } from '../hash.js';
import { carryOver } from './carryOver.js';
import { movedTexts, type ProposalTexts } from './proposalTexts.js';
import type { ReviewMemo } from './reviewMemo.js';

/** The texts of a review after the file went through some changes. */
export interface CurrentTexts {
  readonly candidate: string;
  readonly texts: ProposalTexts;
  readonly real: string;
}

/**
 * Lets the proposal follow what happened to the file, text by text: the person's own changes are carried over, accepting
 * and taking it back are not, since there the file follows the proposal. `file` holds its texts one after the other, beginning with the one last followed.
 */
export function followFile(
  memo: Pick<ReviewMemo, 'texts' | 'accepts'>,
  candidate: string,
  file: readonly string[],
): CurrentTexts {
  let current: CurrentTexts = { candidate, texts: memo.texts, real: file[0] ?? '' };
  for (const [before, after] of changesOf(file, memo.accepts)) {
    const carry = (text: string): string => carryOver(before, after, text).text;
    const { base, proposed } = current.texts;
    current = {
      candidate: carry(current.candidate),
      texts: movedTexts(current.texts, { base: carry(base), proposed: carry(proposed) }),
      real: after,
    };
  }
  return { ...current, real: file.at(-1) ?? current.real };
}

/**
 * What a file goes through on its way to a text, after the texts that it had so far: where it had that very text before,
 * as after a revert, the way it came. So an accept on that way is taken back, and is no change of the person's.
 */
export function wayBack(past: readonly string[], text: string): readonly string[] {
  const at = past.lastIndexOf(text);
  return at < 0 ? [text] : [...past.slice(at + 1, -1).toReversed(), text];
}

/** True where one text comes from the other by accepting, or by taking accepts back, and by nothing else. */
export function isAcceptStep(accepts: ReviewMemo['accepts'], before: string, after: string): boolean {
  const [from, to] = [sha256(before), sha256(after)];
  const reached = new Set([from]);
  for (const at of reached) {
    for (const [a, b] of accepts) {
      if (a === at) reached.add(b);
      if (b === at) reached.add(a);
    }
  }
  return from !== to && reached.has(to);
}

/** The person's changes, each as long as it goes: a step of the review ends one and begins the next. */
function changesOf(texts: readonly string[], accepts: ReviewMemo['accepts']): readonly (readonly [string, string])[] {
  const changes: [string, string][] = [];
  let [begin] = texts;
  for (const [index, after] of texts.entries()) {
    const before = texts[index - 1];
    if (begin === undefined || before === undefined || !isAcceptStep(accepts, before, after)) continue;
    changes.push([begin, before]);
    begin = after;
  }
  changes.push([begin ?? '', texts.at(-1) ?? '']);
  return changes.filter(([before, after]) => before !== after);
}
