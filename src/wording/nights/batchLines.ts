import type { BatchNews } from '../../ports/batches.js';
import { grouped } from '../amounts.js';
import { english } from '../translate.js';

/** What happens to a batch while a run goes on; stored with the run, so in English. */
export function batchSentence(event: BatchNews): string {
  switch (event.kind) {
    case 'sent':
      return english(
        'A batch of {0} calls was sent, at half the price ({1}). It is waited for until {2}.',
        grouped(event.calls),
        event.batch,
        clockTime(event.until),
      );
    case 'refused':
      return english(
        'The server of {0} takes no batch, so the calls are made one by one, at the usual price. It said: {1}',
        event.model,
        event.why,
      );
    case 'taken-up':
      return english(
        'A batch of {0} calls that was sent at {1} is taken up where it stands: nothing of it is asked again.',
        grouped(event.calls),
        clockTime(event.begunAt),
      );
    case 'cancelled':
      return english(
        'A batch of {0} calls has had its time (nightly.batchWait) and is cancelled. What it has answered is kept.',
        grouped(event.calls),
      );
    case 'left-alone':
      return english(
        'The minutes of the run are used up while a batch of {0} calls is under way. The next night takes it up.',
        grouped(event.calls),
      );
    case 'ended':
      return endedSentence(event);
  }
}

function endedSentence({ answered, failed, left, why }: Extract<BatchNews, { kind: 'ended' }>): string {
  const all = english('A batch has ended: {0} calls answered, at half the price.', grouped(answered));
  const rest =
    failed + left === 0
      ? []
      : [
          english(
            '{0} failed and {1} were not reached; they are asked one by one, at the usual price, within the caps.',
            grouped(failed),
            grouped(left),
          ),
        ];
  return [all, ...rest, ...(why === undefined ? [] : [english('The server said: {0}', why)])].join(' ');
}

/** Day and time to the minute, in UTC: a night may be looked at from anywhere. */
function clockTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** Why a run that waits for no batch does not begin. */
export function batchRuns(calls: number, until: number): string {
  return english(
    'A batch of {0} calls that a night sent for this skill is under way, until {1} at the latest: what is asked now would be paid twice.',
    grouped(calls),
    clockTime(until),
  );
}

/** A model that no batch can be sent to. */
export function takesNoBatches(model: string): string {
  return english('{0} takes no batches: its calls are made one by one, at the usual price.', model);
}

/** How long the batches of several skills may take, which are trained one after the other. */
export function batchesOfAll({
  skills,
  hours,
  nights,
}: Readonly<Record<'skills' | 'hours' | 'nights', number>>): string {
  return nights === 1
    ? english(
        'The skills are trained one after the other: the batches of all {0} may be waited for {1} hours, no more than one night.',
        skills,
        grouped(hours),
      )
    : english(
        'The skills are trained one after the other: the batches of all {0} may be waited for {1} hours, up to {2} nights.',
        skills,
        grouped(hours),
        nights,
      );
}

/** How a night with batches goes, before it begins. */
export interface BatchSize {
  /** How many are sent one after the other: usually, and at most. */
  readonly usual: number;
  readonly most: number;
  readonly hours: number;
  readonly nights: number;
  readonly least: number;
}

export function batchLines({ usual, most, hours, nights, least }: BatchSize): readonly string[] {
  if (most === 0)
    return [
      english('nightly.batch is on, but no stage has {0} calls: all are made one by one, at the usual price.', least),
    ];
  const sent = english(
    'Stages of {0} calls or more are sent as batches, at half the price: usually {1}, at most {2}, one after the other.',
    least,
    usual,
    most,
  );
  const all = grouped(most * hours);
  const waited =
    nights === 1
      ? english('Each is waited for up to {0} hours, {1} hours in all: no more than one night.', hours, all)
      : english('Each is waited for up to {0} hours, {1} hours in all: up to {2} nights.', hours, all, nights);
  const rest = english(
    'What a batch has not answered by then is asked one by one, at the usual price, within the caps.',
  );
  return [sent, waited, rest];
}
