import type { WorkEvent, WorkLeft } from '../../ports/agentWork.js';
import { shortened, type Clean } from '../stages/shortened.js';

/** What an agent did and changed, as far as it is kept for people to look at. */
export interface KeptWork {
  readonly events: readonly WorkEvent[];
  readonly diff: string;
}

/** The text that holds it: of version 2 where a command was only told, which version 1 did not know. */
export function keptWorkText(kept: KeptWork): string {
  return JSON.stringify({ format: 'whetstone-work', version: kept.events.some(isOnlyTold) ? 2 : 1, ...kept });
}

function isOnlyTold(event: WorkEvent): boolean {
  return event.kind === 'tool' && event.onlyTold === true;
}

const mostCharacters = 100_000; // of all steps: what is kept is looked through for secrets
const [fewestOfAText, mostOfAText] = [200, 4_000];
const mostOfADiff = 60_000;
const mostEvents = 500;

/**
 * The same without secrets and not longer than a person reads: long texts lose their middle, the sooner the more steps there
 * are; of very many steps the first and the last are kept.
 */
export function keptWork({ events, diff }: Pick<WorkLeft, 'events' | 'diff'>, clean: Clean): KeptWork {
  const shown = firstAndLast(events);
  const share = Math.floor(mostCharacters / (2 * Math.max(1, shown.length)));
  const most = Math.min(mostOfAText, Math.max(fewestOfAText, share));
  const cut = (text: string): string => shortened(text, most, clean);
  return { events: shown.map((event) => eventWith(event, cut)), diff: shortened(diff, mostOfADiff, clean) };
}

function firstAndLast(events: readonly WorkEvent[]): readonly WorkEvent[] {
  const left = events.length - mostEvents;
  if (left <= 0) return events;
  const half = mostEvents / 2;
  return [...events.slice(0, half), { kind: 'assistant', text: `[${left} steps left out]` }, ...events.slice(-half)];
}

function eventWith(event: WorkEvent, cut: Clean): WorkEvent {
  switch (event.kind) {
    case 'user':
    case 'assistant':
      return { ...event, text: cut(event.text) };
    case 'tool': {
      const { name, input, output, command, ok } = event;
      const told = {
        ...(ok === undefined ? {} : { ok }),
        ...(command === undefined ? {} : { command: cut(command) }),
        ...(isOnlyTold(event) ? { onlyTold: true as const } : {}),
      };
      return { kind: 'tool', name: cut(name), input: cut(input), output: cut(output), ...told };
    }
    case 'skill':
      return { ...event, name: cut(event.name) };
    case 'end':
      return { ...event, reason: cut(event.reason) };
    case 'usage':
      return event;
  }
}
