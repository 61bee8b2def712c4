import type { EditWorth, ProposedEdit } from '../ports/proposal.js';
import { signedPoints } from './amounts.js';
import type { Say } from './translate.js';

/**
 * What an edit is worth: `+18 points on training tasks, 95 % between +6 and +29, together with E4`. Worths are measured on
 * training tasks alone, and every figure says so: the verdict is about others. No figure where nothing was measured.
 * The group of a worth are the others that it was measured with, never the edit itself.
 */
export function worthText(worth: EditWorth, say: Say): string {
  if (worth.kind === 'not-measured-singly') return say('not measured singly');
  const [low, high] = worth.interval.map(signedPoints);
  const figures = [signedPoints(worth.effect), low ?? '', high ?? ''];
  return worth.group.length === 0
    ? say('{0} points on training tasks, 95 % between {1} and {2}', ...figures)
    : say(
        '{0} points on training tasks, 95 % between {1} and {2}, together with {3}',
        ...figures,
        worth.group.join(', '),
      );
}

/**
 * The same where there is little room: `+25 pts on training tasks`, `+25 pts with E4 on training tasks`. Of edits that are
 * decided together each by itself: their sum was never measured.
 */
export function shortWorth(edits: readonly ProposedEdit[], say: Say): string {
  if (edits.every(({ worth }) => worth.kind === 'not-measured-singly')) return say('not measured singly');
  const ofAll = edits.every(({ worth }) => worth.kind === 'measured');
  const said = edits.map(({ id, worth }) => {
    const figure = shortOf(worth, say);
    const whole = ofAll || worth.kind !== 'measured' ? figure : onTraining(figure, say);
    return edits.length > 1 ? `${id} ${whole}` : whole;
  });
  return ofAll ? onTraining(said.join(', '), say) : said.join(', ');
}

function onTraining(figures: string, say: Say): string {
  return say('{0} on training tasks', figures);
}

function shortOf(worth: EditWorth, say: Say): string {
  if (worth.kind === 'not-measured-singly') return say('not measured singly');
  const points = signedPoints(worth.effect);
  return worth.group.length === 0 ? say('{0} pts', points) : say('{0} pts with {1}', points, worth.group.join(', '));
}
