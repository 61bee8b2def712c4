import type { EditWorth, ProposedEdit } from '../ports/proposal.js';
import { points, signedPoints } from './amounts.js';
import type { Say } from './translate.js';

/**
 * What an edit is worth: `+18 points, 95 % between +6 and +29, together with E4`. No figure where nothing was measured.
 * The group of a worth are the others that it was measured with, never the edit itself.
 */
export function worthText(worth: EditWorth, say: Say): string {
  if (worth.kind === 'not-measured-singly') return say('not measured singly');
  const [low, high] = worth.interval.map(signedPoints);
  const figures = [signedPoints(worth.effect), low ?? '', high ?? ''];
  return worth.group.length === 0
    ? say('{0} points, 95 % between {1} and {2}', ...figures)
    : say('{0} points, 95 % between {1} and {2}, together with {3}', ...figures, worth.group.join(', '));
}

/** What several edits of one change are worth: each by itself; their sum was never measured. */
export function worthOfAll(edits: readonly ProposedEdit[], say: Say): string {
  const [first, ...others] = edits;
  if (first === undefined) return say('not measured singly');
  if (others.length === 0 || edits.every(({ worth }) => worth.kind === 'not-measured-singly'))
    return worthText(first.worth, say);
  return edits
    .map(({ id, worth }) => `${id} ${worth.kind === 'measured' ? measuredPoints(worth, say) : worthText(worth, say)}`)
    .join(', ');
}

/** An effect that belongs to several edits says so also where there is no room for its interval. */
function measuredPoints({ effect, group }: Extract<EditWorth, { readonly kind: 'measured' }>, say: Say): string {
  const worth = points(effect, say);
  return group.length === 0 ? worth : say('{0} together with {1}', worth, group.join(', '));
}
