import { describeTime } from './describeTime.js';

/** What the one status bar item shows. */
export type NightlyStatus =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly next: number | undefined }
  | { readonly kind: 'missed'; readonly due: number }
  | { readonly kind: 'running'; readonly skill: string; readonly done: number; readonly total: number }
  | { readonly kind: 'proposals'; readonly count: number; readonly next: number | undefined }
  | { readonly kind: 'broken'; readonly why: string; readonly cure: string };

/** What the tooltip adds, whatever the state. */
export interface StatusContext {
  readonly now: number;
  readonly timezone: string;
  /** The last night in a sentence, if there was one. */
  readonly last: string | undefined;
  /** What was spent this month, in words. */
  readonly spent: string | undefined;
  /** Names of skills that hold part of a proposal, which nobody measured. */
  readonly unmeasured: readonly string[];
  /** Said wherever a result of the simulated model could show. */
  readonly simulated: boolean;
}

export interface StatusText {
  /** With a leading codicon. */
  readonly text: string;
  /** Plain lines. Names come from the workspace: escape them before they are shown as Markdown. */
  readonly tooltip: readonly string[];
  /** A whole sentence for screen readers: no icon, no colour carries anything alone. */
  readonly accessibility: string;
  readonly warning: boolean;
}

/** The words of the status bar. Colour is kept for what is broken: a waiting proposal is no alarm. */
export function statusText(status: NightlyStatus, context: StatusContext): StatusText {
  const { short, icon, sentence } = wordsOf(status, context);
  const simulated = context.simulated ? ' (simulated)' : '';
  const { length } = context.unmeasured;
  const unmeasured = length === 0 ? '' : ` · ${length} not measured`;
  const parts = length === 0 ? undefined : `Not measured: part of a proposal is in ${context.unmeasured.join(', ')}.`;
  const tooltip = [
    sentence,
    parts,
    context.last === undefined ? undefined : `Last: ${context.last}`,
    context.spent === undefined ? undefined : `Spent this month: ${context.spent}`,
    context.simulated ? 'The simulated model answers: no real model is called.' : undefined,
  ].filter((line) => line !== undefined);
  return {
    text: `$(${icon}) ${short}${unmeasured}${simulated}`,
    tooltip,
    accessibility: `Whetstone: ${sentence}${parts === undefined ? '' : ` ${parts}`}${context.simulated ? ' Simulated model.' : ''}`,
    warning: status.kind === 'broken',
  };
}

interface Words {
  readonly short: string;
  readonly icon: string;
  readonly sentence: string;
}

function wordsOf(status: NightlyStatus, context: StatusContext): Words {
  const when = (at: number): string => describeTime(at, context.now, context.timezone);
  switch (status.kind) {
    case 'off':
      return { icon: 'circle-slash', short: 'Nightly off', sentence: 'The nightly run is off.' };
    case 'on':
      return {
        icon: 'clock',
        short: status.next === undefined ? 'Nightly on' : `Nightly ${shortTime(when(status.next))}`,
        sentence: `The nightly run is on. ${nextSentence(status.next, when)}`,
      };
    case 'missed':
      return {
        icon: 'question',
        short: 'Nightly missed',
        sentence: `The night due ${when(status.due)} did not run. Choose whether to run it now.`,
      };
    case 'running':
      return {
        icon: 'sync~spin',
        short: `Night ${status.done}/${status.total}`,
        sentence: `The nightly run trains ${status.skill}: ${status.done} of ${status.total} done.`,
      };
    case 'proposals': {
      const [short, wait] = status.count === 1 ? ['1 proposal', 'waits'] : [`${status.count} proposals`, 'wait'];
      return {
        icon: 'bell-dot',
        short,
        sentence: `${short} ${wait} for your review. ${nextSentence(status.next, when)}`,
      };
    }
    case 'broken':
      return {
        icon: 'warning',
        short: 'Nightly stopped',
        sentence: `The nightly run cannot run. ${status.why} ${status.cure}`.trimEnd(),
      };
  }
}

function nextSentence(next: number | undefined, when: (at: number) => string): string {
  return next === undefined ? 'No next time.' : `Next: ${when(next)}.`;
}

/** Today and tomorrow go without saying where the place is small. */
function shortTime(described: string): string {
  return described.replace(/^(?:today|tomorrow|on) /u, '');
}
