import { minimumHeldOutTasks } from '../gate/statistics/certification.js';
import { powerOf } from '../gate/statistics/power.js';
import { count } from './amounts.js';
import type { Say } from './translate.js';

/** What so many held-out tasks can show, in one sentence for the preflight, before anything is spent. */
export function powerSentence(n: number, say: Say): string {
  const tasks = count(n, 'held-out task', say);
  if (n < minimumHeldOutTasks) return say('{0}: nothing can be shown, {1} are the least.', tasks, minimumHeldOutTasks);
  const { found20, found40 } = powerOf(n);
  return say('{0}: +40 points is found {1}, +20 {2}.', tasks, howOften(found40, say), howOften(found20, say));
}

/** Rounded down, so that no sentence promises more than was measured. */
function howOften(share: number, say: Say): string {
  if (share >= 0.99) return say('almost always');
  if (share >= 0.95) return say('nineteen times in twenty');
  if (share >= 0.9) return say('nine times in ten');
  if (share >= 0.8) return say('eight times in ten');
  if (share >= 0.7) return say('seven times in ten');
  if (share >= 0.6) return say('six times in ten');
  if (share >= 0.55) return say('five times in ten');
  if (share >= 0.45) return say('about half the time');
  return share >= 0.2 ? say('less than half the time') : say('less than one time in five');
}
