import type { Preflight } from '../app/useCases.js';
import { sanitizeForTerminal } from './terminal.js';

/** What a run would do and cost, for people; nothing of it has happened yet. */
export function preflightText(preflight: Preflight): string {
  const { tasks, models, calls, tokens, usd, minutes } = preflight;
  const most = [`${whole(calls.high)} calls`, `${whole(tokens.high)} tokens`, money(usd?.high)];
  const least = [`${whole(calls.low)} calls`, `${whole(tokens.low)} tokens`, money(usd?.low)];
  return [
    `${sanitizeForTerminal(preflight.skillName)}: ${tasks.training} training, ${tasks.heldOut} held-out and ${tasks.sealed} sealed tasks${rest(tasks)}.`,
    `Models: target ${models.target}, optimizer ${models.optimizer}, judge ${models.judge}.`,
    `At most ${most.join(', ')}; with a proposal at least ${least.join(', ')}.`,
    `It would take ${minutesText(minutes)}, ${minutes.measured ? 'as earlier runs went' : 'by a guess: no earlier run on this model tells'}.`,
    ...preflight.prices,
    preflight.power,
    ...preflight.problems.map((problem) => `${problem.severity}: ${sanitizeForTerminal(problem.message)}`),
    ...preflight.notes.map(sanitizeForTerminal),
    'Nothing was run: this is what a run would take.',
  ].join('\n');
}

function rest({ drafts, setAside }: Preflight['tasks']): string {
  const parts = [
    ...(drafts === 0 ? [] : [`${drafts} drafts that count for nothing until they are confirmed`]),
    ...(setAside === 0 ? [] : [`${setAside} set aside`]),
  ];
  return parts.length === 0 ? '' : ` (and ${parts.join(', ')})`;
}

function whole(number: number): string {
  return Math.ceil(number).toLocaleString('en');
}

function minutesText({ low, high }: Preflight['minutes']): string {
  if (high < 1) return 'less than a minute';
  return low < 1 ? `up to ${whole(high)} minutes` : `${whole(low)} to ${whole(high)} minutes`;
}

function money(usd: number | undefined): string {
  return usd === undefined ? 'price unknown' : `${usd.toFixed(2)} USD`;
}
