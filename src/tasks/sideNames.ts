import type { Side } from './task.js';

/**
 * The words that name a side wherever one is named: ours, those of the paper's trainer and its data (`train`, `val`,
 * `valid_seen`, `selection`, `test`, `valid_unseen`), and those of SkillOpt-Sleep (`replay`, `holdout`).
 */
export const sideNames = {
  training: 'training',
  train: 'training',
  replay: 'training',
  heldOut: 'heldOut',
  'held-out': 'heldOut',
  held_out: 'heldOut',
  heldout: 'heldOut',
  holdout: 'heldOut',
  val: 'heldOut',
  valid: 'heldOut',
  validation: 'heldOut',
  dev: 'heldOut',
  selection: 'heldOut',
  valid_seen: 'heldOut',
  sealed: 'sealed',
  test: 'sealed',
  valid_unseen: 'sealed',
} as const satisfies Readonly<Record<string, Side>>;

const byLowerCase: ReadonlyMap<string, Side> = new Map(
  Object.entries(sideNames).map(([name, side]) => [name.toLowerCase(), side]),
);

/** The side that a word names, in whatever case; undefined where it names none. */
export function sideNamedBy(word: string): Side | undefined {
  return byLowerCase.get(word.trim().toLowerCase());
}

/** The words for one side, ours first: also the names of its folder in a benchmark that comes split. */
export function namesOfSide(side: Side): readonly string[] {
  return Object.entries(sideNames).flatMap(([name, named]) => (named === side ? [name] : []));
}
