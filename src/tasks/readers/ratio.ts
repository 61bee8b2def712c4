import { UserError } from '../../errors.js';
import { makeTask, type TaskSource } from '../makeTask.js';
import { bondsOf, inHashOrder, groupNewcomers } from '../split/groupNewcomers.js';
import { sides } from '../split/fillSides.js';
import { atOnce } from '../steps.js';
import type { Side } from '../task.js';
import { Notes, type ImportedTasks } from './importedTasks.js';

export type Ratio = Readonly<Record<Side, number>>;

/** Reads `2:1:7` as training : held-out : sealed; a missing last part is nothing. */
export function parseRatio(text: string): Ratio {
  const parts = text
    .trim()
    .split(':')
    .map((part) => (/^\s*\d+(?:\.\d+)?\s*$/u.test(part) ? Number(part) : Number.NaN));
  const [training = Number.NaN, heldOut = Number.NaN, sealed = 0] = parts;
  const sum = training + heldOut + sealed;
  if (parts.length > 3 || !Number.isFinite(sum) || sum <= 0) {
    const cure = 'Write three numbers with colons between them, such as 2:1:7.';
    throw new UserError('usage', `“${text}” is not a ratio of training, held-out and sealed tasks.`, cure);
  }
  return { training, heldOut, sealed };
}

/**
 * Assigns every task that has no side yet by a ratio: counts by largest remainder, in hash order, so that the same
 * tasks are split the same way everywhere. Tasks that belong together stay together, at the price of the exact counts.
 */
export function assignByRatio(tasks: readonly TaskSource[], ratio: Ratio): ImportedTasks {
  const notes = new Notes();
  const open = tasks.filter((task) => task.assigned === undefined);
  const ordered = inHashOrder(open.map((task) => makeTask(task)));
  const { bonds } = atOnce(bondsOf(ordered));
  const groups = groupNewcomers(ordered, { bonds, anchors: new Map(), ordered }).free;
  const wanted = countsOf(open.length, ratio);
  const left = { ...wanted };
  const sideOf = new Map<string, Side>();
  for (const group of groups) {
    const side = fullestSide(left);
    left[side] -= group.length;
    for (const task of group) sideOf.set(task.id, side);
  }
  const kept = tasks.length - open.length;
  if (kept > 0) {
    const why = 'the file says on which side they are';
    notes.changed(undefined, 'ratio', `It leaves ${kept} of the ${tasks.length} tasks where they are: ${why}.`);
  }
  for (const side of sides) {
    if (left[side] === 0) continue;
    const got = wanted[side] - left[side];
    notes.changed(
      undefined,
      'ratio',
      `${got} tasks instead of ${wanted[side]} are on the side “${side}”, since tasks that belong together stay together.`,
    );
  }
  return {
    tasks: tasks.map((task) => ({ ...task, assigned: task.assigned ?? sideOf.get(task.id) })),
    notes: notes.all,
  };
}

/** Largest remainder; the greater share wins a tie. */
function countsOf(total: number, ratio: Ratio): Record<Side, number> {
  const sum = ratio.training + ratio.heldOut + ratio.sealed;
  const exact = sides.map((side) => ({ side, share: ratio[side], count: (total * ratio[side]) / sum }));
  const counts = { training: 0, heldOut: 0, sealed: 0 };
  for (const { side, count } of exact) counts[side] = Math.floor(count);
  const rest = total - counts.training - counts.heldOut - counts.sealed;
  const ranked = exact.toSorted((a, b) => (b.count % 1) - (a.count % 1) || b.share - a.share);
  for (const { side } of ranked.slice(0, rest)) counts[side] += 1;
  return counts;
}

function fullestSide(left: Readonly<Record<Side, number>>): Side {
  const [first] = sides.toSorted((a, b) => left[b] - left[a]);
  return first ?? 'training';
}
