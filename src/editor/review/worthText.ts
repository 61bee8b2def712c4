import { points } from '../../gate/verdict/wording.js';
import type { EditWorth, ProposedEdit } from '../../ports/proposal.js';

const notSingly = 'not measured singly';

/** What an edit is worth: `+18 points, 95 % between 6 and 29`. No figure where nothing was measured. */
export function worthText(worth: EditWorth): string {
  if (worth.kind === 'not-measured-singly') return notSingly;
  const [low, high] = worth.interval.map((bound) => Math.round(bound * 100));
  const together = worth.group.length > 1 ? `, together with ${worth.group.length - 1} more` : '';
  return `${points(worth.effect)}, 95 % between ${low} and ${high}${together}`;
}

/** What several edits of one change are worth: each by itself; their sum was never measured. */
export function worthOfAll(edits: readonly ProposedEdit[]): string {
  const [first] = edits;
  if (first === undefined) return notSingly;
  if (edits.length === 1) return worthText(first.worth);
  if (edits.every(({ worth }) => worth.kind === 'not-measured-singly')) return notSingly;
  return edits
    .map(({ id, worth }) => `${id} ${worth.kind === 'measured' ? points(worth.effect) : notSingly}`)
    .join(', ');
}

/** `+38 tokens`, `no tokens more`. */
export function tokensText(tokens: number): string {
  if (tokens === 0) return 'same length';
  return `${tokens > 0 ? '+' : '−'}${Math.abs(tokens)} ${Math.abs(tokens) === 1 ? 'token' : 'tokens'}`;
}
