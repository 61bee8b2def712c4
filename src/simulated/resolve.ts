import type { Instruction } from './instruction.js';

/**
 * What is left of instructions that contradict each other: an exact one beats a vague one wherever they stand; between
 * equals the later wins. The order of those that stay is kept.
 */
export function resolve(instructions: readonly Instruction[]): readonly Instruction[] {
  let kept: readonly Instruction[] = [];
  for (const next of instructions) {
    const rivals = kept.filter((other) => contradicts(other, next));
    if (rivals.some((rival) => next.vague && !rival.vague)) continue;
    kept = [...kept.filter((other) => !rivals.includes(other) && !isSame(other, next)), next];
  }
  return kept;
}

/** The same slot with another sense, one that works against the other, a slot that holds the other (`tool` holds `tool search`), or a floor above a ceiling. */
export function contradicts(one: Instruction, other: Instruction): boolean {
  if (one.slot === other.slot) return !isSame(one, other);
  if (one.slot.startsWith(`${other.slot} `) || other.slot.startsWith(`${one.slot} `)) return true;
  if (one.opposes?.includes(other.slot) === true || other.opposes?.includes(one.slot) === true) return true;
  return isAbove(one, other) || isAbove(other, one);
}

export function isSame(one: Instruction, other: Instruction): boolean {
  return one.slot === other.slot && one.sentence === other.sentence;
}

/** Whether the floor of one is above the ceiling of the other. */
function isAbove(low: Instruction, high: Instruction): boolean {
  return (low.length?.least ?? 0) > (high.length?.most ?? Infinity);
}
