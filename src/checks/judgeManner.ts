import { isSmallModel, type SizedModel } from '../prompts/smallModels.js';

/** How a judge is best asked, as far as its size and its replies of this run tell. */
export interface JudgeManner {
  /** What a small model gave no grade for is asked about once more. */
  readonly isSmall: boolean;
  /** Whether replies about all criteria come to nothing here: then each is asked about by itself, at once. */
  readonly failsAtLists: () => boolean;
  /** A reply about all criteria gave so many grades. */
  readonly listGave: (grades: number) => void;
}

/** One for each run: what a judge shows is remembered as long as that. */
export function judgeManner(judge: SizedModel): JudgeManner {
  let [managed, failed] = [0, 0];
  return {
    isSmall: isSmallModel(judge),
    failsAtLists: () => failed >= fewestFailures && failed > managed,
    listGave: (grades) => {
      // One grade would have cost one call by itself.
      if (grades > 1) managed += 1;
      else failed += 1;
    },
  };
}

const fewestFailures = 2; // a single one may be an odd task

/**
 * The most calls for one grading of so many criteria. A small model is asked about all of them once, then about each that
 * it gave no grade for, twice at most. Any other is asked about all of them twice at most, or about each once where that
 * came to nothing before.
 */
export function mostGradings(judge: SizedModel, criteria: number): number {
  if (criteria < 2) return 2;
  return isSmallModel(judge) ? 1 + 2 * criteria : Math.max(2, criteria);
}
