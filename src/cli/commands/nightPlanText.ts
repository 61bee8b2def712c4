import type { NightPlan } from '../../app/nights/nightPlan.js';
import type { NightResult } from '../../app/nights/nightResult.js';
import { count } from '../../wording/amounts.js';
import { english } from '../../wording/translate.js';
import { oneLine } from '../terminal.js';

const mostListed = 20; // of those that wait; --json lists all

/** Whom a night trains where it has no room for all, why, and who has to wait; nothing where there is room. */
export function placesText({ fleet, train }: Pick<NightPlan, 'fleet' | 'train'>): string {
  if (fleet === undefined) return '';
  return [
    fleet.sentence,
    'Tonight:',
    ...train.map(placeLine),
    'Later, or tonight with what these leave of the budget:',
    ...listed(fleet.later.map(turnLine)),
  ].join('\n');
}

/** The same once the night is over. */
export function givenPlacesText({ fleet, skills }: Pick<NightResult, 'fleet' | 'skills'>): readonly string[] {
  if (fleet === undefined) return [];
  const waiting = skills.filter(({ stop }) => stop === 'later-night');
  const placed = skills.filter((skill) => skill.place !== undefined && !waiting.includes(skill));
  return [
    fleet,
    'Why these:',
    ...placed.map(placeLine),
    ...(waiting.length === 0 ? [] : ['Left for a later night:', ...listed(waiting.map(turnLine))]),
    '',
  ];
}

/** What a night would do; nothing of it has happened yet. */
export function nightPlanText(plan: NightPlan): string {
  const { train, stops, fleet, sessions } = plan;
  const leftOut = leftOutOf(plan);
  const runs = fleet === undefined ? train.map(runLine) : [placesText(plan)];
  return [
    ...stops.map(({ sentence, cure }) => oneLine(`${sentence} ${cure}`.trim())),
    ...sessionLines(sessions),
    ...(stops.length > 0 ? [] : train.length === 0 ? ['No skill would be trained.'] : runs),
    ...(stops.length > 0 ? [] : batchLinesOf(plan).map(oneLine)),
    ...(leftOut.length === 0 ? [] : ['Left out:']),
    ...leftOut,
    'Nothing was run: this is what a night would do.',
  ].join('\n');
}

function leftOutOf({ leftOut, broken }: NightPlan): readonly string[] {
  return [
    ...leftOut.map(({ name, stop }) => `  ${oneLine(`${name}: ${stop.sentence}`)}`),
    ...broken.map(({ name, reason }) => `  ${oneLine(`${name}: ${reason}`)}`),
  ];
}

/** What a night would look through first; nothing where there is nothing new to read. */
function sessionLines(sessions: NightPlan['sessions']): readonly string[] {
  if (sessions === undefined || sessions.read === 0) return [];
  const { read, size } = sessions;
  const how =
    size === undefined
      ? 'by rules: nothing is sent.'
      : `with a model: at most ${count(size.calls.high, 'call', english)}.`;
  const sessionsToRead = read === 1 ? '1 new session' : `${read} new sessions`;
  return [`First it looks for tasks in ${sessionsToRead}, ${how}`];
}

/** How a night with batches goes, with the skill where there are several. */
export function batchLinesOf({ train, batches: ofAll }: NightPlan): readonly string[] {
  const each = train.flatMap(({ name, preflight: { batches = [] } }) => {
    return batches.length === 0 ? [] : [`${train.length > 1 ? `${name}: ` : ''}${batches.join(' ')}`];
  });
  return ofAll === undefined ? each : [...each, ofAll];
}

function runLine({ name, preflight: { usual } }: NightPlan['train'][number]): string {
  return oneLine(`${name}: usually ${count(usual.calls, 'call', english)}, ${count(usual.tokens, 'token', english)}.`);
}

function placeLine({ name, place = '' }: { readonly name: string; readonly place?: string }): string {
  return `  ${oneLine(`${name}: ${place}`)}`;
}

/** Of those that wait the turn and what is expected; --json has every figure. */
function turnLine({ name, place = '' }: { readonly name: string; readonly place?: string }): string {
  return placeLine({ name, place: place.split(/(?<=\.)\s/)[0] ?? '' });
}

function listed(lines: readonly string[]): readonly string[] {
  const more = lines.length - mostListed;
  return more <= 0 ? lines : [...lines.slice(0, mostListed), `  and ${more} more (--json lists them)`];
}
