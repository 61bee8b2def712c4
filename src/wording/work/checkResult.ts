import type { Say } from '../translate.js';

/** How one check of an attempt came out, with what it asks in words. */
export interface ShownCheck {
  readonly criterion: string;
  /**
   * `not-run`: the attempt never came so far; `not-asked`: there was nothing to ask about, and it counts for nothing;
   * `unknown`: nobody wrote down how it came out.
   */
  readonly outcome: 'pass' | 'fail' | 'not-run' | 'not-asked' | 'unknown';
  /** Why, where that is known. */
  readonly reason: string;
}

/** How a check of a judged attempt came out. */
export function checkOutcome({
  pass,
  notRun,
  notAsked,
}: {
  readonly pass: boolean;
  readonly notRun?: true | undefined;
  readonly notAsked?: true | undefined;
}): Exclude<ShownCheck['outcome'], 'unknown'> {
  if (notAsked === true) return 'not-asked';
  if (notRun === true) return 'not-run';
  return pass ? 'pass' : 'fail';
}

/** `Failed: It was not run.` */
export function checkResult({ outcome, reason }: Pick<ShownCheck, 'outcome' | 'reason'>, say: Say): string {
  const isTold = reason.trim() !== '';
  switch (outcome) {
    case 'pass':
      return isTold ? say('Passed: {0}', reason) : say('Passed.');
    case 'fail':
      return isTold ? say('Failed: {0}', reason) : say('Failed.');
    case 'not-run':
      return isTold ? say('Not checked: {0}', reason) : say('Not checked.');
    case 'not-asked':
      return isTold ? say('Not asked: {0}', reason) : say('Not asked.');
    case 'unknown':
      return isTold ? say('Not known: {0}', reason) : say('Not known.');
  }
}

/** The sign that stands before it; never alone. */
export function checkMark({ outcome }: Pick<ShownCheck, 'outcome'>): string {
  switch (outcome) {
    case 'pass':
      return '✓';
    case 'fail':
      return '✗';
    case 'not-asked':
      return '–';
    case 'not-run':
    case 'unknown':
      return '?';
  }
}
