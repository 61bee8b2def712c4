import { sha256 } from '../../hash.js';
import { hashText } from '../skill/document/fingerprint.js';
import { carryOver } from './carryOver.js';
import type { Ground } from './explainHunks.js';
import type { ReviewRecord } from './reviewRecord.js';

/** The texts of a review after the file went through some changes. */
export interface Followed {
  readonly candidate: string;
  readonly ground: Ground;
  readonly real: string;
}

/**
 * Lets the proposal follow what happened to the file, text by text: the person's own changes are carried over, accepting
 * and taking it back are not, since there the file follows the proposal. `texts` begins with the file as last followed.
 */
export function followFile(
  record: Pick<ReviewRecord, 'ground' | 'accepts'>,
  candidate: string,
  texts: readonly string[],
): Followed {
  let followed: Followed = { candidate, ground: record.ground, real: texts[0] ?? '' };
  for (const [before, after] of changesOf(texts, record.accepts)) {
    const carry = (text: string): string => carryOver(before, after, text).text;
    const { base, proposed } = followed.ground;
    followed = {
      candidate: carry(followed.candidate),
      ground: { base: carry(base), proposed: carry(proposed) },
      real: after,
    };
  }
  return { ...followed, real: texts.at(-1) ?? followed.real };
}

/** True where one text comes from the other by accepting, or by taking accepts back, and by nothing else. */
export function isAcceptStep(accepts: ReviewRecord['accepts'], before: string, after: string): boolean {
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
function changesOf(texts: readonly string[], accepts: ReviewRecord['accepts']): readonly (readonly [string, string])[] {
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
